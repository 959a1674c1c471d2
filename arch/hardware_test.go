package arch_test

import (
	"testing"

	"github.com/occlint/occlint/arch"
)

// TestKernelsOnHardware: compiled kernels with static and dynamic shared
// memory and named barriers, as an H200's driver sees them and as one SM ran
// them.
func TestKernelsOnHardware(t *testing.T) {
	sm := lookup(t, "sm_90")
	kernels := rows(t, "driver-h200-kernels.csv")
	counted, both, barriers := 0, 0, 0
	for _, row := range kernels {
		static, dynamic := number(t, row, "static_shared_bytes"), number(t, row, "dynamic_shared_bytes")
		l := arch.Launch{
			Threads:     number(t, row, "threads"),
			Registers:   number(t, row, "registers"),
			SharedBytes: static + dynamic,
			Barriers:    number(t, row, "barriers"),
		}
		got := sm.Occupancy(l)
		if want := number(t, row, "blocks"); got.Blocks != want {
			t.Errorf("line %s: %d blocks, the driver says %d: %v", row["line"], got.Blocks, want, row)
		}
		if want := number(t, row, "resident"); want != arch.Unknown {
			counted++
			if got.Blocks != want {
				t.Errorf("line %s: %d blocks, %d were resident: %v", row["line"], got.Blocks, want, row)
			}
		}
		if static > 0 && dynamic > 0 {
			both++
		}
		if got.Limiters.Has(arch.Barriers) && got.Blocks > 0 {
			barriers++
		}
	}
	// The data must hold what it is there for, and what docs/occupancy.md says.
	if len(kernels) != 2444 || counted != 814 || both < 500 || barriers < 100 {
		t.Errorf("%d rows, %d counted, %d with static and dynamic shared memory, %d limited by barriers: not the data that is meant",
			len(kernels), counted, both, barriers)
	}
}

// TestRegisterCapOfCompilers: what ptxas 11.8, 12.4 and 13.0 say of 4,480
// launch bounds on 21 architectures.
func TestRegisterCapOfCompilers(t *testing.T) {
	table := arch.Builtin()
	answers := rows(t, "register-cap-ptxas.csv")
	archs, stated, dropped := map[string]bool{}, 0, 0
	for _, row := range answers {
		sm, err := table.Lookup(row["arch"])
		if err != nil {
			t.Fatal(err)
		}
		archs[sm.Name] = true
		got := sm.RegisterCap(number(t, row, "threads"), number(t, row, "min_blocks"))
		reason := map[string]arch.Drop{"-": arch.NotDropped, "blocks": arch.BlocksAboveSlots, "warps": arch.WarpsAboveSlots}[row["dropped"]]
		if got.Reason != reason || got.Honoured != (reason == arch.NotDropped) {
			t.Errorf("line %s: %+v, ptxas says dropped %q: %v", row["line"], got, row["dropped"], row)
		}
		if reason != arch.NotDropped {
			dropped++
		}
		if want := number(t, row, "cap"); want != arch.Unknown {
			stated++
			if got.Registers != want {
				t.Errorf("line %s: cap %d, ptxas says %d: %v", row["line"], got.Registers, want, row)
			}
		}
	}
	// The numbers that docs/occupancy.md gives.
	if len(answers) != 4480 || len(archs) != 21 || stated != 2666 || dropped != 1191 {
		t.Errorf("%d answers on %d architectures, %d caps, %d dropped: not the data that is meant", len(answers), len(archs), stated, dropped)
	}
}
