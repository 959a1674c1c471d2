package judge

import (
	"fmt"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
)

// checkMixed: the numbers are averages of launches that aren't alike.
func checkMixed(f *facts) (said, bool) {
	if f.launch.Mixed == "" {
		return said{}, false
	}
	return said{
		message: fmt.Sprintf("this summary averages %d launches of different %s; not judged", f.launch.Merged, f.launch.Mixed),
		help:    "export the launches one by one: ncu -i REPORT.ncu-rep --csv --page raw",
	}, true
}

// checkStale: the name has a record, and its numbers are another build's.
func checkStale(f *facts) (said, bool) {
	r := f.match.stale
	if r == nil {
		return said{}, false
	}
	registers, static := intOf(&f.launch.Values, profile.RegistersPerThread), intOf(&f.launch.Values, profile.StaticSharedBytes)
	var differ []string
	if registers != arch.Unknown && r.Registers != arch.Unknown && registers != max(r.Registers, fewestProfiled) {
		differ = append(differ, fmt.Sprintf("the profile has %d registers, the %s %d", registers, r.source(), r.Registers))
	}
	if static != arch.Unknown && r.SharedBytes != arch.Unknown && static != r.SharedBytes {
		differ = append(differ, fmt.Sprintf("the profile has %d bytes of static shared memory, the %s %d", static, r.source(), r.SharedBytes))
	}
	return said{
		message: strings.Join(differ, "; ") + ": the profile is of another build; not judged",
		help:    "profile the build that the " + r.source() + " is of, or give the " + r.source() + " of the build that was profiled",
	}, true
}

// openStale: the name has a record, and nothing of the report tells whether the
// launch was of that build.
func openStale(f *facts) bool {
	return f.match.record != nil && f.match.record.Registers != arch.Unknown && intOf(&f.launch.Values, profile.RegistersPerThread) == arch.Unknown
}

func (r *Record) source() string {
	if r.Binary {
		return "binary"
	}
	return "log"
}

// checkTooShort: most of so short a launch is its start.
func checkTooShort(f *facts) (said, bool) {
	if !(f.micros < f.thresholds.TooShortMicros) {
		return said{}, false
	}
	return said{message: fmt.Sprintf("ran %s us: start-up is most of it; not judged", short(f.micros))}, true
}

// checkSpillsHot: local memory is a part of what runs.
func checkSpillsHot(f *facts) (said, bool) {
	if f.arraysOnly() {
		return said{}, false
	}
	share := 100 * f.local / f.instructions
	if !(share >= f.thresholds.SpillsHotPercent) {
		return said{}, false
	}
	s := said{message: short(share) + " % of the executed instructions are local loads and stores"}
	if n := f.timesRun(); n >= 2 {
		s.message += fmt.Sprintf("; every spill load runs %.0f times a warp on average, so they are in a loop", n)
	}
	s.help = "allow more registers"
	if most := f.mostRegisters(); most != "" {
		s.help = most
	} else if r := f.match.record; r != nil && r.Cap > 0 && r.Registers != arch.Unknown && r.Cap-r.Registers < 8 {
		s.help += fmt.Sprintf(" (capped at %d)", r.Cap)
	} else if r := f.match.record; r != nil && r.Registers != arch.Unknown {
		s.help += fmt.Sprintf(" (%d now)", r.Registers)
	}
	s.help += " before anything about occupancy: where the spills are says " + f.whereLine() + ", and what other bounds would give " + f.tuneLine()
	return s, true
}

// mostRegisters says that no bound gives the kernel more registers; empty where
// one can.
func (f *facts) mostRegisters() string {
	registers := f.shape.Registers
	if f.sm == nil || registers == arch.Unknown {
		return ""
	}
	if registers >= f.sm.RegistersPerThread {
		return fmt.Sprintf("let it need fewer registers (a smaller tile per thread, less unrolling; it has the %d that a thread can have)", registers)
	}
	if t := f.shape.Threads; t > 0 && registers >= f.sm.RegisterCap(t, 0).Registers {
		return fmt.Sprintf("let it need fewer registers, or try smaller blocks (blocks of %d threads can't launch with more than %d registers per thread)", t, registers)
	}
	return ""
}

// openSpills: neither the compiler nor the profiler tells whether spills run.
func openSpills(f *facts) bool { return !f.arraysOnly() && !known(f.local/f.instructions) }

// arraysOnly reports that the local memory is known to be of indexed arrays:
// the compiler spilled nothing.
func (f *facts) arraysOnly() bool {
	r := f.match.record
	return !f.spillsCounted && r != nil && r.SpillStoreBytes >= 0 && !r.Spills()
}

// timesRun is how often each spill load runs in a warp on average: by counting
// alone, and only where local memory has nothing but spills in it. 0 where
// that isn't known.
func (f *facts) timesRun() float64 {
	r := f.match.record
	if r == nil || !r.Spills() || !(f.warps > 0) {
		return 0
	}
	const perLoad = 4 // bytes
	if known(f.loads) && r.SpillLoadBytes > 0 && !r.hasArray() {
		return f.loads / f.warps / (float64(r.SpillLoadBytes) / perLoad)
	}
	if f.spillsCounted {
		return f.local / f.warps / (float64(r.loads()+r.stores()) / perLoad)
	}
	return 0
}

// checkSpillsUnmeasured: the compiler spilled, and the report didn't count.
func checkSpillsUnmeasured(f *facts) (said, bool) {
	r := f.match.record
	if r == nil || !r.Spills() || known(f.local) {
		return said{}, false
	}
	s := said{
		message: fmt.Sprintf("the %s has %d bytes of spill stores and %d of loads; this report does not count local memory",
			r.source(), r.stores(), r.loads()),
		help: "add --section MemoryWorkloadAnalysis_Tables, or record with --set full and export --page raw",
	}
	s.missing = []string{"MemoryWorkloadAnalysis_Tables"}
	return s, true
}
