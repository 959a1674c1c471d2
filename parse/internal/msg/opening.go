package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// An opening is the start of a tool's message, found anywhere in a line: the
// tool word, the severity, the padding and the colon. Whatever stands before it
// is a wrapper's, so no wrapper needs to be known by name.
type opening struct {
	at   int // where the tool word begins
	body int // where the text after the colon and its blank begins
	Origin
	// padded says that the severity was padded to its column as the tools
	// themselves do; a message without a tool word is taken for one of the
	// driver's linker only then.
	padded bool
}

// findOpening returns the first opening in b at or after from.
func findOpening(b []byte, from int) (h opening, ok bool) {
	searched := from // no tool of a line-level message stands before
	for i := from; ; i++ {
		n := bytes.IndexByte(b[i:], ':')
		if n < 0 {
			return opening{}, false
		}
		i += n
		if h, ok = openingAt(b, from, i, &searched); ok {
			return h, true
		}
	}
}

// openingAt looks back from the colon at i for a severity and a tool.
func openingAt(b []byte, from, i int, searched *int) (h opening, ok bool) {
	end := i
	for end > from && (b[end-1] == ' ' || b[end-1] == '\t') {
		end--
	}
	s := end
	for s > from && b[s-1]|0x20-'a' < 26 {
		s--
	}
	if h.Severity = severityOf(b[s:end]); h.Severity == 0 {
		return h, false
	}
	h.body = i + 1
	for h.body < len(b) && (b[h.body] == ' ' || b[h.body] == '\t') {
		h.body++
	}
	h.padded = i-s == len("warning ")
	h.at = s
	t := s
	for t > from && (b[t-1] == ' ' || b[t-1] == '\t') {
		t--
	}
	if t > from && b[t-1] == ';' {
		return lineLevel(b, searched, t-1, h)
	}
	if t > from && b[t-1] == ':' { // `ptxas : info : Used`
		t--
		for t > from && b[t-1] == ' ' {
			t--
		}
	} else if t == s && t > from && isToolByte(b[t-1]) {
		return h, false // `noerror:`
	}
	w := t
	for w > from && isToolByte(b[w-1]) {
		w--
	}
	h.Tool, h.Stage = b[w:t], StageOf(b[w:t])
	switch {
	case h.Stage != StageUnknown:
		h.Tool = unglued(h.Tool)
		h.at = t - len(h.Tool)
	case string(h.Tool) == "nvcc":
		h.at = w
	case s > from && b[s-1] != ' ' && b[s-1] != '\t' && b[s-1] != '>' && b[s-1] != ':':
		return h, false
	default:
		h.Tool = nil
	}
	return h, true
}

// lineLevel reads back `ptxas FILE, line N; warning : ` from the semicolon.
// FILE can hold blanks: `application ptx input`.
func lineLevel(b []byte, searched *int, semicolon int, h opening) (opening, bool) {
	const longest = 1024 // of a file name; bounds what a line of semicolons costs
	from := max(*searched, semicolon-longest)
	comma := bytes.LastIndex(b[from:semicolon], []byte(", line "))
	if comma < 0 {
		return h, false
	}
	comma += from
	n, end, ok := scan.Decimal(b, comma+len(", line "))
	if !ok || end != semicolon {
		// ptxas prints question marks for a line that it does not know.
		if n = 0; len(bytes.Trim(b[comma+len(", line "):semicolon], "?")) > 0 || end == semicolon {
			return h, false
		}
	}
	// FILE begins behind the tool's name; names that are part of a path come
	// before.
	for end := comma; ; {
		i := max(bytes.LastIndex(b[from:end], []byte("ptxas")), bytes.LastIndex(b[from:end], []byte("nvlink")))
		if i < 0 {
			*searched = max(from, comma-len("nvlink"))
			return h, false
		}
		i += from
		w, after := i, i
		for w > from && isToolByte(b[w-1]) {
			w--
		}
		for after < comma && isToolByte(b[after]) {
			after++
		}
		if after < comma && b[after] == ' ' {
			h.at, h.Stage, h.Tool = w, StageOf(b[w:after]), b[w:after]
			h.Input, h.InputLine = b[after+1:comma], int(n)
			return h, true
		}
		end = i
	}
}

// unglued drops what another process wrote right before a tool's name: the
// digits of `Used 4ptxas info`. A renamed binary has a sign in between.
func unglued(tool []byte) []byte {
	for _, name := range [...]string{"ptxas", "nvlink"} {
		if i := bytes.LastIndex(tool, []byte(name)); i > 0 && scan.IsWordByte(tool[i-1]) && tool[i-1] != '_' {
			return tool[i:]
		}
	}
	return tool
}

func isToolByte(c byte) bool {
	return scan.IsWordByte(c) || c == '-' || c == '.' || c == '+'
}

// severityOf reads a severity as printed; `warn` is an edited log's.
func severityOf(word []byte) Severity {
	switch string(word) {
	case "info":
		return Info
	case "warning", "warn":
		return Warning
	case "error":
		return Error
	case "fatal":
		return Fatal
	}
	return 0
}

// StageOf tells the stage from the tool's name. Renamed binaries keep the
// word: Triton ships ptxas as ptxas-blackwell.
func StageOf(tool []byte) Stage {
	switch {
	case len(tool) < 5:
		return StageUnknown
	case bytes.Contains(tool, []byte("ptxas")):
		return Ptxas
	case bytes.Contains(tool, []byte("nvlink")):
		return Nvlink
	}
	return StageUnknown
}
