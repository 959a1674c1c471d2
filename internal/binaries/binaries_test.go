package binaries

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

const samples = "../../testdata"

func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(filepath.Join(samples, "cubin", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func find(log *parse.Log, name string) (found []parse.Kernel) {
	for _, k := range log.Kernels() {
		if k.Name == name {
			found = append(found, k)
		}
	}
	return found
}

// One image in two files is one, the same kernel for another architecture is
// another, and an unlinked image gives way to a linked one.
func TestCopiesAndUnlinkedImages(t *testing.T) {
	dir := t.TempDir()
	linked := unpacked(t, "features-124-sm_90a.cubin.gz")
	write(t, dir, "a.cubin", linked)
	write(t, dir, "b.o", linked)
	write(t, dir, "other.cubin", unpacked(t, "features-118-sm_80.cubin.gz"))
	write(t, dir, "notes.txt", []byte("nothing"))
	var r Reader
	files, err := r.Dir(dir, filepath.Base)
	if err != nil || files != 3 {
		t.Fatalf("%d files, %v", files, err)
	}
	var log parse.Log
	r.AddTo(&log)
	if got := find(&log, "_Z8switchesPii"); len(got) != 2 || got[0].Arch == got[1].Arch {
		t.Errorf("%d records", len(got))
	}
	if len(log.Faults) > 0 {
		t.Error(log.Faults)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "1 file of other kinds") {
		t.Errorf("notes %q", r.Notes)
	}
}

// The log of the same build agrees in every number; one that differs in one
// number is told with both.
func TestAgainstTheLog(t *testing.T) {
	for _, base := range []string{"basics-130-sm_90", "bounds-130-sm_120", "features-118-sm_35", "features-124-sm_90a", "features-124-sm_90-rdc", "features-124-sm_75-G", "places-130-sm_75"} {
		t.Run(base, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(samples, "cubin", base+".log"))
			if err != nil {
				t.Fatal(err)
			}
			for _, stale := range []bool{false, true} {
				if stale {
					at := bytes.Index(text, []byte("Used 1")) // another last digit: still a number that ptxas can print
					end := at + bytes.IndexByte(text[at:], ' ') + 1
					end += bytes.IndexByte(text[end:], ' ')
					if n := text[end-1]; n == '0' {
						text[end-1] = '1'
					} else {
						text[end-1] = n - 1
					}
				}
				log, err := parse.Read(bytes.NewReader(text), base+".log")
				if err != nil {
					t.Fatal(err)
				}
				faults := len(log.Faults)
				var r Reader
				data := unpacked(t, base+".cubin.gz")
				if known, entries := r.Read(bytes.NewReader(data), int64(len(data)), base); !known || entries != 1 {
					t.Fatalf("known %t, %d entries", known, entries)
				}
				r.AddTo(log)
				var mismatches []parse.Fault
				for _, f := range log.Faults[faults:] {
					if f.Kind == parse.FaultMismatch {
						mismatches = append(mismatches, f)
					}
				}
				if stale != (len(mismatches) > 0) {
					t.Errorf("stale %t: %d faults: %v", stale, len(mismatches), mismatches)
				}
			}
		})
	}
}

// What was read before a fault is kept, and the fault has file and offset.
func TestDamage(t *testing.T) {
	data := unpacked(t, "features-124-sm_90a.cubin.gz")
	dir := t.TempDir()
	path := write(t, dir, "cut.cubin", data[:len(data)/2])
	var r Reader
	if _, _, err := r.File(path, "cut.cubin"); err != nil {
		t.Fatal(err)
	}
	whole := write(t, dir, "whole.cubin", data)
	if _, _, err := r.File(whole, "whole.cubin"); err != nil {
		t.Fatal(err)
	}
	var log parse.Log
	r.AddTo(&log)
	if len(find(&log, "_Z8switchesPii")) != 1 {
		t.Error("the whole file was not read")
	}
	if len(log.Faults) != 1 || log.Faults[0].Kind != parse.FaultBinary || log.Faults[0].Place.File != "cut.cubin" || !strings.Contains(log.Faults[0].Text, "offset") {
		t.Errorf("faults %+v", log.Faults)
	}
}

// A cache gives the launch, and its configurations stay apart.
func TestTritonCache(t *testing.T) {
	var r Reader
	if _, err := r.Dir(filepath.Join(samples, "jit", "triton"), func(path string) string { return path }); err != nil {
		t.Fatal(err)
	}
	var log parse.Log
	r.AddTo(&log)
	got := map[string][3]string{}
	for _, k := range find(&log, "mm") {
		got[k.Variant] = [3]string{k.Registers.String(), k.BlockThreads.String(), k.DynamicSharedBytes.String()}
	}
	// As the driver gave them when the kernels were launched.
	want := map[string][3]string{
		"num_warps=4 num_stages=3 e1db6a88":             {"64", "128", "24576"},
		"num_warps=4 num_stages=2 maxnreg=128 f4565184": {"128", "128", "65536"},
		"num_warps=2 num_stages=2 24a28370":             {"46", "64", "4096"},
	}
	for variant, numbers := range want {
		if got[variant] != numbers {
			t.Errorf("%s: %v, want %v", variant, got[variant], numbers)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d configurations", len(got))
	}
}
