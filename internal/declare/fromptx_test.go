package declare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/internal/ptx"
)

// TestDynamicSharedOfPTX: what the compiler says of an array that a launch
// sizes wins over what the source looks like, and a function of another module
// leaves it open.
func TestDynamicSharedOfPTX(t *testing.T) {
	in := repository(t, map[string]string{
		"k.cu": "extern __shared__ float s[];\n__global__ void both() { s[1]; }\n__global__ void dead() { if (false) s[1] = 2; }\n__global__ void ptx_alone() {}\n__global__ void away() {}\n",
		"k.ptx": `.version 8.4
.target sm_80
.extern .shared .align 16 .b8 s[];
.extern .func f();
.entry _Z4bothv() { mov.u32 %r1, s; }
.entry _Z4deadv() { ret; }
.entry _Z9ptx_alonev() { mov.u32 %r1, s; }
.entry _Z4awayv() { call f; }
`,
	})
	in.Sources, in.PTX = []string{"k.cu"}, []string{"k.ptx"}
	in.Log = logOf("_Z4bothv sm_80", "_Z4deadv sm_80", "_Z9ptx_alonev sm_80", "_Z4awayv sm_80")
	all := merged(t, in)
	for kernel, want := range map[string]string{
		"_Z4bothv": "true k.cu:2", "_Z4deadv": "false k.ptx:6", "_Z9ptx_alonev": "true k.ptx:3", "_Z4awayv": "",
	} {
		got := ""
		if f := all[kernel+" sm_80"].DynamicSharedUsed; f.Set {
			got = fmt.Sprintf("%v %s:%d", f.Value, f.Origin.Place.File, f.Origin.Place.Line)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", kernel, got, want)
		}
	}
}

// TestBinaryForPTX: an object is no PTX, and the error says what to give.
func TestBinaryForPTX(t *testing.T) {
	in := repository(t, map[string]string{"k.o": "\x7fELF\x02\x01\x01\x00.version"})
	in.PTX = []string{"k.o"}
	_, err := Policy(in)
	if err == nil || !strings.Contains(err.Error(), "k.o: it holds a NUL byte") || !strings.Contains(err.Error(), "give the .ptx file") {
		t.Error(err)
	}
}

// TestPTXOfOtherCode: PTX that is known to be made into other code declares
// nothing; where nothing is known, the greatest below counts.
func TestPTXOfOtherCode(t *testing.T) {
	known := ptx.Entry{Name: "k", Target: "sm_61", MaxThreads: 128, MinBlocks: 3, For: []string{"sm_61"}}
	open := ptx.Entry{Name: "k", Target: "sm_61", MaxThreads: 256}
	for _, tt := range []struct {
		entries []ptx.Entry
		on      string
		threads []int
	}{
		{[]ptx.Entry{known}, "sm_86", nil},
		{[]ptx.Entry{known}, "sm_61", []int{128}},
		{[]ptx.Entry{known, open}, "sm_86", []int{256}},
		{[]ptx.Entry{known}, "", []int{128}}, // a record without an architecture
	} {
		var got []int
		for _, e := range compiledFrom(madeInto(tt.entries, tt.on), tt.on) {
			got = append(got, e.MaxThreads)
		}
		if !slices.Equal(got, tt.threads) {
			t.Errorf("%v on %q: %v, want %v", tt.entries, tt.on, got, tt.threads)
		}
	}
}
