package parse

import "bytes"

// used reads `Used 74 registers, used 1 barriers, 640 bytes smem, …` of ptxas
// and `used 30 registers, 0 stack, 0 bytes smem, …` of nvlink. Old output has
// lmem and smem before cmem; a zero field is left out by ptxas.
func used(b []byte, m *message) int {
	if !hasAt(b, 1, "sed ") {
		if string(b) == "Used" {
			m.kind, m.cut = msgUsed, true
			return len(b)
		}
		return -1
	}
	n, i, ok := count(b, 5)
	switch {
	case hasAt(b, i, " registers"):
	case i == 5 && i < len(b):
		return -1
	default:
		m.kind, m.cut = msgUsed, true
		return i
	}
	m.kind = msgUsed
	i += len(" registers")
	if !ok {
		m.cut = true
		return i
	}
	m.registers = Some(n)
	for i < len(b) && b[i] == ',' {
		next := usedField(b, i+1, m)
		if next < 0 {
			m.cut = true
			return i
		}
		i = next
	}
	if i < len(b) && isWordByte(b[i]) {
		m.cut = true // glued to another process's text
	}
	return i
}

// usedField reads one field of a Used line, the comma before it already
// taken; -1 when the field is not whole.
func usedField(b []byte, i int, m *message) int {
	for i < len(b) && b[i] == ' ' {
		i++
	}
	barriers := hasAt(b, i, "used ")
	if barriers {
		i += len("used ")
	}
	n, j, ok := count(b, i)
	if !ok {
		return -1
	}
	if barriers {
		if !hasAt(b, j, " barriers") {
			return -1
		}
		m.barriers = Some(n)
		return j + len(" barriers")
	}
	if hasAt(b, j, "+") { // sm_1x and sm_2x: two parts of one total
		more, k, ok := count(b, j+1)
		if !ok || n+more > maxCount {
			return -1
		}
		n, j = n+more, k
	}
	if hasAt(b, j, " bytes ") {
		if end := usedBytes(b, j+len(" bytes "), n, m); end >= 0 {
			return end
		}
		return unknownField(b, j)
	}
	switch {
	case hasAt(b, j, " stack"):
		m.stack = Some(n)
		return j + len(" stack")
	case hasAt(b, j, " textures"):
		m.textures = Some(n)
		return j + len(" textures")
	case hasAt(b, j, " surfaces"):
		m.surfaces = Some(n)
		return j + len(" surfaces")
	case hasAt(b, j, " samplers"):
		m.samplers = Some(n)
		return j + len(" samplers")
	}
	return unknownField(b, j)
}

// usedBytes reads what the n bytes of a field are bytes of.
func usedBytes(b []byte, i int, n int64, m *message) int {
	switch {
	case hasAt(b, i, "cmem["):
		bank, j, ok := decimal(b, i+len("cmem["))
		if !ok || !hasAt(b, j, "]") {
			return -1
		}
		m.addBank(bank, n)
		return j + 1
	case hasAt(b, i, "smem"):
		m.shared = Some(n)
		return i + len("smem")
	case hasAt(b, i, "lmem"):
		m.local = Some(n)
		return i + len("lmem")
	case hasAt(b, i, "cumulative stack size"):
		m.cumulative = Some(n)
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
	for end < len(b) && (isWordByte(b[end]) || b[end] == ' ' || b[end] == '[' || b[end] == ']') {
		end++
	}
	words := bytes.TrimRight(b[j:end], " ")
	if len(words) < 3 || words[0] != ' ' || words[len(words)-1] == '[' || hasAt(words, 0, " bytes cmem") {
		return -1
	}
	if hasAt(words, 0, " bytes") && !hasAt(words, 0, " bytes ") {
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
