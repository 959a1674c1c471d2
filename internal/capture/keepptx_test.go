package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/ptx"
	"github.com/occlint/occlint/parse"
)

// scalePTX is, shortened, what nvcc 12.4 -arch=sm_90 --keep leaves for a kernel
// scale(float *) with __launch_bounds__(256, 2) and an array of dynamic shared
// memory.
const scalePTX = `.version 8.4
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 s[];
.visible .entry _Z5scalePf(
	.param .u64 _Z5scalePf_param_0
)
.maxntid 256, 1, 1
.minnctapersm 2
{
	mov.u32 %r1, s;
	ret;
}
`

// TestKeepsPTX: what the PTX declares is in the record, and nothing of it stays
// on the disk. A call through a cache is not changed, and the user's own --keep
// is read where it is.
func TestKeepsPTX(t *testing.T) {
	dir := project(t)
	writeFile(t, filepath.Join(dir, "replay/scale.ptx"), scalePTX)
	temp := filepath.Join(t.TempDir(), "tmp")
	if err := os.Mkdir(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temp)
	tool := filepath.Join(dir, "bin", "nvcc")
	writeFile(t, tool, `#!/bin/sh
for a; do case $a in --keep-dir=*) cp replay/scale.ptx "${a#--keep-dir=}";; esac; done
exec nvcc "$@"
`)
	if err := os.Chmod(tool, 0o755); err != nil {
		t.Fatal(err)
	}
	want := []ptx.Entry{{
		Name: "_Z5scalePf", Target: "sm_90", MaxThreads: 256, MinBlocks: 2, BoundsText: ".maxntid 256, 1, 1 .minnctapersm 2", DynamicShared: "s",
		Place: parse.Place{File: "scale.cu"}, Bounds: parse.Place{File: "scale.cu"}, MaxRegPlace: parse.Place{File: "scale.cu"}, DynamicSharedAt: parse.Place{File: "scale.cu"},
	}}
	for _, own := range []string{"", " --keep --keep-dir=kept", " -keep -keep-dir=kept", " --save-temps -keep-dir=kept", " -save-temps --keep-dir=kept"} {
		if err := os.MkdirAll(filepath.Join(dir, "kept"), 0o755); err != nil {
			t.Fatal(err)
		}
		build(t, dir, tool+" -arch=sm_90 -c scale.cu -o scale.o"+own)
		loaded, err := Load(&parse.Log{}, []string{dir}, dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, loaded.PTX); diff != "" {
			t.Errorf("%q (-want +got):\n%s", own, diff)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	if got := readFile(t, filepath.Join(dir, "kept/scale.ptx")); got != scalePTX {
		t.Errorf("the user's own: %q", got)
	}
}

// TestKeepsPTXOnlyWhereNothingChanges: nvcc 12.4 links the same object twice,
// or fails, for "nvcc --keep a/x.cu b/x.cu" (of files with different functions)
// and for x.cu and x.cpp, and with -objtemp or a --keep-dir alone it would
// leave intermediate files where the user looks.
func TestKeepsPTXOnlyWhereNothingChanges(t *testing.T) {
	dir := t.TempDir()
	for args, keeps := range map[string]bool{
		"nvcc -c a.cu": true, "nvcc_wrapper -c a.cpp": true, "nice nvcc a.cu -o a": true, "nvcc a.cu b.cu c.cpp d.o -o a": true,
		"ccache nvcc -c a.cu": false, "sccache nvcc -c a.cu": false, "clang++ -c a.cu": false, "nvcc -dlink a.o": false,
		"nvcc a/x.cu b/x.cu -o app": false, "nvcc x.cu main.cu lib/x.cpp": false, "nvcc x.cu other/x.o": false, "nvcc -dc a_dlink.cu": false,
		"nvcc -c a.cu --keep-dir kd": false, "nvcc -c a.cu -keep-dir=kd": false, "nvcc -c a.cu -objtemp": false, "nvcc -c a.cu --objdir-as-tempdir": false,
	} {
		c, _ := understand(strings.Fields(args), dir, nil)
		k := c.keepPTX(dir)
		if (k != nil) != keeps {
			t.Errorf("%s: keeps %v, want %v", args, k != nil, keeps)
		}
		k.remove()
	}
}
