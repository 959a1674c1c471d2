package logtext

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// Strip takes off a line what CI systems, containers, IDEs and loggers put
// in front: times, steps, the names of services and jobs. quoted says that a
// sign of a comment or of quoted text was among it.
func Strip(t []byte) (rest []byte, quoted bool) {
	const most = 8 // wrappers within wrappers
	for range most {
		t = bytes.TrimLeft(t, " \t")
		n, sign := wrapperLen(t)
		if n == 0 {
			break
		}
		quoted = quoted || sign
		t = t[n:]
	}
	return t, quoted
}

// wrapperLen returns the length of the wrapper that t begins with.
func wrapperLen(t []byte) (n int, sign bool) {
	if len(t) == 0 {
		return 0, false
	}
	end := 0
	for end < len(t) && t[end] != ' ' && t[end] != '\t' {
		end++
	}
	word := t[:end]
	rest := t[len(word):]
	switch c := t[0]; {
	case c-'0' < 10 || c == 'T':
		return numberLen(t, word), false
	case c == '#':
		if _, end, ok := scan.Decimal(word, 1); ok && end == len(word) { // BuildKit: #12
			return end, false
		}
		if len(word) == 1 || word[1] == '#' && !scan.HasAt(word, 2, "[") {
			return len(word), true
		}
	case c == '[':
		return bracketLen(t), false
	case c == '(':
		if i := bytes.IndexByte(t, ')'); i > 0 && bytes.Contains(t[:i], []byte("pid=")) {
			return i + 1, false
		}
	case string(word) == "//" || string(word) == "*" || string(word) == "**" || string(word) == ">" || string(word) == "--" && len(rest) == 0:
		return len(word), true
	case c == 'w' && scan.HasAt(t, 0, "warning: "): // cargo: `warning: kernels@0.3.1: `
		crate := t[len("warning: "):]
		if i := bytes.Index(crate, []byte(": ")); i > 0 && bytes.IndexByte(crate[:i], '@') > 0 && bytes.IndexByte(crate[:i], ' ') < 0 {
			return len("warning: ") + i + 2, false
		}
	}
	if n := loggerLen(word); n > 0 {
		return n, false
	}
	// docker compose: `service-a  | `
	if bar := bytes.TrimLeft(rest, " "); len(bar) > 1 && bar[0] == '|' && bar[1] == ' ' && scan.HasLetter(word) && len(word) < 64 {
		return len(t) - len(bar) + 1, false
	}
	// Columns of a job and a step, then the time: `build (12.8)\tCompile\t2025-…Z `
	if i := bytes.IndexByte(t, '\t'); i > 0 {
		if j := bytes.IndexByte(t[i+1:], '\t'); j >= 0 {
			if at := i + 1 + j + 1; at+4 < len(t) && t[at]-'0' < 10 && t[at+4] == '-' {
				return at, false
			}
		}
	}
	return 0, false
}

// numberLen takes times, project numbers and line numbers: `10:20:30.12`,
// `2025-11-02T10:20:30Z`, `12>`, `3.5s:`, `01O`. A number before a bar is an
// excerpt's: `   12 | error:`.
func numberLen(t, word []byte) int {
	if _, end, ok := scan.Decimal(t, 0); ok && scan.HasAt(t, end, ">") {
		return end + 1
	}
	if _, end, ok := scan.Decimal(t, 0); ok && scan.HasAt(t, end, ":") && len(t) > end+1 && t[end+1]-'0' > 9 && t[end+1] != ' ' {
		return end + 1 // grep -n
	}
	if bytes.HasPrefix(bytes.TrimLeft(t[len(word):], " \t"), []byte("|")) {
		return 0
	}
	when := bytes.TrimSuffix(word, []byte{':'})
	if len(when) == 3 && (when[2] == 'O' || when[2] == 'E') || len(when) == 4 && (when[2] == 'O' || when[2] == 'E') && when[3] == '+' {
		return len(word) // GitLab
	}
	if isCount(t[len(word):]) {
		return 0
	}
	if !saysWhen(when) || len(word) == len(t) || bytes.IndexByte(when, '(') >= 0 {
		return 0
	}
	return len(word)
}

// isCount reports that the number in front counts errors or warnings.
func isCount(rest []byte) bool {
	for _, what := range [...]string{" error ", " errors ", " warning ", " warnings ", " catastrophic ", " Error(s)"} {
		if scan.HasAt(rest, 0, what) {
			return true
		}
	}
	return false
}

// bracketLen takes `[2/3]`, `[ 40%]`, `[2025-11-02T10:20:30Z]`, `[kernels
// 0.3.1]`. Padded words are a test's: `[  PASSED  ]`, `[ RUN      ]`.
func bracketLen(t []byte) int {
	const longest = 80
	i := bytes.IndexByte(t[:min(len(t), longest)], ']')
	if i < 2 || i+1 == len(t) || t[i+1] != ' ' {
		return 0
	}
	inside := t[1:i]
	if (inside[0] == ' ' || inside[len(inside)-1] == ' ') && scan.HasLetter(inside) {
		return 0
	}
	return i + 1
}

// loggerLen takes Python's logging: `INFO:build:`.
func loggerLen(word []byte) int {
	for _, level := range [...]string{"DEBUG:", "INFO:", "WARNING:", "ERROR:"} {
		if scan.HasAt(word, 0, level) {
			if i := bytes.IndexByte(word[len(level):], ':'); i > 0 {
				return len(level) + i + 1
			}
		}
	}
	return 0
}
