package tune

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/arch"
)

func lookup(t *testing.T, name string) *arch.SM {
	t.Helper()
	sm, err := arch.Builtin().Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return sm
}

func names(plan []Variant) []string {
	var list []string
	for _, v := range plan {
		list = append(list, v.Name())
	}
	return list
}

// The caps by hand: min(255, 65536/128/⌈B·w/4⌉ rounded down to a multiple of 8).
//
// sm_90, 256 threads (w = 8): 2B groups of four warps; 512/2B = 256, 128, 85,
// 64, 51, 42, 36, 32 for B = 1 to 8, so 255, 128, 80, 64, 48, 40, 32, 32: (256,
// 8) is (256, 7) over again, and 9 × 8 warps are more than 64.
//
// sm_90, 1024 threads (w = 32): 8B groups; 64, 32 for B = 1, 2.
//
// sm_86 has 48 warps: 1024 threads fit once.
func TestPlan(t *testing.T) {
	tests := []struct {
		arch    string
		threads int
		want    []string
	}{
		{"sm_90", 256, []string{"none", "256", "256,1", "256,2", "256,3", "256,4", "256,5", "256,6", "256,7"}},
		{"sm_90", 1024, []string{"none", "1024", "1024,1", "1024,2"}},
		{"sm_86", 1024, []string{"none", "1024", "1024,1"}},
	}
	for _, tt := range tests {
		plan, err := Plan(lookup(t, tt.arch), tt.threads, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, names(plan)); diff != "" {
			t.Errorf("%s, %d threads (-want +got):\n%s", tt.arch, tt.threads, diff)
		}
	}
}

func TestPlanCaps(t *testing.T) {
	plan, err := Plan(lookup(t, "sm_90"), 256, []int{48, 64, 48})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"256,5", "256,4"}, names(plan)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = Plan(lookup(t, "sm_90"), 1024, []int{40})
	var capErr *CapError
	if !errors.As(err, &capErr) || cmp.Diff([]int{64, 32}, capErr.Have) != "" {
		t.Errorf("got %v, want the caps 64 and 32 named", err)
	}
}

// Every block size on every architecture: caps fall, minimums rise, and none
// is dropped.
func TestPlanEverywhere(t *testing.T) {
	for _, sm := range arch.Builtin().All() {
		for threads := 1; threads <= sm.ThreadsPerBlock; threads += 31 {
			plan, err := Plan(sm, threads, nil)
			if err != nil {
				t.Fatal(err)
			}
			last := Variant{}
			for _, v := range plan[2:] {
				c := sm.RegisterCap(v.Threads, v.MinBlocks)
				if !c.Honoured || v.MinBlocks <= last.MinBlocks || last.MinBlocks > 0 && c.Registers >= capOf(sm, last.Bounds) {
					t.Fatalf("%s: %s after %s", sm.Name, v.Name(), last.Name())
				}
				last = v
			}
		}
	}
}

// nvcc 12.4 -maxrregcount=40: a kernel without bounds gets 40 registers, one
// with (256, 4) the 64 that its bounds leave.
func TestRowsUnderMaxRegisters(t *testing.T) {
	d := &draft{Table: Table{SM: lookup(t, "sm_90"), Launch: Launch{Threads: []int{256}}, maxRegisters: 40}}
	if err := d.planRows(nil); err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for i := range d.Rows {
		got[d.Rows[i].Name()] = d.Rows[i].Cap
	}
	for variant, want := range map[string]int{"as-written": 40, "none": 40, "256": 255, "256,4": 64} {
		if got[variant] != want {
			t.Errorf("%s: cap %d, want %d", variant, got[variant], want)
		}
	}
}
