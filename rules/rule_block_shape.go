package rules

import (
	"fmt"

	"github.com/occlint/occlint/arch"
)

func blockShape() *Rule {
	return &Rule{
		ID:    "block-shape",
		Title: "a block that is not a whole number of warps",
		Why:   "Threads run in warps of 32. A block of another size has a last warp with idle lanes, which takes its registers and its slot all the same.",
		Example: Example{
			Log:     exampleFree64,
			Config:  "version: 1\nkernels:\n  - match: free_64\n    block: 100\n",
			Policy:  func() *Policy { return policyFor(Declaration{Match: "free_64", Block: Declared(100)}) },
			Finding: "free_64 has blocks of 100 threads, not a multiple of 32: 28 lanes of the last warp idle",
		},
		Fix:     "Launch a multiple of 32 threads and let the kernel guard its bounds.",
		Default: Warning,
		Options: []Option{
			{"block", "The threads per block that are really launched; default: the maximum of the launch bounds."},
			{"launch_bounds", "The maximum threads per block."},
		},
		Kernel: func(u *Subject) {
			threads := u.threads()
			rest := threads % arch.WarpThreads
			if u.isFunction() || threads <= 0 || rest == 0 {
				return
			}
			u.Report(Finding{
				Message: fmt.Sprintf("has blocks of %s, not a multiple of %d: %s of the last warp idle",
					count(int64(threads), "thread"), arch.WarpThreads, count(int64(arch.WarpThreads-rest), "lane")),
				Value: float64(threads), Limit: float64(threads - rest + arch.WarpThreads), Unit: "threads",
				Declared: u.decl.threadsOrigin(),
				Help:     fmt.Sprintf("%d threads take as many warps", threads-rest+arch.WarpThreads),
			})
		},
	}
}
