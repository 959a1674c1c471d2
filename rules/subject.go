package rules

import (
	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
)

// Subject is what a rule may see of a kernel or function: its numbers, what is
// declared for it, and what fits. It has neither name nor place: those that are
// alike share one Subject, and what a rule reports is said of each.
type Subject struct {
	*parse.Class              // the numbers that count: of a linked kernel the linker's, with the compiler's spills
	Declared     *Declaration // merged: per field the value that counts
	// Occupancy is nil where it can't be computed: unknown architecture, no
	// block size, a defect, registers not stated.
	Occupancy *arch.Occupancy
	Launch    arch.Launch // what Occupancy was computed for

	judge     *judge
	record    *parse.Class // as the log states them
	arch      *archInfo
	decl      *merged
	global    int32 // maxrregcount of the compilation, -1 where none is known
	hasParent bool  // a function that was compiled for a kernel
	called    bool  // and that one is judged
	ties      *ties // nil: none

	dropped *dropped // the minimum of blocks that the compiler dropped, or nil
	sum     int64    // what shared returns
	unmet   uint32   // the needs that the log does not state, by their index

	rule    *Rule // the one that is running
	reports []reported
}

// ties are what a kernel has to do with the rest of its log. One that has any
// shares its subject with no other.
type ties struct {
	compiled int       // the index of the compiler's record of a linked kernel, -1
	callees  []callee  // functions compiled for this kernel
	parent   *Subject  // the kernel that this function was compiled for
	remarks  []*remark // that name it
	places   *Places   // what a binary shows; nil: none was given
	again    []*remark // of remarks, those that were told of another record of it
}

// callee is a function that was compiled for a kernel.
type callee struct {
	*Subject
	name string
}

// dropped says how it is known that the compiler dropped a minimum.
type dropped struct {
	remark *remark  // the compiler said so; nil: computed
	cap    arch.Cap // what the declared bounds come to, where the architecture is known
	proven bool     // the binary has no cap although these bounds would give one
}

// ParentName stands in a message for the name of the kernel that a function was
// compiled for.
const ParentName = "\x00parent\x00"

// Report reports a finding of the running rule. Its message is the predicate of
// a sentence whose subject is the kernel's name; who, where and which rule are
// filled in.
func (u *Subject) Report(f Finding) { u.reports = append(u.reports, reported{u.rule, f}) }

// IsFunction reports whether this is a device function.
func (u *Subject) IsFunction() bool { return u.Kind == parse.Function }

func (u *Subject) isFunction() bool { return u.Kind == parse.Function }

// on is " on sm_90", or nothing where the log names no architecture.
func (u *Subject) on() string { return onArch(u.arch.name) }

// reservedFrom is the first architecture whose linker and binary count the
// system's share of shared memory as the kernel's.
const (
	reservedFrom  = 90
	reservedBytes = 1024
)

// StaticShared is the static shared memory that a record states, in bytes,
// without the system's share, on an architecture; 0 where it states none.
func StaticShared(k *parse.Class, target string) int64 {
	bytes := k.SharedBytes.Or(0)
	linked := k.Stage == parse.StageNvlink || k.Stage == parse.StageCuobjdump
	if linked && bytes >= reservedBytes && archNumber(target) >= reservedFrom {
		bytes -= reservedBytes
	}
	return bytes
}

// staticShared is the kernel's own static shared memory in bytes. ptxas leaves
// a size of 0 out of a whole line, so with registers stated it is known.
func (u *Subject) staticShared() (bytes int64, known bool) {
	known = u.SharedBytes.Stated() || u.Registers.Stated() && u.Defect == 0
	return StaticShared(u.Class, u.arch.name), known
}

// shared is static and dynamic shared memory in bytes; dynamic is what is
// declared, or what a just-in-time compiler noted for the launch.
func (u *Subject) shared() (bytes int64, known bool) {
	bytes, known = u.staticShared()
	dynamic := u.DynamicSharedBytes.Or(0)
	if u.decl.DynamicShared.Set {
		dynamic = u.decl.DynamicShared.Value
	}
	return bytes + dynamic, known
}

// stack is the bytes of local memory per thread that the kernel needs: its
// frame, or with its callees' where the log says so.
func (u *Subject) stack() (bytes int64, known bool) {
	frame, hasFrame := u.StackBytes.Value()
	whole, hasWhole := u.CumulativeStackBytes.Value()
	return max(frame, whole), hasFrame || hasWhole
}

// spillsStated reports whether the log says what the kernel itself spills.
func (u *Subject) spillsStated() bool {
	return u.SpillStoreBytes.Stated() && u.SpillLoadBytes.Stated()
}

// anySpills reports spilled bytes, whether or not both numbers are stated.
func (u *Subject) anySpills() bool {
	return u.SpillStoreBytes.Or(0) > 0 || u.SpillLoadBytes.Or(0) > 0
}

// threads is the block size that the kernel is judged for: what is declared to
// be launched, what a binary says of the launch, the most that bounds allow
// (those that were compiled, where a binary tells);
// 0 is unknown.
func (u *Subject) threads() int {
	if u.decl.Block.Set {
		return u.decl.Block.Value
	}
	most := u.MaxThreads.Or(int64(u.decl.LaunchBounds.Value.Threads))
	return clampInt(u.BlockThreads.Or(u.RequiredThreads.Or(most)))
}

// launchThreads is threads as far as a launch can go: bounds above what the
// architecture allows are no launch that fails.
func (u *Subject) launchThreads() int {
	if u.arch.sm == nil || u.decl.Block.Set {
		return u.threads()
	}
	return min(u.threads(), u.arch.sm.ThreadsPerBlock)
}

// minBlocks is the declared minimum that the compiler kept; 0 is none.
func (u *Subject) minBlocks() int {
	if u.dropped != nil {
		return 0
	}
	return u.decl.LaunchBounds.Value.MinBlocks
}

// measure computes what fits, once all that is declared is known.
func (u *Subject) measure(needs []need) {
	u.dropped = u.findDropped()
	registers, stated := u.Registers.Value()
	shared, known := u.shared()
	u.sum = shared
	u.Launch = arch.Launch{
		Threads:     u.launchThreads(),
		Registers:   arch.Unknown,
		SharedBytes: clampInt(shared),
		Barriers:    arch.Unknown,
	}
	if stated {
		u.Launch.Registers = clampInt(registers)
	}
	if n, ok := u.Barriers.Value(); ok {
		u.Launch.Barriers = clampInt(n)
	}
	if u.arch.sm != nil && !u.isFunction() && u.Launch.Threads > 0 && stated && known && u.Defect == 0 {
		occ := u.arch.sm.Occupancy(u.Launch)
		u.Occupancy = &occ
	}
	for i := range needs {
		if u.Defect == 0 && needs[i].unmet(u) {
			u.unmet |= 1 << i
		}
	}
}

// findDropped decides whether the compiler dropped the minimum of blocks: it
// said so, or the architecture can never reach it (nvcc -w hides the warning).
func (u *Subject) findDropped() *dropped {
	d := &dropped{}
	bounds := u.decl.LaunchBounds
	if bounds.Set && u.arch.sm != nil {
		d.cap = u.arch.sm.RegisterCap(bounds.Value.Threads, bounds.Value.MinBlocks)
	}
	for _, r := range u.said() {
		if r.kind == minimumDropped {
			d.remark = r
			return d
		}
	}
	if bounds.Set && bounds.Value.MinBlocks > 0 && u.arch.sm != nil && !d.cap.Honoured {
		return d
	}
	if d.proven = bounds.Set && u.droppedInBinary(d); d.proven {
		return d
	}
	return nil
}

// clampInt keeps numbers of a hostile log inside what the arithmetic of arch
// is made for; no real one comes near.
func clampInt(n int64) int { return int(min(max(n, 0), 1<<30)) }
