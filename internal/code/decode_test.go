package code

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// words puts instruction words at an offset of otherwise empty code.
func words(size int, offset uint32, w ...uint64) []byte {
	text := make([]byte, size)
	for i, v := range w {
		binary.LittleEndian.PutUint64(text[int(offset)+8*i:], v)
	}
	return text
}

// The words and what they mean are lines of nvdisasm -hex, of CUDA 12.4 for
// sm_50 and sm_80 and of CUDA 13.0 for sm_90 and sm_120. A target is the
// instruction's offset plus its size plus the distance in the word.
func TestDecode(t *testing.T) {
	for _, test := range []struct {
		text   string
		sm     int
		offset uint32
		words  []uint64
		want   Inst
	}{
		{"LDL.LU R19, [R1+0x24]", 80, 0x3d0, []uint64{0x0000240001137983, 0x001ea80000300800}, Inst{Kind: Load, Base: 1, Disp: 0x24, Bytes: 4, LastUse: true}},
		{"LDL.LU.64 R4, [R1+0x108]", 80, 0xb00, []uint64{0x0001080001047983, 0x0011620000300a00}, Inst{Kind: Load, Base: 1, Disp: 0x108, Bytes: 8, LastUse: true}},
		{"STL.128 [R1], R24", 80, 0x140, []uint64{0x0000001801007387, 0x0041e80000100c00}, Inst{Kind: Store, Base: 1, Bytes: 16}},
		{"STL.U8 [R16], R9", 80, 0x780, []uint64{0x0000000910007387, 0x0001e80000100000}, Inst{Kind: Store, Base: 16, Bytes: 1}},
		{"LDL R15, [UR6]", 80, 0xc70, []uint64{0x00000006ff0f7983, 0x000f280008100800}, Inst{Kind: Load, Base: NoRegister, Bytes: 4, Uniform: true}},
		{"STL [UR6], R3", 80, 0x1750, []uint64{0x00000003ff007987, 0x0001e20008100806}, Inst{Kind: Store, Base: NoRegister, Bytes: 4, Uniform: true}},
		{"@!P0 BRA 0x200", 80, 0x50, []uint64{0x000001a000008947, 0x000fea0003800000}, Inst{Kind: Branch, Target: 0x200, Guarded: true}},
		{"BRX R4 -0x190", 80, 0x180, []uint64{0xfffffe7004007949, 0x000fea000383ffff}, Inst{Kind: IndirectBranch, Target: NoTarget}},
		{"CALL.REL.NOINC 0xb0", 80, 0x60, []uint64{0x0000004000007944, 0x000fea0003c00000}, Inst{Kind: Call, Target: 0xb0}},
		{"RET.REL.NODEC R20", 80, 0x260, []uint64{0xfffffd9014007950, 0x000fec0003c3ffff}, Inst{Kind: Return, Target: NoTarget}},
		{"EXIT", 80, 0x240, []uint64{0x000000000000794d, 0x000fea0003800000}, Inst{Kind: Exit, Target: NoTarget}},
		{"BSSY B7, 0x200", 80, 0x70, []uint64{0x0000018000077945, 0x000fe20003800000}, Inst{Kind: BarrierSet, Barrier: 7, Target: 0x200}},
		{"BSYNC B6", 80, 0x1a0, []uint64{0x0000000000067941, 0x000fea0003800000}, Inst{Kind: BarrierSync, Barrier: 6, Target: NoTarget}},
		{"BRA.DIV UR4, 0x4c0", 80, 0x150, []uint64{0x0000036204007947, 0x000fea000b800000}, Inst{Kind: Branch, Target: 0x4c0, Guarded: true}},

		{"@!P0 BRA 0x1f80", 90, 0x3a0, []uint64{0x0000001800f48947, 0x002fea0003800000}, Inst{Kind: Branch, Target: 0x1f80, Guarded: true}},
		{"BRA 0x1b70", 90, 0x1b70, []uint64{0xfffffffc00fc7947, 0x000fc0000383ffff}, Inst{Kind: Branch, Target: 0x1b70}},
		{"STL.64 [R1+0x40], R40", 90, 0x250, []uint64{0x0000402801007387, 0x0043e80000100a00}, Inst{Kind: Store, Base: 1, Disp: 0x40, Bytes: 8}},
		{"BRA.U !UP0, 0x67e0", 120, 0x3a0, []uint64{0x00000065080c7547, 0x004fea000b800000}, Inst{Kind: Branch, Target: 0x67e0, Guarded: true}},
		{"LDL R9, [R9+UR12]", 120, 0x550, []uint64{0x0000000c09097983, 0x000ea20008100800}, Inst{Kind: Load, Base: 9, Bytes: 4, Uniform: true}},
		{"BSSY.RECONVERGENT B0, 0x9a0", 120, 0x8d0, []uint64{0x000000c000007945, 0x000fe60003800200}, Inst{Kind: BarrierSet, Target: 0x9a0}},
		{"IADD3 R6, P1, R1, UR4, RZ", 90, 0x40, []uint64{0x0000000401067c10, 0x000fe4000ff3e0ff}, Inst{Kind: StackRead, Target: NoTarget}},

		{"STL [R1+0x4], R16", 50, 0x78, []uint64{0xef54000000470110}, Inst{Kind: Store, Base: 1, Disp: 4, Bytes: 4}},
		{"@!P0 BRA 0x178", 50, 0x30, []uint64{0xe24000001408000f}, Inst{Kind: Branch, Target: 0x178, Guarded: true}},
		{"BRX R3 -0x150", 50, 0x148, []uint64{0xe2500fffeb07030f}, Inst{Kind: IndirectBranch, Target: NoTarget}},
		{"CAL 0x70", 50, 0x28, []uint64{0xe260000004000040}, Inst{Kind: Call, Target: 0x70}},
		{"PRET 0x150", 50, 0x138, []uint64{0xe270000001000040}, Inst{Kind: PushReturn, Target: 0x150}},
		{"@!P0 SYNC", 50, 0x48, []uint64{0xf0f800000008000f}, Inst{Kind: Sync, Target: NoTarget, Guarded: true}},
		{"@!P0 BRK", 50, 0x110, []uint64{0xe34000000008000f}, Inst{Kind: Break, Target: NoTarget, Guarded: true}},
		{"EXIT", 50, 0x1b0, []uint64{0xe30000000007000f}, Inst{Kind: Exit, Target: NoTarget}},
	} {
		f, err := familyOf(test.sm)
		if err != nil {
			t.Fatal(err)
		}
		want := test.want
		want.Offset = test.offset
		if want.Kind.Memory() {
			want.Target = NoTarget
		}
		got := f.decode(words(0x7000, test.offset, test.words...))
		if diff := cmp.Diff([]Inst{want}, got); diff != "" {
			t.Errorf("%s on sm_%d (-want +got):\n%s", test.text, test.sm, diff)
		}
	}
}

// A frame that the function makes for itself, and loads of a constant into the
// stack pointer, take no address.
func TestDecodeLeavesOut(t *testing.T) {
	for _, test := range []struct {
		text  string
		sm    int
		words []uint64
	}{
		{"VIADD R1, R1, 0xfffffff8", 90, []uint64{0xfffffff801017836, 0x001fe20000000000}},
		{"LDC R1, c[0x0][0x28]", 90, []uint64{0x00000a00ff017b82, 0x000e300000000800}},
		{"an empty slot", 50, []uint64{0}},
	} {
		f, _ := familyOf(test.sm)
		if got := f.decode(words(64, 16, test.words...)); len(got) > 0 {
			t.Errorf("%s read as %v", test.text, got)
		}
	}
}

func TestFamilies(t *testing.T) {
	for sm, want := range map[int]string{35: "kepler", 52: "maxwell", 62: "maxwell", 70: "volta", 89: "volta", 90: "hopper", 121: "hopper"} {
		f, err := familyOf(sm)
		if err != nil || f.name != want {
			t.Errorf("sm_%d: %v, %v; want %s", sm, f, err, want)
		}
	}
	if _, err := Read(Section{SM: 20}); err == nil {
		t.Error("sm_20 was read")
	}
}
