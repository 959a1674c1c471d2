package capture

import (
	"path/filepath"
	"testing"

	"github.com/occlint/occlint/parse"
)

const scaleLog = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5scalePf' for 'sm_90'
ptxas info    : Function properties for _Z5scalePf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers
`

func TestWrapKeepsRecord(t *testing.T) {
	tools(t)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "scale.cu"), "__global__ void scale(float*) {}\n")
	writeFile(t, filepath.Join(dir, "replay/scale.log"), scaleLog)
	code, stdout, stderr := wrapped(dir, "nvcc", "-arch=sm_90", "-c", "scale.cu", "-o", "scale.o")
	if code != 0 || stdout != "" || stderr != "" {
		t.Fatalf("exit %d, stdout %q, stderr %q; want 0 and silence", code, stdout, stderr)
	}
	log := &parse.Log{}
	notes, err := Load(log, []string{dir}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(log.Kernels) != 1 || len(log.Faults) != 0 || len(notes) != 0 {
		t.Fatalf("got %+v, notes %q; want one kernel and no fault", log, notes)
	}
	k := log.Kernels[0]
	if got := log.Compilations[k.Compilation].Source; got != "scale.cu" {
		t.Errorf("source %q, want scale.cu", got)
	}
	t.Logf("%+v", k)
}
