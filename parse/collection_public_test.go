package parse_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCollectionPublic reads the logs that people pasted in public. What each
// states was read from its text by eye; the .src beside it says where it is
// from and what was rewritten.
func TestCollectionPublic(t *testing.T) {
	tested := map[string]bool{}
	for _, p := range public {
		tested["public/"+p.log+".log"] = true
		t.Run(p.log, func(t *testing.T) {
			got := render(readLog(t, "public/"+p.log+".log"))
			want := strings.TrimPrefix(p.want, "\n")
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
	for _, file := range logFiles(t) {
		if strings.HasPrefix(file, "public/") && !tested[file] {
			t.Errorf("%s is not tested", file)
		}
	}
}

type publicLog struct {
	log  string
	want string
}

var public = slices.Concat(publicOld, publicRecords, publicMessages)

// publicOld are logs of CUDA 2 to 5.
var publicOld = []publicLog{
	// a+b are the two parts of one total: 20+16.
	{log: "cuda2-build-tool", want: `
entry _Z3mulffPf for sm_10 ptxas regs=3 smem=36
`},
	// 8+16, 4+16, 6400+0 and 4+0 are sums; the carets are no line of a record;
	// the commands name architectures and compile nothing by themselves.
	{log: "cuda3-prompts-and-carets", want: `
entry _Z8evaluatePdS_ for sm_13 ptxas regs=5 smem=24 c0=61440 c14=12
entry _Z5setupj for sm_13 ptxas regs=17 smem=20 lmem=6400 c0=61440 c1=44 c14=12
entry _Z8evaluatePdS_ for sm_20 ptxas regs=3 stack=0 stores=0 loads=0 c0=40 c2=13000 c14=16
entry _Z5setupj for sm_20 ptxas regs=23 stack=6400 stores=0 loads=0 lmem=4 c0=36 c2=13000 c14=16
fault build-failed line 18
`},
	// The Used line is the entry's, though the callee stands above it.
	{log: "vs2010-cuda4.0-blank-lines", want: `
entry _Z5blur4PKfS0_Pf for sm_21 ptxas regs=33 stack=24 stores=16 loads=12 c0=76
function _Z5clampf for sm_21 ptxas stack=0 stores=0 loads=0 of _Z5blur4PKfS0_Pf
`},
	// The name is as the forum left it. The second stack and Used lines have no
	// name.
	{log: "forum-curly-quotes", want: `
entry Z6smoothPfS_S for sm_20 ptxas regs=38 stack=16 stores=0 loads=0 c0=112 c14=96 c16=48
record  ptxas stack=16 stores=0 loads=0 (unnamed)
record  ptxas regs=38 c0=112 c14=96 c16=48 (unnamed)
fault unnamed line 11
fault unnamed line 12
`},
	{log: "demangled-names", want: `
entry walk(tree, int*, double, int, double*) for sm_20 ptxas regs=44 stack=80 stores=0 loads=0 c0=168 c14=12
`},
	// Compiled without the ABI, so that nothing has properties. The first line's
	// entry is above the paste.
	{log: "cuda5-lmem-without-properties", want: `
record  ptxas regs=61 lmem=44 tex=1 c0=340 c2=4 (unnamed)
entry _Z10hash_finalPmjPjb for sm_30 ptxas regs=52 c0=345 c2=8
entry _Z11mix_kernelAILi1EEvPjii for sm_30 ptxas regs=63 lmem=80 c0=336
fault unnamed line 1
`},
	// Used lines in comments, where the compiler itself says nothing.
	{log: "occupancy-comment", want: `
record  ptxas regs=19 smem=2048 c0=96 (unnamed)
record  ptxas regs=15 smem=2112 c1=4 (unnamed)
fault unnamed line 5
fault unnamed line 8
`},
	{log: "sm20-comment-prefix", want: `
record  ptxas regs=15 c0=192 c2=24 c14=8 (unnamed)
fault unnamed line 2
`},
	{log: "ellipses", want: `
record  ptxas regs=21 c0=344 c2=8 (unnamed)
record  ptxas regs=17 c0=344 (unnamed)
record  ptxas regs=8 smem=32 c0=328 (unnamed)
fault unnamed line 1
fault unnamed line 3
fault unnamed line 5
`},
	{log: "rdc-functions-alone", want: `
function _Z13double_scalarP5pointPKhS2_ ptxas stack=2784 stores=504 loads=508
function _Z6invertPiPKi ptxas stack=160 stores=156 loads=164
`},
	// 60+0 and 24+16. The old record below is from another toolkit.
	{log: "course-tab", want: `
module ptxas gmem=0 c3=512 for sm_75
entry _ZN3pde5greenEPK6float2iiffPf for sm_75 ptxas regs=54 stack=0 stores=0 loads=0 c0=388 c2=16 in 0
entry _Z5sT_2DPfS_S_j ptxas regs=45 smem=40 lmem=60 c1=348
`},
	// The whole record is one line.
	{log: "wiki-one-line", want: `
entry ZN2mg6launchINS_3BoxILi16EEEZ6reduceILi16EPiEEvT0 for sm_35 ptxas regs=9 smem=128 stack=0 stores=0 loads=0 c0=344
`},
}

// publicRecords are later logs with records.
var publicRecords = []publicLog{
	{log: "pip-indent-6-ninja-stopped", want: `
module ptxas gmem=2 for sm_80
entry _Z15attn_bwd_kernelILi64ELb1EEv10bwd_params for sm_80 ptxas regs=251 stack=0 stores=0 loads=0 c0=688 in 0
fault build-failed line 6
`},
	// 0.701 ms and 7.204 ms; no module line, so no compilation.
	{log: "pip-indent-2-barriers", want: `
entry _ZN4tile13device_kernelIN4attn8FwdAfterILi192ELb0EEEEEvNT_6ParamsE for sm_90a ptxas regs=42 bars=0 stack=0 stores=0 loads=0 us=701
entry _ZN4tile13device_kernelIN4attn8FwdAfterILi192ELb1EEEEEvNT_6ParamsE for sm_90a ptxas regs=221 bars=1 smem=40 stack=0 stores=0 loads=0 us=7204
`},
	// The first line's name is above the paste. The functions after the first Used
	// line are the first entry's.
	{log: "vs2015-callees-after", want: `
record  ptxas stack=0 stores=0 loads=0 (unnamed)
entry _Z10stage_lastILj9ELj64EEvP4taskIXT_EXT0_EE for sm_50 ptxas regs=255 smem=4096 stack=288 stores=168 loads=300 cumulative=304 c0=324 c2=4
function _ZN48_INTERNAL_26_cuda_tasks_compute_30_cpp1_ii_2e61d911__shfl_syncEjiii for sm_50 ptxas stack=0 stores=0 loads=0 of _Z10stage_lastILj9ELj64EEvP4taskIXT_EXT0_EE
function cudaMalloc for sm_50 ptxas stack=8 stores=0 loads=0 of _Z10stage_lastILj9ELj64EEvP4taskIXT_EXT0_EE
entry _Z7stage_4ILj9ELj64EEvP4taskIXT_EXT0_EE for sm_50 ptxas regs=53 smem=40960 stack=136 stores=0 loads=0 cumulative=160 c0=324
fault unnamed line 1
`},
	{log: "vs-glued-functions", want: `
record  ptxas stack=8 stores=8 loads=8 (unnamed)
function _ZNK3vec1yEv ptxas stack=0 stores=0 loads=0
function _ZNK5shape3hitERK3rayff ptxas stack=168 stores=72 loads=80
function _ZSt7forwardIRKPcEOT_RNSt16remove_referenceIS3_E4typeE ptxas stack=8 stores=0 loads=0
fault unnamed line 1
`},
	{log: "nvrtc-fuser", want: `
module ptxas gmem=3 for sm_80
entry _ZN7CodeGen7kernel2ENS_6TensorIfLi2EEES1_ for sm_80 ptxas regs=24 smem=16 stack=216 stores=276 loads=520 c0=472 c2=8 in 0
ptxas warning: For profile sm_80 adjusting per thread register count of 16 to lower bound of 24 for sm_80 in 0
`},
	{log: "julia-too-much-shared", want: `
module ptxas gmem=264 for sm_60
entry _Z18julia_wave_kernel_13CuDeviceArrayI7Float32Li2ELi1EE for sm_60 ptxas regs=120 smem=66560 stack=192 stores=0 loads=0 c0=568 c2=24 in 0
ptxas error: Entry function '_Z18julia_wave_kernel_13CuDeviceArrayI7Float32Li2ELi1EE' uses too much shared data (0x10400 bytes, 0xc000 max) @_Z18julia_wave_kernel_13CuDeviceArrayI7Float32Li2ELi1EE for sm_60 in 0
fault build-failed line 3
fault build-failed line 4
`},
	// The first Used line is of an entry above the paste; the first function is
	// of it too, and its entry is not known. `…_l71_worker` is another name.
	{log: "clang-openmp-offload", want: `
record  ptxas regs=35 c0=368 c2=12 (unnamed)
function __omp_offloading_fd00_1a2b3c4_axpy_l20_worker ptxas stack=96 stores=88 loads=84
entry __omp_offloading_fd00_1a2b3c4_main_l71 for sm_37 ptxas regs=34 stack=8 stores=0 loads=0 c0=376 c2=12
function __omp_offloading_fd00_1a2b3c4_main_l71_worker for sm_37 ptxas stack=104 stores=92 loads=96
function _$_omp_outlined_$__wrapper for sm_37 ptxas stack=72 stores=60 loads=64
nvlink info: Function '_$_omp_outlined_$__wrapper' has address taken but no possible call to it @_$_omp_outlined_$__wrapper
fault unnamed line 1
`},
	{log: "clang-offload-lto-nvlink", want: `
entry __omp_offloading_10307_18c6188_main_l9 nvlink regs=30 smem=48 stack=8 lmem=0 c0=360
entry __omp_offloading_10307_18c606c_main_l9 nvlink regs=18 smem=16 stack=0 lmem=0 c0=360
`},
	{log: "numba-quoted-cut", want: `
module nvlink gmem=48
fault truncated line 2
`},
	{log: "ptxjit-sample", want: `
module nvlink gmem=0
entry myKernel nvlink regs=9 smem=0 stack=0 lmem=0 c0=364 in 0
`},
	{log: "driver-jit-both-stages", want: `
module ptxas gmem=0 for sm_70
module nvlink gmem=0
module ptxas gmem=96 for sm_70
module nvlink gmem=96
entry table_insert for sm_70 ptxas regs=30 stack=0 stores=0 loads=0 c0=420 in 0
entry table_insert nvlink regs=30 smem=0 stack=0 lmem=0 c0=420 in 1
entry table_find for sm_70 ptxas regs=26 stack=0 stores=0 loads=0 c0=432 in 2
entry table_find nvlink regs=26 smem=0 stack=0 lmem=0 c0=432 in 3
`},
	{log: "nvlink-many-targets", want: `
module nvlink gmem=136 c3=32768 for sm_52
module nvlink gmem=136 c3=32768 for sm_60
entry _Z9filter_v1PfS_S_iii for sm_52 nvlink regs=32 smem=0 stack=0 lmem=0 c0=356 in 0
entry _Z9filter_v2PfS_S_iii for sm_52 nvlink regs=28 smem=64 stack=16 lmem=0 c0=356 in 0
entry _Z9filter_v1PfS_S_iii for sm_60 nvlink regs=31 smem=0 stack=0 lmem=0 c0=356 in 1
`},
	// The warning's entry is not in the paste, so it is in no compilation.
	{log: "make-warning-before-module", want: `
module ptxas gmem=91 for sm_86
entry _ZN3cub11EmptyKernelIvEEvv for sm_86 ptxas regs=4 stack=0 stores=0 loads=0 c0=352 in 0
entry _Z8kOptimizI6__halfLi4EEvPT_Phf for sm_86 ptxas regs=70 stack=0 stores=0 loads=0 c0=424 in 0
ptxas warning: Value of threads per SM for entry _Z7kEncodePfS_Phi is out of range. .minnctapersm will be ignored @_Z7kEncodePfS_Phi
`},
	{log: "markdown-indent-textures", want: `
module ptxas gmem=0 c3=16384 for sm_80
entry _Z10mix_kernelILi1EEvPjjj for sm_80 ptxas regs=64 stack=168 stores=420 loads=424 c0=368 in 0
entry _Z14mix_kernel_texILi1ELi2EEvPjjj for sm_80 ptxas regs=64 stack=152 stores=376 loads=380 tex=1 c0=372 in 0
`},
	// A function before the first entry is compiled on its own.
	{log: "function-before-entry", want: `
module ptxas gmem=1011 for sm_35
function _ZN5Space4findEjb for sm_35 ptxas stack=0 stores=0 loads=0 in 0
entry _ZN2mg6ReduceINS_3BoxILi256EEEPmEEvT0_i for sm_35 ptxas regs=24 stack=0 stores=0 loads=0 c0=364 in 0
function cudaGetDevice for sm_35 ptxas stack=8 stores=0 loads=0 in 0
`},
	{log: "make-command-with-options", want: `
module ptxas gmem=0 c3=272 for sm_52
entry _Z11adam_kernelPfS_ for sm_52 ptxas regs=62 smem=20 stack=0 stores=0 loads=0 c0=336 c2=104 in 0
`},
	{log: "openacc-org-mode", want: `
entry _Z10move_plainv_204_gpu for sm_35 ptxas regs=60 stack=0 stores=0 loads=0 c0=392 c2=8
entry _Z10move_tunedv_231_gpu for sm_35 ptxas regs=71 stack=0 stores=0 loads=0 c0=388 c2=8
`},
	{log: "sycl-functions", want: `
function _ZN5queue4itemILi1ELb0EEC1ERKNS_2idE ptxas stack=0 stores=0 loads=0
function _ZN5queue4itemILi1ELb0EEC2ERKNS_2idE ptxas stack=16 stores=0 loads=0
`},
	// ptxas prints the stack line above the Used line, so these two are not
	// known to be of one record.
	{log: "grep-without-names", want: `
record  ptxas regs=94 bars=1 smem=65536 (unnamed)
record  ptxas stack=0 stores=0 loads=0 (unnamed)
fault unnamed line 1
fault unnamed line 2
`},
	{log: "hand-written-summary", want: `
record  ptxas regs=42 bars=0 (unnamed)
record  ptxas regs=21 bars=1 smem=24 (unnamed)
fault unnamed line 2
fault unnamed line 4
`},
	{log: "cuobjdump-manual", want: `
module cuobjdump gmem=64 c3=32
record total cuobjdump regs=22 smem=0 stack=16 lmem=0 tex=0 surf=0 samp=0 c0=464 c2=16 in 0
record my_surfaces cuobjdump regs=36 smem=12 stack=8 lmem=0 tex=6 surf=5 samp=0 c0=524 in 0
record my_samplers cuobjdump regs=40 smem=0 stack=0 lmem=0 tex=3 surf=0 samp=2 c0=464 in 0
`},
	{log: "cuobjdump-shifted", want: `
module cuobjdump gmem=320 for sm_30
record _ZN5axpys6kernelILm1EEEvmfPfS1_ for sm_30 cuobjdump regs=43 smem=0 stack=480 lmem=0 tex=0 surf=0 samp=0 c0=360 in 0
`},
	{log: "cuobjdump-indent-lost", want: `
record spin_test cuobjdump regs=120 smem=1056 stack=0 lmem=0 tex=0 surf=0 samp=0 c0=928
`},
	{log: "cuobjdump-line-in-prose", want: `
record  cuobjdump regs=250 smem=0 stack=3344 lmem=0 tex=0 surf=0 samp=0 c0=1688 (unnamed)
fault unnamed line 3
`},
}
