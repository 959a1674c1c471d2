package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// scaleLog is what nvcc 12.4 -arch=sm_90 -Xptxas -v -c prints for the source
// of that name in examples/cmake.
const scaleLog = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z5scalePf' for 'sm_90'
ptxas info    : Function properties for _Z5scalePf
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers
`

// project makes a directory with scale.cu, which includes scale.cuh, and its log.
func project(t *testing.T) string {
	t.Helper()
	tools(t)
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "scale.cu"), "#include \"scale.cuh\"\n__global__ void scale(float*) {}\n")
	writeFile(t, filepath.Join(dir, "scale.cuh"), "#pragma once\n")
	writeFile(t, filepath.Join(dir, "replay/scale.log"), scaleLog)
	return dir
}

var compileScale = words("nvcc -arch=sm_90 -maxrregcount 32 -MD -c scale.cu -o scale.o")

// load reads the records of dirs, named from root.
func load(t *testing.T, root string, dirs ...string) (*parse.Log, []string) {
	t.Helper()
	log := &parse.Log{}
	loaded, err := Load(log, dirs, root)
	if err != nil {
		t.Fatal(err)
	}
	return log, loaded.Notes
}

// faults lists the texts of a log's faults.
func faults(log *parse.Log) string {
	var texts []string
	for _, f := range log.Faults {
		texts = append(texts, f.Place.File+": "+f.Text)
	}
	return strings.Join(texts, "\n")
}

func kernelNames(log *parse.Log) string {
	var names []string
	for _, k := range log.Kernels() {
		names = append(names, k.Name)
	}
	return strings.Join(names, " ")
}

func TestWrapKeepsRecord(t *testing.T) {
	dir := project(t)
	code, stdout, stderr := wrapped(dir, compileScale...)
	if code != 0 || stdout != "" || stderr != "" {
		t.Fatalf("exit %d, stdout %q, stderr %q; want 0 and silence", code, stdout, stderr)
	}
	log, notes := load(t, dir, dir)
	if log.Len() != 1 || len(log.Faults) != 0 || len(notes) != 0 {
		t.Fatalf("got %+v, notes %q; want one kernel and no fault", log, notes)
	}
	k := log.Kernel(0)
	if source := log.Compilations[k.Compilation].Source; source != "scale.cu" {
		t.Errorf("source %q, want scale.cu", source)
	}
	// The place is a line of the record file as an editor shows it.
	lines := strings.Split(readFile(t, filepath.Join(dir, k.Place.File)), "\n")
	if got := lines[k.Place.Line-1]; got != "ptxas info    : Compiling entry function '_Z5scalePf' for 'sm_90'" {
		t.Errorf("%s:%d is %q", k.Place.File, k.Place.Line, got)
	}
	if regs, _ := k.Registers.Value(); regs != 24 {
		t.Errorf("registers %v, want 24", k.Registers)
	}

	r := onlyRecord(t, filepath.Join(dir, DirName))
	home := canonical(dir, ".")
	want := &Record{
		State: stateRecorded, Outputs: []string{filepath.Join(home, "scale.o")}, Sources: []string{filepath.Join(home, "scale.cu")},
		Dir: home, Records: filepath.Join(home, DirName), Command: compileScale, Step: "compile", Arch: []string{"sm_90"},
		Flags: []string{"--gpu-architecture=sm_90", "--maxrregcount=32"}, Tool: Compiler{"nvcc", "13.0.88"},
		Headers: []string{filepath.Join(dir, "scale.cuh")}, Log: []byte(scaleLog),
		Started: r.Started, Ended: r.Ended, Object: r.Object, Inputs: r.Inputs, HeaderState: r.HeaderState,
	}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Errorf("record (-want +got):\n%s", diff)
	}
	if r.Ended.Before(r.Started) || len(r.Object) != 1 || r.Object[0].Bytes == 0 {
		t.Errorf("%+v", r)
	}
	if ignored := readFile(t, filepath.Join(dir, DirName, ".gitignore")); ignored != "*\n" {
		t.Errorf(".gitignore %q", ignored)
	}
}

// onlyRecord reads the one record of a directory, and fails on any other file
// that should not be there.
func onlyRecord(t *testing.T, dir string) *Record {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var only *Record
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case recordExt:
			if only != nil {
				t.Fatalf("more than one record: %v", entries)
			}
			if only, err = (store{dir}).read(e.Name()); err != nil {
				t.Fatal(err)
			}
		case ".version", ".gitignore":
		default:
			t.Errorf("%s is left over", e.Name())
		}
	}
	if only == nil {
		t.Fatal("no record")
	}
	return only
}

// TestWrapShowsMessages: the compiler's own words reach the user, and its
// resource lines only when asked for.
func TestWrapShowsMessages(t *testing.T) {
	dir := project(t)
	t.Setenv("FAKENVCC_NOISE", "2")
	code, _, stderr := wrapped(dir, compileScale...)
	if code != 0 || strings.Count(stderr, "warning: unused variable") != 2 || strings.Contains(stderr, "ptxas info") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	if r := onlyRecord(t, filepath.Join(dir, DirName)); !strings.Contains(string(r.Log), "unused variable") {
		t.Errorf("the record lacks the warning: %s", r.Log)
	}
	var shown strings.Builder
	w := &Wrap{Args: compileScale, Dir: dir, Env: os.Environ(), Stdin: strings.NewReader(""), Stdout: &shown, Stderr: &shown, ShowResources: true}
	if w.Run() != 0 || !strings.Contains(shown.String(), "Used 24 registers") {
		t.Errorf("with all lines: %q", shown.String())
	}
}

// TestWrapUnendedLine: a wrapper script's last word without a newline is no cut
// record.
func TestWrapUnendedLine(t *testing.T) {
	dir := project(t)
	script := filepath.Join(dir, "bin", "nvcc_wrapper")
	writeFile(t, script, "#!/bin/sh\nnvcc \"$@\" && printf Done >&2\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := wrapped(dir, append([]string{script}, compileScale[1:]...)...)
	log, _ := load(t, dir, dir)
	if code != 0 || stderr != "Done" || len(log.Faults) != 0 || kernelNames(log) != "_Z5scalePf" {
		t.Errorf("exit %d, %q, faults %q", code, stderr, faults(log))
	}
}

// TestWrapFailingCompiler: exit code and message are the compiler's, and the
// set of records says that one is missing.
func TestWrapFailingCompiler(t *testing.T) {
	dir := project(t)
	writeFile(t, filepath.Join(dir, "bad.cu"), "\n#error no such luck\n")
	code, _, stderr := wrapped(dir, words("nvcc -arch=sm_90 -c bad.cu -o bad.o")...)
	if code != 2 || !strings.HasPrefix(stderr, "bad.cu(2): error: #error directive: no such luck\n") || strings.Contains(stderr, "occlint") {
		t.Errorf("exit %d, stderr %q", code, stderr)
	}
	log, _ := load(t, dir, dir)
	if got := faults(log); !strings.Contains(got, "bad.cu: the record of bad.o is missing: its compilation at ") || !strings.Contains(got, "failed") {
		t.Errorf("faults: %s", got)
	}
	// Repaired, it is whole again; taken out of the build, it is forgotten.
	writeFile(t, filepath.Join(dir, "bad.cu"), "\n")
	if code, _, stderr := wrapped(dir, words("nvcc -arch=sm_90 -c bad.cu -o bad.o")...); code != 0 {
		t.Fatalf("exit %d, %s", code, stderr)
	}
	if log, notes := load(t, dir, dir); len(log.Faults) != 0 || len(notes) != 0 {
		t.Errorf("after the repair: %s, %q", faults(log), notes)
	}
	writeFile(t, filepath.Join(dir, "bad.cu"), "\n#error again\n")
	wrapped(dir, words("nvcc -arch=sm_90 -c bad.cu -o bad.o")...)
	for _, f := range []string{"bad.cu", "bad.o"} {
		if err := os.Remove(filepath.Join(dir, f)); err != nil {
			t.Fatal(err)
		}
	}
	wrapped(dir, compileScale...)
	if log, _ := load(t, dir, dir); len(log.Faults) != 0 || kernelNames(log) != "_Z5scalePf" {
		t.Errorf("after the removal: %s", faults(log))
	}
}

func TestWrapCompilerThatNeverRan(t *testing.T) {
	dir := t.TempDir()
	code, _, stderr := wrapped(dir, "/no/such/nvcc", "-c", "a.cu", "-o", "a.o")
	if code != 127 || stderr != "occlint: error: cannot run \"/no/such/nvcc\": no such file or directory\n" {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

// TestWrapCompilerKilled: the code of the signal is passed on and the record is
// known to be missing.
func TestWrapCompilerKilled(t *testing.T) {
	dir := project(t)
	t.Setenv("FAKENVCC_DIE", "scale")
	code, _, stderr := wrapped(dir, compileScale...)
	if code != 137 || !strings.Contains(stderr, "occlint: error: nvcc was ended by signal 9 (SIGKILL)") {
		t.Errorf("exit %d, %q", code, stderr)
	}
	log, _ := load(t, dir, dir)
	if got := faults(log); !strings.Contains(got, "the record of scale.o is missing") {
		t.Errorf("faults %q", got)
	}
}

// TestWrapWithoutRecord: what has nothing to record leaves nothing behind.
func TestWrapWithoutRecord(t *testing.T) {
	dir := project(t)
	for _, args := range []string{
		"nvcc --version", "nvcc -E scale.cu", "nvcc -M scale.cu", "nvcc -ptx scale.cu", "nvcc -arch=sm_90 -c scale.cu -o /dev/null",
		"echo ar qc lib.a", "nvcc",
	} {
		_, wantOut, wantErr := plain(t, dir, args)
		_, stdout, stderr := wrapped(dir, words(args)...)
		if stdout != wantOut || stderr != wantErr {
			t.Errorf("%s: %q, %q; alone it prints %q, %q", args, stdout, stderr, wantOut, wantErr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, DirName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("records were kept: %v", err)
	}
}

// plain runs a command without occlint.
func plain(t *testing.T, dir, args string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	c := Command{Args: words(args), Dir: dir}
	status, err := c.direct(&out, &errs)
	if err != nil {
		t.Fatal(err)
	}
	return status.ExitCode(), out.String(), errs.String()
}

// TestWrapCannotStore: a record that can't be kept costs a warning, never the
// build.
func TestWrapCannotStore(t *testing.T) {
	dir := project(t)
	t.Run("a file in the place of the directory", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "file"), "")
		var errs strings.Builder
		w := &Wrap{Args: compileScale, Dir: dir, Env: os.Environ(), Records: "file/records", Stdin: strings.NewReader(""), Stdout: &errs, Stderr: &errs}
		if code := w.Run(); code != 0 || !exists(filepath.Join(dir, "scale.o")) {
			t.Errorf("exit %d, or no object", code)
		}
		want := "occlint: warning: no record of scale.o: cannot write to the record directory " + filepath.Join(dir, "file/records")
		if !strings.HasPrefix(errs.String(), want) || !strings.Contains(errs.String(), "not a directory") {
			t.Errorf("said %q, want %q", errs.String(), want)
		}
	})
	t.Run("names are only names", func(t *testing.T) {
		var errs strings.Builder
		args := words("nvcc -arch=sm_90 -c scale.cu -o")
		w := &Wrap{Args: append(args, "a\x1b[2J.o"), Dir: dir, Env: os.Environ(), Records: "file/records", Stdin: strings.NewReader(""), Stdout: &errs, Stderr: &errs}
		if code := w.Run(); code != 0 || strings.Contains(errs.String(), "\x1b") || !strings.Contains(errs.String(), "[2J.o: cannot write") {
			t.Errorf("exit %d, said %q", code, errs.String())
		}
	})
	t.Run("a failing compiler", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "bad.cu"), "#error x\n")
		var errs strings.Builder
		w := &Wrap{Args: words("nvcc -c bad.cu"), Dir: dir, Env: os.Environ(), Records: "file/records", Stdin: strings.NewReader(""), Stdout: &errs, Stderr: &errs}
		if code := w.Run(); code != 2 || strings.Contains(errs.String(), "occlint") {
			t.Errorf("exit %d, said %q; want the compiler's 2 and its words alone", code, errs.String())
		}
	})
}

// TestWrapFullDisk: a file size limit stands for the full disk. It is above
// what the stand-in's object needs and below what the record needs.
func TestWrapFullDisk(t *testing.T) {
	dir := project(t)
	bin := filepath.Dir(mustLookPath(t, "wrap"))
	code, _, stderr := plain(t, dir, "true")
	if code != 0 {
		t.Skip(stderr)
	}
	long := strings.Repeat(scaleLog, 20)
	writeFile(t, filepath.Join(dir, "replay/scale.log"), long)
	var out, errs strings.Builder
	c := Command{
		Args: []string{"sh", "-c", "ulimit -f 2; exec " + filepath.Join(bin, "wrap") + " " + strings.Join(compileScale, " ")},
		Dir:  dir,
	}
	status, err := c.direct(&out, &errs)
	if err != nil {
		t.Skipf("no shell: %v", err)
	}
	if status.ExitCode() != 0 || !exists(filepath.Join(dir, "scale.o")) {
		t.Fatalf("%s, %s", status, errs.String())
	}
	if !strings.Contains(errs.String(), "no record of scale.o") || !strings.Contains(errs.String(), "file too large") {
		t.Errorf("said %q", errs.String())
	}
	entries, _ := os.ReadDir(filepath.Join(dir, DirName))
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), temporaryExt) || strings.HasSuffix(e.Name(), recordExt) {
			t.Errorf("%s is left over", e.Name())
		}
	}
	// That the record is missing does not get lost.
	if log, _ := load(t, dir, dir); !strings.Contains(faults(log), "the record of scale.o is missing") {
		t.Errorf("faults: %s", faults(log))
	}
}

func mustLookPath(t *testing.T, name string) string {
	t.Helper()
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if path := filepath.Join(dir, name); exists(path) {
			return path
		}
	}
	t.Fatalf("%s is not in PATH", name)
	return ""
}

// TestWrapSilentCache: a cache that replays an object without its messages is
// found out.
func TestWrapSilentCache(t *testing.T) {
	dir := project(t)
	// Stands for a cache whose entry was stored without resource usage.
	writeFile(t, filepath.Join(dir, "bin/ccache"), "#!/bin/sh\nexec \"$@\" 2>/dev/null\n")
	if err := os.Chmod(filepath.Join(dir, "bin/ccache"), 0o755); err != nil {
		t.Fatal(err)
	}
	cached := append([]string{filepath.Join(dir, "bin/ccache")}, compileScale...)
	code, _, stderr := wrapped(dir, cached...)
	if code != 0 || !strings.HasPrefix(stderr, "occlint: warning: scale.o has no record: ccache returned it without the compiler's resource usage") {
		t.Errorf("exit %d, %q", code, stderr)
	}
	log, _ := load(t, dir, dir)
	if got := faults(log); !strings.HasPrefix(got, "scale.cu: scale.o has no record: ccache returned it without") || log.Len() != 0 {
		t.Errorf("faults %q, kernels %+v", got, kernelNames(log))
	}
	// Once recorded, the very same object keeps its record.
	if code, _, _ := wrapped(dir, compileScale...); code != 0 {
		t.Fatal(code)
	}
	code, _, stderr = wrapped(dir, cached...)
	if log, _ := load(t, dir, dir); code != 0 || stderr != "" || len(log.Faults) != 0 || log.Len() != 1 {
		t.Errorf("exit %d, %q, %s", code, stderr, faults(log))
	}
	// Another object does not.
	writeFile(t, filepath.Join(dir, "scale.cu"), "// another\n")
	if _, _, stderr = wrapped(dir, cached...); !strings.Contains(stderr, "has no record") {
		t.Errorf("a new object kept the old record: %q", stderr)
	}
}

// TestWrapDeviceLink: the record of a linker, with its inputs in a response file.
func TestWrapDeviceLink(t *testing.T) {
	dir := project(t)
	writeFile(t, filepath.Join(dir, "replay/dl.log"), "nvlink info    : 0 bytes gmem\nnvlink info    : Function properties for '_Z5scalePf':\nnvlink info    : used 171 registers, 0 stack, 0 bytes smem, 536 bytes cmem[0], 0 bytes lmem\n")
	writeFile(t, filepath.Join(dir, "objects"), "scale.o\n")
	t.Setenv("FAKENVCC_LOGS", filepath.Join(dir, "replay"))
	for _, args := range []string{"nvcc -arch=sm_90 -dc scale.cu -o scale.o", "nvcc -arch=sm_90 -dlink -optf objects -o dl.o"} {
		if code, stdout, stderr := wrapped(dir, words(args)...); code != 0 || stdout+stderr != "" {
			t.Fatalf("%s: exit %d, %q%q", args, code, stdout, stderr)
		}
	}
	log, _ := load(t, dir, dir)
	var got []string
	for _, k := range log.Kernels() {
		got = append(got, fmt.Sprint(k.Stage, " ", k.Registers))
	}
	if want := []string{"nvlink 171", "ptxas 24"}; !cmp.Equal(got, want) || len(log.Faults) != 0 {
		t.Errorf("%q, want %q; faults %s", got, want, faults(log))
	}
}
