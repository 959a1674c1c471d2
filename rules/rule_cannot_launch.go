package rules

import (
	"fmt"

	"github.com/occlint/occlint/arch"
)

func cannotLaunch() *Rule {
	return &Rule{
		ID:    "cannot-launch",
		Title: "not one block fits on the SM",
		Why: "A launch of this kernel fails at run time (`cudaErrorInvalidConfiguration`, \"too many resources requested for launch\"), " +
			"and nothing in the build says so: a block asks for more registers or shared memory than a block can have, " +
			"or is launched with more threads than the kernel's launch bounds or the architecture allow.\n\n" +
			"Shared memory is judged without any declaration. Registers and threads need the block size.",
		Example: Example{
			Log: `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'wide' for 'sm_90'
ptxas info    : Function properties for wide
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 168 registers, used 1 barriers
`,
			Config: `version: 1
kernels:
  - match: wide
    block: 512
`,
			Policy:  func() *Policy { return policyFor(Declaration{Match: "wide", Block: Declared(512)}) },
			Finding: "wide can't launch on sm_90: a block of 512 threads needs 86016 registers, 20480 more than the 65536 that a block can have",
		},
		Fix: "Launch smaller blocks, or declare `__launch_bounds__` with the block size that is really launched: the compiler then keeps within what a block can have. " +
			"For shared memory, use a smaller tile or fewer pipeline stages; the message says how many bytes a block can have.",
		Default: Error,
		Options: []Option{
			{"block", "The threads per block that are really launched; default: the maximum of the launch bounds."},
			{"launch_bounds", "The maximum threads per block, and the minimum of blocks per SM."},
			{"dynamic_shared", "The dynamic shared memory of a launch; undeclared counts as 0."},
		},
		Kernel: checkCannotLaunch,
	}
}

func checkCannotLaunch(u *Subject) {
	if u.isFunction() {
		return
	}
	block, bounds := u.decl.Block, u.decl.LaunchBounds
	if block.Set && bounds.Set && bounds.Value.Threads > 0 && block.Value > bounds.Value.Threads {
		u.Report(Finding{
			Message: fmt.Sprintf("can't launch%s: a block of %d threads is %d more than the %d that its launch bounds allow",
				u.on(), block.Value, block.Value-bounds.Value.Threads, bounds.Value.Threads),
			Value: float64(block.Value), Limit: float64(bounds.Value.Threads), Unit: "threads",
			Declared: block.Origin,
			Notes:    []string{"launch bounds: " + originText(bounds.Origin, boundsText(bounds.Value))},
			Help:     fmt.Sprintf("launch %d threads per block or fewer, or raise the launch bounds", bounds.Value.Threads),
		})
		return
	}
	sm := u.arch.sm
	if sm == nil {
		return
	}
	if shared, known := u.shared(); known && shared > int64(sm.SharedBytesPerBlock) {
		u.Report(tooMuchShared(u, shared))
		return
	}
	if u.Occupancy != nil && u.Occupancy.Blocks == 0 {
		u.Report(noBlockFits(u))
	}
}

func tooMuchShared(u *Subject, shared int64) Finding {
	most := int64(u.arch.sm.SharedBytesPerBlock)
	return Finding{
		Message: fmt.Sprintf("can't launch%s: a block needs %s bytes of shared memory, %d more than the %d that a block can have",
			u.on(), u.sharedSum(), shared-most, most),
		Value: float64(shared), Limit: float64(most), Unit: "bytes", Field: FieldShared,
		Limiters: arch.ResourcesOf(arch.Shared),
		Declared: u.decl.DynamicShared.Origin,
		Help:     fmt.Sprintf("%d bytes of shared memory or fewer would allow 1 block", most),
	}
}

// noBlockFits explains a launch of which not one block fits.
func noBlockFits(u *Subject) Finding {
	sm, threads := u.arch.sm, u.Launch.Threads
	f := Finding{
		Limiters: u.Occupancy.Limiters,
		Declared: u.decl.threadsOrigin(),
		Notes:    u.occupancyNotes(),
		Help:     u.reachHelp(1),
	}
	switch {
	case threads > sm.ThreadsPerBlock:
		f.Message = fmt.Sprintf("can't launch%s: a block of %d threads is %d more than the %d that the architecture allows",
			u.on(), threads, threads-sm.ThreadsPerBlock, sm.ThreadsPerBlock)
		f.Value, f.Limit, f.Unit = float64(threads), float64(sm.ThreadsPerBlock), "threads"
	case u.Occupancy.Limits[arch.Registers] == 0:
		f.Message = fmt.Sprintf("can't launch%s: a block of %d threads needs %d registers, %d more than the %d that a block can have",
			u.on(), threads, u.Occupancy.RegistersPerBlock, u.Occupancy.RegistersPerBlock-sm.RegistersPerBlock, sm.RegistersPerBlock)
		f.Value, f.Limit, f.Unit = float64(u.Occupancy.RegistersPerBlock), float64(sm.RegistersPerBlock), "registers"
		f.Field = FieldRegisters
	default:
		f.Message = fmt.Sprintf("can't launch%s: 0 blocks of %d threads fit", u.on(), threads)
		f.Value, f.Limit, f.Unit, f.Field = 0, 1, "blocks", FieldBlocks
	}
	return f
}

// threadsOrigin is where the block size was declared.
func (d *Declaration) threadsOrigin() Origin {
	if d.Block.Set {
		return d.Block.Origin
	}
	return d.LaunchBounds.Origin
}

func boundsText(b Bounds) string {
	if b.MinBlocks == 0 {
		return fmt.Sprintf("(%d)", b.Threads)
	}
	return fmt.Sprintf("(%d, %d)", b.Threads, b.MinBlocks)
}

// originText is a declaration as written, or else its value, with its place.
func originText(o Origin, value string) string {
	text := value
	if o.Text != "" {
		text = o.Text
	}
	if o.Place.File == "" {
		return text
	}
	if o.Place.Line == 0 {
		return fmt.Sprintf("%s at %s", text, o.Place.File)
	}
	return fmt.Sprintf("%s at %s:%d", text, o.Place.File, o.Place.Line)
}
