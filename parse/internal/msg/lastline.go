package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/logtext"
	"github.com/occlint/occlint/parse/internal/scan"
)

// longestLast bounds what is kept of a line that says nothing, in case it is
// the log's last.
const longestLast = 160

// breaksOff reports a line that is the beginning of a message and no more: what
// a log ends with that was cut there. A newline behind it proves nothing, as
// whoever cut the log may have added it.
func breaksOff(line []byte) bool {
	t := bytes.TrimSpace(line)
	if _, end, ok := scan.Decimal(t, 0); ok && len(t) > end+1 && scan.CutAt(t, end, stackWords) {
		return true
	}
	t, _ = logtext.Strip(t)
	for _, tool := range [...]string{"ptxas", "nvlink"} {
		if len(t) >= 2 && len(t) <= len(tool) && tool[:len(t)] == string(t) {
			return true
		}
		if scan.HasAt(t, 0, tool) {
			return breaksOffBehind(t[len(tool):])
		}
	}
	return false
}

// breaksOffBehind judges what stands behind a tool's name.
func breaksOffBehind(t []byte) bool {
	word := bytes.TrimLeft(t, " \t")
	if len(word) == len(t) {
		return false
	}
	for _, severity := range [...]string{"info", "warning", "error", "fatal"} {
		if len(word) <= len(severity) {
			if severity[:len(word)] == string(word) {
				return true
			}
		} else if scan.HasAt(word, 0, severity) {
			rest := bytes.TrimLeft(word[len(severity):], " \t")
			return len(rest) == 0 || rest[0] == ':' && beginsResource(bytes.TrimLeft(rest[1:], " \t"))
		}
	}
	return false
}

// beginsResource reports the beginning of a resource message that is cut before
// its first number or name, or inside the words behind it; nothing is one.
func beginsResource(t []byte) bool {
	for _, s := range [...]string{EntryText, PropertiesText, CompileTimeText, "Used "} {
		if len(t) < len(s) && s[:len(t)] == string(t) {
			return true
		}
	}
	_, end, ok := scan.Decimal(t, 0)
	return ok && scan.CutAt(t, end, " bytes gmem")
}
