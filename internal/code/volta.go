package code

// volta is sm_70 to sm_89, hopper sm_90 and later: 16 bytes an instruction, the
// opcode in the low twelve bits. They differ in where a branch keeps its
// distance; BRA.U came with sm_100.
var (
	volta  = family{name: "volta", width: 16, control: noControl, opcode: wideOpcode, fields: voltaFields, exact: true}
	hopper = family{name: "hopper", width: 16, control: noControl, opcode: wideOpcode, fields: hopperFields, exact: true}
)

func noControl(uint32, uint64) bool { return false }

// wideKinds is indexed by the opcode. Each was the key of this one mnemonic in
// every build looked at.
var wideKinds = [4096]Kind{
	0x983: Load, 0x387: Store, 0x987: Store, // the last with a uniform register in the address
	0x947: Branch, 0x547: Branch,
	0x949: IndirectBranch, 0x94c: IndirectBranch, 0x94a: Jump,
	0x944: Call, 0x344: IndirectCall, 0x943: IndirectCall, 0x343: IndirectCall,
	0x950: Return, 0x94d: Exit, 0x95b: Kill, 0x95c: Trap,
	0x945: BarrierSet, 0x941: BarrierSync, 0x942: BarrierBreak,
	0x948: WarpSync, 0x348: WarpSync,

	// What may take the address of something on the stack: additions, moves
	// and logical operations. The upper three bits say where the operands are:
	// in registers, given at once, in a constant bank, in a uniform register.
	// wideReads says which of them read the stack pointer.
	0x210: StackRead, 0x810: StackRead, 0xa10: StackRead, 0xc10: StackRead, // IADD3
	0x224: StackRead, 0x424: StackRead, 0x624: StackRead, 0x824: StackRead, 0xa24: StackRead, 0xc24: StackRead, // IMAD
	0x202: StackRead,                                                       // MOV
	0x212: StackRead, 0x812: StackRead, 0xa12: StackRead, 0xc12: StackRead, // LOP3
	0x211: StackRead, 0x811: StackRead, 0xa11: StackRead, 0xc11: StackRead, // LEA
	0x236: StackRead, 0x836: StackRead, 0xc36: StackRead, // VIADD
	0x235: StackRead, 0x835: StackRead, 0xc35: StackRead, // IADD
	0x2ca: StackRead, 0x3c2: StackRead, // R2UR
}

func wideOpcode(w0 uint64) Kind { return wideKinds[w0&0xfff] }

func voltaFields(i *Inst, w0, w1 uint64) {
	wideFields(i, w0, w1)
	if i.Kind == Branch || i.Kind == Call || i.Kind == Jump {
		i.Target = target(i.Offset, 16, signed(w0>>34|w1<<30, 48)*4)
	}
}

func hopperFields(i *Inst, w0, w1 uint64) {
	wideFields(i, w0, w1)
	if i.Kind == Branch || i.Kind == Call || i.Kind == Jump {
		i.Target = target(i.Offset, 16, signed(w0>>16&0xff|w0>>34<<8|w1<<38, 56)*4)
	}
}

// wideFields reads what both families keep at the same place.
func wideFields(i *Inst, w0, w1 uint64) {
	const always = 7 // the predicate that holds, not inverted
	i.Guarded = w0>>12&0xf != always
	switch i.Kind {
	case Load, Store:
		i.Base = uint8(w0 >> 24)
		i.Disp = int32(signed(w0>>40, 24))
		i.Bytes = accessBytes[w1>>9&7]
		i.LastUse = i.Kind == Load && w1>>21&1 != 0
		i.Uniform = w1>>27&1 != 0
	case Branch:
		// The second predicate; BRA.DIV and BRA.CONV, which branch where the
		// threads of a warp differ, have a mode instead, and the condition of
		// BRA.U stands elsewhere.
		i.Guarded = i.Guarded || w1>>23&0xf != always || w0>>32&3 != 0 || w0&0xfff == 0x547
	case Exit:
		i.Guarded = i.Guarded || w1>>23&0xf != always
	case BarrierSet:
		i.Barrier = uint8(w0 >> 16 & 0xf)
		i.Target = target(i.Offset, 16, signed(w0>>34, 30)*4)
	case BarrierSync, BarrierBreak:
		i.Barrier = uint8(w0 >> 16 & 0xf)
	case StackRead:
		if !wideReads(w0, w1) {
			i.Kind = Other
		}
	default:
	}
}

// wideReads reports whether an arithmetic instruction reads the stack pointer
// into another register.
func wideReads(w0, w1 uint64) bool {
	opcode, form := w0&0x1ff, w0>>9&7
	if uint8(w0>>16) == StackPointer {
		return false // the function's own frame
	}
	first := uint8(w0>>24) == StackPointer
	second := form == 1 && uint8(w0>>32) == StackPointer
	third := uint8(w1) == StackPointer
	switch opcode {
	case 0x002: // MOV has one operand, where others have the second
		return second
	case 0x0ca, 0x1c2:
		return first
	case 0x036, 0x035, 0x011:
		return first || second
	}
	return first || second || third
}
