package judge

import (
	"fmt"
	"math"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
)

// checkInsufficient: without a test of saturation nothing may be advised.
func checkInsufficient(f *facts) (said, bool) {
	var s said
	if !known(f.compute) || !known(f.memory) {
		s.missing = append(s.missing, "SpeedOfLight")
	}
	if !known(f.issue) || !known(f.eligible) {
		s.missing = append(s.missing, "SchedulerStats")
	}
	if len(s.missing) == 0 {
		return said{}, false
	}
	if len(f.stalls) == 0 {
		s.missing = append(s.missing, "WarpStateStats")
	}
	if !f.counted() {
		return said{
			message: "times and shapes alone cannot tell: the report has no counters",
			help:    "profile this kernel: ncu --set full -k " + quoteShell("regex:"+f.functionName()) + " -o REPORT CMD",
			missing: s.missing,
		}, true
	}
	s.message = "this export cannot tell: it has no " + strings.Join(s.missing, ", ")
	s.help = "record with ncu --set detailed or full, and export with --csv --page raw"
	return s, true
}

// checkNear: a unit is busy enough that little is left.
func checkNear(f *facts) (said, bool) {
	if !(f.saturation() >= f.thresholds.NearPercent) {
		return said{}, false
	}
	unit := "memory is"
	if f.compute > f.memory {
		unit = "the SMs' pipes are"
	}
	s := said{message: fmt.Sprintf("%s %s %% busy: all the occupancy there is buys at most %sx", unit, short(f.saturation()), factor(f.boundOfAll()))}
	switch o := f.occupancy; {
	case f.theoretical >= f.thresholds.FullOccupancyPercent:
		s.message = fmt.Sprintf("%s %s %% busy, at full occupancy: at most %sx is left to gain", unit, short(f.saturation()), factor(100/f.saturation()))
		s.help = "more independent loads per thread, or less traffic; measure before you pay for it"
	case o != nil:
		s.help = fmt.Sprintf("measure one step (%d -> %d blocks) before you pay for it%s", o.Blocks, o.Blocks+1, f.priceOfStep())
	}
	return s, true
}

// checkStalledUnknown: the page has no stall reasons.
func checkStalledUnknown(f *facts) (said, bool) {
	if len(f.stalls) > 0 {
		return said{}, false
	}
	return said{
		message: fmt.Sprintf("no warp was ready in %s %% of cycles; what they wait for is only on --page raw", short(100-f.issue)),
		help:    "export it: ncu -i REPORT.ncu-rep --csv --page raw (recorded with --set full, or with --section WarpStateStats)",
		missing: []string{"WarpStateStats"},
	}, true
}

// checkOtherLatency: they wait for something that occupancy helps less with,
// or not at all.
func checkOtherLatency(f *facts) (said, bool) {
	if !(f.memoryStall < f.thresholds.MemoryStallPercent) {
		return said{}, false
	}
	var parts, helps []string
	for _, s := range f.stalls {
		if s.Reason == "selected" || s.Reason == "not_selected" {
			continue // they issue, or others do
		}
		if len(parts) == 3 || len(parts) > 0 && s.Ratio < 15 {
			break
		}
		parts = append(parts, fmt.Sprintf("%s %s %%", words(s.Reason), short(s.Ratio)))
		if h := remedies[s.Reason]; h != "" {
			helps = append(helps, words(s.Reason)+": "+h)
		}
	}
	return said{message: "warps wait for: " + strings.Join(parts, ", "), help: strings.Join(helps, "; ")}, true
}

// remedies are what helps against each reason to wait that isn't memory's.
var remedies = map[string]string{
	"wait":               "the result of dependent arithmetic; more independent work per thread (unroll)",
	"barrier":            "__syncthreads; smaller blocks, or more work between barriers",
	"short_scoreboard":   "shared memory or special functions; fewer of them, or more between their use",
	"math_pipe_throttle": "one pipe is full at times; other instructions for the same work",
	"mio_throttle":       "the queue of shared memory and special functions; fewer and wider accesses",
	"no_instruction":     "the instruction cache; less unrolling, smaller code",
	"branch_resolving":   "branches; fewer of them in the inner loop",
	"dispatch_stall":     "the dispatcher; conflicts on the register file, mostly",
	"imc_miss":           "constant memory; fewer different constants",
	"membar":             "memory barriers and fences; fewer or narrower ones, or another block on the SM to work meanwhile",
	"sleeping":           "the kernel's own nanosleep",
	"gmma":               "the tensor pipe's asynchronous work; deeper pipelines of copies",
}

// checkUnfilled: there is room for warps that aren't there.
func checkUnfilled(f *facts) (said, bool) {
	if !(f.achieved < f.thresholds.AchievedPercent/100*f.theoretical) {
		return said{}, false
	}
	s := said{
		message: fmt.Sprintf("memory latency is not hidden; %s %% resident of the theoretical %s %%", short(f.achieved), short(f.theoretical)),
		help:    "more and shorter blocks keep the places filled",
	}
	if w := f.waves(); known(w) {
		switch {
		case w <= 1:
			s.message += fmt.Sprintf(": the grid is one wave (%s, %.0f fit at once), and a place whose block ends stays empty", blocks(f.grid), f.places())
		default:
			s.message += fmt.Sprintf(": %s waves of blocks, and warps that end before the others of their block", short(w))
		}
	}
	return s, true
}

// checkILP: occupancy has nothing left to give.
func checkILP(f *facts) (said, bool) {
	if !(f.theoretical >= f.thresholds.FullOccupancyPercent) {
		return said{}, false
	}
	return said{
		message: fmt.Sprintf("memory latency is not hidden at full occupancy (%s, no warp ready in %s %% of cycles)", f.topStall(), short(100-f.issue)),
		help:    "only more independent loads per thread help: unroll, load wider, or prefetch" + f.inFlight(),
	}, true
}

// inFlight says what one load of four bytes per thread keeps in flight.
func (f *facts) inFlight() string {
	if f.occupancy == nil {
		return ""
	}
	threads := f.occupancy.Warps * arch.WarpThreads
	return fmt.Sprintf(" (%d threads on an SM with one load of 4 bytes each keep %d bytes in flight)", threads, 4*threads)
}

// checkRaise: occupancy is worth its price, perhaps.
func checkRaise(f *facts) (said, bool) {
	o := f.occupancy
	if o == nil {
		return said{
			message: fmt.Sprintf("memory latency is not hidden (%s), and what limits the blocks can't be told", f.topStall()),
			help:    "more loads in flight per thread; name the architecture (--arch) for the rest",
		}, known(f.memoryStall)
	}
	return said{
		message: fmt.Sprintf("memory latency is not hidden (%s), no warp ready in %s %% of cycles; %s, limited by %s%s",
			f.topStall(), short(100-f.issue), blocks(float64(o.Blocks)), strings.Join(o.Limiters.Names(), " and "), f.priceOfStep()),
		help: "or more loads in flight per thread; what other bounds would give says " + f.tuneLine(),
	}, true
}

// priceOfStep says what one more block takes, and what it can bring at most.
func (f *facts) priceOfStep() string {
	o := f.occupancy
	if o == nil || f.sm == nil {
		return ""
	}
	changes, ok := f.sm.Reach(f.shape, o.Blocks+1)
	if !ok {
		return ""
	}
	var parts []string
	for _, c := range changes {
		switch c.Resource {
		case arch.Registers:
			parts = append(parts, fmt.Sprintf("%d fewer registers per thread", c.Now-c.Need))
		case arch.Shared:
			parts = append(parts, fmt.Sprintf("%d fewer bytes of shared memory per block", c.Now-c.Need))
		case arch.Warps:
			parts = append(parts, fmt.Sprintf("blocks of %d threads", c.Need))
		case arch.Barriers:
			parts = append(parts, fmt.Sprintf("%d fewer barriers", c.Now-c.Need))
		case arch.Blocks:
		}
	}
	return fmt.Sprintf(": %s gain a block (at most %sx)", strings.Join(parts, " and "), factor(f.boundOfStep()))
}

// boundOfStep and boundOfAll are the most that one more block, and all the
// warps that there can be, could shorten the time by: not more than they add,
// and not more than the busiest unit has left.
func (f *facts) boundOfStep() float64 {
	if f.occupancy == nil {
		return unknown
	}
	b := float64(f.occupancy.Blocks)
	return math.Min((b+1)/b, 100/f.saturation())
}

func (f *facts) boundOfAll() float64 {
	if !known(f.theoretical) {
		return 100 / f.saturation()
	}
	return math.Min(100/f.theoretical, 100/f.saturation())
}

// topStall is the largest reason to wait for memory.
func (f *facts) topStall() string {
	for _, s := range f.stalls {
		if isMemory(s.Reason) {
			return words(s.Reason) + " " + short(s.Ratio) + " %"
		}
	}
	return "no reason measured"
}

func isMemory(reason string) bool {
	for _, m := range memoryReasons {
		if m == reason {
			return true
		}
	}
	return false
}

// conflicts are the bank conflicts of shared memory and the passes through it,
// those conflicts among them.
func (f *facts) conflicts() (conflicts, passes float64) {
	v := &f.launch.Values
	conflicts, passes = v.Or(profile.SharedConflicts, 0), v.Or(profile.SharedWavefronts, 0)
	if passes < conflicts || conflicts < 0.05*passes {
		return 0, 1
	}
	return conflicts, passes
}
