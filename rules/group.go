package rules

import (
	"encoding/binary"
	"slices"
	"sync"
	"unsafe"

	"github.com/occlint/occlint/internal/share"
	"github.com/occlint/occlint/parse"
)

// worthSharing is how many kernels are worth another thread: fewer are done
// before it has begun.
const worthSharing = 4096

// A likeness is what records have alike that one verdict is made for. Large
// logs have few: kernels with the same numbers under the same declarations.
type likeness struct {
	class  *parse.Class
	decl   *merged
	global int32 // maxrregcount of the compilation, -1 where none is known
	parent bool  // it names the kernel that it was compiled for
	called bool  // and that one is judged
}

// grouping finds for each record the subject that it is one of.
type grouping struct {
	*judge
	mu       sync.Mutex // for all below, and for the judge's declarations
	sets     matchSets
	byLike   map[likeness]int32
	parts    []groupingPart
	existing map[kernelOn]bool // the judged entries, once asked for
}

// kernelOn is the name of a kernel on an architecture.
type kernelOn struct {
	name string
	arch *archInfo
}

// groupRecords gives each record that is judged a subject. The processors share
// it: most of the time goes into the matching of names.
func (j *judge) groupRecords() {
	j.subjectOf = make([]int32, j.log.Len())
	j.subjects = []*Subject{nil} // 0 is none
	g := &grouping{judge: j, byLike: map[likeness]int32{}}
	parts := share.Parts(len(j.subjectOf), worthSharing)
	if j.singly {
		parts = 1
	}
	g.parts = make([]groupingPart, parts)
	share.Do(len(j.subjectOf), parts, func(part, from, to int) {
		p := &g.parts[part]
		p.grouping, p.from = g, from
		p.run(from, to)
	})
	kinds := compilations{}
	for i := range g.parts {
		p := &g.parts[i]
		j.notJudged += p.notJudged
		j.survey.unnamed = j.survey.unnamed || p.unnamed
		for _, a := range p.seen {
			a.inLog = true
		}
		for c, k := range p.kinds {
			kinds[c] |= k
		}
	}
	for _, k := range kinds {
		j.survey.apart = j.survey.apart || k == hasFunctions
	}
	for i := range g.parts {
		for _, record := range g.parts[i].strays {
			g.settleStray(record)
		}
	}
	j.countArchs()
	j.entered = g.countEntries()
}

// groupingPart is one processor's share of the records.
type groupingPart struct {
	*grouping
	from     int
	patterns *matcher
	names    []knownName
	decls    map[setOn]*merged
	lastOn   setOn
	lastDecl *merged // of lastOn
	recent   [1 << 10]recentLike
	likes    map[likeness]int32
	entries  []uint64 // records that may be the first of their name, behind half of its hash
	last     kernelOn // the judged entry right above
	strays   []int32  // functions whose kernel stands elsewhere

	set       []int
	lastSet   []int
	lastOf    int32            // the number of lastSet
	sets      map[string]int32 // numbers that are known here
	classes   [256]classAt
	notJudged int
	unnamed   bool
	seen      []*archInfo // architectures that the records have
	kinds     compilations
	at        int   // the compilation of the last record
	atKinds   uint8 // and what it has
}

type (
	// knownName remembers what was found for a name.
	knownName struct {
		hash  uint64
		name  string
		set   int32
		entry *archInfo // the architecture that it is counted as an entry for
	}
	// setOn is a set of declarations on an architecture.
	setOn struct {
		set  int32
		arch *archInfo
	}
	recentLike struct {
		likeness
		subject int32
	}
	classAt struct {
		class *parse.Class
		arch  *archInfo
	}
)

func (p *groupingPart) run(from, to int) {
	const most = 1 << 14 // names; a build repeats those of its headers
	size := 1
	for size < min(most, to-from) {
		size *= 2
	}
	p.names = make([]knownName, size)
	p.patterns = p.declared.patterns.fork()
	p.decls, p.likes, p.sets, p.kinds = map[setOn]*merged{}, map[likeness]int32{}, map[string]int32{}, compilations{}
	p.entries = make([]uint64, 0, to-from)
	p.at, p.lastOf = -1, -1
	for i := from; i < to; i++ {
		p.record(i)
	}
	p.kinds[p.at] |= p.atKinds
	delete(p.kinds, -1)
}

func (p *groupingPart) record(i int) {
	k := p.log.Kernel(i)
	a := p.archFor(&k)
	if k.Compilation != p.at {
		p.kinds[p.at] |= p.atKinds
		p.at, p.atKinds = k.Compilation, 0
	}
	p.atKinds |= kindOf(k.Class)
	if k.Name == "" || !a.judged {
		p.notJudged++
		p.unnamed = p.unnamed || k.Name == ""
		if k.Name != "" {
			// A pattern that matches only kernels which are not judged is told
			// apart from one that matches nothing.
			p.declaredFor(p.known(k.Name), p.arch(k.Arch))
		}
		return
	}
	if p.links.supersedes(i) {
		return
	}
	n := p.known(k.Name)
	like := likeness{class: p.proven(i, p.classFor(&k, a)), decl: p.declaredFor(n, a), global: p.remarks.globalOf(k.Compilation), parent: k.Parent != ""}
	switch {
	case k.Kind != parse.Function:
		p.last = kernelOn{k.Name, a}
		if n.entry != a {
			n.entry = a
			p.entries = append(p.entries, n.hash&^low32|uint64(i))
		}
	case k.Parent == "":
	case p.last == kernelOn{k.Parent, a}:
		like.decl, like.called = p.callee(like.decl, k.Parent, a), true
	default:
		p.strays = append(p.strays, int32(i))
	}
	if c := p.links.compiled(i); c >= 0 {
		p.subjectOf[i] = p.linked(i, c, like, a)
		return
	}
	p.subjectOf[i] = p.subject(like, a)
}

// known returns what is remembered of a name, matched if it was not.
func (p *groupingPart) known(name string) *knownName {
	h := hashOf(name)
	n := &p.names[h&uint64(len(p.names)-1)]
	if n.hash != h || n.name != name || p.singly {
		p.set = p.patterns.match(name, p.set[:0])
		if p.lastOf < 0 || !slices.Equal(p.set, p.lastSet) { // as few are
			p.lastSet = append(p.lastSet[:0], p.set...)
			p.lastOf = p.setNumber(p.set)
		}
		*n = knownName{hash: h, name: name, set: p.lastOf}
	}
	return n
}

// hashOf is a hash of a name of the log: of where it stands, since a Log stores
// each name once, so that the text of names that were seen is not read again.
func hashOf(name string) uint64 {
	const mix = 0x9e3779b97f4a7c15                                                        // 2^64 over the golden ratio
	h := uint64(uintptr(unsafe.Pointer(unsafe.StringData(name))))*mix ^ uint64(len(name)) //nolint:gosec // only the address is read
	return (h ^ h>>29) * mix
}

// setNumber returns the number of a set.
func (p *groupingPart) setNumber(set []int) int32 {
	var scratch [64]byte
	key := scratch[:0]
	for _, d := range set {
		key = binary.AppendUvarint(key, uint64(d))
	}
	n, known := p.sets[string(key)]
	if !known {
		n = p.grouping.sets.number(set, string(key))
		p.sets[string(key)] = n
	}
	return n
}

// archFor is archOf with the last classes at hand.
func (p *groupingPart) archFor(k *parse.Kernel) *archInfo {
	c := k.Class
	at := &p.classes[(uint32(c.Registers)*31^uint32(c.SharedBytes)*131^uint32(c.StackBytes)*8191^uint32(c.Kind)<<5)%uint32(len(p.classes))]
	if at.class != c || k.Arch == "" {
		*at = classAt{c, p.archOf(k)}
		if !slices.Contains(p.seen, at.arch) {
			p.seen = append(p.seen, at.arch)
		}
	}
	return at.arch
}

// declaredFor returns what is declared for a name on an architecture.
func (p *groupingPart) declaredFor(n *knownName, a *archInfo) *merged {
	on := setOn{n.set, a}
	if p.lastOn == on && p.lastDecl != nil { // as nearly always
		return p.lastDecl
	}
	m := p.decls[on]
	if m == nil {
		p.mu.Lock()
		m = p.declared.merge(p.grouping.sets.of(n.set), a)
		p.mu.Unlock()
		p.decls[on] = m
	}
	p.lastOn, p.lastDecl = on, m
	return m
}

// callee returns what is declared for a function of a kernel.
func (p *groupingPart) callee(own *merged, parent string, a *archInfo) *merged {
	of := p.declaredFor(p.known(parent), a)
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.declared.callee(own, of)
}

// subject returns the number of the subject for what records have alike.
func (p *groupingPart) subject(like likeness, a *archInfo) int32 {
	recent := &p.recent[like.hash()%uint32(len(p.recent))]
	if recent.likeness == like && !p.singly {
		return recent.subject
	}
	n, known := p.likes[like]
	if !known || p.singly {
		n = p.add(like, a)
		p.likes[like] = n
	}
	*recent = recentLike{like, n}
	return n
}

func (l *likeness) hash() uint32 {
	return uint32(l.class.Registers)*31 ^ uint32(l.class.SharedBytes)*131 ^ uint32(l.class.StackBytes)*8191 ^
		uint32(l.class.SpillStoreBytes)<<7 ^ l.decl.id*65599 ^ uint32(l.global)
}

// add makes a subject, unless another processor did.
func (g *grouping) add(like likeness, a *archInfo) int32 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if n, known := g.byLike[like]; known && !g.singly {
		return n
	}
	n := g.addSubject(&Subject{Class: like.class, record: like.class, arch: a, decl: like.decl, global: like.global, hasParent: like.parent, called: like.called})
	g.byLike[like] = n
	return n
}

// addSubject appends a subject and returns its number.
func (j *judge) addSubject(u *Subject) int32 {
	u.judge = j
	u.Declared = &u.decl.Declaration
	j.subjects = append(j.subjects, u)
	return int32(len(j.subjects)) - 1
}

// linked makes the subject of a linker's record, which has much of the
// compiler's.
func (g *grouping) linked(record, compiled int, like likeness, a *archInfo) int32 {
	c := g.log.Kernel(compiled)
	like.global = g.remarks.globalOf(c.Compilation)
	g.mu.Lock()
	defer g.mu.Unlock()
	u := &Subject{Class: linkedClass(like.class, c.Class), arch: a, decl: like.decl, global: like.global, hasParent: like.parent, called: like.called, ties: &ties{compiled: compiled}}
	u.record = g.log.Kernel(record).Class
	return g.addSubject(u)
}

// settleStray looks for the kernel of a function among all judged ones.
func (g *grouping) settleStray(record int32) {
	k := g.log.Kernel(int(record))
	u := g.subjects[g.subjectOf[record]]
	if g.existing == nil {
		g.existing = map[kernelOn]bool{}
		for i, u := range g.judged() {
			if u.Kind != parse.Function {
				g.existing[kernelOn{g.log.Kernel(i).Name, u.arch}] = true
			}
		}
	}
	if !g.existing[kernelOn{k.Parent, u.arch}] {
		return
	}
	p := &g.parts[0]
	like := likeness{class: u.Class, decl: p.callee(u.decl, k.Parent, u.arch), global: u.global, parent: true, called: true}
	g.subjectOf[record] = p.subject(like, u.arch)
}

// judged lists the records that are judged, with their subjects.
func (j *judge) judged() func(yield func(record int, u *Subject) bool) {
	return func(yield func(int, *Subject) bool) {
		for i, n := range j.subjectOf {
			if n != 0 && !yield(i, j.subjects[n]) {
				return
			}
		}
	}
}

// countArchs counts the judged records of each architecture and subject.
func (j *judge) countArchs() {
	for i, n := range j.subjectOf {
		if n == 0 {
			continue
		}
		a := j.subjects[n].arch
		if a.units++; a.units == 1 {
			a.first = i
		}
		j.judgedCount++
	}
	for i := range j.policy.Archs {
		for _, a := range j.archs {
			if a.inLog && covers(j.table, j.policy.Archs[i].Arch, a.name) {
				j.archSeen[i] = true
			}
		}
	}
}

// matchSets numbers the sets of declarations that match a name. A log has few:
// most names match the defaults alone.
type matchSets struct {
	mu      sync.Mutex
	list    [][]int // indexes of declarations, ascending
	numbers map[string]int32
}

// number returns the number of a set, given with its key.
func (m *matchSets) number(set []int, key string) int32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, known := m.numbers[key]
	if !known {
		n = int32(len(m.list))
		m.list = append(m.list, slices.Clone(set))
		if m.numbers == nil {
			m.numbers = map[string]int32{}
		}
		m.numbers[key] = n
	}
	return n
}

// of returns the set with a number.
func (m *matchSets) of(number int32) []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.list[number]
}
