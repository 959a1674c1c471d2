package capture

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMovedBuild: the records of a build directory that was renamed are judged,
// and said to be unchecked; once made again they count no more.
func TestMovedBuild(t *testing.T) {
	root := project(t)
	old, moved := filepath.Join(root, "old"), filepath.Join(root, "moved")
	for _, f := range []string{"scale.cu", "scale.cuh", "replay/scale.log"} {
		writeFile(t, filepath.Join(old, f), readFile(t, filepath.Join(root, f)))
	}
	writeFile(t, filepath.Join(old, "bad.cu"), "#error no\n")
	wrapped(old, compileScale...)
	wrapped(old, words("nvcc -arch=sm_90 -c bad.cu -o bad.o")...) // leaves word that it failed
	if err := os.Rename(old, moved); err != nil {
		t.Fatal(err)
	}
	_, notes := load(t, moved, moved)
	if want := []string{"1 record comes from another directory or machine: not compared with the files that it describes"}; !cmp.Equal(notes, want) {
		t.Errorf("moved: notes %q, want %q", notes, want)
	}
	writeFile(t, filepath.Join(moved, "bad.cu"), "\n")
	wrapped(moved, words("nvcc -arch=sm_90 -c bad.cu -o bad.o")...)
	wrapped(moved, compileScale...)
	log, notes := load(t, moved, moved)
	if kernelNames(log) != "_Z5scalePf" || len(log.Faults) != 0 {
		t.Errorf("made again: %s, faults %q", kernelNames(log), faults(log))
	}
	if want := []string{"1 record left out: made before the build directory was moved, and made again since"}; !cmp.Equal(notes, want) {
		t.Errorf("made again: notes %q, want %q", notes, want)
	}
	writeFile(t, filepath.Join(moved, "scale.cu"), "// edited\n")
	if log, _ := load(t, moved, moved); faults(log) != "scale.cu: the record of scale.o is stale: scale.cu changed since; build again" {
		t.Errorf("an edit after that: %q", faults(log))
	}
}
