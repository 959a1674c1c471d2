package where

import (
	"encoding/binary"
	"testing"

	"github.com/occlint/occlint/internal/code"
)

// TestLoopAcrossFunctions is a loop that leads through the range of a function
// which ends before: no compiler was seen to write one, a damaged file may.
//
//	0x00  k:  NOP
//	0x10      BRA 0x30
//	0x20  f:  EXIT
//	0x30      LDL.LU R0, [R1]
//	0x40      BRA 0x00
//	0x50      NOP
func TestLoopAcrossFunctions(t *testing.T) {
	text := make([]byte, 0x60)
	put := func(at int, w0, w1 uint64) {
		binary.LittleEndian.PutUint64(text[at:], w0)
		binary.LittleEndian.PutUint64(text[at+8:], w1)
	}
	const always = 7 << 12
	branch := func(at, to int) {
		distance := uint64(int64(to-at-16) / 4)
		put(at, 0x947|always|distance<<34, distance>>30&0x3ffff|7<<23)
	}
	put(0x00, 0x918|always, 0)
	branch(0x10, 0x30)
	put(0x20, 0x94d|always, 7<<23)
	put(0x30, 0x983|always|code.StackPointer<<24, 4<<9|1<<21)
	branch(0x40, 0x00)
	put(0x50, 0x918|always, 0)
	kernels, err := Read(&Unit{
		Arch: "sm_80", SM: 80, Kernel: "k", Entry: true, Proven: true, Text: text,
		Functions: []code.Function{{Name: "k", End: 0x60}, {Name: "$k$f", Start: 0x20, End: 0x50}},
	})
	if err != nil {
		t.Fatal(err)
	}
	k, f := kernels[0], kernels[1]
	if len(k.Loops) != 1 || len(f.Loops) != 0 {
		t.Errorf("%d loops of k, %d of f", len(k.Loops), len(f.Loops))
	}
	if s := f.Sites; len(s) != 1 || s[0].Loop != -1 || s[0].Depth != 1 || s[0].DepthKnown {
		t.Errorf("the load is %+v", s)
	}
	if f.LoopSpillBytes() != 4 || f.DepthsKnown() {
		t.Errorf("%s", f.Headline())
	}
}
