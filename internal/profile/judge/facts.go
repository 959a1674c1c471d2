package judge

import (
	"cmp"
	"math"
	"slices"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
)

// unknown is a number that a launch doesn't have.
var unknown = math.NaN()

func known(x float64) bool { return !math.IsNaN(x) }

// facts are what the verdicts are made from: the numbers of one launch, with
// what follows from them. Numbers that aren't known are NaN, which no
// comparison holds for.
type facts struct {
	launch     *profile.Launch
	match      match
	thresholds *Thresholds

	micros          float64
	compute, memory float64
	dram, l2, l1    float64
	tensor          float64
	theoretical     float64 // ours where it can be computed
	achieved        float64
	issue, eligible float64
	busy            float64 // percent
	local           float64 // local loads and stores, or those of spills alone
	spillsCounted   bool    // local is of spills alone
	loads           float64 // local loads
	instructions    float64
	stalls          []profile.Stall // the largest first, as percent
	memoryStall     float64

	sm        *arch.SM
	shape     arch.Launch // what occupancy was computed for
	occupancy *arch.Occupancy
	sms       float64
	grid      float64 // blocks
	warps     float64 // of the whole grid
	guessed   bool    // occupancy counts dynamic shared memory as 0 for want of a number
	rounded   bool    // dynamic shared memory is printed rounded
}

// saturation is how busy the busier of compute and memory is; NaN without
// both.
func (f *facts) saturation() float64 { return math.Max(f.compute, f.memory) }

// places is how many blocks the device holds at once.
func (f *facts) places() float64 {
	if f.occupancy == nil || f.occupancy.Blocks == 0 {
		return unknown
	}
	return f.sms * float64(f.occupancy.Blocks)
}

// waves is how many rounds of blocks the grid is. The report's own number is
// rounded: 1.00 for 397 blocks on 396 places.
func (f *facts) waves() float64 { return f.grid / f.places() }

// counted reports that the launch has counters at all: a trace has none.
func (f *facts) counted() bool { return known(f.issue) || known(f.compute) || known(f.achieved) }

func newFacts(l *profile.Launch, m match, t *Thresholds) *facts {
	v := &l.Values
	of := func(m profile.Metric) float64 { return v.Or(m, unknown) }
	f := &facts{
		launch: l, match: m, thresholds: t,
		micros: of(profile.DurationNanos) / 1e3, compute: of(profile.ComputePercent), memory: of(profile.MemoryPercent),
		dram: of(profile.DRAMPercent), l2: of(profile.L2Percent), l1: of(profile.L1Percent), tensor: of(profile.TensorPercent),
		theoretical: of(profile.TheoreticalPercent), achieved: of(profile.AchievedPercent),
		issue: of(profile.IssuePercent), eligible: of(profile.EligibleWarps), instructions: of(profile.Instructions),
		loads: of(profile.LocalLoads), sms: of(profile.SMs), busy: unknown, local: unknown, memoryStall: unknown,
	}
	if longest := of(profile.LongestCycles); longest > 0 {
		f.busy = 100 * of(profile.BusyCycles) / longest
	}
	f.local = f.loads + of(profile.LocalStores)
	if spills := of(profile.LocalSpills); known(spills) {
		f.local, f.spillsCounted = spills, true
	}
	f.grid = float64(l.Grid.Count())
	if f.grid == 0 {
		f.grid = of(profile.GridBlocks)
	}
	f.waits()
	return f
}

// memoryReasons are what a warp waits for that more of them, or more loads in
// flight, would hide.
var memoryReasons = []string{"long_scoreboard", "lg_throttle", "tex_throttle", "drain"}

// waits turns the stall ratios into shares of their sum.
func (f *facts) waits() {
	sum, memory := 0.0, 0.0
	for _, s := range f.launch.Stalls {
		sum += s.Ratio
		if slices.Contains(memoryReasons, s.Reason) {
			memory += s.Ratio
		}
	}
	if sum <= 0 {
		return
	}
	for _, s := range f.launch.Stalls {
		f.stalls = append(f.stalls, profile.Stall{Reason: s.Reason, Ratio: 100 * s.Ratio / sum})
	}
	slices.SortStableFunc(f.stalls, func(a, b profile.Stall) int { return cmp.Compare(b.Ratio, a.Ratio) })
	f.memoryStall = 100 * memory / sum
}

// fit computes what fits on an SM, with our own arithmetic: the limits of the
// report are for the shared memory that the driver set aside for this launch.
func (f *facts) fit(table *arch.Table, asArch string) {
	l, v, r := f.launch, &f.launch.Values, f.match.record
	where := l.Arch
	if asArch != "" {
		where = asArch
	}
	if where == "" && r != nil {
		where = r.Arch
	}
	if where != "" {
		if sm, err := table.Lookup(where); err == nil {
			f.sm = sm
		}
	}
	f.shape = arch.Launch{Threads: int(l.Block.Count()), Registers: arch.Unknown, Barriers: arch.Unknown}
	if f.shape.Threads == 0 {
		f.shape.Threads = max(intOf(v, profile.BlockThreads), 0)
	}
	f.shape.Registers = intOf(v, profile.RegistersPerThread)
	f.shape.Barriers = intOf(v, profile.Barriers)
	static := intOf(v, profile.StaticSharedBytes)
	f.unround()
	if r != nil {
		if r.Registers != arch.Unknown {
			f.shape.Registers = r.Registers
		}
		if r.Barriers != arch.Unknown {
			f.shape.Barriers = r.Barriers
		}
		if r.SharedBytes != arch.Unknown && (static == arch.Unknown || l.RoundedBytes > 0) {
			static = r.SharedBytes
		}
	}
	shared := max(static, 0) + max(intOf(v, profile.DynamicSharedBytes), 0)
	if total := intOf(v, profile.SharedBytes); total != arch.Unknown {
		shared = total
		// What a trace has as one number is told apart by the record.
		if r != nil && static != arch.Unknown {
			v.Set(profile.DynamicSharedBytes, float64(max(total-static, 0)))
		}
	}
	f.shape.SharedBytes = shared
	f.warps = f.grid * float64(arch.WarpsPerBlock(f.shape.Threads))
	f.device(table)
	if f.sm == nil || f.shape.Threads == 0 || f.shape.Registers == arch.Unknown {
		return
	}
	o := f.sm.Occupancy(f.shape)
	if o.Blocks == 0 {
		return
	}
	// A report without the dynamic shared memory leaves the limit by it open;
	// its own occupancy tells whether that matters.
	f.guessed = !v.Has(profile.DynamicSharedBytes) && !v.Has(profile.SharedBytes)
	if f.guessed && known(f.theoretical) && math.Abs(f.theoretical-o.Percent()) > 0.01 {
		return
	}
	f.guessed = f.guessed && !known(f.theoretical)
	f.occupancy = &o
	f.theoretical = o.Percent()
}

// unround finds the size that was most probably rounded to what the report
// prints: of all that could be, the multiple of the largest power of two.
func (f *facts) unround() {
	coarse := f.launch.RoundedBytes
	x := intOf(&f.launch.Values, profile.DynamicSharedBytes)
	if coarse == 0 || x <= 0 || x%coarse != 0 {
		return
	}
	for unit := 1024; unit > 1; unit /= 2 {
		if near := (x + unit/2) / unit * unit; near > 0 && 2*max(near-x, x-near) <= coarse {
			f.rounded = near != x
			f.launch.Values.Set(profile.DynamicSharedBytes, float64(near))
			return
		}
	}
}
