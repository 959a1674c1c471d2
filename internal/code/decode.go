package code

import "encoding/binary"

// decode returns the instructions of text that matter, in order. A cut-off
// last slot is left out.
func (f *family) decode(text []byte) []Inst {
	var insts []Inst
	step := int(f.width)
	for at := 0; at+step <= len(text); at += step {
		w0 := binary.LittleEndian.Uint64(text[at:])
		kind := f.opcode(w0)
		if kind == Other || f.control(uint32(at), w0) {
			continue
		}
		var w1 uint64
		if step == 16 {
			w1 = binary.LittleEndian.Uint64(text[at+8:])
		}
		i := Inst{Offset: uint32(at), Target: NoTarget, Kind: kind}
		f.fields(&i, w0, w1)
		if i.Kind == Other {
			continue
		}
		if i.Target != NoTarget && i.Target >= uint32(len(text)) {
			i.Target = NoTarget
		}
		insts = append(insts, i)
	}
	return insts
}
