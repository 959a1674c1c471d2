package jit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       *Launch
		err        string
	}{
		{
			name: "a configuration of Triton 3.6, shortened",
			text: `{"hash": "f456", "target": {"backend": "cuda", "arch": 90, "warp_size": 32}, "num_warps": 4, "num_ctas": 1, "num_stages": 2, "warp_size": 32, "maxnreg": 128, "shared": 65536, "name": "mm"}`,
			want: &Launch{Name: "mm", Warps: 4, WarpSize: 32, DynamicSharedBytes: 65536, MaxRegisters: 128, Stages: 2, Blocks: 1, Hash: "f456"},
		},
		{
			name: "no warp size but the target's, no maxnreg",
			text: `{"target": {"warp_size": 32}, "num_warps": 8, "shared": 0, "maxnreg": null, "name": "k"}`,
			want: &Launch{Name: "k", Warps: 8, WarpSize: 32},
		},
		{name: "somebody else's", text: `{"child_paths": {"mm.cubin": "x"}}`},
		{name: "cut", text: `{"num_warps": 4, "sha`, err: "k.json: unexpected end"},
		{name: "no launch", text: `{"num_warps": 4000000000, "shared": 1}`, err: "are no launch"},
		{name: "negative", text: `{"num_warps": 4, "shared": -1}`, err: "are no launch"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := read([]byte(tt.text), "k")
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Fatalf("error %v, want %q", err, tt.err)
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestConfiguration(t *testing.T) {
	l := &Launch{Warps: 4, WarpSize: 32, Stages: 2, Blocks: 2, MaxRegisters: 128, Hash: "f45651847772894c"}
	if got := l.Configuration(); got != "num_warps=4 num_stages=2 num_ctas=2 maxnreg=128 f4565184" {
		t.Error(got)
	}
	if l.Threads() != 128 {
		t.Error(l.Threads())
	}
}
