package code

// Kind says what an instruction is, as far as this package cares.
type Kind uint8

// The kinds of instructions. Other is every instruction that is none of the
// rest; Decode leaves those out.
const (
	Other Kind = iota
	Load       // LDL: a load from local memory
	Store      // STL: a store to local memory

	Branch         // BRA to a fixed target
	IndirectBranch // BRX, JMX: the target is in a register
	Jump           // JMP: an absolute target, which a linker may still move
	Call           // CALL.REL, CAL to a fixed target
	IndirectCall   // CALL through a register, or to an absolute address
	Return         // RET
	Exit           // EXIT
	Kill           // KILL
	Trap           // BPT

	BarrierSet   // BSSY: names the place where a BSYNC of the same barrier goes on
	BarrierSync  // BSYNC
	BarrierBreak // BREAK: a thread leaves the barrier; control falls through
	WarpSync     // WARPSYNC: control falls through

	PushSync     // SSY: pushes the target of a later SYNC
	PushBreak    // PBK: pushes the target of a later BRK
	PushContinue // PCNT: pushes the target of a later CONT
	PushReturn   // PRET: pushes the target of a later RET
	Sync         // SYNC
	Break        // BRK
	Continue     // CONT

	StackRead // another instruction that reads R1 into another register: an address was taken
)

var kindNames = [...]string{
	Other: "other", Load: "load", Store: "store", Branch: "branch", IndirectBranch: "indirect branch", Jump: "jump",
	Call: "call", IndirectCall: "indirect call", Return: "return", Exit: "exit", Kill: "kill", Trap: "trap",
	BarrierSet: "barrier set", BarrierSync: "barrier sync", BarrierBreak: "barrier break", WarpSync: "warp sync",
	PushSync: "push sync", PushBreak: "push break", PushContinue: "push continue", PushReturn: "push return",
	Sync: "sync", Break: "break", Continue: "continue", StackRead: "stack read",
}

// String names the kind in words.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "unknown"
}

// Memory reports whether the instruction reads or writes local memory.
func (k Kind) Memory() bool { return k == Load || k == Store }

// StackPointer is the register that holds a thread's stack pointer, on every
// architecture and toolkit seen.
const StackPointer = 1

// NoRegister is what an access at a fixed address has as its base: RZ.
const NoRegister = 255

// Inst is one instruction that matters.
type Inst struct {
	Offset uint32 // bytes from the start of the section
	Target uint32 // of a branch, call, push or barrier; NoTarget where it isn't in the code
	Disp   int32  // of a local access: bytes added to the base register
	Kind   Kind
	// Guarded is set where a predicate may turn the instruction off, so that
	// control may also fall through.
	Guarded bool
	Base    uint8 // of a local access: the register its address starts from
	Bytes   uint8 // of a local access: per thread
	Uniform bool  // of a local access: a uniform register is added to the address
	LastUse bool  // of a load: the slot isn't read again before it is written (.LU)
	Barrier uint8 // of BSSY, BSYNC: which of the 16
	// Jump is set for a call that is none: ptxas leaves a loop, or goes on with
	// one, by a CALL to a place in the same function that never comes back.
	Jump bool
}

// NoTarget is the Target of an instruction that has none, or one outside of
// the section.
const NoTarget = ^uint32(0)
