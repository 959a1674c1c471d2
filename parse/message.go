package parse

// A message is what one print of a compiler says, recognised inside a line.
// It borrows the line's bytes: whoever keeps a part copies it.
type message struct {
	kind  msgKind
	stage Stage
	sev   Severity
	// cut says that the line ends, or another message begins, inside this
	// one: only whole tokens were taken.
	cut bool

	tool, code, name, arch, text []byte
	before                       []byte // the wrapper in front, in plain text
	input                        []byte // line-level messages: the PTX file
	inputLine                    int

	numbers
}

// values are the quantities that a message can state.
type values struct {
	registers, barriers, shared      Count
	stack, stores, loads, cumulative Count
	local, textures, surfaces        Count
	samplers, micros                 Count
	global                           Size
}

// numbers are the values and the constant banks of a message.
type numbers struct {
	values
	banks  [maxBanks]Bank
	nbanks int
}

// maxBanks bounds the constant banks of one message; ptxas 13.0 knows 18.
const maxBanks = 32

type msgKind uint8

const (
	msgNone    msgKind = iota
	msgModule          // N bytes gmem
	msgEntry           // Compiling entry function
	msgProps           // Function properties for
	msgStack           // N bytes stack frame
	msgUsed            // Used N registers
	msgTime            // Compile time = N ms
	msgRemark          // any other message of a tool
	msgFailure         // a compiler or the build stopped
	msgGarbled         // text in another encoding than the log's
	msgBlock           // cuobjdump: Resource usage:
	msgTarget          // cuobjdump: arch = sm_80
	msgCommon          // cuobjdump: GLOBAL:n
	msgListed          // cuobjdump: Function NAME:
	msgData            // cuobjdump: REG:n
)

// isResource tells the lines that a person needs no longer once their numbers
// are read.
func (k msgKind) isResource() bool {
	return k >= msgModule && k <= msgTime || k >= msgBlock
}

// reset empties the message. The banks beyond nbanks keep old values.
func (m *message) reset() {
	m.kind, m.stage, m.sev, m.cut = msgNone, StageUnknown, 0, false
	m.tool, m.code, m.name, m.arch, m.text, m.input, m.inputLine = nil, nil, nil, nil, nil, nil, 0
	m.before = nil
	m.values, m.nbanks = values{}, 0
}

func (n *numbers) addBank(bank, bytes int64) {
	if n.nbanks == maxBanks || bank > 1<<20 {
		return
	}
	// Banks are printed in ascending order by all tools but one: sm_1x.
	i := n.nbanks
	for i > 0 && n.banks[i-1].Bank > int(bank) {
		n.banks[i] = n.banks[i-1]
		i--
	}
	n.banks[i] = Bank{int(bank), bytes}
	n.nbanks++
}

// decimal reads digits at i. next == i when there are none; ok is false when
// there are none or the number does not fit.
func decimal(b []byte, i int) (n int64, next int, ok bool) {
	next = i
	for next < len(b) {
		d := b[next] - '0'
		if d > 9 {
			break
		}
		n = n*10 + int64(d)
		next++
	}
	return n, next, next > i && next-i <= 18
}

// count reads digits at i that a Count can state.
func count(b []byte, i int) (n int64, next int, ok bool) {
	n, next, ok = decimal(b, i)
	return n, next, ok && n <= maxCount
}

// hasAt reports whether s stands in b at i.
func hasAt(b []byte, i int, s string) bool {
	return len(b)-i >= len(s) && string(b[i:i+len(s)]) == s
}

// cutAt reports whether b ends inside s begun at i.
func cutAt(b []byte, i int, s string) bool {
	return len(b)-i < len(s) && string(b[i:]) == s[:len(b)-i]
}

func isWordByte(c byte) bool {
	return c-'0' < 10 || c|0x20-'a' < 26 || c == '_'
}
