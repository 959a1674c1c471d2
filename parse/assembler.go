package parse

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
	log   *Log
	file  string
	start counts4 // where this log's records begin
	seq   int32   // messages so far

	ptxas, link lane
	list        lister
	names       interner
	banks       bankInterner

	unnamedUsed []int32 // records of Used lines without an owner, see adoptUsed
	entries     int     // Compiling lines so far
	stated      bool    // the log states at least one record or module
}

// counts4 counts the records of a log.
type counts4 struct{ kernels, compilations, remarks, faults int }

// A lane is what one tool is in the middle of.
type lane struct {
	stage   Stage
	comp    int   // index of the compilation that goes on, -1 when none is known
	modules int   // module lines so far: no more jobs than that can be at work
	last    int32 // the record that was opened or completed last, -1
	lastEnd int32 // the entry that was completed last, -1
	done    int   // entries completed so far
	numbers pool  // entries that wait for their Used line
	frames  pool  // records that wait for their stack line

	// parallel is set once two jobs are seen to write at the same time.
	// Then the order of lines no longer tells to which compilation an entry
	// belongs, nor for which entry a function was compiled.
	parallel  bool
	functions []callee
	twins     map[string]int // names open more than once
}

// callee remembers a function whose parent and architecture rest on the order
// of lines.
type callee struct {
	kernel  int32
	certain bool // also when several jobs write
}

func newAssembler(log *Log, file string) *assembler {
	a := &assembler{log: log, file: file}
	a.start = counts4{len(log.Kernels), len(log.Compilations), len(log.Remarks), len(log.Faults)}
	a.ptxas = lane{stage: StagePtxas, comp: -1, last: -1, lastEnd: -1}
	a.link = lane{stage: StageNvlink, comp: -1, last: -1, lastEnd: -1}
	a.list.comp, a.list.kernel = -1, -1
	return a
}

func (a *assembler) place(line int) Place { return Place{File: a.file, Line: line} }

// add takes the next message of the log.
func (a *assembler) add(m *message, line int) {
	a.seq++
	l := &a.ptxas
	if m.stage == StageNvlink {
		l = &a.link
	}
	switch m.kind {
	case msgEntry:
		a.entry(l, m, line)
	case msgProps:
		a.properties(l, m, line)
	case msgStack:
		a.stack(l, m, line)
	case msgUsed:
		a.used(l, m, line)
	case msgTime:
		a.time(l, m)
	case msgModule:
		a.module(l, m, line)
	case msgRemark:
		a.remark(m, line)
	case msgFailure:
		a.fault(FaultBuildFailed, "the build failed: "+excerpt(m.text), "", line)
	default:
		a.listed(m, line)
	}
}

// open appends a record.
func (a *assembler) open(l *lane, m *message, kind Kind, line int) int32 {
	a.stated = true
	i := int32(len(a.log.Kernels))
	a.log.Kernels = append(a.log.Kernels, Kernel{})
	k := &a.log.Kernels[i]
	k.Kind, k.Stage, k.Place, k.Compilation = kind, l.stage, a.place(line), l.comp
	k.Name = a.names.intern(m.name)
	k.Arch = a.names.intern(m.arch)
	return i
}

// module begins a compilation.
func (a *assembler) module(l *lane, m *message, line int) {
	a.stated = true
	l.modules++
	l.comp = len(a.log.Compilations)
	l.last = -1
	l.lastEnd = -1
	a.log.Compilations = append(a.log.Compilations, Compilation{
		Index: l.comp, GlobalBytes: m.global, ConstBytes: a.banks.intern(&m.numbers),
		Arch: a.names.intern(m.arch), Stage: l.stage, Tool: a.names.intern(m.tool), Place: a.place(line),
	})
	if m.cut {
		a.fault(FaultTruncated, "the module line is cut", "", line)
	}
}

// entry opens the record of an entry function.
func (a *assembler) entry(l *lane, m *message, line int) {
	a.entries++
	a.endBroken(l)
	i := a.open(l, m, Entry, line)
	k := &a.log.Kernels[i]
	if m.cut {
		k.Name, k.Defect = "", Truncated
		if m.arch == nil && len(m.name) > 0 && m.name[0] != 0 && m.stage == StagePtxas {
			k.Name = "" // the name may be cut as well
		}
	}
	a.settleArch(l, k)
	if len(l.numbers.wait) > 0 {
		l.parallel = true
	}
	// Old toolkits print no properties line for sm_1x, and not always for
	// sm_2x, so such an entry can get its Used line at once.
	l.numbers.await(i, a.seq, oldArch(k.Arch) || m.cut)
	l.last = i
}

// endBroken closes what a single job left open: a job writes an entry's last
// line before the next entry's first, so with one module line in the log so
// far (one job), what still waits has lost its line.
func (a *assembler) endBroken(l *lane) {
	if l.modules > 1 || l.parallel {
		return
	}
	for _, p := range [...]*pool{&l.numbers, &l.frames} {
		for _, w := range p.wait {
			a.log.Kernels[w.kernel].Defect |= Truncated
		}
		p.wait, p.ready = p.wait[:0], 0
	}
}

// settleArch gives the compilation the architecture of its first entry. One
// run of ptxas is for one architecture, so an entry of another belongs to a
// compilation whose module line is missing (sm_1x without globals) or
// elsewhere.
func (a *assembler) settleArch(l *lane, k *Kernel) {
	if l.comp < 0 || k.Arch == "" {
		return
	}
	c := &a.log.Compilations[l.comp]
	switch c.Arch {
	case k.Arch:
	case "":
		c.Arch = k.Arch
	default:
		l.comp, k.Compilation = -1, -1
	}
}

// oldArch reports sm_1x, sm_2x and the unknown.
func oldArch(arch string) bool {
	return arch == "" || len(arch) == len("sm_20") && (arch[3] == '1' || arch[3] == '2')
}

// properties opens a function's record, or finds the entry's that is open.
func (a *assembler) properties(l *lane, m *message, line int) {
	if l.stage == StageNvlink {
		a.linked(l, m, line)
		return
	}
	if l.modules <= 1 && !l.parallel {
		for _, w := range l.frames.wait {
			a.log.Kernels[w.kernel].Defect |= Truncated
		}
		l.frames.wait, l.frames.ready = l.frames.wait[:0], 0
	}
	i, found := a.waiting(l, m)
	if !found {
		i = a.function(l, m, line)
	}
	if m.cut {
		a.log.Kernels[i].Defect |= Truncated
	}
	l.frames.await(i, a.seq, true)
	l.last = i
}

// waiting finds the entry that a properties line names. Whole names are
// compared: a callee's can be the entry's and a suffix.
func (a *assembler) waiting(l *lane, m *message) (int32, bool) {
	if m.cut {
		return 0, false
	}
	if i, ok := l.numbers.named(a.log, m.name); ok {
		l.numbers.makeReady(i, a.seq)
		return i, true
	}
	// Some logs have the Used line first.
	if i := l.lastEnd; i >= 0 {
		k := &a.log.Kernels[i]
		if k.Name == string(m.name) && !k.StackBytes.Stated() && !k.Defect.Has(Truncated) {
			return i, true
		}
	}
	return 0, false
}

// linked opens the record of an nvlink properties line. The linker's records
// are entries, and each takes one Used line.
func (a *assembler) linked(l *lane, m *message, line int) {
	a.endBroken(l)
	i := a.open(l, m, Entry, line)
	k := &a.log.Kernels[i]
	if m.cut {
		k.Name, k.Defect = "", Truncated
	}
	if k.Arch == "" && l.comp >= 0 {
		k.Arch = a.log.Compilations[l.comp].Arch
	}
	if len(l.numbers.wait) > 0 {
		l.parallel = true
	}
	l.numbers.await(i, a.seq, true)
	l.last = i
}

// function opens the record of a function that was not inlined.
func (a *assembler) function(l *lane, m *message, line int) int32 {
	parent, certain := a.parent(l)
	i := a.open(l, m, Function, line)
	k := &a.log.Kernels[i]
	if m.cut {
		k.Name = ""
	}
	if parent >= 0 {
		p := &a.log.Kernels[parent]
		k.Parent, k.Arch = p.Name, p.Arch
	}
	l.functions = append(l.functions, callee{i, certain})
	return i
}

// parent returns the entry that a function was compiled for, -1 where the log
// does not say: in a whole-program compilation the callees follow their
// entry; with -rdc they come before the first entry and belong to none.
func (a *assembler) parent(l *lane) (entry int32, certain bool) {
	if n := len(l.numbers.wait); n > 0 {
		w := l.numbers.wait[n-1]
		k := &a.log.Kernels[w.kernel]
		if n == 1 && oldArch(k.Arch) {
			// CUDA 4.x writes the callees before the entry's Used line.
			return w.kernel, l.modules <= 1
		}
		// From sm_30 on the callees come after their entry's Used line, so
		// this one is of another job than the open entry.
		if l.modules > 1 {
			l.parallel = true
			return -1, true
		}
		return w.kernel, true
	}
	return l.lastEnd, l.modules <= 1 || l.done <= 1
}

// stack gives a stack line to the record whose properties line it follows.
func (a *assembler) stack(l *lane, m *message, line int) {
	p := &l.frames
	if len(p.wait) == 0 {
		if m.cut {
			return
		}
		i := a.open(l, &message{}, KindUnknown, line)
		a.takeStack(i, &m.numbers)
		a.log.Kernels[i].Defect |= Unnamed
		l.last = i
		return
	}
	if len(p.wait) == 1 && len(p.got) == 0 {
		i := p.wait[0].kernel
		p.wait, p.ready = p.wait[:0], 0
		if m.cut {
			a.log.Kernels[i].Defect |= Truncated
			return
		}
		a.takeStack(i, &m.numbers)
		return
	}
	l.parallel = true
	p.arrive(m, a.seq)
	if len(p.got) == p.ready {
		a.resolve(p, (*assembler).takeStack)
	}
}

func (a *assembler) takeStack(i int32, n *numbers) {
	k := &a.log.Kernels[i]
	k.StackBytes, k.SpillStoreBytes, k.SpillLoadBytes = n.stack, n.stores, n.loads
}

// used gives a Used line to the entry that waits for it.
func (a *assembler) used(l *lane, m *message, line int) {
	p := &l.numbers
	if len(p.wait) == 0 {
		i := a.open(l, &message{}, KindUnknown, line)
		a.takeUsed(i, &m.numbers)
		k := &a.log.Kernels[i]
		k.Arch = a.names.intern(m.arch)
		k.Defect |= Unnamed
		if m.cut {
			k.Defect |= Truncated
		}
		if i > 0 && l.last == i-1 && a.log.Kernels[i-1].Kind == Function {
			a.unnamedUsed = append(a.unnamedUsed, i)
		}
		l.last = i
		return
	}
	if len(p.got) == 0 && (p.ready == 1 || p.ready == 0 && len(p.wait) == 1) {
		i := p.take()
		a.takeUsed(i, &m.numbers)
		if m.cut {
			a.log.Kernels[i].Defect |= Truncated
		}
		l.last, l.lastEnd = i, i
		l.done++
		return
	}
	l.parallel = true
	if p.ready == 0 { // a toolkit that prints no properties
		p.allReady(a.seq - 1)
	}
	p.arrive(m, a.seq)
	if len(p.got) == p.ready {
		a.resolve(p, (*assembler).takeUsed)
		l.lastEnd = -1
	}
}

// takeUsed stores the numbers of a Used line.
func (a *assembler) takeUsed(i int32, n *numbers) {
	k := &a.log.Kernels[i]
	k.Registers, k.Barriers, k.SharedBytes = n.registers, n.barriers, n.shared
	k.CumulativeStackBytes, k.LocalBytes = n.cumulative, n.local
	k.Textures, k.Surfaces, k.Samplers = n.textures, n.surfaces, n.samplers
	k.ConstBytes = a.banks.intern(n)
	if k.Stage == StageNvlink {
		k.StackBytes = n.stack
	}
}

// time gives a compile time to the record that was completed last.
func (a *assembler) time(l *lane, m *message) {
	if l.last < 0 || l.parallel || m.cut {
		return
	}
	k := &a.log.Kernels[l.last]
	if k.CompileMicros.Stated() {
		return
	}
	k.CompileMicros = Micros{m.micros}
	if k.Kind == Function && k.Parent != "" {
		// Only what is compiled on its own (-rdc, -G) has a time of its own.
		k.Parent = ""
	}
}

// remark keeps a message that is no resource line.
func (a *assembler) remark(m *message, line int) {
	r := Remark{
		Severity: m.sev, Code: string(m.code), Text: string(m.text), Kernel: a.names.intern(m.name),
		Arch: a.names.intern(m.arch), Tool: a.names.intern(m.tool), Place: a.place(line), Compilation: -1,
	}
	if m.inputLine > 0 {
		r.Input = Place{File: string(m.input), Line: m.inputLine}
	}
	a.log.Remarks = append(a.log.Remarks, r)
	if m.sev >= Error {
		tool := r.Tool
		if tool == "" {
			tool = "the linker"
		}
		a.fault(FaultBuildFailed, tool+" reported "+article[m.sev]+": "+excerpt(m.text), r.Kernel, line)
	}
}

var article = map[Severity]string{Error: "an error", Fatal: "a fatal error"}

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
