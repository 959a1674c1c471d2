package compare

import (
	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// AssumeThreads fills in the occupancy of the kernels that no block size is
// declared for, as if they were launched with blocks of threads threads. What
// the table does not know, and what the log does not state, stays unknown.
func AssumeThreads(judged []rules.Judgement, table *arch.Table, threads int) {
	for i := range judged {
		j := &judged[i]
		k := j.Kernel
		registers, stated := k.Registers.Value()
		if j.Occupancy != nil || j.Threads > 0 || k.Kind == parse.Function || k.Defect != 0 || !stated {
			continue
		}
		sm, err := table.Lookup(k.Arch)
		if err != nil {
			continue
		}
		// More than any GPU has is as good as all that a hostile log can say.
		const most = 1 << 30
		occupancy := sm.Occupancy(arch.Launch{
			Threads:     threads,
			Registers:   int(min(registers, most)),
			SharedBytes: int(min(j.SharedBytes, most)),
			Barriers:    int(min(k.Barriers.Or(arch.Unknown), most)),
		})
		j.Occupancy, j.Threads = &occupancy, threads
	}
}
