package judge

import (
	"fmt"
	"math"
	"strings"

	"github.com/occlint/occlint/internal/profile"
)

const activeWarps = profile.ActiveWarps

// usable refuses launches whose numbers aren't of one kernel on one whole
// device.
func usable(l *profile.Launch) error {
	refuse := func(what, help string) error { return &profile.Error{Place: l.Place, What: what, Help: help} }
	v := &l.Values
	switch {
	case v.Or(profile.UsesGreenContext, 0) > 0:
		return refuse("the kernel ran in a green context: its SMs are a part of the device, so neither the grid nor any share of a peak can be judged",
			"profile it without: ncu --set full -o REPORT CMD, with the program's own contexts off")
	case v.Or(profile.UsesMPS, 0) > 0:
		return refuse("the kernel ran under MPS, beside others: its counters are of all of them", "profile it alone, without the MPS daemon")
	case v.Or(profile.UsesDynamicLaunch, 0) > 0:
		return refuse("the kernel launches kernels itself (CUDA dynamic parallelism): its time and counters are of all of them",
			"profile the others: ncu --kernel-name regex:... --set full -o REPORT CMD")
	case l.Kernels > 1, isRange(l):
		return refuse("a result is of a whole range or graph with several launches, and none of them can be judged",
			"profile kernels one by one: leave --replay-mode range, app-range and --graph-profiling graph out")
	}
	return nil
}

// isRange reports a result of --replay-mode range or of a graph, which has a
// word for a name and no block.
func isRange(l *profile.Launch) bool {
	if l.Block.Count() > 0 || l.Grid.Count() > 0 {
		return false
	}
	s := strings.ToLower(l.Names.Shown())
	return s == "range" || s == "graph" || strings.HasPrefix(s, "range_") || strings.HasPrefix(s, "range(")
}

func v(l *profile.Launch, m profile.Metric) float64 { return l.Values.Or(m, 0) }

// reportDiffers compares the report's theoretical occupancy with ours.
func (f *facts) reportDiffers() string {
	theirs, ok := f.launch.Values.Of(profile.TheoreticalPercent)
	if !ok || f.occupancy == nil || math.Abs(theirs-f.theoretical) < 0.01 {
		return ""
	}
	return fmt.Sprintf("the report says that %s %% occupancy is possible, and by the numbers of the launch it is %s %%", short(theirs), short(f.theoretical))
}

// remarks are notes that don't depend on the verdict.
func (f *facts) remarks() []string {
	var list []string
	if n := f.match.several; n > 1 {
		list = append(list, fmt.Sprintf("%d records fit the name and the numbers, so none was taken: export with --print-kernel-base mangled", n))
	}
	if r := f.match.record; r != nil && r.calleesSpill() {
		list = append(list, fmt.Sprintf("functions that were compiled for it and not inlined have %d + %d bytes of spills", r.CalleeStoreBytes, r.CalleeLoadBytes))
	}
	if f.guessed {
		list = append(list, "the report has no dynamic shared memory: occupancy counts it as 0 and is the most there can be")
	}
	if f.rounded {
		list = append(list, fmt.Sprintf("dynamic shared memory is rounded to %d bytes in this export and was taken for %d: --print-units base has it exactly",
			f.launch.RoundedBytes, intOf(&f.launch.Values, profile.DynamicSharedBytes)))
	}
	if c := v(f.launch, profile.ClusterBlocks); c > 1 {
		list = append(list, fmt.Sprintf("launched in clusters of %.0f blocks, which must fit on one GPC: fewer than that many can be resident", c))
	}
	if w := f.waves(); known(w) && w > 1 && w < 8 {
		if part := w - math.Floor(w); part > 0 && part <= 0.5 {
			list = append(list, fmt.Sprintf("%s waves: the last fills %s %% of the places", short2(w), short(100*part)))
		}
	}
	return list
}

func short2(x float64) string { return fmt.Sprintf("%.2f", x) }
