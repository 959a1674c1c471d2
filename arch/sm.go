package arch

// Where the numbers come from. Every entry is held against the vendor's own
// answers in testdata/occupancy/reference-sample.csv, and sm_90 against a
// device as well; those are the source of truth. What public text says of the
// same numbers:
//
//   - NVIDIA/cccl, cudax/include/cuda/experimental/__device/arch_traits.cuh:
//     warp and block slots, shared memory per SM, per block after opting in and
//     reserved, of 6.0, 7.0, 7.5, 8.0, 8.6 and 9.0. All agree.
//   - NVIDIA's Blackwell Tuning Guide, as quoted in public threads
//     (NVIDIA/cudnn-frontend pull request 1164, for one): 64 warps, 32 blocks,
//     228 KB per SM and 227 KB per block on 10.0; 1 KB reserved for each block;
//     48 KB as the most without opting in.
//   - Devices' own answers: 24 blocks and 100 KB on 8.9 (NVIDIA/nvbench pull
//     request 207) and on 12.0 (profiles of an RTX 5090). NVIDIA's Blackwell
//     Tuning Guide says 32 blocks and 128 KB for 12.0; devices and the
//     reference rows say 24 and 100, and so does this table.
//   - PTX ISA, "bar": a block names 16 barriers, 0 to 15.
//   - The pools of named barriers per SM are in no guide. 64 on sm_90 was seen
//     on hardware (testdata/occupancy/driver-h200-kernels.csv); the others are
//     the reference rows'.
//
// The other entries (3.x, 5.x, 6.1, 6.2, 7.2, 8.7, 10.3, 11.0, 12.1) were not
// found in public text that could be read; the reference rows alone are behind
// them. The CUDA programming guide has a table of all of them, "Technical
// Specifications per Compute Capability", which was not at hand. Registers are
// given to a warp in units of 256, and shared memory in units of 256 bytes
// before 8.0 and 128 from then on, by the same rows.

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
// the top of this file.
func builtinSMs() []SM {
	// 63 registers per thread; as 3.5 otherwise.
	sm30 := kepler("sm_30", 48)
	sm30.RegistersPerThread = 63
	// 128 K registers and 112 KB per SM, of which a block can have 64 K and 48 KB.
	sm37 := kepler("sm_37", 112)
	sm37.Registers = 128 * kregs
	// 32 K registers per block.
	sm53, sm62 := maxwell("sm_53", 64), maxwell("sm_62", 64)
	sm53.RegistersPerBlock, sm62.RegistersPerBlock = 32*kregs, 32*kregs
	// Two schedulers on 6.0, four on 6.1 and 6.2.
	sm60 := maxwell("sm_60", 64)
	sm60.Partitions = 2
	// 96 KB per SM, all of it for one block that opts in.
	sm70, sm72 := newer("sm_70"), newer("sm_72")
	sm70.SharedBytes, sm70.SharedBytesPerBlock = 96*kib, 96*kib
	sm72.SharedBytes, sm72.SharedBytesPerBlock = 96*kib, 96*kib
	// 32 warps, 16 blocks, 64 KB per SM and block.
	sm75 := newer("sm_75")
	sm75.WarpSlots, sm75.BlockSlots = 32, 16
	sm75.SharedBytes, sm75.SharedBytesPerBlock = 64*kib, 64*kib

	return []SM{
		sm30,
		kepler("sm_32", 48),
		kepler("sm_35", 48),
		sm37,
		maxwell("sm_50", 64),
		maxwell("sm_52", 96),
		sm53,
		sm60,
		maxwell("sm_61", 96),
		sm62,
		sm70,
		sm72,
		sm75,
		ampere("sm_80", 64, 32, 164),     // 164 KB per SM, 163 per block
		ampere("sm_86", 48, 16, 100),     // 100 KB, 99
		ampere("sm_87", 48, 16, 164),     // 164 KB, 163
		ampere("sm_89", 48, 24, 100),     // 100 KB, 99
		hopper("sm_90", 64, 32, 228, 64), // 228 KB, 227
		hopper("sm_100", 64, 32, 228, 64),
		hopper("sm_103", 64, 32, 228, 64), // as 10.0
		hopper("sm_110", 48, 24, 228, 24), // 48 warps, 24 blocks
		hopper("sm_120", 48, 24, 100, 24), // 100 KB, 99
		hopper("sm_121", 48, 24, 100, 24),
	}
}

// aliases are older names: CUDA 13.0 renamed sm_101 to sm_110.
func aliases() map[string]string {
	return map[string]string{"sm_101": "sm_110"}
}
