package parse

import "bytes"

// The forms of the resource messages, after the tool, the severity and the
// colon. Each function fills m and returns how many bytes of b the message
// takes, or -1 when b is not that message. A message that stops short, because
// the line ends or turns into something else, is marked cut and keeps only
// what was read whole.

// resource recognises any resource message of ptxas and nvlink at the start
// of b.
func resource(b []byte, m *message) int {
	if len(b) < 4 {
		return -1
	}
	switch b[0] {
	case 'U', 'u':
		return used(b, m)
	case 'F':
		if cutAt(b, 0, propertiesHead) {
			m.kind, m.cut = msgProps, true
			return len(b)
		}
		return properties(b, m)
	case 'C':
		if hasAt(b, 0, entryHead) {
			return entry(b, m)
		}
		if cutAt(b, 0, entryHead) {
			m.kind, m.cut = msgEntry, true
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

const (
	entryHead      = "Compiling entry function '"
	entryArch      = "' for '"
	propertiesHead = "Function properties for "
	timeHead       = "Compile time = "
	stackWords     = " bytes stack frame"
)

// stackFrame reads `16 bytes stack frame, 8 bytes spill stores, 4 bytes spill
// loads`, the second line of a properties message.
func stackFrame(b []byte, m *message) int {
	n, i, ok := count(b, 0)
	if !ok || !hasAt(b, i, stackWords) {
		if ok && i < len(b) && cutAt(b, i, stackWords) && i+6 < len(b) {
			m.kind, m.cut = msgStack, true
			return len(b)
		}
		return -1
	}
	m.kind = msgStack
	i += len(stackWords)
	stores, j, ok := commaNumber(b, i)
	if !ok || stores > maxCount || !hasAt(b, j, " bytes spill stores") {
		m.cut = true
		return i
	}
	j += len(" bytes spill stores")
	loads, k, ok := commaNumber(b, j)
	if !ok || loads > maxCount || !hasAt(b, k, " bytes spill loads") {
		m.cut = true
		return j
	}
	k += len(" bytes spill loads")
	if k < len(b) && isWordByte(b[k]) {
		m.cut = true
	}
	m.stack, m.stores, m.loads = Some(n), Some(stores), Some(loads)
	return k
}

// commaNumber reads a comma, blanks and a number.
func commaNumber(b []byte, i int) (n int64, next int, ok bool) {
	if i >= len(b) || b[i] != ',' {
		return 0, i, false
	}
	for i++; i < len(b) && b[i] == ' '; i++ {
	}
	return decimal(b, i)
}

// module reads `8 bytes gmem, 4 bytes cmem[14]`.
func module(b []byte, m *message) int {
	n, i, ok := decimal(b, 0)
	if !ok || !hasAt(b, i, " bytes gmem") {
		return -1
	}
	m.kind, m.global = msgModule, SomeSize(n)
	i += len(" bytes gmem")
	for i < len(b) && b[i] == ',' {
		size, j, ok := commaNumber(b, i)
		if !ok || !hasAt(b, j, " bytes cmem[") {
			m.cut = true
			return i
		}
		bank, k, ok := decimal(b, j+len(" bytes cmem["))
		if !ok || !hasAt(b, k, "]") {
			m.cut = true
			return i
		}
		m.addBank(bank, size)
		i = k + 1
	}
	if i < len(b) && isWordByte(b[i]) {
		m.cut = true
	}
	return i
}

// entry reads `Compiling entry function 'NAME' for 'sm_90a'`; the oldest form
// has no architecture. Names can hold quotes, so the last `' for '` counts.
func entry(b []byte, m *message) int {
	m.kind = msgEntry
	rest := b[len(entryHead):]
	// Nearly always the architecture's quote is the last byte.
	if n := len(rest) - 1; n > 0 && rest[n] == '\'' {
		q := bytes.LastIndexByte(rest[:n], '\'') + 1
		if i := q - len(entryArch); i > 0 && hasAt(rest, i, entryArch) {
			m.name, m.arch = rest[:i], rest[q:n]
			return len(b)
		}
	}
	i := bytes.LastIndex(rest, []byte(entryArch))
	if i < 0 {
		q := bytes.LastIndexByte(rest, '\'')
		if q <= 0 {
			m.cut = true
			return len(b)
		}
		m.name = rest[:q]
		after := bytes.TrimLeft(rest[q+1:], " ")
		// `' f`, `' for`: the architecture is cut off.
		m.cut = len(after) > 0 && (cutAt(after, 0, "for '") || hasAt(after, 0, "for"))
		return len(entryHead) + q + 1
	}
	m.name = rest[:i]
	arch := rest[i+len(entryArch):]
	q := bytes.IndexByte(arch, '\'')
	if q < 0 {
		m.cut = true
		return len(b)
	}
	m.arch = arch[:q]
	return len(entryHead) + i + len(entryArch) + q + 1
}

// properties reads `Function properties for NAME` of ptxas, whose name is not
// quoted and may hold anything, and `Function properties for 'NAME':` of
// nvlink.
func properties(b []byte, m *message) int {
	if !hasAt(b, 0, propertiesHead) {
		return -1
	}
	m.kind = msgProps
	rest := b[len(propertiesHead):]
	if len(rest) > 0 && rest[0] == '\'' {
		i := bytes.LastIndex(rest, []byte("':"))
		if i < 1 {
			m.cut = true
			return len(b)
		}
		m.name = rest[1:i]
		return len(propertiesHead) + i + 2
	}
	m.name = bytes.TrimRight(rest, " \t")
	m.cut = len(m.name) == 0
	return len(b)
}

// compileTime reads `Compile time = 22.057 ms`.
func compileTime(b []byte, m *message) int {
	if !hasAt(b, 0, timeHead) {
		return -1
	}
	m.kind = msgTime
	micros, i, whole := millis(b, len(timeHead))
	m.micros, m.cut = micros, !whole
	return i
}

// millis reads `22.057 ms` at i, in microseconds. whole is false where it stops
// short, at next.
func millis(b []byte, i int) (micros Count, next int, whole bool) {
	n, i, ok := decimal(b, i)
	if !ok || n > maxCount/1000-1 {
		return 0, i, false
	}
	n *= 1000
	if hasAt(b, i, ".") {
		scale := int64(100)
		for i++; i < len(b) && b[i]-'0' < 10; i++ {
			n += int64(b[i]-'0') * scale
			scale /= 10
		}
	}
	if !hasAt(b, i, " ms") {
		return 0, i, false
	}
	return Some(n), i + len(" ms"), true
}

// target reads nvlink's ` (target: sm_52)` at the start of b, which stands
// after a message only when several architectures are linked.
func target(b []byte) (arch []byte, n int) {
	const head = "(target: "
	i := 0
	for i < len(b) && b[i] == ' ' {
		i++
	}
	if !hasAt(b, i, head) {
		return nil, 0
	}
	end := bytes.IndexByte(b[i:], ')')
	if end < 0 {
		return nil, 0
	}
	return b[i+len(head) : i+end], i + end + 1
}
