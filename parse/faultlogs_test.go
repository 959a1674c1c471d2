package parse_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// faultLogs are small logs of kinds that are easily taken for whole ones, or for
// worse than they are. Names and numbers in them are made up, the forms are real;
// torn-at-128-* are what two jobs of ptxas 12.4 wrote under glibc 2.41. What each
// states was read from its text by eye.
var faultLogs = map[string]string{
	"bare-fields.txt": `
record  ptxas regs=77 bars=2 stack=96 (unnamed)
record  cuobjdump regs=77 smem=0 stack=96 lmem=0 c0=512 (unnamed,truncated)
fault unnamed line 2
fault truncated line 4
fault unnamed line 4
`,
	"bare-used-note.txt": `
record  ptxas regs=33 bars=2 smem=4096 (unnamed)
fault unnamed line 1
`,
	"bare-used-wrapped.txt": `
record  ptxas regs=48 smem=2048 c0=72 c2=120 c16=16 (unnamed)
fault unnamed line 1
`,
	"bare-used.txt": `
record  ptxas regs=21 smem=512 c0=96 (unnamed)
fault unnamed line 2
`,
	"build-failed-spack.log": `
module ptxas gmem=0 for sm_80
entry _Z4demoPf for sm_80 ptxas regs=30 stack=0 stores=0 loads=0 c0=360 in 0
fault build-failed line 2
fault build-failed line 11
`,
	"build-failed-uv.log": `
module ptxas gmem=0 for sm_80
entry _Z4demoPf for sm_80 ptxas regs=30 stack=0 stores=0 loads=0 c0=360 in 0
fault build-failed line 6
fault build-failed line 7
fault build-failed line 8
`,
	"clipped-buildkit.log": `
module ptxas gmem=0 for sm_90
entry _Z5alphaPf for sm_90 ptxas regs=28 bars=1 stack=0 stores=0 loads=0 us=6001 in 0
fault truncated line 8
`,
	"clipped-gitlab-cut-line.log": `
module ptxas gmem=0 for sm_90
entry _Z5alphaPf for sm_90 ptxas regs=28 bars=1 stack=0 stores=0 loads=0 in 0
entry  ptxas in 0 (truncated)
fault truncated line 6
fault truncated line 7
`,
	"clipped-gitlab.log": `
module ptxas gmem=0 for sm_90
entry _Z5alphaPf for sm_90 ptxas regs=28 bars=1 stack=0 stores=0 loads=0 in 0
fault truncated line 7
`,
	"driver-fatal-nvhpc.log": `
module ptxas gmem=0 for sm_80
entry axpy_12_gpu for sm_80 ptxas regs=26 stack=0 stores=0 loads=0 c0=384 in 0
fault build-failed line 6
`,
	"ellipsis.txt": `
entry pack for sm_90 ptxas regs=52 stack=48 stores=0 loads=0 cumulative=48 (truncated)
fault truncated line 1
`,
	"head-cut-stack.txt": `
record  ptxas regs=72 bars=3 stack=0 stores=0 loads=0 us=31500 (unnamed)
entry softplus for sm_90 ptxas regs=18 bars=0 stack=0 stores=0 loads=0 us=2250
fault unnamed line 1
`,
	"head-cut.txt": `
entry _Z9transposeILi16EEvPfPKf ptxas regs=64 bars=1 smem=1088 stack=8 stores=12 loads=20 cumulative=8 us=9120
entry _Z9transposeILi32EEvPfPKf for sm_90 ptxas regs=36 bars=1 smem=4224 stack=0 stores=0 loads=0 us=8004
fault truncated line 1
`,
	"line-n.txt": `
entry cvt for sm_90a ptxas regs=22 bars=0 stack=0 stores=0 loads=0
ptxas error: Instruction 'tcgen05.mma' cannot be compiled for architecture 'sm_90a'
fault build-failed line 6
`,
	"no-properties.txt": `
entry blur_rows for sm_86 ptxas regs=40 stack=24 stores=16 loads=8 cumulative=24 c0=372
entry blur_cols for sm_86 ptxas regs=28 stack=0 stores=0 loads=0 c0=372
`,
	"props-oneline.txt": `
entry gather_rows for sm_89 ptxas regs=96 bars=1 stack=16 stores=4 loads=4 cumulative=16
`,
	"ptxas-failed-julia.log": `
module ptxas gmem=48 for sm_86
entry _Z9kern_demo7CuArrayI5Int32E for sm_86 ptxas regs=41 stack=24 stores=0 loads=0 cumulative=24 c0=392 in 0
function gpu_helper for sm_86 ptxas stack=0 stores=0 loads=0 of _Z9kern_demo7CuArrayI5Int32E in 0
fault build-failed line 1
`,
	"ptxas-failed-triton.log": `
module ptxas gmem=0 for sm_100a
entry tile_demo for sm_100a ptxas regs=96 bars=1 stack=0 stores=0 loads=0 us=8100 in 0
fault build-failed line 1
`,
	"reflow.txt": `
entry _Z5scaleIfEvPT_i for sm_80 ptxas regs=30 stack=16 stores=8 loads=4 cumulative=16 c0=364
`,
	"res-inline.txt": `
record  cuobjdump regs=44 smem=3072 stack=16 lmem=16 (unnamed,truncated)
fault truncated line 1
fault unnamed line 1
`,
	"torn-at-128-arch.log": `
module ptxas gmem=0
module ptxas gmem=0
entry attention_forward_kernel_second_____________________________________________ ptxas regs=8 stack=0 stores=0 loads=0 (interleaved)
entry attention_forward_kernel_first______________________________________________ ptxas regs=8 stack=0 stores=0 loads=0 c0=364 (interleaved)
fault interleaved line 5
fault interleaved line 8
`,
	"torn-at-128-swapped.log": `
module ptxas gmem=0
module ptxas gmem=0 for sm_80
entry gemm_tile_kernel_spilling_____________________________________ for sm_80 ptxas (interleaved)
entry gemm_tile_kernel_indexed______________________________________ for sm_80 ptxas (interleaved)
fault interleaved line 3
fault interleaved line 4
`,
}

func TestFaultLogs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "faults", "*"))
	if err != nil || len(files) != len(faultLogs) {
		t.Fatalf("%d files, %d expected (%v)", len(files), len(faultLogs), err)
	}
	for name, want := range faultLogs {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "faults", name))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, "\n"+render(parseText(t, string(text)))); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}
