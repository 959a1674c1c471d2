package arch

// Where the numbers come from:
//
//   - CUDA C++ Programming Guide, "Compute Capabilities", table "Technical
//     Specifications per Compute Capability": warp and block slots, registers
//     per SM, block and thread, shared memory per SM and block, threads per
//     block. Version 13.0 has 7.5 to 12.x, version 12.4 has 5.0 to 9.0,
//     version 10.2 has 3.0 to 7.5. The table counts in KB of 1024 bytes and
//     K of 1024 registers.
//   - The same guide's sections on each compute capability ("Architecture",
//     "Shared Memory"): four warp schedulers from 3.x on but two on 6.0; the
//     1 KB of shared memory that the system reserves for each block from 8.0
//     on; 48 KB as the most without opting in.
//   - The vendor's occupancy calculator (spreadsheet to 11.x, later in Nsight
//     Compute): registers are allocated by the warp in units of 256, shared
//     memory in units of 256 bytes through 7.x and of 128 bytes from 8.0 on.
//   - PTX ISA, "bar": a block names 16 barriers, 0 to 15.
//   - The pools of named barriers per SM are in no guide. 64 on sm_90 was seen
//     on hardware (testdata/occupancy/driver-h200-kernels.csv); the others are
//     the vendor's own answers in testdata/occupancy/reference-sample.csv.
//
// Every entry is tested against those answers.

const (
	kib          = 1024
	kregs        = 1024
	registerUnit = 256
)

// newer is what every architecture from sm_32 on has in common.
func newer(name string) SM {
	return SM{
		Name:                      name,
		WarpSlots:                 64,
		BlockSlots:                32,
		Registers:                 64 * kregs,
		RegistersPerBlock:         64 * kregs,
		RegistersPerThread:        255,
		Partitions:                4,
		SharedAllocationBytes:     256,
		BarriersPerBlock:          16,
		RegisterAllocation:        registerUnit,
		ThreadsPerBlock:           1024,
		StaticSharedBytesPerBlock: 48 * kib,
	}
}

// kepler is sm_30 to sm_37: 16 block slots, 48 KiB per block.
func kepler(name string, sharedKiB int) SM {
	s := newer(name)
	s.BlockSlots = 16
	s.SharedBytes, s.SharedBytesPerBlock = sharedKiB*kib, 48*kib
	return s
}

// maxwell is sm_50 to sm_62: as kepler with 32 block slots.
func maxwell(name string, sharedKiB int) SM {
	s := newer(name)
	s.SharedBytes, s.SharedBytesPerBlock = sharedKiB*kib, 48*kib
	return s
}

// ampere is sm_80 on: a smaller allocation unit, and 1 KiB that the system
// reserves for each block; a block can have all but that.
func ampere(name string, warps, blocks, sharedKiB int) SM {
	s := newer(name)
	s.WarpSlots, s.BlockSlots = warps, blocks
	s.SharedAllocationBytes = 128
	s.SharedReservedBytes = 1 * kib
	s.SharedBytes = sharedKiB * kib
	s.SharedBytesPerBlock = s.SharedBytes - s.SharedReservedBytes
	return s
}

// hopper is sm_90 on: as ampere, with a pool of named barriers.
func hopper(name string, warps, blocks, sharedKiB, barriers int) SM {
	s := ampere(name, warps, blocks, sharedKiB)
	s.Barriers = barriers
	return s
}

// builtinSMs lists the architectures, oldest first. The sources are named at
// the top of this file by the guide's version.
func builtinSMs() []SM {
	// Guide 10.2, column 3.0: 63 registers per thread; as 3.5 otherwise.
	sm30 := kepler("sm_30", 48)
	sm30.RegistersPerThread = 63
	// Guide 10.2, column 3.7: 128 K registers and 112 KB per SM, of which a
	// block can have 64 K and 48 KB.
	sm37 := kepler("sm_37", 112)
	sm37.Registers = 128 * kregs
	// Guide 12.4, columns 5.3 and 6.2: 32 K registers per block.
	sm53, sm62 := maxwell("sm_53", 64), maxwell("sm_62", 64)
	sm53.RegistersPerBlock, sm62.RegistersPerBlock = 32*kregs, 32*kregs
	// Guide 12.4, section "Compute Capability 6.x": two schedulers on 6.0,
	// four on 6.1 and 6.2.
	sm60 := maxwell("sm_60", 64)
	sm60.Partitions = 2
	// Guide 12.4, columns 7.0 and 7.2: 96 KB per SM, all of it for one block
	// that opts in.
	sm70, sm72 := newer("sm_70"), newer("sm_72")
	sm70.SharedBytes, sm70.SharedBytesPerBlock = 96*kib, 96*kib
	sm72.SharedBytes, sm72.SharedBytesPerBlock = 96*kib, 96*kib
	// Guide 13.0, column 7.5: 32 warps, 16 blocks, 64 KB per SM and block.
	sm75 := newer("sm_75")
	sm75.WarpSlots, sm75.BlockSlots = 32, 16
	sm75.SharedBytes, sm75.SharedBytesPerBlock = 64*kib, 64*kib

	return []SM{
		sm30,
		kepler("sm_32", 48), // guide 10.2, column 3.2
		kepler("sm_35", 48), // guide 10.2, column 3.5
		sm37,
		maxwell("sm_50", 64), // guide 12.4, column 5.0
		maxwell("sm_52", 96), // guide 12.4, column 5.2
		sm53,
		sm60,
		maxwell("sm_61", 96), // guide 12.4, column 6.1
		sm62,
		sm70,
		sm72,
		sm75,
		ampere("sm_80", 64, 32, 164),      // guide 13.0, column 8.0: 164 KB per SM, 163 per block
		ampere("sm_86", 48, 16, 100),      // guide 13.0, column 8.6: 100 KB, 99
		ampere("sm_87", 48, 16, 164),      // guide 13.0, column 8.7: 164 KB, 163
		ampere("sm_89", 48, 24, 100),      // guide 13.0, column 8.9: 100 KB, 99
		hopper("sm_90", 64, 32, 228, 64),  // guide 13.0, column 9.0: 228 KB, 227
		hopper("sm_100", 64, 32, 228, 64), // guide 13.0, column 10.0
		hopper("sm_103", 64, 32, 228, 64), // guide 13.0, column 10.x: as 10.0
		hopper("sm_110", 48, 24, 228, 24), // guide 13.0, column 11.0: 48 warps, 24 blocks
		hopper("sm_120", 48, 24, 100, 24), // guide 13.0, column 12.x: 100 KB, 99
		hopper("sm_121", 48, 24, 100, 24), // guide 13.0, column 12.x
	}
}

// aliases are older names: CUDA 13.0 renamed sm_101 to sm_110.
func aliases() map[string]string {
	return map[string]string{"sm_101": "sm_110"}
}
