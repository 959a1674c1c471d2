package code

// maxwell is sm_50 to sm_62: 8 bytes an instruction, every fourth slot holds
// scheduling information.
var maxwell = family{name: "maxwell", width: 8, control: maxwellControl, opcode: maxwellOpcode, fields: maxwellFields, exact: true}

func maxwellControl(offset uint32, _ uint64) bool { return offset%32 == 0 }

// maxwellKinds is indexed by the upper twelve bits, and maxwellNarrow by the
// upper sixteen where twelve are shared.
var (
	maxwellKinds = [4096]Kind{
		0xef4: Load, 0xef5: Store,
		0xe24: Branch, 0xe25: IndirectBranch, 0xe20: IndirectBranch, 0xe21: Jump,
		0xe26: Call, 0xe22: IndirectCall,
		0xe32: Return, 0xe30: Exit, 0xe33: Kill, 0xe3a: Trap,
		0xe29: PushSync, 0xe2a: PushBreak, 0xe2b: PushContinue, 0xe27: PushReturn,
		0xe34: Break, 0xe35: Continue,
		0xf0f: Sync,                                                            // among others: maxwellOpcode looks closer
		0x5c1: StackRead, 0x381: StackRead, 0x391: StackRead, 0x4c1: StackRead, // IADD
		0x1c0: StackRead, 0x1c1: StackRead, // IADD32I
		0x5c9: StackRead,                                                       // MOV
		0x5c4: StackRead, 0x384: StackRead, 0x394: StackRead, 0x4c4: StackRead, // LOP
		0x040: StackRead, 0x041: StackRead, 0x042: StackRead, 0x043: StackRead, // LOP32I
		0x5cc: StackRead, 0x38c: StackRead, 0x39c: StackRead, 0x4cc: StackRead, // IADD3
	}
)

func maxwellOpcode(w uint64) Kind {
	switch k := maxwellKinds[w>>52]; k {
	case Sync:
		if w>>48 != 0xf0f8 {
			return Other
		}
		return k
	case Load, Store:
		if w>>51&1 != 0 { // another instruction
			return Other
		}
		return k
	default:
		return k
	}
}

func maxwellFields(i *Inst, w, _ uint64) {
	const always = 7
	i.Guarded = w>>16&0xf != always
	distance := target(i.Offset, 8, signed(w>>20, 24))
	switch i.Kind {
	case Load, Store:
		i.Base = uint8(w >> 8)
		i.Disp = int32(signed(w>>20, 24))
		i.Bytes = accessBytes[w>>48&7]
		i.LastUse = i.Kind == Load && w>>44&1 != 0
	case Branch:
		i.Target = distance
		i.Guarded = i.Guarded || conditional(w)
	case PushSync, PushBreak, PushContinue, PushReturn, Call:
		i.Target, i.Guarded = distance, false // these have no guard
	case IndirectCall:
		i.Guarded = false
	case Return, Exit, Kill, Sync, Break, Continue, IndirectBranch:
		i.Guarded = i.Guarded || conditional(w)
	case StackRead:
		first := uint8(w>>8) == StackPointer
		second := w>>60 == 5 && uint8(w>>20) == StackPointer
		if w>>52 == 0x5c9 {
			first = false // MOV has only the second
		}
		if uint8(w) == StackPointer || !first && !second {
			i.Kind = Other
		}
	default:
	}
}

// conditional reports whether a control instruction also looks at the
// condition codes: 15 is "always".
func conditional(w uint64) bool { return w&0x1f != 0xf }
