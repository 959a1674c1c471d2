package msg

// A Message is what one print of a compiler says, recognised inside a line.
// It borrows the line's bytes: whoever keeps a part copies it.
type Message struct {
	Kind Kind
	// Cut says that the line ends, or another message begins, inside this
	// one: only whole tokens were taken.
	Cut bool

	Origin
	// Bare says that nothing but the words tells whose message it is: no tool
	// and severity stand in front, nor the blanks of a stack line.
	Bare bool
	// NameCut says that the name of a cut message is cut too, or can be.
	NameCut bool

	Code, Name, Arch, Text []byte
	Before                 []byte // the wrapper in front, in plain text

	Quantities
}

// Origin is who wrote a message, and of which weight it is.
type Origin struct {
	Tool      []byte // as printed; nil where no tool is named
	Stage     Stage  // StageUnknown for nvcc, and where no known tool is named
	Severity  Severity
	Input     []byte // line-level messages: the PTX file
	InputLine int
}

// Kind tells the messages apart.
type Kind uint8

// The kinds of messages.
const (
	None         Kind = iota
	Module            // N bytes gmem
	Entry             // Compiling entry function
	Properties        // Function properties for
	StackFrame        // N bytes stack frame
	Used              // Used N registers
	CompileTime       // Compile time = N ms
	Remark            // any other message of a tool
	Failure           // a compiler or the build stopped
	Clipped           // a service kept a part of the log
	Torn              // processes are seen to write into each other's messages
	Garbled           // text in another encoding than the log's
	ListBlock         // cuobjdump: Resource usage:
	ListArch          // cuobjdump: arch = sm_80
	ListCommon        // cuobjdump: GLOBAL:n
	ListFunction      // cuobjdump: Function NAME:
	ListData          // cuobjdump: REG:n
)

// IsResource tells the lines that a person needs no longer once their numbers
// are read.
func (k Kind) IsResource() bool {
	return k >= Module && k <= CompileTime || k.IsList()
}

// IsList tells the lines of cuobjdump's list.
func (k Kind) IsList() bool { return k >= ListBlock }

// Stage is the tool that a message is of.
type Stage uint8

// The stages. The driver's linker, which prints no tool word, counts as Nvlink.
const (
	StageUnknown Stage = iota
	Ptxas
	Nvlink
	Cuobjdump
)

// Severity is what a message calls itself; 0 for none.
type Severity uint8

// The severities, as printed.
const (
	Info Severity = iota + 1
	Warning
	Error
	Fatal
)

// LineKind says what a line of the log is.
type LineKind uint8

// The kinds of lines.
const (
	OtherLine    LineKind = iota // none of the messages
	ResourceLine                 // a resource message, or the continuation of one
	RemarkLine                   // a remark
)

// reset empties the message. The banks beyond BankCount keep old values.
func (m *Message) reset() {
	m.Kind, m.Cut, m.Bare, m.NameCut, m.Origin = None, false, false, false, Origin{}
	m.Code, m.Name, m.Arch, m.Text, m.Before = nil, nil, nil, nil, nil
	m.Values, m.BankCount = Values{}, 0
}
