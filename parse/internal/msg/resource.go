package msg

import (
	"bytes"

	"github.com/occlint/occlint/parse/internal/scan"
)

// The forms of the resource messages, after the tool, the severity and the
// colon. Each function fills m and returns how many bytes of b the message
// takes, or -1 when b is not that message. A message that stops short, because
// the line ends or turns into something else, is marked cut and keeps only
// what was read whole.

// resource recognises any resource message of ptxas and nvlink at the start
// of b.
func resource(b []byte, m *Message) int {
	if len(b) == 0 {
		return -1
	}
	switch b[0] {
	case 'U', 'u':
		return used(b, m)
	case 'F':
		if scan.CutAt(b, 0, PropertiesText) {
			m.Kind, m.Cut = Properties, true
			return len(b)
		}
		if scan.HasAt(b, 0, unnamedProperties) {
			return stackOf(b, m)
		}
		return properties(b, m)
	case 'C':
		if scan.HasAt(b, 0, EntryText) {
			return entry(b, m)
		}
		if scan.CutAt(b, 0, EntryText) {
			m.Kind, m.Cut = Entry, true
			return len(b)
		}
		return compileTime(b, m)
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if n := module(b, m); n >= 0 {
			return n
		}
		return stackFrame(b, m)
	}
	return -1
}

// How the resource messages of ptxas begin, and what stands between an entry's
// name and its architecture.
const (
	EntryText       = "Compiling entry function '"
	EntryArch       = "' for '"
	PropertiesText  = "Function properties for "
	CompileTimeText = "Compile time = "
	stackWords      = " bytes stack frame"

	unnamedProperties = "Function properties: "
)

// ReadStackFrame reads a text that is a whole stack line, and nothing else,
// into m.
func ReadStackFrame(text []byte, m *Message) bool {
	m.reset()
	return stackFrame(text, m) == len(text) && !m.Cut
}

// ReadUsed reads a text that is a whole Used line of ptxas, and nothing else,
// into m.
func ReadUsed(text []byte, m *Message) bool {
	m.reset()
	return used(text, m) == len(text) && !m.Cut
}

// ReadCompileTime reads a text that is a whole compile time, and nothing else.
func ReadCompileTime(text []byte) (micros Number, ok bool) {
	micros, n, whole := millis(text, len(CompileTimeText))
	return micros, whole && n == len(text)
}

// stackFrame reads `16 bytes stack frame, 8 bytes spill stores, 4 bytes spill
// loads`, the second line of a properties message.
func stackFrame(b []byte, m *Message) int {
	n, i, ok := number(b, 0)
	if !ok || !scan.HasAt(b, i, stackWords) {
		if ok && i < len(b) && scan.CutAt(b, i, stackWords) && i+6 < len(b) {
			m.Kind, m.Cut = StackFrame, true
			return len(b)
		}
		return -1
	}
	m.Kind = StackFrame
	i += len(stackWords)
	m.Stack = some(n)
	stores, j, ok := commaNumber(b, i)
	if !ok || stores > MostNumber || !scan.HasAt(b, j, " bytes spill stores") {
		m.Cut = true
		return i
	}
	j += len(" bytes spill stores")
	loads, k, ok := commaNumber(b, j)
	if !ok || loads > MostNumber || !scan.HasAt(b, k, " bytes spill loads") {
		m.Cut = true
		return j
	}
	k += len(" bytes spill loads")
	if k < len(b) && scan.IsWordByte(b[k]) {
		m.Cut = true
	}
	m.Stack, m.Stores, m.Loads = some(n), some(stores), some(loads)
	return k
}

// commaNumber reads a comma, blanks and a number.
func commaNumber(b []byte, i int) (n int64, next int, ok bool) {
	if i >= len(b) || b[i] != ',' {
		return 0, i, false
	}
	for i++; i < len(b) && b[i] == ' '; i++ {
	}
	return scan.Decimal(b, i)
}

// stackOf reads `Function properties: 16 bytes stack frame, …`, which somebody
// made one line of.
func stackOf(b []byte, m *Message) int {
	i := len(unnamedProperties)
	for i < len(b) && b[i] == ' ' {
		i++
	}
	n := stackFrame(b[i:], m)
	if n < 0 {
		return -1
	}
	return i + n
}

// module reads `8 bytes gmem, 4 bytes cmem[14]`.
func module(b []byte, m *Message) int {
	n, i, ok := scan.Decimal(b, 0)
	if !ok || !scan.HasAt(b, i, " bytes gmem") {
		return -1
	}
	m.Kind, m.Global = Module, someSize(n)
	i += len(" bytes gmem")
	for i < len(b) && b[i] == ',' {
		size, j, ok := commaNumber(b, i)
		if !ok || !scan.HasAt(b, j, " bytes cmem[") {
			m.Cut = true
			return i
		}
		bank, k, ok := scan.Decimal(b, j+len(" bytes cmem["))
		if !ok || !scan.HasAt(b, k, "]") {
			m.Cut = true
			return i
		}
		m.addBank(bank, size)
		i = k + 1
	}
	if i < len(b) && scan.IsWordByte(b[i]) {
		m.Cut = true
	}
	return i
}

// entry reads `Compiling entry function 'NAME' for 'sm_90a'`; the oldest form
// has no architecture. Names can hold quotes, so the last `' for '` counts.
func entry(b []byte, m *Message) int {
	m.Kind = Entry
	rest := b[len(EntryText):]
	// Nearly always the architecture's quote is the last byte.
	if n := len(rest) - 1; n > 0 && rest[n] == '\'' {
		q := bytes.LastIndexByte(rest[:n], '\'') + 1
		if i := q - len(EntryArch); i > 0 && scan.HasAt(rest, i, EntryArch) {
			if m.Name, m.Arch = rest[:i], rest[q:n]; !PlainArch(m.Arch) {
				m.Arch, m.Cut = nil, true
			}
			return len(b)
		}
	}
	i := bytes.LastIndex(rest, []byte(EntryArch))
	if i < 0 {
		m.NameCut = true
		q := bytes.LastIndexByte(rest, '\'')
		if q <= 0 {
			m.Cut = true
			return len(b)
		}
		m.Name = rest[:q]
		after := bytes.TrimLeft(rest[q+1:], " ")
		// `' f`, `' for`: the architecture is cut off.
		m.Cut = len(after) > 0 && (scan.CutAt(after, 0, "for '") || scan.HasAt(after, 0, "for"))
		return len(EntryText) + q + 1
	}
	m.Name = rest[:i]
	arch := rest[i+len(EntryArch):]
	q := bytes.IndexByte(arch, '\'')
	if q < 0 {
		m.Cut = true
		return len(b)
	}
	if m.Arch = arch[:q]; !PlainArch(m.Arch) {
		m.Arch, m.Cut = nil, true
	}
	return len(EntryText) + i + len(EntryArch) + q + 1
}

// PlainArch reports that an architecture lost no digits, all have two or three,
// and that no part of another message got into it: it is one short word.
func PlainArch(arch []byte) bool {
	const begin, longest = "sm_", 16
	if len(arch) > longest || bytes.IndexByte(arch, ' ') >= 0 {
		return false
	}
	if !scan.HasAt(arch, 0, begin) {
		return true
	}
	_, end, _ := scan.Decimal(arch, len(begin))
	switch more := len(arch) - end; end - len(begin) {
	case 2, 3:
		return more == 0 || more == 1 && arch[end]-'a' < 26
	default:
		return more > 0 // no architecture at all, but some text about one
	}
}

// properties reads `Function properties for NAME` of ptxas, whose name is not
// quoted and may hold anything, and `Function properties for 'NAME':` of
// nvlink.
func properties(b []byte, m *Message) int {
	if !scan.HasAt(b, 0, PropertiesText) {
		return -1
	}
	m.Kind = Properties
	rest := b[len(PropertiesText):]
	if len(rest) > 0 && rest[0] == '\'' {
		i := bytes.LastIndex(rest, []byte("':"))
		if i < 1 {
			m.Cut = true
			return len(b)
		}
		m.Name = rest[1:i]
		return len(PropertiesText) + i + 2
	}
	m.Name = bytes.TrimRight(rest, " \t")
	m.Cut = len(m.Name) == 0
	return len(b)
}

// compileTime reads `Compile time = 22.057 ms`.
func compileTime(b []byte, m *Message) int {
	if !scan.HasAt(b, 0, CompileTimeText) {
		return -1
	}
	m.Kind = CompileTime
	micros, i, whole := millis(b, len(CompileTimeText))
	m.Micros, m.Cut = micros, !whole
	return i
}

// millis reads `22.057 ms` at i, in microseconds. whole is false where it stops
// short, at next.
func millis(b []byte, i int) (micros Number, next int, whole bool) {
	n, i, ok := scan.Decimal(b, i)
	if !ok || n > MostNumber/1000-1 {
		return 0, i, false
	}
	n *= 1000
	if scan.HasAt(b, i, ".") {
		scale := int64(100)
		for i++; i < len(b) && b[i]-'0' < 10; i++ {
			n += int64(b[i]-'0') * scale
			scale /= 10
		}
	}
	if !scan.HasAt(b, i, " ms") {
		return 0, i, false
	}
	return some(n), i + len(" ms"), true
}

// target reads nvlink's ` (target: sm_52)` at the start of b, which stands
// after a message only when several architectures are linked.
func target(b []byte) (arch []byte, n int) {
	const begin = "(target: "
	i := 0
	for i < len(b) && b[i] == ' ' {
		i++
	}
	if !scan.HasAt(b, i, begin) {
		return nil, 0
	}
	end := bytes.IndexByte(b[i:], ')')
	if end < 0 {
		return nil, 0
	}
	return b[i+len(begin) : i+end], i + end + 1
}
