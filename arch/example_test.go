package arch_test

import (
	"fmt"

	"github.com/occlint/occlint/arch"
)

func ExampleSM_Occupancy() {
	sm, err := arch.Builtin().Lookup("sm_90a")
	if err != nil {
		fmt.Println(err)
		return
	}
	o := sm.Occupancy(arch.Launch{Threads: 256, Registers: 40, SharedBytes: 16 << 10, Barriers: 1})
	fmt.Printf("%d blocks, %d of %d warps, %g %%, limited by %s\n", o.Blocks, o.Warps, o.WarpSlots, o.Percent(), o.Limiters)
	for r := range arch.AllResources() {
		fmt.Printf("%s allow %d\n", r, o.Limits[r])
	}
	// Output:
	// 6 blocks, 48 of 64 warps, 75 %, limited by registers
	// warps allow 8
	// blocks allow 32
	// registers allow 6
	// shared allow 13
	// barriers allow 64
}

func ExampleSM_RegisterCap() {
	sm, _ := arch.Builtin().Lookup("sm_90")
	for _, minBlocks := range []int{4, 16} {
		c := sm.RegisterCap(256, minBlocks)
		fmt.Printf("__launch_bounds__(256, %d): %d registers", minBlocks, c.Registers)
		if !c.Honoured {
			fmt.Printf("; the minimum is dropped: %s", c.Reason)
		}
		fmt.Println()
	}
	// Output:
	// __launch_bounds__(256, 4): 64 registers
	// __launch_bounds__(256, 16): 255 registers; the minimum is dropped: more warps than the SM has slots for
}

func ExampleSM_Reach() {
	sm, _ := arch.Builtin().Lookup("sm_90")
	changes, ok := sm.Reach(arch.Launch{Threads: 256, Registers: 64, SharedBytes: 64 << 10}, 8)
	for _, c := range changes {
		fmt.Printf("%s: %d now, %d or fewer needed\n", c.Resource, c.Now, c.Need)
	}
	fmt.Println("possible:", ok)
	// Output:
	// registers: 64 now, 32 or fewer needed
	// shared: 65536 now, 28160 or fewer needed
	// possible: true
}

func ExampleSM_Step() {
	sm, _ := arch.Builtin().Lookup("sm_90")
	step := sm.Step(arch.Launch{Threads: 256, Registers: 41}, arch.Registers)
	fmt.Printf("%d registers: %d blocks; %d fewer give %d; %d more are free\n", step.Now, step.Blocks, step.Fewer, step.GainTo, step.Free)
	// Output:
	// 41 registers: 5 blocks; 1 fewer give 6; 7 more are free
}

func ExampleTable_With() {
	table, err := arch.Builtin().With(arch.Custom{
		Name: "sm_130", Like: "sm_120", Numbers: map[arch.Number]int{arch.SharedPerSM: 256 << 10},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	sm, _ := table.Lookup("sm_130a")
	fmt.Println(sm.Name, sm.SharedBytesPerBlock)
	// Output:
	// sm_130 261120
}

func ExampleGPU_Flight() {
	table := arch.Builtin()
	gpu, _ := table.GPU("H100")
	sm, _ := table.Lookup(gpu.Arch)
	launch := arch.Launch{Threads: 256, Registers: 24}
	f := gpu.Flight(sm.Occupancy(launch), launch.Threads, 4)
	fmt.Printf("needs %.0f bytes in flight per SM, has %.0f, enough: %v\n", f.Need, f.Have, f.Enough())
	// Output:
	// needs 8972 bytes in flight per SM, has 8192, enough: false
}
