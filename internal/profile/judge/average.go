package judge

import "math"

// The counters that an entry has of its launches.
const (
	avgAchieved = iota
	avgIssue
	avgEligible
	avgActive
	avgBusy
	avgCompute
	avgMemory
	avgDRAM
	avgL2
	avgL1
	avgTensor
	avgInstructions
	avgLocal
	averaged
)

// sum counts a launch in, weighted by its time t.
func (g *group) sum(f *facts, t float64) {
	active := f.launch.Values.Or(activeWarps, unknown)
	for i, x := range [averaged]float64{
		f.achieved, f.issue, f.eligible, active, f.busy, f.compute, f.memory, f.dram, f.l2, f.l1, f.tensor, f.instructions, f.local,
	} {
		if !known(x) {
			continue
		}
		s := &g.sums[i]
		weight := math.Max(t, 1)
		if i == avgInstructions || i == avgLocal {
			x *= float64(f.launch.Merged)
			weight = 1
		}
		s.value += x * weight
		s.weight += weight
	}
}

// average turns the sums into the counters.
func (g *group) average(c *Counters) {
	to := [averaged]*float64{
		&c.Achieved, &c.Issue, &c.Eligible, &c.ActiveWarps, &c.Busy, &c.Compute, &c.Memory, &c.DRAM, &c.L2, &c.L1, &c.Tensor,
		&c.Instructions, &c.Local,
	}
	for i, p := range to {
		s := g.sums[i]
		switch {
		case s.weight == 0:
			*p = unknown
		case i == avgInstructions || i == avgLocal:
			*p = s.value
		default:
			*p = s.value / s.weight
		}
	}
}
