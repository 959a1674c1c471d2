package source

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/internal/ptx"
	"github.com/occlint/occlint/parse"
)

const testdata = "../../testdata"

// readTree scans every CUDA file below a directory of the test data.
func readTree(t testing.TB, dir string, opts Options) *Project {
	t.Helper()
	fsys := os.DirFS(dir)
	var files []string
	err := fs.WalkDir(fsys, ".", func(path string, _ fs.DirEntry, err error) error {
		switch filepath.Ext(path) {
		case ".cu", ".cuh", ".h":
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := Scan(fsys, files, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func readEntries(t testing.TB, file string) []ptx.Entry {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	entries, err := ptx.Read(in, filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// equalsPTX compares what the source says with what the compiler made of it.
// It reports whether the kernel was resolved.
func equalsPTX(t *testing.T, p *Project, e ptx.Entry, arch string) bool {
	t.Helper()
	a := p.Find(e.Name, arch)
	switch {
	case a.Name == "":
		t.Errorf("%s: %s is not found in the sources", e.Place.File, e.Name)
		return false
	case a.Unresolved != "":
		return false
	}
	if a.Threads != max(e.MaxThreads, e.Threads) || a.Block != e.Threads || a.MinBlocks != e.MinBlocks || a.MaxRegisters != e.MaxRegisters {
		t.Errorf("%s: %s on %s: the source says (%d, %d) maxnreg %d at %s:%d, PTX (%d, %d) maxnreg %d", e.Place.File, e.Name, arch,
			a.Threads, a.MinBlocks, a.MaxRegisters, a.Place.File, a.Place.Line, e.MaxThreads, e.MinBlocks, e.MaxRegisters)
	}
	return true
}

// TestSourceEqualsPTX holds the kernels of testdata/kernels against the PTX
// that nvcc 13.0 made of them.
func TestSourceEqualsPTX(t *testing.T) {
	kernels := readTree(t, testdata+"/kernels", Options{})
	variety := readTree(t, testdata+"/source/ptx", Options{})
	for file, want := range map[string]int{
		"bounds-compute_80.ptx": 14, "bounds-compute_90.ptx": 14,
		"basics-compute_80.ptx": 14, "basics-compute_90.ptx": 14,
		"wgmma-compute_90a.ptx": 2, "variety.ptx": 15,
	} {
		entries := readEntries(t, testdata+"/source/ptx/"+file)
		if len(entries) != want {
			t.Errorf("%s: %d entries, want %d", file, len(entries), want)
		}
		p := kernels
		if file == "variety.ptx" {
			p = variety
		}
		for _, e := range entries {
			if !equalsPTX(t, p, e, e.Target) {
				t.Errorf("%s: %s is unresolved: %s", file, e.Name, p.Find(e.Name, e.Target).Unresolved)
			}
		}
	}
}

// boundsOfKernels is what testdata/kernels/bounds.cu declares, read by eye.
var boundsOfKernels = map[string]string{
	"free_64": "none", "lb_256": "256", "lb_256_4": "256,4", "lb_256_8": "256,8", "lb_1024_2": "1024,2", "lb_1024_1": "1024,1",
	"lb_128_40": "128,40", "lb_1024_4": "1024,4", "free_240": "none", "free_300": "none", "maxnreg_40": "maxnreg 40",
	"smem_bound": "128,12", "reduce_a": "none", "reduce_b": "256",
}

// TestJoinedWithLogs finds every kernel of the logs that five toolkits made of
// testdata/kernels in the sources.
func TestJoinedWithLogs(t *testing.T) {
	p := readTree(t, testdata+"/kernels", Options{})
	logs, err := filepath.Glob(testdata + "/ptxas/*/*.log")
	if err != nil || len(logs) == 0 {
		t.Fatal("no logs", err)
	}
	kernels, bounds := 0, 0
	for _, file := range logs {
		base := filepath.Base(file)
		dir := filepath.Base(filepath.Dir(file))
		ours := strings.HasPrefix(dir, "nvcc") || dir == "ptxas-blackwell12.9" || dir == "linked" || dir == "cmake"
		if !ours || strings.Contains(base, "odd-directives") || strings.Contains(base, "ptxas-direct") || strings.Contains(base, "cloned-callee") {
			continue // made from other sources
		}
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		log := &parse.Log{}
		if err := log.Read(in, base); err != nil {
			t.Fatal(err)
		}
		_ = in.Close()
		for _, kernel := range log.Kernels() {
			k := &kernel
			if k.Kind != parse.Entry || k.Name == "" {
				continue
			}
			kernels++
			a := p.Find(k.Name, k.Arch)
			if a.Name == "" {
				t.Errorf("%s/%s: %s is not found in the sources", dir, base, k.Name)
			}
			if want, ok := boundsOfKernels[a.Name]; ok {
				bounds++
				if got := summary(a); got != want {
					t.Errorf("%s/%s: %s on %s: %s, want %s", dir, base, k.Name, k.Arch, got, want)
				}
			}
		}
	}
	if kernels < 300 || bounds < 150 {
		t.Errorf("%d kernels were joined, %d of bounds.cu: fewer than the logs have", kernels, bounds)
	}
}
