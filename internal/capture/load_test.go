package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// TestAudit builds one file, changes what is on the disk, and reads the records.
func TestAudit(t *testing.T) {
	later := time.Now().Add(time.Hour)
	tests := []struct {
		name    string
		change  func(t *testing.T, dir string)
		kernels string // empty: none
		fault   string // part of the one fault; empty: none
		note    string // part of the one note; empty: none
	}{
		{name: "nothing", change: func(*testing.T, string) {}, kernels: "_Z5scalePf"},
		{
			name:    "the source is touched",
			change:  func(t *testing.T, dir string) { touch(t, filepath.Join(dir, "scale.cu"), later) },
			kernels: "_Z5scalePf",
		},
		{
			name:    "the source is edited",
			change:  func(t *testing.T, dir string) { writeFile(t, filepath.Join(dir, "scale.cu"), "// new\n") },
			kernels: "_Z5scalePf", fault: "scale.cu: the record of scale.o is stale: scale.cu changed since; build again",
		},
		{
			name:    "a header is edited",
			change:  func(t *testing.T, dir string) { touch(t, filepath.Join(dir, "scale.cuh"), later) },
			kernels: "_Z5scalePf", fault: "scale.cu: the record of scale.o is stale: scale.cuh changed since; build again",
		},
		{
			name:    "a header is replaced by an older one",
			change:  func(t *testing.T, dir string) { touch(t, filepath.Join(dir, "scale.cuh"), later.Add(-48*time.Hour)) },
			kernels: "_Z5scalePf", fault: "scale.cuh changed since; delete scale.o and build again", // make would do nothing
		},
		{
			name: "a header is edited and keeps its time",
			change: func(t *testing.T, dir string) {
				path := filepath.Join(dir, "scale.cuh")
				info, err := os.Stat(path)
				if err != nil {
					t.Fatal(err)
				}
				writeFile(t, path, "#pragma once\n#define N 3\n")
				touch(t, path, info.ModTime())
			},
			kernels: "_Z5scalePf", fault: "scale.cuh changed since; delete scale.o and build again",
		},
		{
			name:    "the source is deleted",
			change:  func(t *testing.T, dir string) { remove(t, filepath.Join(dir, "scale.cu")) },
			kernels: "_Z5scalePf", // generated sources come and go; the object is there
			note:    "judged though the source is gone: scale.o (of scale.cu); delete what no longer belongs to the build",
		},
		{
			name:   "the object is deleted",
			change: func(t *testing.T, dir string) { remove(t, filepath.Join(dir, "scale.o")) },
			fault:  ": no record is left to judge: what they describe is no longer there",
			note:   "1 record left out: what they describe is no longer there",
		},
		{
			name:    "the object is touched",
			change:  func(t *testing.T, dir string) { touch(t, filepath.Join(dir, "scale.o"), later) },
			kernels: "_Z5scalePf",
		},
		{
			name:    "the object is another",
			change:  func(t *testing.T, dir string) { writeFile(t, filepath.Join(dir, "scale.o"), "by hand") },
			kernels: "_Z5scalePf", fault: "scale.cu: the record of scale.o is stale: the file was made again without occlint wrap, or changed since",
		},
		{
			name: "the object is another of the same size",
			change: func(t *testing.T, dir string) {
				path := filepath.Join(dir, "scale.o")
				writeFile(t, path, strings.Repeat("x", len(readFile(t, path))))
				touch(t, path, later)
			},
			kernels: "_Z5scalePf", fault: "the file was made again without occlint wrap",
		},
		{
			name: "the build directory is gone: records from elsewhere",
			change: func(t *testing.T, dir string) {
				if err := os.Rename(filepath.Join(dir, DirName), filepath.Join(dir, "../shard")); err != nil {
					t.Fatal(err)
				}
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(filepath.Join(dir, "../shard"), dir); err != nil {
					t.Fatal(err)
				}
			},
			kernels: "_Z5scalePf", note: "1 record comes from another directory or machine: not compared with the files that it describes",
		},
		{
			name: "the record is cut",
			change: func(t *testing.T, dir string) {
				path := recordPath(t, dir)
				text := readFile(t, path)
				writeFile(t, path, text[:len(text)-10])
			},
			fault: "the record can't be used: its content does not match its hash; compile its source again, or delete the record when the source is gone",
		},
		{
			name:   "the record is empty",
			change: func(t *testing.T, dir string) { writeFile(t, recordPath(t, dir), "") },
			fault:  "the record can't be used: it does not begin like a record",
		},
		{
			name: "one byte of the record is wrong",
			change: func(t *testing.T, dir string) {
				path := recordPath(t, dir)
				writeFile(t, path, strings.Replace(readFile(t, path), "Used 24", "Used 42", 1))
			},
			fault: "the record can't be used: its content does not match its hash",
		},
		{
			name: "the record is of a later version",
			change: func(t *testing.T, dir string) {
				path := recordPath(t, dir)
				writeFile(t, path, strings.Replace(readFile(t, path), "occlint-record 1", "occlint-record 2", 1))
			},
			fault: "the record can't be used: written by a newer occlint: format 2, this one reads 1",
		},
		{
			name: "the record is a directory",
			change: func(t *testing.T, dir string) {
				path := recordPath(t, dir)
				remove(t, path)
				if err := os.Mkdir(path, 0o755); err != nil {
					t.Fatal(err)
				}
			},
			fault: "the record can't be used: is a directory",
		},
		{
			name: "killed between the record and the end of its note",
			change: func(t *testing.T, dir string) {
				path := recordPath(t, dir)
				writeFile(t, strings.TrimSuffix(path, recordExt)+pendingExt, readFile(t, path))
			},
			kernels: "_Z5scalePf",
		},
		{
			name: "a temporary file of a killed call",
			change: func(t *testing.T, dir string) {
				writeFile(t, recordPath(t, dir)+"-17-abc"+temporaryExt, "occl")
			},
			kernels: "_Z5scalePf",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := project(t)
			dir := filepath.Join(root, "in")
			for _, f := range []string{"scale.cu", "scale.cuh", "replay/scale.log"} {
				writeFile(t, filepath.Join(dir, f), readFile(t, filepath.Join(root, f)))
			}
			if code, _, stderr := wrapped(dir, compileScale...); code != 0 {
				t.Fatalf("exit %d, %s", code, stderr)
			}
			tt.change(t, dir)
			log, notes := load(t, dir, dir)
			if got := kernelNames(log); got != tt.kernels {
				t.Errorf("kernels %q, want %q", got, tt.kernels)
			}
			if got := faults(log); !strings.Contains(got, tt.fault) || (tt.fault == "") != (got == "") || len(log.Faults) > 1 {
				t.Errorf("faults %q, want %q", got, tt.fault)
			}
			if got := strings.Join(notes, "\n"); !strings.Contains(got, tt.note) || (tt.note == "") != (got == "") {
				t.Errorf("notes %q, want %q", got, tt.note)
			}
		})
	}
}

func touch(t *testing.T, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// recordPath is the one record below dir.
func recordPath(t *testing.T, dir string) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, DirName, "*"+recordExt))
	if err != nil || len(paths) != 1 {
		t.Fatalf("%q, %v; want one record", paths, err)
	}
	return paths[0]
}

func TestLoadWithoutRecords(t *testing.T) {
	dir := t.TempDir()
	for path, want := range map[string]string{
		dir:                           "no records in ",
		filepath.Join(dir, "missing"): "cannot read the record directory: ",
	} {
		loaded, err := Load(&parse.Log{}, []string{path}, dir)
		if err == nil || !strings.Contains(err.Error(), want) || loaded != nil {
			t.Errorf("%s: %v, %v; want %q", path, err, loaded, want)
		}
	}
}

// shard makes a directory of records as another machine left it.
func shard(t *testing.T, records ...*Record) string {
	t.Helper()
	s := store{filepath.Join(t.TempDir(), DirName)}
	if err := s.open(); err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := s.end(r); err != nil {
			t.Fatal(err)
		}
	}
	return s.dir
}

// foreign is a record of /ci/build/NAME.o on a machine that is not this one.
func foreign(name, arch string, ended time.Time, log string) *Record {
	return &Record{
		State: stateRecorded, Outputs: []string{"/ci/build/" + name + ".o"}, Sources: []string{"/ci/src/" + name + ".cu"},
		Dir: "/ci/build", Records: "/ci/build/.occlint", Step: "compile", Arch: []string{arch}, Flags: []string{"--gpu-architecture=" + arch},
		Started: ended.Add(-time.Second), Ended: ended, Log: []byte(log),
	}
}

// TestLoadMerges reads the records of several machines together.
func TestLoadMerges(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	worse := strings.Replace(scaleLog, "24 registers", "32 registers", 1)
	otherKernel := strings.ReplaceAll(scaleLog, "_Z5scalePf", "_Z4gemmPf")
	sm80 := strings.ReplaceAll(scaleLog, "sm_90", "sm_80")
	tests := []struct {
		name   string
		shards [][]*Record
		want   []string // kernel, arch, registers
		note   string
	}{
		{
			"different files", [][]*Record{
				{foreign("scale", "sm_90", noon, scaleLog)},
				{foreign("gemm", "sm_90", noon, otherKernel)},
			},
			[]string{"_Z4gemmPf sm_90 24", "_Z5scalePf sm_90 24"}, "",
		},
		{
			"the same twice", [][]*Record{
				{foreign("scale", "sm_90", noon, scaleLog)},
				{foreign("scale", "sm_90", noon, scaleLog)},
			},
			[]string{"_Z5scalePf sm_90 24"}, "",
		},
		{
			"the later one is in the second", [][]*Record{
				{foreign("scale", "sm_90", noon, scaleLog)},
				{foreign("scale", "sm_90", noon.Add(time.Hour), worse)},
			},
			[]string{"_Z5scalePf sm_90 32"}, "two records of /ci/build/scale.o disagree",
		},
		{
			"the later one is in the first", [][]*Record{
				{foreign("scale", "sm_90", noon.Add(time.Hour), worse)},
				{foreign("scale", "sm_90", noon, scaleLog)},
			},
			[]string{"_Z5scalePf sm_90 32"}, "two records of /ci/build/scale.o disagree",
		},
		{
			"one architecture each, under one path", [][]*Record{
				{foreign("scale", "sm_90", noon, scaleLog)},
				{foreign("scale", "sm_80", noon.Add(time.Hour), sm80)},
			},
			[]string{"_Z5scalePf sm_90 24", "_Z5scalePf sm_80 24"}, "",
		},
		{
			"made together, then one by one", [][]*Record{{
				&Record{
					State: stateRecorded, Outputs: []string{"/ci/build/gemm.o", "/ci/build/scale.o"}, Dir: "/ci/build", Records: "/ci/build/.occlint",
					Step: "compile", Ended: noon, Log: []byte(scaleLog + otherKernel),
				},
				foreign("scale", "sm_90", noon.Add(time.Hour), scaleLog),
				foreign("gemm", "sm_90", noon.Add(time.Hour), otherKernel),
			}},
			[]string{"_Z4gemmPf sm_90 24", "_Z5scalePf sm_90 24"}, "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var dirs []string
			for _, records := range tt.shards {
				dirs = append(dirs, shard(t, records...))
			}
			log, notes := load(t, t.TempDir(), dirs...)
			var got []string
			for _, k := range log.Kernels() {
				got = append(got, k.Name+" "+k.Arch+" "+k.Registers.String())
				if s := log.Compilations[k.Compilation].Source; !strings.HasPrefix(s, "/ci/src/") {
					t.Errorf("source %q", s)
				}
			}
			if !cmp.Equal(got, tt.want) || len(log.Faults) != 0 {
				t.Errorf("%q, want %q; faults %s", got, tt.want, faults(log))
			}
			elsewhere := len(notes) - 1 // the last note: none of them is compared with anything
			if elsewhere < 0 || !strings.Contains(notes[elsewhere], "from another directory or machine") {
				t.Fatalf("notes %q", notes)
			}
			if text := strings.Join(notes[:elsewhere], "\n"); !strings.Contains(text, tt.note) || (tt.note == "") != (text == "") {
				t.Errorf("notes %q, want %q", text, tt.note)
			}
		})
	}
}

// TestSameNumbers: the order of compiler threads and of records is no conflict.
func TestSameNumbers(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	sm80 := strings.ReplaceAll(scaleLog, "sm_90", "sm_80")
	a := &stored{Record: foreign("a", "sm_90", noon, scaleLog+sm80+"ptxas info    : Compile time = 3.100 ms\n")}
	b := &stored{Record: foreign("a", "sm_90", noon, sm80+scaleLog)}
	if !sameNumbers(a, b) {
		t.Error("another order is taken for other numbers")
	}
	c := &stored{Record: foreign("a", "sm_90", noon, scaleLog)}
	if sameNumbers(a, c) {
		t.Error("a kernel less is not noticed")
	}
}

// TestLoadFindsRecordsBelow: a recursive make leaves a directory of records
// wherever it compiles.
func TestLoadFindsRecordsBelow(t *testing.T) {
	root := project(t)
	for _, sub := range []string{"a", "b/c"} {
		for _, f := range []string{"scale.cu", "scale.cuh", "replay/scale.log"} {
			writeFile(t, filepath.Join(root, sub, f), readFile(t, filepath.Join(root, f)))
		}
		wrapped(filepath.Join(root, sub), compileScale...)
	}
	log, _ := load(t, root, root)
	if log.Len() != 2 || log.Compilations[0].Source != "a/scale.cu" || log.Compilations[1].Source != "b/c/scale.cu" {
		t.Errorf("%+v", log)
	}
}

func TestRecordsDir(t *testing.T) {
	root := t.TempDir()
	build := filepath.Join(root, "build")
	writeFile(t, filepath.Join(build, "CMakeCache.txt"), "")
	sub := filepath.Join(build, "lib", "kernels")
	if err := os.MkdirAll(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ told, dir, want string }{
		{"", root, filepath.Join(root, DirName)},
		{"", build, filepath.Join(build, DirName)},
		{"", sub, filepath.Join(build, DirName)},
		{"recs", sub, filepath.Join(sub, "recs")},
		{filepath.Join(root, "recs"), sub, filepath.Join(root, "recs")},
	} {
		if got := RecordsDir(tt.told, tt.dir); got != tt.want {
			t.Errorf("told %q in %s: %s, want %s", tt.told, tt.dir, got, tt.want)
		}
	}
}

// TestUncaptured: the compilation database shows what wrap never saw.
func TestUncaptured(t *testing.T) {
	dir := project(t)
	writeFile(t, filepath.Join(dir, "CMakeCache.txt"), "")
	for _, name := range []string{"past", "unbuilt"} {
		writeFile(t, filepath.Join(dir, name+".cu"), "\n")
	}
	wrapped(dir, compileScale...)
	wrapped(dir, words("nvcc -ptx scale.cu")...)
	if code, _, _ := plain(t, dir, "nvcc -arch=sm_90 -c past.cu -o past.o"); code != 0 {
		t.Fatal(code)
	}
	var commands []compileCommand
	for _, name := range []string{"scale", "past", "unbuilt"} {
		commands = append(commands, compileCommand{Directory: dir, File: name + ".cu", Command: "/usr/bin/nvcc -arch=sm_90 -x cu -c " + name + ".cu -o " + name + ".o"})
	}
	commands = append(commands,
		compileCommand{Directory: dir, File: "host.cpp", Command: "c++ -c host.cpp -o host.o"},
		compileCommand{Directory: dir, File: "scale.cu", Arguments: words("nvcc -ptx scale.cu -o scale.ptx")})
	text, err := json.Marshal(commands)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "compile_commands.json"), string(text))
	log, notes := load(t, dir, dir)
	if got, want := faults(log), "past.cu: past.o has no record: it was compiled without occlint wrap; touch past.cu and build again"; got != want {
		t.Errorf("faults %q, want %q", got, want)
	}
	if want := []string{"1 CUDA source of the build without object and record (not built yet, or of another target): unbuilt.cu"}; !cmp.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	writeFile(t, filepath.Join(dir, "compile_commands.json"), string(text[:20]))
	if _, notes := load(t, dir, dir); len(notes) != 1 || !strings.Contains(notes[0], "compile_commands.json can't be read") {
		t.Errorf("notes %q", notes)
	}
}

func TestRecordRoundTrip(t *testing.T) {
	r := foreign("a\n\x00b", "sm_90", time.Date(2026, 3, 1, 12, 0, 0, 5, time.UTC), "\xff\x00 bytes\nwithout an end")
	data, err := r.encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, back); diff != "" {
		t.Errorf("(-written +read):\n%s", diff)
	}
	// No byte of it can change unnoticed.
	for i := range data {
		bad := bytes.Clone(data)
		bad[i] ^= 1
		if _, err := decode(bad); err == nil {
			t.Fatalf("a flip in byte %d (%q) is not noticed", i, data[i])
		}
	}
}

// FuzzDecode: a record is untrusted input.
func FuzzDecode(f *testing.F) {
	data, err := foreign("a", "sm_90", time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), scaleLog).encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("occlint-record 1 \n{}\n"))
	f.Add([]byte("occlint-record 9 x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decode(data)
		if err == nil && len(r.Outputs) == 0 {
			t.Error("a record without outputs")
		}
	})
}

// BenchmarkLoad reads the records of a build of 1000 files with 8 kernels each.
func BenchmarkLoad(b *testing.B) {
	s := store{filepath.Join(b.TempDir(), DirName)}
	if err := s.open(); err != nil {
		b.Fatal(err)
	}
	ended := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i := range 1000 {
		if err := s.end(foreign(fmt.Sprint("unit", i), "sm_90", ended, strings.Repeat(scaleLog, 8))); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		log := &parse.Log{}
		if _, err := Load(log, []string{s.dir}, s.dir); err != nil || log.Len() != 8000 {
			b.Fatal(log.Len(), err)
		}
	}
}
