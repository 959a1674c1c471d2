package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/occlint/occlint/parse"
)

// pairBinaries finds the kernels that both a log and a binary have: the log's
// record counts then, since it alone knows the spills of every toolkit, and
// takes from the binary what only that one knows. That the two state the same
// is not asked here: where they do not, whoever read them has said so.
func (j *judge) pairBinaries() {
	binaries, logged := map[key]*parse.Class{}, map[key]bool{}
	for _, k := range j.log.Kernels() {
		id := key{k.Name, k.Parent, j.archOf(&k).name}
		switch {
		case k.Name == "":
		case k.Stage != parse.StageBinary:
			logged[id] = true
		case binaries[id] == nil:
			binaries[id] = k.Class
		}
	}
	if len(logged) == 0 {
		return
	}
	if j.links.superseded == nil {
		j.links.superseded = make([]bool, j.log.Len())
	}
	j.links.provenBy = map[int]*parse.Class{}
	for i, k := range j.log.Kernels() {
		id := key{k.Name, k.Parent, j.archOf(&k).name}
		switch {
		case k.Stage == parse.StageBinary:
			j.links.superseded[i] = logged[id]
		case binaries[id] != nil:
			j.links.provenBy[i] = binaries[id]
		}
	}
}

// provenOn is the class of a log's record and that of the binary's.
type provenOn struct{ log, binary *parse.Class }

// proven returns the class of a log's record with what the binary knows and
// the log does not.
func (p *groupingPart) proven(record int, class *parse.Class) *parse.Class {
	binary := p.links.provenBy[record]
	if binary == nil {
		return class
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	on := provenOn{class, binary}
	c := p.provenClasses[on]
	if c == nil {
		both := *class
		both.MaxThreads, both.RequiredThreads, both.RegisterCap = binary.MaxThreads, binary.RequiredThreads, binary.RegisterCap
		both.BlockThreads, both.DynamicSharedBytes, both.Variant = binary.BlockThreads, binary.DynamicSharedBytes, binary.Variant
		if !both.Barriers.Stated() {
			both.Barriers = binary.Barriers
		}
		c = &both
		p.provenClasses[on] = c
	}
	return c
}

// noCap is the register cap of a kernel that has none.
const noCap = 255

// provenCap is the register cap that a binary shows to be in force; false
// where there is none, or no binary.
func (u *Subject) provenCap() (registers int, ok bool) {
	n, stated := u.RegisterCap.Value()
	return int(n), stated && n > 0 && n < noCap
}

// ProvenBlocks is the interval of minimums of blocks per SM that give a kernel
// the register cap that its binary has. It is 0, 0 where the binary shows
// none: without a cap, without a maximum of threads, or for an architecture
// that is not known.
func (r *Result) ProvenBlocks(k *parse.Class) (least, most int) {
	sm, err := r.table.Lookup(k.Arch)
	threads, hasThreads := k.MaxThreads.Value()
	registers, hasCap := k.RegisterCap.Value()
	if err != nil || !hasThreads || !hasCap || registers >= noCap {
		return 0, 0
	}
	for blocks := 1; blocks <= sm.BlockSlots; blocks++ {
		if c := sm.RegisterCap(clampInt(threads), blocks); c.Honoured && c.Registers == int(registers) {
			if least == 0 {
				least = blocks
			}
			most = blocks
		}
	}
	return least, most
}

// FromBinary marks what a compiled file shows to be in force.
const FromBinary OriginKind = "binary"

// provenBounds is what the binary says against the declared bounds, as one more
// declaration; nil where it agrees, or says nothing.
func (u *Subject) provenBounds() (d *Declaration, says string) {
	bounds, k := u.decl.LaunchBounds, u.Class
	registers, stated := k.RegisterCap.Value()
	// PTX is not held against the binary: one name can stand in several modules
	// with other bounds, and which of them this is, no name tells.
	if !stated || !bounds.Set || bounds.Value.Threads <= 0 || u.dropped != nil || bounds.Origin.From == FromPTX {
		return nil, ""
	}
	origin := Origin{From: FromBinary}
	threads := k.MaxThreads.Or(k.RequiredThreads.Or(0))
	if threads == 0 {
		return &Declaration{Origin: origin, LaunchBounds: Field[Bounds]{Origin: origin, Set: true}}, "none"
	}
	if threads != int64(bounds.Value.Threads) {
		return &Declaration{Origin: origin, LaunchBounds: Field[Bounds]{Origin: origin, Set: true}}, strconv.FormatInt(threads, 10) + " threads"
	}
	if bounds.Value.MinBlocks <= 1 || u.arch.sm == nil || u.decl.MaxRegisters.Set {
		return nil, ""
	}
	want := u.arch.sm.RegisterCap(bounds.Value.Threads, bounds.Value.MinBlocks)
	if !want.Honoured || want.Registers == int(registers) {
		return nil, ""
	}
	origin.Text = fmt.Sprintf("a register cap of %d", registers)
	return &Declaration{Origin: origin, LaunchBounds: Field[Bounds]{Origin: origin, Set: true}},
		fmt.Sprintf("%d threads and a cap of %d registers, where (%d, %d) gives %d", threads, registers, bounds.Value.Threads, bounds.Value.MinBlocks, want.Registers)
}

// droppedInBinary reports that the binary shows no cap where the declared
// minimum of blocks would have given one: the compiler dropped it.
func (u *Subject) droppedInBinary(d *dropped) bool {
	b := u.decl.LaunchBounds.Value
	registers, stated := u.RegisterCap.Value()
	return stated && registers >= noCap && b.MinBlocks > 1 && d.cap.Honoured && d.cap.Registers < noCap &&
		u.MaxThreads.Or(0) == int64(b.Threads) && !u.decl.MaxRegisters.Set
}

// statedText is what a binary states of a kernel: no compiler's words, and of
// zeros only those that say something.
func statedText(k *parse.Class) string {
	var b strings.Builder
	b.WriteString(k.Registers.String() + " registers")
	for _, part := range [...]struct {
		n    parse.Count
		unit string
	}{
		{k.Barriers, "barriers"},
		{k.StackBytes, "bytes of stack"},
		{k.SharedBytes, "bytes of static shared memory"},
		{k.DynamicSharedBytes, "of dynamic"},
	} {
		if n, stated := part.n.Value(); stated && n > 0 {
			if n == 1 && part.unit == "barriers" {
				part.unit = "barrier"
			}
			fmt.Fprintf(&b, ", %d %s", n, part.unit)
		}
	}
	return b.String()
}
