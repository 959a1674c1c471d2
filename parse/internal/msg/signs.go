package msg

import "bytes"

// signs are in every message, and in every line by which a build says that it
// failed, but for such as are short lines.
var signs = [...]string{
	"ptxas", "nvlink", "nvcc", "rror", "RROR", " *** ", " returned ", " did not ", "not found", "undefined reference", "No space left",
	"out of memory", "cannot ", "ailed", "FAILED", "core dumped", "illed",
}

// LongestSign bounds the length of what MayTell looks for, so that a text can be
// looked at in pieces that overlap by as much.
const LongestSign = 32

// MayTell reports whether a text that is too long to be read can hold a message
// or say that the build failed. It errs on the side of yes.
func MayTell(b []byte) bool {
	for _, sign := range signs {
		if bytes.Contains(b, []byte(sign)) {
			return true
		}
	}
	return false
}
