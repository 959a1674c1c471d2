// Package arch knows what each GPU architecture has per SM and computes what
// fits. In goes a launch (threads, registers, shared memory, barriers); out
// come the resident blocks and warps, every limit, and the resources that
// would allow more. It knows nothing of logs and does no I/O.
//
// The arithmetic follows the vendor's published specifications and was tested
// against the answers of the vendor's own calculator and of a driver; see
// docs/occupancy.md.
package arch

// SM is one architecture's resources. Sizes are in bytes, registers are
// 32-bit registers. Values that a Table hands out are shared: read them, copy
// them, don't change them.
type SM struct {
	Name                      string // "sm_90"; suffixes a and f share the base entry
	WarpSlots                 int    // resident warps per SM
	BlockSlots                int    // resident blocks per SM
	Registers                 int    // per SM
	RegistersPerBlock         int    // the most one block can have
	RegistersPerThread        int    // the most one thread can have
	Partitions                int    // parts of the register file; a warp's registers lie in one of them
	SharedBytes               int    // per SM
	SharedBytesPerBlock       int    // the most one block can have after opting in
	SharedAllocationBytes     int    // shared memory is handed out in units of this
	SharedReservedBytes       int    // the system's share of each block that is resident
	Barriers                  int    // named barriers per SM; 0: no limit known
	BarriersPerBlock          int    // the most one block can name
	RegisterAllocation        int    // registers are handed out to a warp in units of this
	ThreadsPerBlock           int    // the most one block can have
	StaticSharedBytesPerBlock int    // the most without opting in: 48 KiB
}

// WarpThreads is the number of threads in a warp, on every architecture.
const WarpThreads = 32

// Launch is what one launch of a kernel asks of an SM. The arithmetic is made
// for numbers up to 2^30, far above what any SM has; what is larger than an SM
// allows can't launch in any case, but its products may overflow above that.
type Launch struct {
	Threads int // per block
	// Registers is per thread. 0 or Unknown leaves the register limit out.
	Registers int
	// SharedBytes is per block, static and dynamic, without the reserved share.
	SharedBytes int
	// Barriers is the number of named barriers per block. 0 or Unknown leaves
	// the barrier limit out.
	Barriers int
}

// Unknown stands for a number that the log does not state, and for a limit
// that does not apply.
const Unknown = -1

// WarpsPerBlock is how many warps a block of so many threads has; the last one
// may be partly empty.
func WarpsPerBlock(threads int) int {
	if threads <= 0 {
		return 0
	}
	return (threads-1)/WarpThreads + 1
}
