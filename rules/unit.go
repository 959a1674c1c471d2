package rules

import (
	"sync/atomic"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
)

// unit is one kernel or function as it is judged. A large log has hundreds of
// thousands, so that what most have alike, they share.
type unit struct {
	kernel *parse.Kernel // the numbers that count
	record *parse.Kernel // the log's record behind them
	arch   *archInfo
	decl   *merged
	*ties
	*fit
	defects parse.Defects
}

// ties are what a unit has to do with the rest of the log. Units without any
// share one, see tie.
type ties struct {
	compiled *parse.Kernel // the compiler's record of a linked kernel, or nil
	callees  []*unit       // functions compiled for this kernel
	parent   *unit         // the kernel that this function was compiled for
	remarks  []*remark
	globals  map[int]int // maxrregcount by compilation, of the whole log
	none     bool        // the one that is shared
}

// tie returns ties of the unit's own, to be changed.
func (u *unit) tie() *ties {
	if u.none {
		own := *u.ties
		own.none = false
		u.ties = &own
	}
	return u.ties
}

// fit is what a unit's numbers and declarations come to. Units that have all
// of them alike share it, see class.
type fit struct {
	dropped *dropped // the minimum of blocks that the compiler dropped, or nil
	launch  arch.Launch
	occ     *arch.Occupancy // nil: can't be computed
	sum     int64           // what shared returns
	unmet   uint16          // the needs that the log does not state, by their index
	classed bool            // a class has it
	settled atomic.Bool     // the rules are known to find nothing
}

// dropped says how it is known that the compiler dropped a minimum.
type dropped struct {
	remark *remark  // the compiler said so; nil: computed
	cap    arch.Cap // what the declared bounds come to, where the architecture is known
}

func (u *unit) isFunction() bool { return u.kernel.Kind == parse.Function }

// on is " on sm_90", or nothing where the log names no architecture.
func (u *unit) on() string { return onArch(u.arch.name) }

// reservedFrom is the first architecture whose linker and binary count the
// system's share of shared memory as the kernel's.
const (
	reservedFrom  = 90
	reservedBytes = 1024
)

// ownShared is a record's static shared memory without the system's share, in
// bytes; 0 where it is not stated.
func ownShared(k *parse.Kernel, target string) int64 {
	bytes := k.SharedBytes.Or(0)
	linked := k.Stage == parse.StageNvlink || k.Stage == parse.StageCuobjdump
	if linked && bytes >= reservedBytes && archNumber(target) >= reservedFrom {
		bytes -= reservedBytes
	}
	return bytes
}

// StaticShared is a record's static shared memory in bytes, without the
// system's share, where it is known to be of an architecture that the log does
// not name; 0 where the record does not state it.
func StaticShared(k *parse.Kernel, arch string) int64 { return ownShared(k, arch) }

// staticShared is the kernel's own static shared memory in bytes. ptxas leaves
// a size of 0 out of a whole line, so with registers stated it is known.
func (u *unit) staticShared() (bytes int64, known bool) {
	k := u.kernel
	known = k.SharedBytes.Stated() || k.Registers.Stated() && u.defects == 0
	return ownShared(k, u.arch.name), known
}

// shared is static and declared dynamic shared memory in bytes.
func (u *unit) shared() (bytes int64, known bool) {
	bytes, known = u.staticShared()
	return bytes + u.decl.DynamicShared.Value, known
}

// stack is the bytes of local memory per thread that the kernel needs: its
// frame, or with its callees' where the log says so.
func (u *unit) stack() (bytes int64, known bool) {
	frame, hasFrame := u.kernel.StackBytes.Value()
	whole, hasWhole := u.kernel.CumulativeStackBytes.Value()
	return max(frame, whole), hasFrame || hasWhole
}

// spillsStated reports whether the log says what the kernel itself spills.
func (u *unit) spillsStated() bool {
	return u.kernel.SpillStoreBytes.Stated() && u.kernel.SpillLoadBytes.Stated()
}

// anySpills reports spilled bytes, whether or not both numbers are stated.
func (u *unit) anySpills() bool {
	return u.kernel.SpillStoreBytes.Or(0) > 0 || u.kernel.SpillLoadBytes.Or(0) > 0
}

// threads is the block size that the kernel is judged for; 0 is unknown.
func (u *unit) threads() int {
	if u.decl.Block.Set {
		return u.decl.Block.Value
	}
	return u.decl.LaunchBounds.Value.Threads
}

// launchThreads is threads as far as a launch can go: bounds above what the
// architecture allows are no launch that fails.
func (u *unit) launchThreads() int {
	if u.arch.sm == nil || u.decl.Block.Set {
		return u.threads()
	}
	return min(u.threads(), u.arch.sm.ThreadsPerBlock)
}

// minBlocks is the declared minimum that the compiler kept; 0 is none.
func (u *unit) minBlocks() int {
	if u.dropped != nil {
		return 0
	}
	return u.decl.LaunchBounds.Value.MinBlocks
}

// measure computes what fits, once all that is declared is known.
func (u *unit) measure(needs []need) {
	u.fit = &fit{}
	u.dropped = u.findDropped()
	registers, stated := u.kernel.Registers.Value()
	shared, known := u.shared()
	u.sum = shared
	u.launch = arch.Launch{
		Threads:     u.launchThreads(),
		Registers:   arch.Unknown,
		SharedBytes: clampInt(shared),
		Barriers:    arch.Unknown,
	}
	if stated {
		u.launch.Registers = clampInt(registers)
	}
	if n, ok := u.kernel.Barriers.Value(); ok {
		u.launch.Barriers = clampInt(n)
	}
	if u.arch.sm != nil && !u.isFunction() && u.launch.Threads > 0 && stated && known && u.defects == 0 {
		occ := u.arch.sm.Occupancy(u.launch)
		u.occ = &occ
	}
	for i, n := range needs {
		if u.defects == 0 && n.declared(u).From != "" && !n.known(u) {
			u.unmet |= 1 << i
		}
	}
}

// findDropped decides whether the compiler dropped the minimum of blocks: it
// said so, or the architecture can never reach it (nvcc -w hides the warning).
func (u *unit) findDropped() *dropped {
	d := &dropped{}
	bounds := u.decl.LaunchBounds
	if bounds.Set && u.arch.sm != nil {
		d.cap = u.arch.sm.RegisterCap(bounds.Value.Threads, bounds.Value.MinBlocks)
	}
	for _, r := range u.remarks {
		if r.kind == minimumDropped {
			d.remark = r
			return d
		}
	}
	if bounds.Set && bounds.Value.MinBlocks > 0 && u.arch.sm != nil && !d.cap.Honoured {
		return d
	}
	return nil
}

// clampInt keeps numbers of a hostile log inside what the arithmetic of arch
// is made for; no real one comes near.
func clampInt(n int64) int { return int(min(max(n, 0), 1<<30)) }
