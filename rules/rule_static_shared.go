package rules

import "fmt"

// staticSharedMost is the static shared memory that every architecture and
// every compiler takes.
const staticSharedMost = 48 * 1024

func staticShared() *Rule {
	return &Rule{
		ID:    "static-shared",
		Title: "more static shared memory than 48 KiB",
		Why: "A block has more than 48 KiB of shared memory only after it opts in (`cudaFuncAttributeMaxDynamicSharedMemorySize`), and only dynamic shared memory can. " +
			"Compilers differ on static arrays above that: 11.8 and 12.8 to 13.0 refuse them; 12.4 is silent up to 64 to 164 KiB, by architecture, also where the kernel can't launch; with `-rdc` only the linker judges. " +
			"What one compiler takes, the next may not.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'tile64' for 'sm_80'
ptxas info    : Function properties for tile64
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, 65536 bytes smem, 360 bytes cmem[0]
`,
			Finding: "tile64 has 65536 bytes of static shared memory on sm_80, 16384 more than the 49152 that a block can have without opting in",
		},
		Fix:     "Make the array dynamic (`extern __shared__`), opt in to its size before the launch, and declare it as `dynamic_shared`.",
		Default: Warning,
		Kernel: func(u *Subject) {
			if u.isFunction() {
				return
			}
			most := int64(staticSharedMost)
			if u.arch.sm != nil {
				most = int64(u.arch.sm.StaticSharedBytesPerBlock)
			}
			static, known := u.staticShared()
			if !known || static <= most {
				return
			}
			u.Report(Finding{
				Message: fmt.Sprintf("has %d bytes of static shared memory%s, %d more than the %d that a block can have without opting in",
					static, u.on(), static-most, most),
				Value: float64(static), Limit: float64(most), Unit: "bytes", Field: FieldShared,
				Help: "make the array dynamic (extern __shared__) and opt in to its size",
			})
		},
	}
}
