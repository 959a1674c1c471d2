package declare

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/ptx"
	"github.com/occlint/occlint/internal/source"
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
		for _, e := range compiledFrom(madeInto(entries, arch), arch) {
			d := fromEntry(e)
			m.agree(&d, name, arch)
			m.against(&d, e, name, arch)
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

// against completes a declaration of PTX where it contradicts the source: that
// there are no bounds where the source has some is said too, and what makes the
// difference, where that is known.
func (m *merger) against(d *rules.Declaration, e ptx.Entry, name, arch string) {
	if m.project == nil {
		return
	}
	a := m.project.Find(name, arch)
	none := rules.Origin{From: rules.FromPTX, Place: e.Place, Text: ".entry " + e.Name}
	if a.Threads > 0 && e.Threads == 0 && e.MaxThreads == 0 {
		d.LaunchBounds = rules.Field[rules.Bounds]{Origin: none, Set: true}
	}
	if a.MaxRegisters > 0 && e.MaxRegisters == 0 {
		d.MaxRegisters = rules.Field[int]{Origin: none, Set: true}
	}
	bounds, capped := a.Threads > 0 && d.LaunchBounds.Set, a.MaxRegisters > 0 && d.MaxRegisters.Set
	if bounds || capped {
		d.Cause = m.cause(a, e, name, arch)
	}
}

// cause says what makes source and PTX differ: the architecture that the PTX is
// for, or macros whose values the build need not share.
func (m *merger) cause(a source.Answer, e ptx.Entry, name, arch string) string {
	if e.Target != arch {
		// The code for arch was made from PTX of another one.
		b := m.project.Find(name, e.Target)
		threads := cmp.Or(e.Threads, e.MaxThreads)
		if b.Unresolved == "" && b.Threads == threads && (threads == 0 || b.MinBlocks == e.MinBlocks) && b.MaxRegisters == e.MaxRegisters {
			return "the PTX is for " + e.Target + ", and by that __CUDA_ARCH__ the source says the same"
		}
	}
	var names []string
	for _, d := range slices.Sorted(maps.Keys(m.defined)) {
		if hasWord(a.BoundsText, d) || hasWord(a.MaxRegText, d) {
			names = append(names, d+"="+m.defined[d])
		}
	}
	if len(names) > 0 {
		return "the source was read with " + strings.Join(names, ", ") + " (defines), and the build can pass another value"
	}
	return ""
}

// hasWord reports whether an identifier stands in a text of C++.
func hasWord(text, name string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), name)
}

// madeInto leaves out the entries that are known to be made into other code.
func madeInto(entries []ptx.Entry, on string) []ptx.Entry {
	others := func(e ptx.Entry) bool { return e.For != nil && !slices.Contains(e.For, on) }
	if on == "" || !slices.ContainsFunc(entries, others) {
		return entries
	}
	return slices.DeleteFunc(slices.Clone(entries), others)
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
