package rules

import "fmt"

func dynamicSharedUnknown() *Rule {
	return &Rule{
		ID:    "dynamic-shared-unknown",
		Title: "a declared minimum rests on shared memory of unknown size",
		Why: "The kernel has an `extern __shared__` array, whose size is an argument of the launch and stands in no log. " +
			"A minimum of blocks or an occupancy is declared for it, and without the size it is judged as if the array were empty: the verdict is too good.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z12dynamic_smemPf' for 'sm_90'
ptxas info    : Function properties for _Z12dynamic_smemPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 1 barriers
`,
			Config: `version: 1
sources: ["src/*.cu"]
kernels:
  - match: dynamic_smem
    launch_bounds: [256, 4]
`,
			Files: []File{{"src/kernels.cu", `__global__ void dynamic_smem(float *p) {
    extern __shared__ float tile[];
    tile[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
`}},
			Policy: func() *Policy {
				return policyFor(
					Declaration{Match: "dynamic_smem", Origin: Origin{From: FromSource}, DynamicSharedUsed: Declared(true)},
					Declaration{Match: "dynamic_smem", LaunchBounds: Declared(Bounds{256, 4})},
				)
			},
			Finding: "dynamic_smem declares 4 blocks per SM on sm_90 and uses dynamic shared memory of a size that is not declared",
		},
		Fix:     "Declare the size that is launched: `dynamic_shared: 96KiB` in the config, or `// occlint: dynamic_shared=96KiB` beside the kernel. `dynamic_shared: 0` says that there is none.",
		Default: Warning,
		Options: []Option{{"dynamic_shared", "The dynamic shared memory of a launch: bytes, or `96KiB`."}},
		Kernel: func(u *Subject) {
			used := u.decl.DynamicSharedUsed
			if !used.Set || !used.Value || u.decl.DynamicShared.Set || u.DynamicSharedBytes.Stated() || u.isFunction() {
				return
			}
			var what string
			var origin Origin
			switch {
			case u.minBlocks() > 0:
				what, origin = count(int64(u.minBlocks()), "block")+" per SM", u.decl.LaunchBounds.Origin
			case u.decl.MinOccupancy.Set:
				what, origin = number(u.decl.MinOccupancy.Value)+" % occupancy", u.decl.MinOccupancy.Origin
			default:
				return
			}
			u.Report(Finding{
				Message:  fmt.Sprintf("declares %s%s and uses dynamic shared memory of a size that is not declared", what, u.on()),
				Declared: origin,
				Notes:    []string{"it is counted as 0"},
				Help:     "declare the size of a launch: dynamic_shared: 96KiB",
			})
		},
	}
}
