package declare

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/ptx"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// ptx reads the PTX files and joins them with the log by mangled name.
func (m *merger) ptx() {
	byName := map[string][]ptx.Entry{}
	for _, e := range m.in.Embedded {
		byName[e.Name] = append(byName[e.Name], e)
	}
	all := m.globs(m.in.Config.PTX, m.in.PTX)
	if len(all) == 0 {
		if len(byName) > 0 && m.in.Log != nil {
			m.joinPTX(byName)
		}
		return
	}
	t := m.treeFor(all)
	for _, file := range m.files(t, all, "the PTX glob") {
		entries, err := readPTX(t.fsys, file, m.named(t, file))
		if err != nil {
			m.faults.add(parse.Place{}, "%v", err)
			continue
		}
		for _, e := range entries {
			byName[e.Name] = append(byName[e.Name], e)
		}
	}
	if m.in.Log != nil {
		m.joinPTX(byName)
	}
}

func readPTX(fsys fs.FS, file, shown string) (entries []ptx.Entry, err error) {
	in, err := fsys.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	return ptx.Read(in, shown)
}

// joinPTX declares what PTX says of each kernel of the log, once for an
// architecture.
func (m *merger) joinPTX(byName map[string][]ptx.Entry) {
	type key struct{ name, arch string }
	done := map[key]bool{}
	for name, arch := range m.in.Log.Entries() {
		entries := byName[name]
		if len(entries) == 0 || done[key{name, arch}] {
			continue
		}
		done[key{name, arch}] = true
		for _, e := range compiledFrom(entries, arch) {
			d := fromEntry(e)
			m.agree(&d, name, arch)
			m.silent(e, name, arch)
			d.Archs = []string{arch}
			if arch == "" {
				d.Archs = nil
			}
			m.policy.Declarations = append(m.policy.Declarations, d)
		}
	}
}

// agree drops what the source says too: people look for bounds in the source,
// so its place is the better one to point to.
func (m *merger) agree(d *rules.Declaration, name, arch string) {
	if m.project == nil {
		return
	}
	a := m.project.Find(name, arch)
	if d.LaunchBounds.Set && d.LaunchBounds.Value == (rules.Bounds{Threads: a.Threads, MinBlocks: a.MinBlocks}) {
		d.LaunchBounds = rules.Field[rules.Bounds]{}
	}
	if d.MaxRegisters.Set && d.MaxRegisters.Value == a.MaxRegisters {
		d.MaxRegisters = rules.Field[int]{}
	}
	if a.DynamicShared && d.DynamicSharedUsed.Value {
		d.DynamicSharedUsed = rules.Field[bool]{}
	}
}

// silent declares that PTX has no bounds for a kernel that has some in the
// source: the two contradict each other. It comes before everything else, so
// that the kernel is still judged by what the source says.
func (m *merger) silent(e ptx.Entry, name, arch string) {
	if m.project == nil {
		return
	}
	a := m.project.Find(name, arch)
	origin := rules.Origin{From: rules.FromPTX, Place: e.Place, Text: ".entry " + e.Name}
	d := rules.Declaration{Match: e.Name, Names: []string{e.Name}, Origin: origin}
	if arch != "" {
		d.Archs = []string{arch}
	}
	noBounds := a.Threads > 0 && e.Threads == 0 && e.MaxThreads == 0
	if noBounds {
		d.LaunchBounds = rules.Field[rules.Bounds]{Origin: origin, Set: true}
	}
	noCap := a.MaxRegisters > 0 && e.MaxRegisters == 0
	if noCap {
		d.MaxRegisters = rules.Field[int]{Origin: origin, Set: true}
	}
	if noBounds || noCap {
		m.policy.Declarations = slices.Insert(m.policy.Declarations, 0, d)
	}
}

// compiledFrom chooses the entries that code for an architecture is made from:
// those for the architecture itself, else for the greatest that is not above
// it, since PTX of sm_80 is what -arch=compute_80 -code=sm_86 compiles. Code
// for an a or f target runs nowhere else.
func compiledFrom(entries []ptx.Entry, on string) []ptx.Entry {
	if on == "" {
		return entries
	}
	target, rank := "", -1
	for _, e := range entries {
		if e.Target == on {
			target = e.Target
			break
		}
		own := number32(e.Target)
		if own > rank && own <= number32(on) && (arch.Base(e.Target) == e.Target || arch.Base(e.Target) == arch.Base(on)) {
			target, rank = e.Target, own
		}
	}
	var chosen []ptx.Entry
	for _, e := range entries {
		if e.Target == target {
			chosen = append(chosen, e)
		}
	}
	// The last one counts: of two modules with the kernel, that it uses dynamic
	// shared memory.
	slices.SortStableFunc(chosen, func(a, b ptx.Entry) int { return strings.Compare(a.DynamicShared, b.DynamicShared) })
	return slices.CompactFunc(chosen, func(a, b ptx.Entry) bool {
		return a.DynamicShared == b.DynamicShared && a.Outside == b.Outside && a.MaxThreads == b.MaxThreads && a.Threads == b.Threads && a.MinBlocks == b.MinBlocks && a.MaxRegisters == b.MaxRegisters
	})
}

// number32 is the number in an architecture's name, -1 where there is none.
func number32(name string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(arch.Base(name), "sm_"))
	if err != nil {
		return -1
	}
	return n
}

func fromEntry(e ptx.Entry) rules.Declaration {
	d := rules.Declaration{
		Match: e.Name, Names: []string{e.Name},
		Origin: rules.Origin{From: rules.FromPTX, Place: e.Place, Text: ".entry " + e.Name},
	}
	d.PTX = rules.Field[parse.Place]{Value: e.Place, Origin: d.Origin, Set: true}
	bounds := rules.Origin{From: rules.FromPTX, Place: e.Bounds, Text: e.BoundsText}
	if e.Threads > 0 {
		d.Block = rules.Field[int]{Value: e.Threads, Origin: bounds, Set: true}
	}
	// ptxas takes .reqntid where both are there, and drops .minnctapersm where
	// neither is.
	threads := e.Threads
	if threads == 0 {
		threads = e.MaxThreads
	}
	if threads > 0 {
		d.LaunchBounds = rules.Field[rules.Bounds]{Value: rules.Bounds{Threads: threads, MinBlocks: e.MinBlocks}, Origin: bounds, Set: true}
	}
	if e.MaxRegisters > 0 {
		origin := rules.Origin{From: rules.FromPTX, Place: e.MaxRegPlace, Text: ".maxnreg " + strconv.Itoa(e.MaxRegisters)}
		d.MaxRegisters = rules.Field[int]{Value: e.MaxRegisters, Origin: origin, Set: true}
	}
	switch {
	case e.DynamicShared != "":
		origin := rules.Origin{From: rules.FromPTX, Place: e.DynamicSharedAt, Text: ".extern .shared " + e.DynamicShared + "[]"}
		d.DynamicSharedUsed = rules.Field[bool]{Value: true, Origin: origin, Set: true}
	case e.Outside == "":
		d.DynamicSharedUsed = rules.Field[bool]{Origin: d.Origin, Set: true}
	}
	return d
}
