package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// colonFailed looks behind each colon for what linkers and shells say there.
func colonFailed(t []byte) bool {
	for i := 0; ; i++ {
		n := bytes.IndexByte(t[i:], ':')
		if n < 0 {
			return false
		}
		i += n
		before, after := front(t[:i]), t[i+1:]
		if len(after) < len(" Killed") {
			return false
		}
		switch {
		case scan.HasSuffix(before, ".go"):
			if bytes.IndexByte(before, ' ') < 0 && goStops(after) {
				return true
			}
		case after[0] != ' ':
		case saysAfterColon(before, after[1:]):
			return true
		}
	}
}

// saysAfterColon judges what stands before and behind one colon.
func saysAfterColon(before, after []byte) bool {
	switch after[0] {
	case 'n':
		if scan.HasAt(after, 0, "not found") && nothing(after[len("not found"):]) {
			return shellMisses(before)
		}
	case 'c':
		if scan.HasAt(after, 0, "command not found") && nothing(after[len("command not found"):]) || scan.HasAt(after, 0, "cannot execute") {
			return shellMisses(before)
		}
	case 'P':
		return string(after) == "Permission denied" && shellMisses(before)
	case 'N':
		return string(after) == "No such file or directory" && shellMisses(before) || string(after) == "No space left on device"
	case 'o':
		return scan.HasAt(after, 0, "out of memory") && buildsWith(before)
	case 'u':
		if scan.HasAt(after, 0, "undefined reference to ") && !quotation(before) && isLocation(before) {
			return true
		}
	case 'l': // `./build.sh: line 3: 1234 Killed   nvcc …`
		if scan.HasAt(after, 0, "line ") && isTool(before) && shellBuried(after[len("line "):]) {
			return true
		}
	}
	if scan.HasSuffix(before, "ld") || scan.HasSuffix(before, "ld.bfd") || scan.HasSuffix(before, "ld.gold") {
		return linkerStops(before, after)
	}
	return false
}

// counted reports whether text ends in a number other than 0 that begins the
// line or follows `and `.
func counted(text []byte) bool {
	i := len(text)
	for i > 0 && text[i-1]-'0' < 10 {
		i--
	}
	n, _, ok := scan.Decimal(text, i)
	return ok && n > 0 && (i == 0 || scan.HasSuffix(text[:i], " and ") && text[0]-'0' < 10)
}

// isLocation reports whether text ends in `FILE:12`, `FILE:(.text+0x12)` or
// `in function f`.
func isLocation(text []byte) bool {
	n := len(text)
	return n > 2 && (text[n-1] == ')' && bytes.Contains(text, []byte(":(")) || text[n-1]-'0' < 10 && bytes.LastIndexByte(text, ':') > 0) ||
		scan.HasSuffix(text, "ld") || bytes.Contains(text, []byte("in function "))
}

// linkerStops takes what ld says behind its name when it can't go on.
func linkerStops(before, after []byte) bool {
	if bytes.IndexByte(before, ' ') >= 0 {
		return false
	}
	for _, s := range [...]string{
		"cannot find ", "cannot open ", "library not found for ", "framework not found ", "symbol(s) not found", "final link failed",
		"can't open ", "unrecognized option", "undefined symbol",
	} {
		if scan.HasAt(after, 0, s) {
			return true
		}
	}
	return false
}

// shellMisses takes what stands before `: not found`: a shell or make that
// names a program of the build. Of other programs, configure scripts try many.
//
//	sh: 1: nvcc
//	bash: line 1: nvcc
//	./build.sh: line 3: nvcc
func shellMisses(before []byte) bool {
	i := bytes.LastIndex(before, []byte(": "))
	if i < 0 {
		return false
	}
	shell, program := before[:i], before[i+2:]
	if j := bytes.IndexByte(shell, ':'); j >= 0 {
		for _, c := range bytes.TrimPrefix(bytes.TrimLeft(shell[j+1:], " "), []byte("line ")) {
			if c-'0' > 9 {
				return false
			}
		}
		shell = shell[:j]
	}
	return isTool(shell) && buildsWith(bytes.Trim(program, "'"))
}

// shellBuried takes `3:  1234 Segmentation fault  (core dumped) nvcc …`.
func shellBuried(after []byte) bool {
	_, i, ok := scan.Decimal(after, 0)
	if !ok || !scan.HasAt(after, i, ": ") {
		return false
	}
	t := bytes.TrimLeft(after[i+1:], " ")
	_, i, ok = scan.Decimal(t, 0)
	if !ok {
		return false
	}
	t = bytes.TrimLeft(t[i:], " ")
	for _, s := range [...]string{"Killed", "Aborted", "Segmentation fault", "Bus error", "Illegal instruction", "Terminated"} {
		if scan.HasAt(t, 0, s) {
			return true
		}
	}
	return false
}

// goStops takes what go build says behind FILE.go: `5:2: undefined: x`.
func goStops(after []byte) bool {
	const longestPlace = 24 // line and column
	i := bytes.Index(after[:min(len(after), longestPlace)], []byte(": "))
	if i < 1 || len(bytes.Trim(after[:i], "0123456789:")) > 0 {
		return false
	}
	for _, s := range [...]string{"undefined: ", "syntax error", "cannot use ", "cannot find ", "could not import ", "missing return", "too many errors"} {
		if scan.HasAt(after[i+2:], 0, s) {
			return true
		}
	}
	return scan.HasSuffix(after, " and not used")
}

// buildsWith recognises the programs that make a build.
func buildsWith(program []byte) bool {
	program = bytes.TrimSuffix(bytes.TrimSpace(program), []byte(".exe"))
	if i := bytes.LastIndexAny(program, `/\`); i >= 0 {
		program = program[i+1:]
	}
	switch string(program) {
	case "nvcc", "ptxas", "nvlink", "cicc", "cudafe++", "fatbinary", "bin2c", "ptxas-blackwell", "nvcc.profile", "occlint",
		"gcc", "g++", "cc", "c++", "cpp", "clang", "clang++", "cc1", "cc1plus", "collect2", "cl", "link", "ld", "ld.lld", "lld", "as", "ar",
		"nvc", "nvc++", "nvfortran", "gfortran", "make", "gmake", "cmake", "ninja", "bazel", "meson", "scons", "cargo", "rustc", "go",
		"ccache", "sccache", "python", "python3", "msbuild":
		return true
	}
	return bytes.HasPrefix(program, []byte("gcc-")) || bytes.HasPrefix(program, []byte("g++-")) || bytes.HasPrefix(program, []byte("clang-")) ||
		scan.HasSuffix(program, "-gcc") || scan.HasSuffix(program, "-g++") || scan.HasSuffix(program, "-ld")
}
