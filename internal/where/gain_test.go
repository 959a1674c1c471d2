package where

import (
	"slices"
	"strings"
	"testing"
)

// TestGains compares images of one source: on sm_86 the kernels have registers
// for all of their values, on sm_90 and sm_80 they don't. The architectures are
// made the same, for no compiler at hand has both for one.
func TestGains(t *testing.T) {
	as := func(name, arch string) []*Kernel {
		kernels := read(t, name)
		for _, k := range kernels {
			k.Arch = arch
		}
		return kernels
	}
	was, now := as("places-124-sm_86", "sm_00"), as("places-130-sm_90", "sm_00")
	gains := Gains(was, now)
	found := map[string]string{}
	for i := range gains {
		found[gains[i].Kernel.Name] = gains[i].Text()
	}
	for kernel, want := range map[string]string{
		// The bytes are of the images' logs; TestPlaces has the loops.
		"inner":  "1064 bytes of spills, was 0; 528 of them in loops, was 0; the loop at /home/dev/src/proj1/places.cu:26-33 at depth 1 has 528, was 0; most on /home/dev/src/proj1/places.cu:33 (+452)",
		"parked": "584 bytes of spills, was 0; none in a loop; most on ",
		"outer":  "744 bytes of spills, was 0; 452 of them in loops, was 0; the loop at ",
	} {
		if !strings.Contains(found[kernel], want) {
			t.Errorf("%s: %q\nwant %q", kernel, found[kernel], want)
		}
	}
	for _, none := range []string{"paths", "indexed", "calls"} {
		if text, ok := found[none]; ok {
			t.Errorf("%s gained: %s", none, text)
		}
	}
	if gains := Gains(now, now); len(gains) > 0 {
		t.Errorf("the same against itself: %s", gains[0].Text())
	}
	if gains := Gains(now, as("places-124-sm_86", "sm_00")); len(gains) > 1 {
		t.Errorf("what got better: %s", gains[0].Text())
	}
}

// TestGainsOfConfigurations: of a kernel with several configurations each has
// its own partner, whatever hash it has, and two that can't be told apart have
// none.
func TestGainsOfConfigurations(t *testing.T) {
	kernel := func(variant string, bytes int64) *Kernel {
		return &Kernel{Name: "mm", Entry: true, Arch: "sm_90a", Variant: variant, Certainty: Exact, SpillStoreBytes: bytes}
	}
	was := []*Kernel{kernel("num_warps=4 num_stages=2 aaaaaaaa", 100), kernel("num_warps=8 num_stages=2 bbbbbbbb", 0)}
	for _, tt := range []struct {
		name string
		now  []*Kernel
		want []int64 // bytes before each gain
	}{
		{"another order", []*Kernel{was[1], was[0]}, nil},
		{"another hash", []*Kernel{kernel("num_warps=4 num_stages=2 cccccccc", 100), kernel("num_warps=8 num_stages=2 dddddddd", 8)}, []int64{0}},
		{"two of one", []*Kernel{kernel("num_warps=8 num_stages=2 cccccccc", 100), kernel("num_warps=8 num_stages=2 dddddddd", 8)}, nil},
	} {
		var got []int64
		for _, g := range Gains(was, tt.now) {
			got = append(got, g.Was)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: gains over %v, want %v", tt.name, got, tt.want)
		}
	}
}
