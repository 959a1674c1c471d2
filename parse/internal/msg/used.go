package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// mostRegisters is what a thread can have on every architecture since sm_35. A
// line that says more, or 0, was not written so: digits were glued or lost.
const mostRegisters = 255

// used reads `Used 74 registers, used 1 barriers, 640 bytes smem, …` of ptxas
// and `used 30 registers, 0 stack, 0 bytes smem, …` of nvlink. Old output has
// lmem and smem before cmem; a zero field is left out by ptxas.
func used(b []byte, m *Message) int {
	if !scan.HasAt(b, 1, "sed ") {
		if scan.CutAt(b, 0, "Used ") {
			m.Kind, m.Cut = Used, true
			return len(b)
		}
		return -1
	}
	n, i, ok := number(b, 5)
	switch {
	case scan.HasAt(b, i, " registers"):
	case i == 5 && i < len(b):
		return -1
	default:
		m.Kind, m.Cut = Used, true
		return i
	}
	m.Kind = Used
	i += len(" registers")
	if !ok || n == 0 || n > mostRegisters {
		m.Cut = true
		return i
	}
	m.Registers = some(n)
	for i < len(b) && b[i] == ',' {
		if left := afterEllipsis(b, i+1); left >= 0 {
			m.Cut = true
			if i = left; i == len(b) {
				return i
			}
			i-- // a field follows, as behind a comma
		}
		next := usedField(b, i+1, m)
		if next < 0 {
			m.Cut = true
			return i
		}
		i = next
	}
	if i < len(b) && scan.IsWordByte(b[i]) {
		m.Cut = true // glued to another process's text
	}
	return i
}

// afterEllipsis returns where the text goes on behind ` ... `, by which an editor
// left fields out; -1 where none stands at i.
func afterEllipsis(b []byte, i int) int {
	for i < len(b) && b[i] == ' ' {
		i++
	}
	if !scan.HasAt(b, i, "... ") {
		return -1
	}
	for i += len("..."); i < len(b) && (b[i] == ' ' || b[i] == ','); i++ {
	}
	return i
}

// bareUsed recognises a Used line that somebody copied without its tool, behind
// a comment sign perhaps.
func (x *Lexer) bareUsed(b []byte, m *Message) bool {
	i := bytes.Index(b, []byte("Used "))
	if i < 0 || len(b) < i+len("Used N registers") || b[i+len("Used ")]-'0' > 9 || !wrapperOnly(b[:i]) {
		return false
	}
	text := b[i:]
	m.reset()
	n := used(text, m)
	if rest := bytes.TrimSpace(text[max(n, 0):]); n < 0 || !m.Registers.Stated() || len(rest) > 0 && rest[0] != ',' && !scan.HasAt(rest, 0, "=>") {
		return false // prose
	}
	m.Stage, m.Bare, m.Before = Ptxas, true, b[:i]
	x.wrapper.Learn(b[:i])
	x.hold(text, len(b), true)
	return true
}

// usedField reads one field of a Used line, the comma before it already
// taken; -1 when the field is not whole.
func usedField(b []byte, i int, m *Message) int {
	for i < len(b) && b[i] == ' ' {
		i++
	}
	barriers := scan.HasAt(b, i, "used ")
	if barriers {
		i += len("used ")
	}
	n, j, ok := number(b, i)
	if !ok {
		return -1
	}
	if barriers {
		if !scan.HasAt(b, j, " barriers") {
			return -1
		}
		m.Barriers = some(n)
		return j + len(" barriers")
	}
	if scan.HasAt(b, j, "+") { // sm_1x and sm_2x: two parts of one total
		more, k, ok := number(b, j+1)
		if !ok || n+more > MostNumber {
			return -1
		}
		n, j = n+more, k
	}
	if scan.HasAt(b, j, " bytes ") {
		if end := usedBytes(b, j+len(" bytes "), n, m); end >= 0 {
			return end
		}
		return unknownField(b, j)
	}
	switch {
	case scan.HasAt(b, j, " stack"):
		m.Stack = some(n)
		return j + len(" stack")
	case scan.HasAt(b, j, " textures"):
		m.Textures = some(n)
		return j + len(" textures")
	case scan.HasAt(b, j, " surfaces"):
		m.Surfaces = some(n)
		return j + len(" surfaces")
	case scan.HasAt(b, j, " samplers"):
		m.Samplers = some(n)
		return j + len(" samplers")
	}
	return unknownField(b, j)
}

// usedBytes reads what the n bytes of a field are bytes of.
func usedBytes(b []byte, i int, n int64, m *Message) int {
	switch {
	case scan.HasAt(b, i, "cmem["):
		bank, j, ok := scan.Decimal(b, i+len("cmem["))
		if !ok || !scan.HasAt(b, j, "]") {
			return -1
		}
		m.addBank(bank, n)
		return j + 1
	case scan.HasAt(b, i, "smem"):
		m.Shared = some(n)
		return i + len("smem")
	case scan.HasAt(b, i, "lmem"):
		m.Local = some(n)
		return i + len("lmem")
	case scan.HasAt(b, i, "cumulative stack size"):
		m.Cumulative = some(n)
		return i + len("cumulative stack size")
	}
	return -1
}

// knownFields are the words after the number of a field; a field that ends
// inside one of them is cut, not unknown.
var knownFields = [...]string{
	" bytes smem", " bytes lmem", " bytes cmem[", " bytes cumulative stack size", " stack",
	" textures", " surfaces", " samplers", " barriers",
}

// beginsKnownField reports that words are those of a known field as far as they
// go, blanks aside: a line can be broken anywhere.
func beginsKnownField(words []byte) bool {
	for _, known := range knownFields {
		i := 0
		for _, c := range words {
			if c == ' ' {
				continue
			}
			for i < len(known) && known[i] == ' ' {
				i++
			}
			if i == len(known) || known[i] != c {
				i = -1
				break
			}
			i++
		}
		if i >= 0 {
			return true
		}
	}
	return false
}

// unknownField skips a field of a toolkit newer than this code, whose words
// stand at j; -1 when it can as well be a known one that is cut.
func unknownField(b []byte, j int) int {
	end := j
	for end < len(b) && (scan.IsWordByte(b[end]) || b[end] == ' ' || b[end] == '[' || b[end] == ']') {
		end++
	}
	words := bytes.TrimRight(b[j:end], " ")
	if len(words) < 3 || words[0] != ' ' || words[len(words)-1] == '[' || scan.HasAt(words, 0, " bytes cmem") {
		return -1
	}
	if scan.HasAt(words, 0, " bytes") && !scan.HasAt(words, 0, " bytes ") {
		return -1 // two words run together
	}
	if beginsKnownField(words) {
		return -1
	}
	if end < len(b) && b[end] != ',' && b[end] != '(' {
		return -1
	}
	return j + len(words)
}
