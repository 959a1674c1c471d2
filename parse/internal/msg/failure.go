package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/logtext"
	"github.com/occlint/occlint/parse/internal/scan"
)

// failure recognises the lines by which compilers and build tools say that
// they stopped. A pipe hides the exit code, so these lines are all that tells
// a finished build from a failed one.
//
// A log also holds source excerpts, test output and prose that quote such
// lines. So a line counts only when, behind what a wrapper puts in front, it
// begins as the tool begins it (failureForms), or is a diagnostic whose place
// stands right before the word error, outside quotes.
func (x *Lexer) failure(b []byte, m *Message) bool {
	t := bytes.TrimSpace(b)
	if x.wrapper.Len() > 0 && len(b) > x.wrapper.Len() && x.wrapper.Matches(b) {
		t = bytes.TrimSpace(b[x.wrapper.Len():]) // behind the same wrapper as the compiler's messages
	}
	if len(t) < len("Killed") || !failed(t) {
		return false
	}
	m.Kind, m.Text = Failure, t
	return true
}

func failed(line []byte) bool {
	t, quoted := logtext.Strip(line)
	if len(t) == 0 {
		return false
	}
	t = behindMarks(t)
	if len(t) == 0 {
		return false
	}
	if toolFailed(t) || callerFailed(t) {
		return true
	}
	return !quoted && (diagnostic(t) || formFailed(t) || driverFailed(t))
}

// toolFailed recognises make and its like, whose lines are unmistakable even
// behind a comment sign:
//
//	make[2]: *** [CMakeFiles/a.make:76: k.o] Error 255
//	Makefile:3: *** missing separator.  Stop.
//	ninja: build stopped: subcommand failed.
func toolFailed(t []byte) bool {
	i := bytes.IndexByte(t, ':')
	if i < 1 {
		return false
	}
	tool, rest := t[:i], t[i+1:]
	if bytes.IndexByte(tool, ' ') >= 0 && tool[0] != '/' {
		return false
	}
	if scan.HasAt(rest, 0, " *** ") {
		rest = rest[len(" *** "):]
		return isMake(tool) || string(tool) == "scons" || rest[0] == '[' && stopWord(rest)
	}
	if n, j, ok := scan.Decimal(rest, 0); ok && n > 0 && scan.HasAt(rest, j, ": *** ") { // FILE:N: ***
		return scan.HasSuffix(t, "Stop.") || rest[j+len(": *** ")] == '['
	}
	switch {
	case isMake(tool):
		return scan.HasSuffix(rest, "not remade because of errors.") || scan.HasSuffix(rest, ": No such file or directory") ||
			scan.HasSuffix(rest, "rror 127")
	case string(tool) == "ninja" || string(tool) == "samu":
		return scan.HasAt(rest, 0, " build stopped") || scan.HasAt(rest, 0, " error:") || scan.HasAt(rest, 0, " fatal:") ||
			scan.HasAt(rest, 0, " subcommand failed") || scan.HasAt(rest, 0, " job failed")
	}
	return false
}

// stopWord reports whether `[target] Error 2` or `[target] Killed` ends so.
func stopWord(rest []byte) bool {
	i := bytes.LastIndex(rest, []byte("] "))
	return i > 0 && !bytes.Contains(rest[i:], []byte("ignored"))
}

// isMake recognises make by its name, with the depth that it puts behind:
// `make`, `gmake[2]`, `/usr/bin/make`, `mingw32-make.exe[1]`.
func isMake(tool []byte) bool {
	if n := len(tool); n > 2 && tool[n-1] == ']' {
		i := bytes.LastIndexByte(tool, '[')
		if _, end, ok := scan.Decimal(tool, i+1); i < 0 || !ok || end != n-1 {
			return false
		}
		tool = tool[:i]
	}
	tool = bytes.TrimSuffix(tool, []byte(".exe"))
	return scan.HasSuffix(tool, "make") || scan.HasSuffix(tool, "MAKE")
}

// diagnostic recognises `FILE(N): error`, `FILE:N:M: fatal error:`, `tool:
// error:` and `error:` in a line without its wrapper.
func diagnostic(t []byte) bool {
	for _, word := range [...]string{"rror", "RROR"} {
		for i := 0; ; i += len(word) {
			n := bytes.Index(t[i:], []byte(word))
			if n < 0 {
				break
			}
			i += n
			if i > 0 && t[i-1]|0x20 == 'e' && errorAt(t, i-1) {
				return true
			}
		}
	}
	return false
}

// errorAt reports whether the word at i is a diagnostic's.
func errorAt(t []byte, i int) bool {
	word, after := t[i:i+len("error")], t[i+len("error"):]
	if !errorTail(after) {
		return false
	}
	s := i
	for _, adjective := range errorAdjectives {
		if s >= len(adjective) && bytes.EqualFold(t[s-len(adjective):s], []byte(adjective)) {
			s -= len(adjective)
			break
		}
	}
	before := bytes.TrimRight(front(t[:s]), " ")
	if len(before) == 0 || string(before) == "At end of source:" {
		// ERROR: at the start is any program's level of logging; the tools
		// that stop so are among the forms.
		return string(word) != "ERROR" && !figure(after)
	}
	return located(before)
}

// front is what is looked at of the text in front of a sign. Longer text is no
// wrapper's and no file's name, and a long line can hold many signs.
func front(before []byte) []byte {
	const longest = 512
	return before[max(0, len(before)-longest):]
}

var errorAdjectives = [...]string{
	"internal compiler ", "fatal ", "catastrophic ", "internal ", "command-line ", "syntax ", "linker ", "assembler ",
}

// errorTail reports whether what follows the word makes it a diagnostic:
// `error: …`, `error : …`, `error C2065: …`, `error #20: …`, `error[E0425]: …`,
// `error while loading shared libraries: …`.
func errorTail(after []byte) bool {
	if len(after) == 0 {
		return false
	}
	switch after[0] {
	case ':':
		return true
	case '[':
		return bytes.Contains(after, []byte("]:"))
	case ' ':
		rest := bytes.TrimLeft(after, " ")
		if scan.HasAt(rest, 0, "while loading shared libraries:") {
			return true
		}
		i := 0
		for i < len(rest) && (scan.IsWordByte(rest[i]) || rest[i] == '#' || rest[i] == '-') {
			i++
		}
		return i < len(rest) && rest[i] == ':' && i < 12
	}
	return false
}

// figure reports that an error is a quantity, as a test prints it: `error: 0`,
// `error: 1.2e-6 (max)`, `error: none`.
func figure(after []byte) bool {
	t := bytes.TrimLeft(after, ": ")
	if len(t) == 0 {
		return true
	}
	word := t
	if i := bytes.IndexByte(t, ' '); i >= 0 {
		word = t[:i]
	}
	switch string(bytes.ToLower(bytes.Trim(word, ".,;"))) {
	case "none", "no", "ok", "nan", "inf", "-inf", "null", "nil", "false", "n/a":
		return len(word) == len(t)
	}
	digits := false
	for _, c := range word {
		if c-'0' < 10 {
			digits = true
		} else if bytes.IndexByte([]byte("+-.eExXa%,"), c) < 0 {
			return false
		}
	}
	return digits
}

// located reports whether before ends as the front of a diagnostic does:
// `FILE(12):`, `FILE(12,3):`, `FILE:12:`, `g++:`, `MSBUILD :`. Text in front of
// a file's name can be a wrapper that we do not know, but not a quotation.
func located(before []byte) bool {
	n := len(before)
	if n < 2 || before[n-1] != ':' {
		return false
	}
	b := bytes.TrimRight(before[:n-1], " ")
	n = len(b)
	if n == 0 {
		return false
	}
	if b[n-1] == ')' {
		i := n - 1
		for i > 0 && (b[i-1]-'0' < 10 || b[i-1] == ',' || b[i-1] == '-') {
			i--
		}
		return i > 1 && i < n-1 && b[i-1] == '(' && b[i-2] != ' ' && !quotation(b[:i-1])
	}
	if i := n; b[n-1]-'0' < 10 {
		for i > 0 && b[i-1]-'0' < 10 {
			i--
		}
		if i > 1 && b[i-1] == ':' && b[i-2] != ' ' {
			return !quotation(b[:i-1])
		}
	}
	return isTool(b)
}

// quotation reports whether a file's name at the end of text is quoted, or
// stands in source code: behind an excerpt's bar or a comment sign.
func quotation(text []byte) bool {
	if bytes.Count(text, []byte{'"'})%2 != 0 || bytes.Count(text, []byte{'`'})%2 != 0 {
		return true
	}
	if i := bytes.Index(text, []byte(" | ")); i >= 0 && len(bytes.Trim(text[:i], " 0123456789")) == 0 {
		return true
	}
	w := bytes.LastIndexByte(text, ' ') + 1
	if w < len(text) && (text[w] == '\'' || text[w] == '(') {
		return true
	}
	return bytes.Contains(text, []byte("// ")) || bytes.Contains(text, []byte("/* "))
}

// isTool recognises a program's name, alone or with its folder: no word by
// which messages begin, and no level of logging.
func isTool(b []byte) bool {
	for i, c := range b {
		switch {
		case isToolByte(c), c == '/', c == '\\', c == '~', c == ':' && i == 1, c == ' ' && b[0] == '/':
		default:
			return false
		}
	}
	switch string(bytes.ToLower(b)) {
	case "note", "warning", "warn", "remark", "info", "information", "debug", "trace", "notice", "verbose", "hint", "help",
		"error", "test", "tests", "expected", "actual", "got", "want", "stdout", "stderr", "ok", "pass", "passed",
		"status", "result", "results", "message", "log", "output", "type", "max", "min", "mean", "l2", "linf":
		return false
	}
	return true
}
