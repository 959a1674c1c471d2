// Package arch knows what each GPU architecture has per SM and computes what
// fits. In goes a launch (threads, registers, shared memory, barriers); out
// come the resident blocks and warps, every limit, and the resources that
// would allow more. It knows nothing of logs.
package arch

// SM is one architecture's resources. Sizes are in bytes, registers are
// 32-bit registers.
type SM struct {
	Name                      string // "sm_90"; suffixes a and f share the base entry
	WarpSlots                 int    // resident warps per SM
	BlockSlots                int    // resident blocks per SM
	Registers                 int    // per SM
	RegistersPerBlock         int    // the most one block can have
	RegistersPerThread        int    // the most one thread can have
	Partitions                int    // warp schedulers; a warp's registers lie in one of them
	SharedBytes               int    // per SM
	SharedBytesPerBlock       int    // the most one block can have after opting in
	SharedAllocationBytes     int    // shared memory is handed out in units of this
	SharedReservedBytes       int    // the system's share of each block that is resident
	Barriers                  int    // named barriers per SM; 0: no limit known
	RegisterAllocation        int    // registers are handed out to a warp in units of this
	ThreadsPerBlock           int    // the most one block can have
	StaticSharedBytesPerBlock int    // the most without opting in: 48 KiB
}

// Launch is what one launch of a kernel asks of an SM. Unknown leaves the
// barrier limit out.
type Launch struct {
	Threads     int // per block
	Registers   int // per thread
	SharedBytes int // per block, static and dynamic, without the reserved share
	Barriers    int // named barriers per block, or Unknown
}

// Unknown stands for a number that the log does not state, and for a limit
// that does not apply.
const Unknown = -1

// Resource is what can stop one more block from being resident.
type Resource uint8

// The resources, in the order in which they are reported.
const (
	Warps Resource = iota
	Blocks
	Registers
	Shared
	Barriers
	resources
)

// Resources is a set of Resource.
type Resources uint8

// Occupancy is what fits on one SM.
type Occupancy struct {
	Blocks, Warps int
	WarpSlots     int
	Limits        [resources]int // blocks that each resource allows; Unknown where it does not apply
	Limiters      Resources      // every resource whose limit is Blocks

	WarpsPerBlock       int
	RegistersPerBlock   int // as allocated
	SharedBytesPerBlock int // as allocated, the reserved share included
}

// Cap is what launch bounds make of the registers.
type Cap struct {
	Registers int  // the most per thread
	Honoured  bool // false: the compiler drops the minimum of blocks
}

// Table is a set of architectures and GPUs, found by any of their names.
type Table struct{}
