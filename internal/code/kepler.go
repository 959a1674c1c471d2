package code

// kepler is sm_35 and sm_37: 8 bytes an instruction, one slot in eight holds
// scheduling information. No disassembler at hand draws its control flow, so
// only positions are claimed.
var kepler = family{name: "kepler", width: 8, control: keplerControl, opcode: keplerOpcode, fields: keplerFields}

func keplerControl(offset uint32, w uint64) bool { return offset%64 == 0 && w>>58 == 2 }

func keplerOpcode(w uint64) Kind {
	switch w & 3 {
	case 2:
		switch w >> 48 & 0xffc0 {
		case 0x7a00:
			return Load
		case 0x7a80:
			return Store
		}
	case 0:
		return keplerControlKinds[w>>52&0xff8]
	}
	return Other
}

var keplerControlKinds = [4096]Kind{
	0x120: Branch, 0x128: IndirectBranch, 0x130: Call, 0x110: IndirectCall,
	0x190: Return, 0x180: Exit, 0x148: PushSync, 0x150: PushBreak, 0x138: PushReturn, 0x1a0: Break,
}

func keplerFields(i *Inst, w, _ uint64) {
	const always = 7
	i.Guarded = w>>18&0xf != always
	switch i.Kind {
	case Load, Store:
		i.Base = uint8(w >> 10)
		i.Disp = int32(signed(w>>23, 24))
		i.Bytes = accessBytes[w>>51&7]
		i.LastUse = i.Kind == Load && w>>48&1 != 0
	case Branch, Call, PushSync, PushBreak, PushReturn:
		i.Target = target(i.Offset, 8, signed(w>>23, 24))
		i.Guarded = i.Guarded && i.Kind == Branch
	default:
	}
}
