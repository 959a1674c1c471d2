package rules

import (
	"fmt"
	"math"
	"slices"

	"github.com/occlint/occlint/arch"
)

func minOccupancy() *Rule {
	return &Rule{
		ID:    "min-occupancy",
		Title: "occupancy below the declared minimum",
		Why: "Occupancy is the resident warps over the warp slots of the SM, as the resources of the kernel allow it. " +
			"It is a means and not an end: a kernel with much work per thread can be at its best at 25 %. Declare the number that this kernel needs, from a measurement.\n\n" +
			"Where the block size is not known, neither is the occupancy, and the rule says so rather than pass.",
		Example: Example{
			Log:    exampleFree64,
			Config: "version: 1\nkernels:\n  - match: free_64\n    block: 256\n    min_occupancy: 50%\n",
			Policy: func() *Policy {
				return policyFor(Declaration{Match: "free_64", Block: Declared(256), MinOccupancy: Declared(50.0)})
			},
			Finding: "free_64 reaches 37.5 % occupancy on sm_90, 12.5 below the declared 50 %",
		},
		Fix:     "Lower what limits the blocks to the number in the message, or try another block size (`occlint calc --arch sm_90 --registers 64 --suggest` lists them). A register cap buys occupancy too, at the price of spills: look at `capped-and-spilling` before and after.",
		Default: Error,
		Options: []Option{
			{"min_occupancy", "The least theoretical occupancy, in percent."},
			{"block", "The threads per block that are really launched; default: the maximum of the launch bounds."},
			{"dynamic_shared", "The dynamic shared memory of a launch; undeclared counts as 0."},
		},
		Kernel: checkMinOccupancy,
	}
}

func checkMinOccupancy(u *Subject) {
	want := u.decl.MinOccupancy
	if !want.Set || u.isFunction() {
		return
	}
	if u.threads() <= 0 {
		u.Report(Finding{
			Message:  fmt.Sprintf("declares a minimum occupancy and no block size%s, so it can't be judged", u.on()),
			Declared: want.Origin,
			Help:     "declare what is launched: block: 256, or launch_bounds",
		})
		return
	}
	if u.Occupancy == nil || u.Occupancy.Percent() >= want.Value {
		return
	}
	have := u.Occupancy.Percent()
	u.Report(Finding{
		Message: fmt.Sprintf("reaches %s %% occupancy%s, %s below the declared %s %%",
			number(have), u.on(), number(want.Value-have), number(want.Value)),
		Value: have, Limit: want.Value, Unit: "%", Field: FieldOccupancy,
		Limiters: u.Occupancy.Limiters,
		Declared: want.Origin,
		Notes:    u.occupancyNotes(),
		Help:     u.occupancyHelp(want.Value),
	})
}

// occupancyHelp says what would reach a percentage with the block size as it
// is, or that no number of such blocks does.
func (u *Subject) occupancyHelp(percent float64) string {
	sm := u.arch.sm
	warps := arch.WarpsPerBlock(u.Launch.Threads)
	blocks := int(math.Ceil(percent * float64(sm.WarpSlots) / 100 / float64(warps)))
	changes, ok := sm.Reach(u.Launch, blocks)
	smaller := slices.ContainsFunc(changes, func(c arch.Change) bool { return c.Resource == arch.Warps })
	if !ok || smaller {
		return fmt.Sprintf("%s %% needs %s of %d threads, more than %s can hold; another block size may reach it: %s lists them",
			number(percent), count(int64(blocks), "block"), u.Launch.Threads, u.arch.name, u.calcCommand("--suggest"))
	}
	return u.reachHelp(blocks)
}
