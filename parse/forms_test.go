package parse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// render writes the records of a log one a line, as the tables below state
// them: kind, name and what the log says of it.
func render(l *parse.Log) string {
	var b strings.Builder
	for i := range l.Compilations {
		c := &l.Compilations[i]
		fmt.Fprintf(&b, "module %s gmem=%s%s%s\n", c.Stage, c.GlobalBytes, banks(c.ConstBytes), optional(" for ", c.Arch))
	}
	for _, kernel := range l.Kernels() {
		k := &kernel
		kind := k.Kind.String()
		if kind == "" {
			kind = "record"
		}
		fmt.Fprintf(&b, "%s %s%s %s", kind, k.Name, optional(" for ", k.Arch), k.Stage)
		for _, f := range []struct {
			name string
			n    parse.Count
		}{
			{"regs", k.Registers}, {"bars", k.Barriers}, {"smem", k.SharedBytes}, {"stack", k.StackBytes},
			{"stores", k.SpillStoreBytes}, {"loads", k.SpillLoadBytes}, {"cumulative", k.CumulativeStackBytes},
			{"lmem", k.LocalBytes}, {"tex", k.Textures}, {"surf", k.Surfaces}, {"samp", k.Samplers}, {"us", k.CompileMicros.Count},
		} {
			if f.n.Stated() {
				fmt.Fprintf(&b, " %s=%s", f.name, f.n)
			}
		}
		fmt.Fprintf(&b, "%s%s", banks(k.ConstBytes), optional(" of ", k.Parent))
		if k.Compilation >= 0 {
			fmt.Fprintf(&b, " in %d", k.Compilation)
		}
		if k.Defect != 0 {
			fmt.Fprintf(&b, " (%s)", k.Defect)
		}
		b.WriteString("\n")
	}
	for i := range l.Remarks {
		r := &l.Remarks[i]
		fmt.Fprintf(&b, "%s %s: %s%s%s", r.Tool, r.Severity, optional("(", r.Code)+strings.Repeat(") ", min(1, len(r.Code))), r.Text, optional(" @", r.Kernel))
		fmt.Fprintf(&b, "%s", optional(" for ", r.Arch))
		if r.Input.Line > 0 {
			fmt.Fprintf(&b, " at %s:%d", r.Input.File, r.Input.Line)
		}
		if r.Compilation >= 0 {
			fmt.Fprintf(&b, " in %d", r.Compilation)
		}
		b.WriteString("\n")
	}
	for i := range l.Faults {
		fmt.Fprintf(&b, "fault %s line %d\n", l.Faults[i].Kind, l.Faults[i].Place.Line)
	}
	return b.String()
}

func banks(list parse.Banks) string {
	var b strings.Builder
	for bank, bytes := range list.All() {
		fmt.Fprintf(&b, " c%d=%d", bank, bytes)
	}
	return b.String()
}

func optional(before, s string) string {
	if s == "" {
		return ""
	}
	return before + s
}

type form struct{ name, log, want string }

func checkForms(t *testing.T, forms []form) {
	t.Helper()
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			got := render(parseText(t, strings.TrimPrefix(f.log, "\n")))
			if d := cmp.Diff(strings.TrimPrefix(f.want, "\n"), got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestToolkits has the line forms of each generation of the tools.
func TestToolkits(t *testing.T) { checkForms(t, toolkits) }

var toolkits = []form{
	{"oldest, no architecture", `
ptxas info : Compiling entry function 'acos_main'
ptxas info : Used 4 registers, 60+56 bytes lmem, 44+40 bytes smem, 20 bytes cmem[1], 12 bytes cmem[14]
`, `
entry acos_main ptxas regs=4 smem=84 lmem=116 c1=20 c14=12
`},
	{"sm_1x, two units without module lines", `
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_13'
ptxas info    : Used 18 registers, 6440+0 bytes lmem, 4+16 bytes smem, 64928 bytes cmem[0], 40 bytes cmem[1]
ptxas info    : Compiling entry function '_Z1bPf' for 'sm_13'
ptxas info    : Used 3 registers, 24+16 bytes smem, 4 bytes cmem[1]
`, `
entry _Z1aPf for sm_13 ptxas regs=18 smem=20 lmem=6440 c0=64928 c1=40
entry _Z1bPf for sm_13 ptxas regs=3 smem=40 c1=4
`},
	{"CUDA 4.x, callees before the entry's Used line", `
ptxas info    : 8 bytes gmem, 4 bytes cmem[14]
ptxas info    : Compiling entry function '_Z1kPd' for 'sm_20'
ptxas info    : Function properties for _Z1kPd
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for __internal_accurate_pow
    16 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 44 registers, 8+0 bytes lmem, 160 bytes cmem[0], 144 bytes cmem[2], 28 bytes cmem[16]
`, `
module ptxas gmem=8 c14=4 for sm_20
entry _Z1kPd for sm_20 ptxas regs=44 stack=8 stores=0 loads=0 lmem=8 c0=160 c2=144 c16=28 in 0
function __internal_accurate_pow for sm_20 ptxas stack=16 stores=4 loads=12 of _Z1kPd in 0
`},
	{"early sm_20 without properties", `
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_20'
ptxas info    : Used 14 registers, 1024+0 bytes smem, 48 bytes cmem[0]
`, `
entry _Z1kPf for sm_20 ptxas regs=14 smem=1024 c0=48
`},
	{"sm_3x to sm_8x", `
ptxas info    : 0 bytes gmem, 72 bytes cmem[3]
ptxas info    : Compiling entry function '_Z1kyPf' for 'sm_35'
ptxas info    : Function properties for _Z1kyPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 74 registers, 364 bytes cmem[0], 12 bytes cmem[2], 1 textures, 2 surfaces, 3 samplers
`, `
module ptxas gmem=0 c3=72 for sm_35
entry _Z1kyPf for sm_35 ptxas regs=74 stack=0 stores=0 loads=0 tex=1 surf=2 samp=3 c0=364 c2=12 in 0
`},
	{"late 12.x and 13.x", `
ptxas info    : 4374 bytes gmem, 256 bytes cmem[3], 40 bytes cmem[4]
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_120f'
ptxas info    : Function properties for _Z1kPf
    200 bytes stack frame, 81760 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 13 registers, used 16 barriers, 200 bytes cumulative stack size, 216320 bytes smem, 336 bytes cmem[0], 8 bytes lmem
ptxas info    : Compile time = 51221.010 ms
`, `
module ptxas gmem=4374 c3=256 c4=40 for sm_120f
entry _Z1kPf for sm_120f ptxas regs=13 bars=16 smem=216320 stack=200 stores=81760 loads=4 cumulative=200 lmem=8 us=51221010 c0=336 in 0
`},
	{"newest architectures print no constants", `
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_103a'
ptxas info    : Function properties for _Z1kPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers
`, `
module ptxas gmem=0 for sm_103a
entry _Z1kPf for sm_103a ptxas regs=40 bars=0 stack=0 stores=0 loads=0 in 0
`},
	{"a field of a later toolkit", `
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_200'
ptxas info    : Function properties for _Z1kPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, 3 tiles, 16 bytes tmem, 100 bytes smem
`, `
entry _Z1kPf for sm_200 ptxas regs=40 smem=100 stack=0 stores=0 loads=0
`},
	{"-rdc: functions before the first entry, compiled on their own", `
ptxas info    : 64 bytes gmem
ptxas info    : Function properties for _Z6helperf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Compile time = 2.486 ms
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_75'
ptxas info    : Function properties for _Z1kPf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compile time = 1.631 ms
`, `
module ptxas gmem=64 for sm_75
function _Z6helperf for sm_75 ptxas stack=0 stores=0 loads=0 us=2486 in 0
entry _Z1kPf for sm_75 ptxas regs=24 bars=0 stack=0 stores=0 loads=0 us=1631 c0=360 in 0
`},
	{"a unit of functions alone names no architecture", `
ptxas info    : 0 bytes gmem
ptxas info    : Function properties for _Z6helperf
    8 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
`, `
module ptxas gmem=0
function _Z6helperf ptxas stack=8 stores=8 loads=4 in 0
`},
	{"a module without kernels, then one with", `
ptxas info    : 674280665 bytes gmem
ptxas info    : 0 bytes gmem, 4 bytes cmem[3]
ptxas info    : Compiling entry function '_Z1kv' for 'sm_52'
ptxas info    : Function properties for _Z1kv
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 2 registers, 320 bytes cmem[0]
`, `
module ptxas gmem=674280665
module ptxas gmem=0 c3=4 for sm_52
entry _Z1kv for sm_52 ptxas regs=2 stack=0 stores=0 loads=0 c0=320 in 1
`},
	{"nvlink, several architectures", `
nvlink info    : 144 bytes gmem, 65536 bytes cmem[3] (target: sm_52)
nvlink info    : Function properties for '_Z1kPf': (target: sm_52)
nvlink info    : used 30 registers, 0 stack, 0 bytes smem, 356 bytes cmem[0], 0 bytes lmem (target: sm_52)
nvlink info    : 144 bytes gmem (target: sm_70)
nvlink info    : Function properties for '_Z1kPf': (target: sm_70)
nvlink info    : used 26 registers, 16 stack, 64 bytes smem, 388 bytes cmem[0], 0 bytes lmem (target: sm_70)
`, `
module nvlink gmem=144 c3=65536 for sm_52
module nvlink gmem=144 for sm_70
entry _Z1kPf for sm_52 nvlink regs=30 smem=0 stack=0 lmem=0 c0=356 in 0
entry _Z1kPf for sm_70 nvlink regs=26 smem=64 stack=16 lmem=0 c0=388 in 1
`},
	{"nvlink 13.0, one architecture", `
nvlink info    : 64 bytes gmem
nvlink info    : Function properties for '_Z1kPf':
nvlink info    : used 24 registers, used 0 barriers, 0 stack, 0 bytes smem, 360 bytes cmem[0], 0 bytes lmem
`, `
module nvlink gmem=64
entry _Z1kPf nvlink regs=24 bars=0 smem=0 stack=0 lmem=0 c0=360 in 0
`},
	{"the driver's linker has no tool word", `
info    : 0 bytes gmem
info    : Function properties for 'k':
info    : used 8 registers, 0 stack, 0 bytes smem, 356 bytes cmem[0], 0 bytes lmem
error   : Undefined reference to 'f' in 'a.o'
`, `
module nvlink gmem=0
entry k nvlink regs=8 smem=0 stack=0 lmem=0 c0=356 in 0
 error: Undefined reference to 'f' in 'a.o'
fault build-failed line 4
`},
	{"cuobjdump, fat binary", `
Fatbin elf code:
================
arch = sm_80
code version = [1,7]

Resource usage:
 Common:
  GLOBAL:56 CONSTANT[3]:28
 Function _Z1kPf:
  REG:24 STACK:8 SHARED:0 LOCAL:0 CONSTANT[0]:472 CONSTANT[2]:24 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function _Z3fibi:
  REG:24 STACK:UNKNOWN SHARED:0 LOCAL:0 TEXTURE:0 SURFACE:0 SAMPLER:0
arch = sm_90
Resource usage:
 Common:
  GLOBAL:0
 Function _Z1kPf:
  REG:20 STACK:0 SHARED:1024 LOCAL:0 CONSTANT[0]:536 TEXTURE:1 SURFACE:2 SAMPLER:3
`, `
module cuobjdump gmem=56 c3=28 for sm_80
module cuobjdump gmem=0 for sm_90
record _Z1kPf for sm_80 cuobjdump regs=24 smem=0 stack=8 lmem=0 tex=0 surf=0 samp=0 c0=472 c2=24 in 0
record _Z3fibi for sm_80 cuobjdump regs=24 smem=0 lmem=0 tex=0 surf=0 samp=0 in 0
record _Z1kPf for sm_90 cuobjdump regs=20 smem=1024 stack=0 lmem=0 tex=1 surf=2 samp=3 c0=536 in 1
`},
	{"cuobjdump, data lines inline, cut and without a function", `
 Function _Z1kPf:
  REG:24 STACK:8 SHARED:0 LOCAL:0
kernel uses REG:20 STACK:0 SHARED:16 LOCAL:0 CONSTANT[0]:536 TEXTURE:0 SURFACE:0 SAMPLER:0
`, `
record _Z1kPf cuobjdump regs=24 smem=0 stack=8 lmem=0 (truncated)
record  cuobjdump regs=20 smem=16 stack=0 lmem=0 tex=0 surf=0 samp=0 c0=536 (unnamed)
fault truncated line 1
fault unnamed line 3
`},
}

// TestRemarks has the diagnostics, with the kernel that each is about.
func TestRemarks(t *testing.T) { checkForms(t, remarks) }

var remarks = []form{
	{"codes and names", `
ptxas info    : (C7507) Potential Performance Loss: 'setmaxnreg' ignored to maintain minimum register requirements.
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function '_Z1kPf'
ptxas info    : (C7517) warpgroup.wait is injected in around line 42 by compiler to allow use of registers defined by GMMA in function '_Z1kPf'
ptxas info    : Overriding maximum register limit 256 for '_Z1kPf' with  24 of maxrregcount option
ptxas warning : Value of threads per SM for entry _Z1kPf is out of range. .minnctapersm will be ignored
ptxas warning : For profile sm_90 adjusting per thread register count of 16 to lower bound of 24
ptxas warning : For entry m8 adjusting per thread register count of 8 to lower bound of 24
ptxas warning : Too many maxnreg specified for entry m300, will be ignored
ptxas warning : Registers are spilled to local memory in function '_Z1kPf', 12 bytes spill stores, 16 bytes spill loads
ptxas warning : Local memory used for function '_Z1kPf', size of stack frame: 8 bytes
ptxas warning : Stack size for entry function '_Z1kPf' cannot be statically determined
ptxas warn    : Too big maxrregcount value specified 300, will be ignored
`, `
ptxas info: (C7507) Potential Performance Loss: 'setmaxnreg' ignored to maintain minimum register requirements.
ptxas info: (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function '_Z1kPf' @_Z1kPf
ptxas info: (C7517) warpgroup.wait is injected in around line 42 by compiler to allow use of registers defined by GMMA in function '_Z1kPf' @_Z1kPf
ptxas info: Overriding maximum register limit 256 for '_Z1kPf' with  24 of maxrregcount option @_Z1kPf
ptxas warning: Value of threads per SM for entry _Z1kPf is out of range. .minnctapersm will be ignored @_Z1kPf
ptxas warning: For profile sm_90 adjusting per thread register count of 16 to lower bound of 24
ptxas warning: For entry m8 adjusting per thread register count of 8 to lower bound of 24 @m8
ptxas warning: Too many maxnreg specified for entry m300, will be ignored @m300
ptxas warning: Registers are spilled to local memory in function '_Z1kPf', 12 bytes spill stores, 16 bytes spill loads @_Z1kPf
ptxas warning: Local memory used for function '_Z1kPf', size of stack frame: 8 bytes @_Z1kPf
ptxas warning: Stack size for entry function '_Z1kPf' cannot be statically determined @_Z1kPf
ptxas warning: Too big maxrregcount value specified 300, will be ignored
fault empty line 0
`},
	{"names with quotes, and a name that is not quoted", `
ptxas warning : Local memory used for function 'a"b'c&d', size of stack frame: 8 bytes
ptxas warning : Stack size for entry function 'k<'x', 1>' cannot be statically determined
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to x in the function 'a"b'c&d'
ptxas warning : Something new about function 'a'b' of 'c.o'
ptxas fatal   : (C7602) Insufficient registers (120) to compile instruction at line 1604 in function k_0. Try to compile with register target of 160 or higher.
nvcc warning : Cannot find valid GPU for '-arch=native', default arch is used
`, `
ptxas warning: Local memory used for function 'a"b'c&d', size of stack frame: 8 bytes @a"b'c&d
ptxas warning: Stack size for entry function 'k<'x', 1>' cannot be statically determined @k<'x', 1>
ptxas info: (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to x in the function 'a"b'c&d' @a"b'c&d
ptxas warning: Something new about function 'a'b' of 'c.o' @a'b
ptxas fatal: (C7602) Insufficient registers (120) to compile instruction at line 1604 in function k_0. Try to compile with register target of 160 or higher. @k_0
nvcc warning: Cannot find valid GPU for '-arch=native', default arch is used
fault empty line 0
fault build-failed line 5
`},
	{"line-level", `
ptxas odd.ptx, line 7718; warning : .minnctapersm is ignored when neither .maxntid nor .reqntid is specified.
ptxas application ptx input, line 1000007; error   : Unknown symbol 'x'
ptxas <ptx>, line 9; fatal   : Unsupported .version 7.8; current version is '7.4'
ptxas fatal   : Ptx assembly aborted due to errors
`, `
ptxas warning: .minnctapersm is ignored when neither .maxntid nor .reqntid is specified. at odd.ptx:7718
ptxas error: Unknown symbol 'x' at application ptx input:1000007
ptxas fatal: Unsupported .version 7.8; current version is '7.4' at <ptx>:9
ptxas fatal: Ptx assembly aborted due to errors
fault empty line 0
fault build-failed line 2
fault build-failed line 3
fault build-failed line 4
`},
	{"errors of ptxas, nvlink and nvcc", `
ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x10000 bytes, 0xc000 max)
ptxas-blackwell fatal: (C7600) Register allocation failed with register count of '64'
nvlink error   : entry function 'k' with max regcount of 32 calls function 'f' with regcount of 171
nvlink error   : Multiple definition of 'x' in 'lib.a:a.o', first defined in 'b.o'
nvlink fatal   : merge_elf failed (target: sm_90)
nvcc fatal   : Unknown option 'bogus'
nvcc warning : Resource usage is not shown as the final resource allocation is not done.
`, `
ptxas error: Entry function '_Z1kPf' uses too much shared data (0x10000 bytes, 0xc000 max) @_Z1kPf
ptxas-blackwell fatal: (C7600) Register allocation failed with register count of '64'
nvlink error: entry function 'k' with max regcount of 32 calls function 'f' with regcount of 171 @k
nvlink error: Multiple definition of 'x' in 'lib.a:a.o', first defined in 'b.o'
nvlink fatal: merge_elf failed (target: sm_90) for sm_90
nvcc fatal: Unknown option 'bogus'
nvcc warning: Resource usage is not shown as the final resource allocation is not done.
fault empty line 0
fault build-failed line 1
fault build-failed line 2
fault build-failed line 3
fault build-failed line 4
fault build-failed line 5
fault build-failed line 6
`},
	{"one kernel in two architectures: each remark joins the module below it", `
ptxas warning : Value of threads per SM for entry k is out of range. .minnctapersm will be ignored
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 360 bytes cmem[0]
ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry.
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 9 registers
`, `
module ptxas gmem=0 for sm_80
module ptxas gmem=0 for sm_90
entry k for sm_80 ptxas regs=8 stack=0 stores=0 loads=0 c0=360 in 0
entry k for sm_90 ptxas regs=9 stack=0 stores=0 loads=0 in 1
ptxas warning: Value of threads per SM for entry k is out of range. .minnctapersm will be ignored @k for sm_80 in 0
ptxas info: (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to determine register count at entry. for sm_90 in 1
`},
	{"far from its module, in two compilations: not guessed", `
ptxas warning : Value of threads per SM for entry k is out of range. .minnctapersm will be ignored
ptxas info    : 4 bytes gmem
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_80'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 360 bytes cmem[0]
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 9 registers
`, `
module ptxas gmem=4
module ptxas gmem=0 for sm_80
module ptxas gmem=0 for sm_90
entry k for sm_80 ptxas regs=8 stack=0 stores=0 loads=0 c0=360 in 1
entry k for sm_90 ptxas regs=9 stack=0 stores=0 loads=0 in 2
ptxas warning: Value of threads per SM for entry k is out of range. .minnctapersm will be ignored @k
`},
}
