package judge

import "github.com/occlint/occlint/arch"

// Record is what the compiler said of one kernel. Numbers that it didn't say
// are arch.Unknown.
type Record struct {
	Name            string // mangled
	Arch            string // "sm_90a"
	Registers       int    // per thread
	SharedBytes     int    // static, per block, without the system's share
	Barriers        int
	SpillStoreBytes int
	SpillLoadBytes  int
	// CalleeStoreBytes and CalleeLoadBytes are the spills of functions that were
	// compiled for the kernel and not inlined; its own numbers have them not.
	CalleeStoreBytes, CalleeLoadBytes int
	StackBytes                        int
	Cap                               int    // the most registers that it was allowed
	File                              string // where the record stands
	Line                              int
	Binary                            bool // File is a device binary
	Inside                            bool // that lies inside of the report
}

// Spills reports that the record states spills, of the kernel or its callees.
func (r *Record) Spills() bool { return r.stores()+r.loads() > 0 }

// stores and loads are the bytes of spills in all of the kernel's code.
func (r *Record) stores() int { return max(r.SpillStoreBytes, 0) + max(r.CalleeStoreBytes, 0) }
func (r *Record) loads() int  { return max(r.SpillLoadBytes, 0) + max(r.CalleeLoadBytes, 0) }

// calleesSpill reports that the record states spills of callees.
func (r *Record) calleesSpill() bool { return r.CalleeStoreBytes > 0 || r.CalleeLoadBytes > 0 }

// hasArray reports that the stack frame holds more than what is spilled, so
// that local loads and stores are not of spills alone.
func (r *Record) hasArray() bool {
	return r.StackBytes > max(r.SpillStoreBytes, 0) || r.calleesSpill() // whose frames aren't known
}

// profiledRegisters is what a profiler says of so many registers: on sm_90 at
// least, 16 is the fewest that it reports.
const fewestProfiled = 16

// agrees reports that the record can be of a launch with these numbers, of
// which any may be arch.Unknown.
func (r *Record) agrees(registers, static int) bool {
	if registers != arch.Unknown && r.Registers != arch.Unknown &&
		registers != r.Registers && registers != max(r.Registers, fewestProfiled) {
		return false
	}
	if static == arch.Unknown || r.SharedBytes == arch.Unknown || static == r.SharedBytes {
		return true
	}
	const printed = 5 // a page for people rounds to 10 bytes
	return static%10 == 0 && static-r.SharedBytes <= printed && r.SharedBytes-static <= printed
}
