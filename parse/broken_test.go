package parse_test

import (
	"strings"
	"testing"
)

// TestTraps has lines that mislead a parser that is less careful.
func TestTraps(t *testing.T) { checkForms(t, traps) }

var traps = []form{
	{"a callee whose name is the entry's and a suffix", `
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_80'
ptxas info    : Function properties for _Z1kPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, 360 bytes cmem[0]
ptxas info    : Function properties for _Z1kPf$noinline
    96 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads
`, `
entry _Z1kPf for sm_80 ptxas regs=10 stack=0 stores=0 loads=0 c0=360
function _Z1kPf$noinline for sm_80 ptxas stack=96 stores=12 loads=8 of _Z1kPf
`},
	{"names with blanks, quotes, brackets and commas", `
ptxas info    : Compiling entry function 'k<int [4], 'x'>(float *, int)' for 'sm_80'
ptxas info    : Function properties for k<int [4], 'x'>(float *, int)
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers
ptxas info    : Compiling entry function 'julia_vadd_123(CuDeviceArray<Float32, 1, AS::Global>, error: 1)' for 'sm_80'
ptxas info    : Function properties for julia_vadd_123(CuDeviceArray<Float32, 1, AS::Global>, error: 1)
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers
`, `
entry k<int [4], 'x'>(float *, int) for sm_80 ptxas regs=10 stack=0 stores=0 loads=0
entry julia_vadd_123(CuDeviceArray<Float32, 1, AS::Global>, error: 1) for sm_80 ptxas regs=12 stack=0 stores=0 loads=0
`},
	{"one function compiled for two kernels", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_80'
ptxas info    : Function properties for a
    104 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 64 registers
ptxas info    : Function properties for f
    0 bytes stack frame, 220 bytes spill stores, 248 bytes spill loads
ptxas info    : Compiling entry function 'b' for 'sm_80'
ptxas info    : Function properties for b
    424 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers
ptxas info    : Function properties for f
    0 bytes stack frame, 1212 bytes spill stores, 1292 bytes spill loads
`, `
module ptxas gmem=0 for sm_80
entry a for sm_80 ptxas regs=64 stack=104 stores=0 loads=0 in 0
function f for sm_80 ptxas stack=0 stores=220 loads=248 of a in 0
entry b for sm_80 ptxas regs=32 stack=424 stores=0 loads=0 in 0
function f for sm_80 ptxas stack=0 stores=1212 loads=1292 of b in 0
`},
	{"the Used line before the properties", `
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Used 10 registers, 360 bytes cmem[0]
ptxas info    : Function properties for k
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
`, `
entry k for sm_80 ptxas regs=10 stack=8 stores=0 loads=0 c0=360
`},
	{"no Compiling line anywhere", `
ptxas info    : Function properties for a
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, 360 bytes cmem[0]
ptxas info    : Function properties for b
    0 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 20 registers, 364 bytes cmem[0]
`, `
entry a ptxas regs=10 stack=8 stores=0 loads=0 c0=360
entry b ptxas regs=20 stack=0 stores=4 loads=4 c0=364
`},
	{"no stack lines: a filter took them", `
ptxas info    : Compiling entry function 'a' for 'sm_80'
ptxas info    : Function properties for a
ptxas info    : Used 10 registers
ptxas info    : Compiling entry function 'b' for 'sm_80'
ptxas info    : Function properties for b
ptxas info    : Used 12 registers
`, `
entry a for sm_80 ptxas regs=10 (truncated)
entry b for sm_80 ptxas regs=12 (truncated)
fault truncated line 1
fault truncated line 4
`},
	{"a stack line and a Used line without their owner", `
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 74 registers, 364 bytes cmem[0]
ptxas info    : Compiling entry function 'b' for 'sm_80'
ptxas info    : Function properties for b
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers
`, `
record  ptxas regs=74 stack=16 stores=0 loads=0 c0=364 (unnamed)
entry b for sm_80 ptxas regs=12 stack=0 stores=0 loads=0
fault unnamed line 1
`},
	{"text behind a Used line", strings.Join([]string{
		"ptxas info    : Compiling entry function 'a' for 'sm_20'",
		"ptxas info    : Used 10 registers, 1+2 bytes smem => 1536 threads per SM",
		"ptxas info    : Compiling entry function 'b' for 'sm_20'",
		"ptxas info    : Used 11 registers, 360 bytes cmem[0]\tbefore the fix",
		"ptxas info    : Compiling entry function 'c' for 'sm_20'",
		"ptxas info    : Used 12 registers (#55122)",
		"`ptxas info    : Compiling entry function 'd' for 'sm_20'`",
		"`ptxas info    : Used 13 registers, 8 bytes smem`",
		"ptxas info    : Compiling entry function 'e' for 'sm_20'",
		"ptxas info    : Used 14 registers, 8 bytes smem...",
		"",
	}, "\n"), `
entry a for sm_20 ptxas regs=10 smem=3
entry b for sm_20 ptxas regs=11 c0=360
entry c for sm_20 ptxas regs=12
entry d for sm_20 ptxas regs=13 smem=8
entry e for sm_20 ptxas regs=14 smem=8 (truncated)
fault truncated line 9
`},
	{"lines that only look like messages", `
Compiling example/main.cpp
nvcc -Xptxas -v -gpu=ptxinfo -c k.cu
used 10 registers in the old version
this avoids error : ptxas fatal
k.hip:12:3: remark:     VGPRs: 34 [-Rpass-analysis=kernel-resource-usage]
k.cu:5:6: note: candidate: void k(float*) for 'sm_80'
print(f"ptxas info    : Compiling entry function '{name}' for '{sm_arch}'")
# sm_2.0 (w/32clamp):
Error 255 is not an error
`, `
fault empty line 0
`},
	{"the same log twice: a kernel of two compilations is kept twice", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers
`, `
module ptxas gmem=0 for sm_80
module ptxas gmem=0 for sm_80
entry k for sm_80 ptxas regs=10 stack=0 stores=0 loads=0 in 0
entry k for sm_80 ptxas regs=12 stack=0 stores=0 loads=0 in 1
`},
	{"one compilation that states two numbers for one kernel", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers
`, `
module ptxas gmem=0 for sm_80
entry k for sm_80 ptxas regs=10 stack=0 stores=0 loads=0 in 0 (conflicting)
entry k for sm_80 ptxas regs=12 stack=0 stores=0 loads=0 in 0 (conflicting)
fault conflicting line 2
fault conflicting line 6
`},
}

// TestBrokenLines has messages that something broke: the whole ones are put
// together again, the others are marked.
func TestBrokenLines(t *testing.T) { checkForms(t, brokenLines) }

var brokenLines = []form{
	{"names alone on their lines", `
ptxas info    : Compiling entry function
'_Z1kPf' for 'sm_80'
ptxas info    : Function properties for
_Z1kPf
    16 bytes stack frame,
    8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 10 registers,
                360 bytes cmem[0],
                8 bytes cmem[2]
`, `
entry _Z1kPf for sm_80 ptxas regs=10 stack=16 stores=8 loads=4 c0=360 c2=8
`},
	{"columns: heads and messages on lines of their own", `
ptxas info
ptxas info
: Compiling entry function '_Z1kPf' for 'sm_20'
: Used 4 registers, 20 bytes cmem[1]
`, `
entry _Z1kPf for sm_20 ptxas regs=4 c1=20
`},
	{"reflow: a break inside the head, two messages on one line", `
ptxas
info : Compiling entry function '_Z1kPf' for 'sm_20' ptxas info : Used 4 registers, 20 bytes cmem[1] ptxas info
: 0 bytes gmem
`, `
module ptxas gmem=0
entry _Z1kPf for sm_20 ptxas regs=4 c1=20
`},
	{"a number broken at the edge of a terminal", `
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_20'
ptxas info    : Used 10 registers, 36
0 bytes cmem[0], 1
2 bytes cmem[2]
`, `
entry _Z1kPf for sm_20 ptxas regs=10 c0=360 c2=12
`},
	{"a diagnostic split inside its sentence", `
ptxas warning : Value of threads per SM for entry
_Z1kPf is out of range. .minnctapersm will be
ignored
ptxas warning : Registers are spilled to local memory in function '_Z1kPf',
    12 bytes spill stores, 16 bytes spill loads
`, `
ptxas warning: Value of threads per SM for entry _Z1kPf is out of range. .minnctapersm will be ignored @_Z1kPf
ptxas warning: Registers are spilled to local memory in function '_Z1kPf', 12 bytes spill stores, 16 bytes spill loads @_Z1kPf
fault empty line 0
`},
	{"what follows a remark is not its rest", `
nvlink warning : Skipping incompatible '/usr/lib/libfoo.a' when searching for -lfoo
[2/3] Linking CXX executable app
nvlink warning : Prototype doesn't match for 'f' in 'a.o', first defined in 'b.o'
make[1]: Leaving directory '/src'
nvcc warning : Something that nobody knows and that is the widest line so far
-- done
`, `
nvlink warning: Skipping incompatible '/usr/lib/libfoo.a' when searching for -lfoo
nvlink warning: Prototype doesn't match for 'f' in 'a.o', first defined in 'b.o'
nvcc warning: Something that nobody knows and that is the widest line so far
fault empty line 0
`},
	{"MSBuild's project, broken in its path", `
CUDACOMPILE : ptxas warning : Value of threads per SM for entry k is out of range. .minnctapersm will be ignored [C:\src\codec
\codec\codec.vcxproj]
`, `
ptxas warning: Value of threads per SM for entry k is out of range. .minnctapersm will be ignored @k
fault empty line 0
`},
	{"a Used line broken twice inside a field, the rest in blanks", `
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 48 registers, used 1 barriers, 4096 byte
s 
ptxas info    : Compiling entry function 'm' for 'sm_90'
ptxas info    : Function properties for m
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 48 registers, used 1 barriers, 440 bytes cumulative stack s
i
`, `
entry k for sm_90 ptxas regs=48 bars=1 stack=0 stores=0 loads=0 (truncated)
entry m for sm_90 ptxas regs=48 bars=1 stack=0 stores=0 loads=0 (truncated)
fault truncated line 1
fault truncated line 6
`},
	{"a stack line without its properties line, in a wrapper", `
1>    8 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
1>ptxas info    : Function properties for f
1>    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
2025-11-02T10:00:00.1234567Z     24 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
// 32 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
#12 34.56 40 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
48 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
`, `
record  ptxas stack=8 stores=8 loads=8 (unnamed)
function f ptxas stack=16 stores=0 loads=0
record  ptxas stack=24 stores=8 loads=8 (unnamed)
record  ptxas stack=32 stores=8 loads=8 (unnamed)
record  ptxas stack=40 stores=8 loads=8 (unnamed)
record  ptxas stack=48 stores=8 loads=8 (unnamed)
fault unnamed line 1
fault unnamed line 4
fault unnamed line 5
fault unnamed line 6
fault unnamed line 7
`},
	{"lines lost: another function's properties before the Used line", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'talks' for 'sm_60'
ptxas info    : Function properties for talks
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for texture
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 9 registers, 360 bytes cmem[0]
`, `
module ptxas gmem=0 for sm_60
entry talks for sm_60 ptxas stack=0 stores=0 loads=0 in 0 (truncated)
function texture for sm_60 ptxas stack=8 stores=0 loads=0 in 0 (truncated)
record  ptxas regs=9 c0=360 in 0 (unnamed)
fault truncated line 2
fault truncated line 5
fault unnamed line 7
`},
	{"a Used line below the next entry's first line", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_60'
ptxas info    : Function properties for a
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function 'b' for 'sm_60'
ptxas info    : Used 8 registers, 360 bytes cmem[0]
ptxas info    : Function properties for b
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
`, `
module ptxas gmem=0 for sm_60
entry a for sm_60 ptxas stack=0 stores=0 loads=0 in 0 (interleaved,truncated)
entry b for sm_60 ptxas stack=0 stores=0 loads=0 in 0 (interleaved,truncated)
fault interleaved line 2
fault interleaved line 5
`},
	{"two Used lines below the second of two entries", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_60'
ptxas info    : Function properties for a
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function 'b' for 'sm_60'
ptxas info    : Function properties for b
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 360 bytes cmem[0]
ptxas info    : Used 10 registers, 360 bytes cmem[0]
`, `
module ptxas gmem=0 for sm_60
entry a for sm_60 ptxas stack=0 stores=0 loads=0 in 0 (interleaved,truncated)
entry b for sm_60 ptxas stack=0 stores=0 loads=0 in 0 (interleaved)
record  ptxas regs=10 c0=360 in 0 (unnamed)
fault interleaved line 2
fault interleaved line 5
fault unnamed line 9
`},
	{"a name broken before its last words", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '__nv_static_32__65861249_10_variety_cu
_166512c0__ZN43_GLOBAL__N__65861249_10_variety_cu_166512c09anonymousEPKfPfi' for
 'sm_90'
ptxas info    : Function properties for __nv_static_32__65861249_10_variety_cu_1
66512c0__ZN43_GLOBAL__N__65861249_10_variety_cu_166512c09anonymousEPKfPfi
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers, used 0 barriers
`, `
module ptxas gmem=0 for sm_90
entry __nv_static_32__65861249_10_variety_cu_166512c0__ZN43_GLOBAL__N__65861249_10_variety_cu_166512c09anonymousEPKfPfi for sm_90 ptxas regs=24 bars=0 stack=0 stores=0 loads=0 in 0
`},
	{"an entry's first line cut off in its name", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1
[2/3] Linking
ptxas info    : Function properties for _Z1kPf
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers
`, `
module ptxas gmem=0
entry _Z1kPf ptxas regs=24 stack=8 stores=0 loads=0 in 0 (truncated)
fault truncated line 2
`},
	{"the rest of a line is not there", `
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_80'
ptxas info    : Function properties for _Z1kPf
    16 bytes stack frame, 8 bytes sp
[ 50%] Building CXX object main.o
ptxas info    : Used 10 registers, 360 by
ptxas info    : Compiling entry function '_Z1mP
make[1]: Leaving directory '/src'
`, `
entry _Z1kPf for sm_80 ptxas regs=10 (truncated)
entry  ptxas (truncated)
fault truncated line 1
fault truncated line 6
`},
	{"torn: another process's line begins inside", `
ptxas info    : 0 bytes gmem
ptxas info    : 4 bytes gmem
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'
ptxas info    : Function properties for _Z1aPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 4ptxas info    : Compiling entry function '_Z1bPf' for 'sm_80'
8 registers, 372 bytes cmem[0]
ptxas info    : Function properties for _Z1bPf
    14ptxas info    : 8 bytes gmem
4 bytes stack frame, 296 bytes spill stores, 352 bytes spill loads
ptxas info    : Used 60 registers, 372 bytes cmem[0]
`, `
module ptxas gmem=0
module ptxas gmem=4 for sm_80
module ptxas gmem=8
entry _Z1aPf for sm_80 ptxas stack=0 stores=0 loads=0 in 1 (truncated)
entry _Z1bPf for sm_80 ptxas regs=60 c0=372 in 1 (truncated)
fault truncated line 3
fault truncated line 6
`},
	{"torn inside the head", `
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'
ptxas info    : Function properties for _Z1aPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas in[2/3] Linking
fo    : Used 48 registers, 372 bytes cmem[0]
`, `
entry _Z1aPf for sm_80 ptxas stack=0 stores=0 loads=0 (truncated)
fault truncated line 1
`},
}

// TestOtherReaders has what other compilers and drivers print around the same
// messages.
func TestOtherReaders(t *testing.T) { checkForms(t, otherReaders) }

var otherReaders = []form{
	{"clang, -Xcuda-ptxas -v, OpenMP offload", `
clang version 18.1.3
ptxas info    : 12 bytes gmem
ptxas info    : Compiling entry function '__omp_offloading_10302_a1b2c_main_l12' for 'sm_70'
ptxas info    : Function properties for __omp_offloading_10302_a1b2c_main_l12
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 26 registers, 1 bytes smem, 392 bytes cmem[0]
ptxas info    : Function properties for __kmpc_parallel_51
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
clang-linker-wrapper: warning: nothing else
`, `
module ptxas gmem=12 for sm_70
entry __omp_offloading_10302_a1b2c_main_l12 for sm_70 ptxas regs=26 smem=1 stack=8 stores=0 loads=0 c0=392 in 0
function __kmpc_parallel_51 for sm_70 ptxas stack=0 stores=0 loads=0 of __omp_offloading_10302_a1b2c_main_l12 in 0
`},
	{"nvfortran, -gpu=ptxinfo", `
saxpy:
      4, Generating implicit copyin(x(:)) [if not already present]
         Generating NVIDIA GPU code
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'saxpy_mod_saxpy_4_gpu' for 'sm_80'
ptxas info    : Function properties for saxpy_mod_saxpy_4_gpu
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 16 registers, 376 bytes cmem[0]
`, `
module ptxas gmem=0 for sm_80
entry saxpy_mod_saxpy_4_gpu for sm_80 ptxas regs=16 stack=0 stores=0 loads=0 c0=376 in 0
`},
	{"NVRTC and the driver's JIT", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'my_kernel' for 'sm_86'
ptxas info    : Function properties for my_kernel
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, 360 bytes cmem[0]
ptxas info    : Function properties for helper
ptxas . 7 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads
info    : 0 bytes gmem
info    : Function properties for 'my_kernel':
info    : used 10 registers, 0 stack, 0 bytes smem, 360 bytes cmem[0], 0 bytes lmem
`, `
module ptxas gmem=0 for sm_86
module nvlink gmem=0
entry my_kernel for sm_86 ptxas regs=10 stack=0 stores=0 loads=0 c0=360 in 0
function helper for sm_86 ptxas stack=7 stores=1 loads=2 of my_kernel in 0
entry my_kernel nvlink regs=10 smem=0 stack=0 lmem=0 c0=360 in 1
`},
	{"OpenCL build log", `
ptxas info    : Compiling entry function 'vadd' for 'sm_61'
ptxas info    : Function properties for vadd
ptxas         :     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 344 bytes cmem[0]
`, `
entry vadd for sm_61 ptxas regs=8 stack=0 stores=0 loads=0 c0=344
`},
	{"Triton's renamed ptxas", `
ptxas-blackwell info    : 0 bytes gmem
ptxas-blackwell info    : Compiling entry function 'matmul_kernel' for 'sm_100a'
ptxas-blackwell info    : Function properties for matmul_kernel
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas-blackwell info    : Used 168 registers, used 5 barriers
ptxas-blackwell info    : Compile time = 420.113 ms
`, `
module ptxas gmem=0 for sm_100a
entry matmul_kernel for sm_100a ptxas regs=168 bars=5 stack=0 stores=0 loads=0 us=420113 in 0
`},
	{"Triton's error, inside a Python one", `
triton.runtime.errors.PTXASError: PTXAS error: Internal Triton PTX codegen error
` + "`ptxas` stderr:" + `
ptxas /tmp/tmp1x.ptx, line 60; error   : Feature '.bf16' requires .target sm_80 or higher
ptxas fatal   : Ptx assembly aborted due to errors
`, `
ptxas error: Feature '.bf16' requires .target sm_80 or higher at /tmp/tmp1x.ptx:60
ptxas fatal: Ptx assembly aborted due to errors
fault empty line 0
fault build-failed line 1
fault build-failed line 3
fault build-failed line 4
`},
	{"Julia", `
ERROR: LoadError: Failed to compile PTX code (ptxas exited with code 255)
Invocation arguments: --generate-line-info --verbose --gpu-name sm_89 --output-file /tmp/jl.cubin /tmp/jl.ptx
ptxas info    : 56 bytes gmem
ptxas info    : Compiling entry function '_Z4vadd13CuDeviceArrayI7Float32Li1ELi1EE' for 'sm_89'
ptxas info    : Function properties for _Z4vadd13CuDeviceArrayI7Float32Li1ELi1EE
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 20 registers, 416 bytes cmem[0]
`, `
module ptxas gmem=56 for sm_89
entry _Z4vadd13CuDeviceArrayI7Float32Li1ELi1EE for sm_89 ptxas regs=20 stack=0 stores=0 loads=0 c0=416 in 0
fault build-failed line 1
`},
	{"inside other compilers' messages", `
main.mojo:1:1: error: ptxas application ptx input, line 5; warning : Double is not supported. Demoting to float
CUDA error: ptxas warning : Registers are spilled to local memory in function 'k', 8 bytes spill stores, 8 bytes spill loads
ptxas: ptxas info    : 0 bytes gmem
`, `
module ptxas gmem=0
ptxas warning: Double is not supported. Demoting to float at application ptx input:5 in 0
ptxas warning: Registers are spilled to local memory in function 'k', 8 bytes spill stores, 8 bytes spill loads @k
`},
	{"PowerShell quotes the first line as an error", `
nvcc : ptxas info    : 0 bytes gmem
At line:1 char:1
+ nvcc -arch=sm_80 -Xptxas -v -c k.cu 2>&1 | Out-File log.txt
+ ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
    + CategoryInfo          : NotSpecified: (ptxas info    : 0 bytes gmem:String) [], RemoteException
    + FullyQualifiedErrorId : NativeCommandError
 
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_80'
ptxas info    : Function properties for _Z1kPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 360 bytes cmem[0]
`, `
module ptxas gmem=0 for sm_80
entry _Z1kPf for sm_80 ptxas regs=8 stack=0 stores=0 loads=0 c0=360 in 0
`},
}
