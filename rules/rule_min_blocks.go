package rules

import (
	"fmt"

	"github.com/occlint/occlint/arch"
)

func minBlocks() *Rule {
	return &Rule{
		ID:    "min-blocks",
		Title: "fewer blocks per SM than declared",
		Why: "The second argument of `__launch_bounds__` asks for that many resident blocks per SM, and the compiler keeps the registers low enough for it. " +
			"It does not look at shared memory, named barriers or the block size that is really launched: those can make the declared number unreachable, " +
			"and the kernel then pays with registers for blocks that it never gets.\n\n" +
			"Where the compiler dropped the minimum altogether, `bounds-ignored` says so instead.",
		Example: Example{
			Log: exampleSmemBound,
			Config: `version: 1
kernels:
  - match: smem_bound
    launch_bounds: [128, 12]
`,
			Policy: func() *Policy {
				return policyFor(Declaration{Match: "smem_bound", LaunchBounds: Declared(Bounds{128, 12})})
			},
			Finding: "smem_bound reaches 9 of 12 declared blocks per SM on sm_90",
		},
		Fix: "Lower what limits the blocks to the number in the message: less shared memory per block, fewer named barriers, smaller blocks. " +
			"Or declare the number of blocks that the kernel really gets; the compiler may then use more registers.",
		Default: Error,
		Options: []Option{
			{"launch_bounds", "The maximum threads per block, and the minimum of blocks per SM that this rule asks for."},
			{"block", "The threads per block that are really launched; default: the maximum of the launch bounds."},
			{"dynamic_shared", "The dynamic shared memory of a launch; undeclared counts as 0."},
			{"by_arch", "Other bounds for some architectures."},
		},
		Kernel: checkMinBlocks,
	}
}

func checkMinBlocks(u *Subject) {
	want := u.minBlocks()
	// What can't launch at all is another rule's.
	if want <= 0 || u.Occupancy == nil || u.Occupancy.Blocks >= want || u.Occupancy.Blocks == 0 {
		return
	}
	bounds := u.decl.LaunchBounds
	u.Report(Finding{
		Message: fmt.Sprintf("reaches %d of %d declared blocks per SM%s", u.Occupancy.Blocks, want, u.on()),
		Value:   float64(u.Occupancy.Blocks), Limit: float64(want), Unit: "blocks", Field: FieldBlocks,
		Limiters: u.Occupancy.Limiters,
		Declared: bounds.Origin,
		Notes:    u.minBlocksNotes(want),
		Help:     u.reachHelp(want),
	})
}

// minBlocksNotes is the arithmetic of every resource that allows too few
// blocks, not only of the one that allows the fewest.
func (u *Subject) minBlocksNotes(want int) []string {
	notes := u.occupancyNotes()
	var more []string
	for r := range arch.AllResources() {
		limit := u.Occupancy.Limits[r]
		if limit != arch.Unknown && limit < want && !u.Occupancy.Limiters.Has(r) {
			more = append(more, fmt.Sprintf("%s allows %d blocks as well: %s", resourceWords(r), limit, u.limitText(r)))
		}
	}
	return append(notes, more...)
}
