package parse

import "github.com/occlint/occlint/parse/internal/msg"

// An assembler assigns messages to records. It knows in which order the tools
// write and nothing of how a message looks in a line.
//
// What it rests on (ptxas 11.2 to 13.0): one message is one write; an entry's
// messages come in their order; a job finishes one entry before it begins the
// next. So in the log of one job everything has its owner, and in a log of
// several jobs a line without a name belongs to one of the records that wait
// for such a line at that point. With exactly one waiting, that is certain.
// With several, see pool.
type assembler struct {
	log     *Log
	records *records // of log
	file    string
	first   int32  // record of this log
	before  totals // where its other records begin
	seq     int32  // messages so far

	ptxas, link lane
	list        lister
	names       interner
	archs       lastString
	banks       bankInterner
	twice       []int32 // records whose name their compilation has already

	above, looked int32 // the last entry before record looked, -1 for none; see timed

	bare     bareLines
	orphans  []int32 // records of Used lines right below a function's, see adopt
	entries  int     // Compiling lines so far
	properly bool    // the log has properties lines
	nameless int     // the first line of an entry whose name is torn, 0 for none
	torn     bool    // some message was written in pieces, and others between them
	tornLine int     // of the first of them
	tornFrom int32   // records before it
	framed   bool    // some function has a stack frame, or a record that may be one
	stated   bool    // the log states at least one record or module
	scratch  []int32
	tagged   []byte // the wrapper that lastTag is of
	lastTag  uint32
}

// totals counts what a log has besides records.
type totals struct{ compilations, remarks, faults int }

// A lane is what the jobs of one tool are in the middle of.
type lane struct {
	stage      Stage
	comp       int     // index of the compilation that goes on, -1 when none is known
	modules    int     // module lines so far: no more jobs than that can be at work
	stretch    int32   // the first record behind the last module line
	idle       int32   // the first record behind a module line without any, -1: its records can come later
	last       int32   // the record that was opened or completed last, -1
	lastEnd    int32   // the entry that was completed last, -1
	done       int     // entries completed so far
	seen       nameSet // entries and functions of the compilation that goes on
	awaitUsed  pool    // entries that wait for their Used line
	awaitStack pool    // records that wait for their stack line

	givenUp int32 // the entry that was given up last, its Used line still to come; -1

	// parallel is set once two jobs are seen to write at the same time.
	// Then the order of lines no longer tells to which compilation an entry
	// belongs, nor for which entry a function was compiled.
	parallel bool
	// sound is the first record whose compilation and time the mix can have
	// changed: those above it keep them.
	sound int32
	// mixed is set once entries of several jobs are seen to be open at a time.
	// Only lines of several jobs look so, while missing lines of one can look
	// parallel.
	mixed     bool
	functions []callee
	linkage   linkage
	twins     map[string]int // properties lines still to come for names that several open entries share
	stray     int32          // the last record that a Used line without an owner made, -1
	risky     []risk
	doubtful  []int32 // entries with another function's properties before their Used line
	unsure    []pool  // groups that did not pair off for certain
}

// risk is an entry that got its Used line while another entry was open whose
// properties had not come. Should they never come, that entry can have been
// the owner.
type risk struct {
	kernel int32
	opened int32 // records opened before the line came
}

// A linkage is what is known of how the compilation that goes on was made. In a
// whole-program compilation a function is compiled for one entry and printed
// behind it. With -rdc or -G functions are compiled on their own and printed
// before the first entry and behind the last (12.4 and before), or each with
// a compile time of its own (13.0); then they belong to no entry.
type linkage struct {
	functions int  // index of its first in lane.functions
	entries   int  // so far
	before    bool // a function came before the first entry
	between   bool // a function came between two entries
	whole     bool // something else tells that it is whole-program
}

// callee remembers a function whose parent and architecture rest on the order
// of lines.
type callee struct {
	kernel  int32
	certain bool // also when several jobs write
}

func newAssembler(log *Log, file string) *assembler {
	a := &assembler{log: log, records: &log.records, file: file}
	a.names.seed = log.records.names.seed
	a.records.begin(Place{File: file})
	a.first = a.records.rows.n
	a.above, a.looked = -1, a.first
	a.before = totals{compilations: len(log.Compilations), remarks: len(log.Remarks), faults: len(log.Faults)}
	for _, l := range [...]*lane{&a.ptxas, &a.link} {
		l.comp, l.last, l.lastEnd, l.stray, l.givenUp, l.idle = -1, -1, -1, -1, -1, -1
		l.stretch = a.first
	}
	a.ptxas.stage, a.link.stage = StagePtxas, StageNvlink
	a.list.comp, a.list.kernel = -1, -1
	return a
}

// alone reports that all lines so far are of one job. Everything that ptxas
// compiles follows its module line, so with one module line there is one job.
func (l *lane) alone() bool { return l.modules <= 1 && !l.parallel }

func (a *assembler) place(line int) Place { return Place{File: a.file, Line: line} }

// Add implements msg.Sink: it takes the next message of the log.
func (a *assembler) Add(m *msg.Message, line int) {
	a.seq++
	l := &a.ptxas
	if m.Stage == msg.Nvlink {
		l = &a.link
	}
	switch {
	case m.Bare && a.takeBare(m, line):
		return
	case m.Kind.IsList():
		a.stateBare()
	case m.Kind.IsResource() && !m.Bare && !a.bare.headed:
		a.headed()
	}
	switch m.Kind {
	case msg.Entry:
		a.entry(l, m, line)
	case msg.Properties:
		a.properties(l, m, line)
	case msg.StackFrame:
		a.stack(l, m, line)
	case msg.Used:
		a.used(l, m, line)
	case msg.CompileTime:
		a.time(l, m)
	case msg.Module:
		a.module(l, m, line)
	case msg.Remark:
		a.remark(m, line)
	case msg.Failure:
		a.fault(FaultBuildFailed, "the build failed: "+excerpt(m.Text), "", line)
	case msg.Clipped:
		a.fault(FaultTruncated, "lines are missing from the log: "+excerpt(m.Text), "", line)
	case msg.Torn:
		if !a.torn {
			a.torn, a.tornLine, a.tornFrom = true, line, a.records.rows.n
		}
		a.mix(&a.ptxas)
		if m.Cut {
			a.missName(line)
		}
	case msg.Garbled:
		a.fault(FaultEncoding, "a line in UTF-16 inside a log that is not", "", line)
	default:
		a.listed(m, line)
	}
}

// open appends a record.
func (a *assembler) open(l *lane, m *msg.Message, kind Kind, line int) int32 {
	a.stated = true
	k, i := a.records.addDraft()
	k.Kind, k.Stage, k.Compilation = kind, l.stage, l.comp
	name, hash := a.names.hashed(m.Name)
	k.Name, k.Arch = name, a.archs.intern(&a.names, m.Arch)
	k.Place.File, k.Place.Line = a.file, line
	if kind == Entry {
		a.note(l, i, hash)
	}
	if m.Cut {
		k.Defect = a.cutDefect()
	}
	return i
}

// cutDefect is what is wrong with a record whose line is cut: where messages are
// torn, other jobs' lines are the cause.
func (a *assembler) cutDefect() Defects {
	if a.torn {
		return Interleaved
	}
	return Truncated
}

// missName notes that a name on a line is torn and stays so. Properties that
// name no entry can be that one's, from there on.
func (a *assembler) missName(line int) {
	if a.torn {
		line = min(line, a.tornLine) // of heads that are alike the wrong one can be left
	}
	if a.nameless == 0 || line < a.nameless {
		a.nameless = line
	}
}

// missNames notes the entries of a log with torn messages that have no
// properties: perhaps a piece of another's name is in theirs, and what looks like
// a function is that entry.
func (a *assembler) missNames() {
	if !a.torn {
		return
	}
	for _, k := range a.records.others(a.first) {
		if lacksProperties(k) {
			a.missName(k.Place.Line)
		}
	}
}

// doubtTwice marks functions of a log with torn messages that have an entry's
// name: one of the two is what was made of that entry's lines, or of another's.
func (a *assembler) doubtTwice() {
	if !a.torn {
		return
	}
	functions := map[string]bool{}
	for i := a.first; i < a.records.rows.n; i++ {
		if kind, stage := a.records.kind(i); kind == Function && stage == StagePtxas {
			functions[a.records.nameOf(i)] = true
		}
	}
	delete(functions, "")
	twice := map[string]bool{}
	for i := a.first; i < a.records.rows.n && len(functions) > 0; i++ {
		if kind, _ := a.records.kind(i); kind == Entry && functions[a.records.nameOf(i)] {
			twice[a.records.nameOf(i)] = true
		}
	}
	for i := a.first; i < a.records.rows.n && len(twice) > 0; i++ {
		if _, stage := a.records.kind(i); stage == StagePtxas && twice[a.records.nameOf(i)] {
			a.interleaved(i)
		}
	}
}

// doubtFunctions marks what was taken for a function and can be an entry.
func (a *assembler) doubtFunctions() {
	if a.nameless == 0 || !a.ptxas.parallel {
		return
	}
	for i := a.first; i < a.records.rows.n; i++ {
		if kind, stage := a.records.kind(i); kind == Function && stage == StagePtxas {
			if k := a.records.at(i); k.Place.Line >= a.nameless {
				k.Defect |= Interleaved
			}
		}
	}
}

// mix notes that several jobs are seen to write at a time.
func (a *assembler) mix(l *lane) {
	if l.parallel {
		return
	}
	l.parallel = true
	l.sound = l.stretch
	if l.idle >= 0 {
		l.sound = min(l.sound, l.idle)
	}
}

// note remembers an entry by the hash of its name, 0 when it has none.
func (a *assembler) note(l *lane, i int32, hash uint64) {
	if hash == 0 || l.comp < 0 {
		return
	}
	if !l.seen.add(hash) {
		a.twice = append(a.twice, i)
	}
}

// module begins a compilation.
func (a *assembler) module(l *lane, m *msg.Message, line int) {
	a.stated = true
	a.settleLinkage(l)
	if n := a.records.rows.n; l.modules > 0 && l.stretch == n && l.idle < 0 {
		l.idle = n
	}
	l.stretch = a.records.rows.n
	l.modules++
	l.comp = len(a.log.Compilations)
	l.last, l.lastEnd = -1, -1
	l.seen.clear()
	a.log.Compilations = append(a.log.Compilations, Compilation{
		Index: l.comp, GlobalBytes: size(m.Global), ConstBytes: a.banks.intern(&m.Quantities),
		Arch: a.names.intern(m.Arch), Stage: l.stage, Tool: a.names.intern(m.Tool), Place: a.place(line),
	})
	if m.Cut {
		a.fault(FaultTruncated, "the module line is cut", "", line)
	}
}

// remark keeps a message that is no resource line.
func (a *assembler) remark(m *msg.Message, line int) {
	r := Remark{
		Severity: severities[m.Severity], Code: a.names.intern(m.Code), Text: a.names.intern(m.Text), Kernel: a.names.intern(m.Name),
		Arch: a.names.intern(m.Arch), Tool: a.names.intern(m.Tool), Place: a.place(line), Compilation: -1,
	}
	if len(m.Input) > 0 {
		r.Input = Place{File: a.names.intern(m.Input), Line: m.InputLine}
	}
	a.log.Remarks = append(a.log.Remarks, r)
	if r.Severity < Error {
		return
	}
	tool, what := r.Tool, "an error"
	if tool == "" {
		tool = "the linker"
	}
	if r.Severity == Fatal {
		what = "a fatal error"
	}
	a.fault(FaultBuildFailed, tool+" reported "+what+": "+excerpt(m.Text), r.Kernel, line)
}

func (a *assembler) fault(kind FaultKind, text, kernel string, line int) {
	a.log.Faults = append(a.log.Faults, Fault{Kind: kind, Text: text, Kernel: kernel, Place: a.place(line)})
}

// excerpt copies the start of a text, for a message.
func excerpt(b []byte) string {
	const longest = 200
	if len(b) > longest {
		return string(b[:longest]) + "…"
	}
	return string(b)
}
