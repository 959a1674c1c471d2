package parse_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// kinds names the records of a log with their lines, kind by kind.
func kinds(l *parse.Log) []string {
	var got []string
	for _, c := range l.Compilations {
		got = append(got, fmt.Sprintf("%d module %d", c.Place.Line, c.Index))
	}
	for _, k := range l.Kernels() {
		got = append(got, fmt.Sprintf("%d kernel %s", k.Place.Line, k.Name))
	}
	for _, r := range l.Remarks {
		got = append(got, fmt.Sprintf("%d remark %s", r.Place.Line, r.Kernel))
	}
	for _, f := range l.Faults {
		got = append(got, fmt.Sprintf("%d fault %s", f.Place.Line, f.Kind))
	}
	return got
}

func TestReadInOrder(t *testing.T) {
	const log = `ptxas warning : Value of threads per SM for entry b is out of range. .minnctapersm will be ignored
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'a' for 'sm_80'
ptxas info    : Function properties for a
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers
k.cu(3): error: expected a ";"
ptxas info    : Compiling entry function 'b' for 'sm_80'
`
	l, err := parse.Read(strings.NewReader(log), "build.log")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"2 module 0", "3 kernel a", "8 kernel b", "1 remark b", "7 fault build-failed", "8 fault truncated"}
	if d := cmp.Diff(want, kinds(l)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestReadSeveralLogs(t *testing.T) {
	var l parse.Log
	for i, file := range []string{"nvcc13.0/rdc-a.log", "nvcc13.0/rdc-b.log", "nvcc13.0/rdc-link.log"} {
		f, err := os.Open(filepath.Join(corpus, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Read(f, file); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if n := len(l.Compilations); n != i+1 || l.Compilations[i].Index != i {
			t.Fatalf("after %s: %d compilations: %+v", file, n, l.Compilations)
		}
	}
	var got strings.Builder
	for _, kernel := range l.Kernels() {
		k := &kernel
		fmt.Fprintf(&got, "%s:%d %s in %d\n", k.Place.File, k.Place.Line, k.Name, k.Compilation)
	}
	const want = `nvcc13.0/rdc-a.log:2 _Z12calls_helperPf in 0
nvcc13.0/rdc-b.log:2 _Z6helperf in 1
nvcc13.0/rdc-b.log:5 _Z5otherf in 1
nvcc13.0/rdc-b.log:8 _Z11calls_otherPf in 1
nvcc13.0/rdc-link.log:2 _Z12calls_helperPf in 2
`
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if len(l.Faults) > 0 {
		t.Errorf("faults: %+v", l.Faults)
	}
}

func TestReadError(t *testing.T) {
	broken := errors.New("the disk is gone")
	const log = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'a' for 'sm_80'\n"
	l, err := parse.Read(io.MultiReader(strings.NewReader(log), iotest.ErrReader(broken)), "x.log")
	if !errors.Is(err, broken) {
		t.Errorf("the error is %v, want %v", err, broken)
	}
	// What was read before the error is kept.
	if d := cmp.Diff([]string{"1 module 0", "2 kernel a", "2 fault truncated"}, kinds(l)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if _, err := parse.Read(iotest.ErrReader(broken), "x.log"); !errors.Is(err, broken) {
		t.Errorf("the error of the first read is %v, want %v", err, broken)
	}
	stuck := readerFunc(func([]byte) (int, error) { return 0, nil })
	if err := new(parse.Log).Read(stuck, "x.log"); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader without progress: %v", err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// TestOnLine checks that every byte of a log comes through OnLine with its
// class.
func TestOnLine(t *testing.T) {
	const log = "make: Entering directory '/src'\n" +
		"ptxas info    : 0 bytes gmem\r\n" +
		"ptxas warning : Too many maxnreg specified for entry k, will be ignored\n" +
		"nvcc warning : something\n" +
		"\n" +
		"ptxas info    : Compiling entry function 'k' for 'sm_80'\n" +
		"ptxas info    : Function properties for k\n" +
		"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" +
		"ptxas info    : Used 8 registers,\n" +
		"   360 bytes cmem[0]\n" +
		"k.cu(3): error: expected a \";\"\n" +
		" Function k:\n" +
		"\x1b[1mlinking\x1b[0m\rdone"
	var raw strings.Builder
	var classes []parse.LineClass
	var l parse.Log
	err := l.Read(iotest.OneByteReader(strings.NewReader(log)), "x.log", parse.OnLine(func(line parse.Line) {
		raw.Write(line.Raw)
		classes = append(classes, line.Class)
	}))
	if err != nil {
		t.Fatal(err)
	}
	if raw.String() != log {
		t.Errorf("the lines are %q", raw.String())
	}
	const other, resource, remark = parse.LineOther, parse.LineResource, parse.LineMessage
	want := []parse.LineClass{other, resource, remark, remark, other, resource, resource, resource, resource, resource, other, resource, other}
	if d := cmp.Diff(want, classes); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestOnLineAtOnce checks that a line comes through before the next one is
// written, as someone who watches a build expects: at its beginning, and after
// so much output that the reader has begun to read in large pieces.
func TestOnLineAtOnce(t *testing.T) {
	r, w := io.Pipe()
	seen := make(chan string, 1)
	go func() {
		var l parse.Log
		_ = l.Read(r, "x.log", parse.OnLine(func(line parse.Line) { seen <- string(line.Raw) }))
		close(seen)
	}()
	write := func(text string) {
		t.Helper()
		go func() { _, _ = io.WriteString(w, text) }()
		for line := range strings.Lines(text) {
			select {
			case got := <-seen:
				if got != line {
					t.Fatalf("saw %q, want %q", got, line)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("%q did not come through", line)
			}
		}
	}
	const record = "ptxas info    : Compiling entry function 'k' for 'sm_80'\nptxas info    : Function properties for k\n" +
		"    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 8 registers\n"
	write("[1/2] Building CUDA object k.o\n")
	for line := range strings.Lines("ptxas info    : 0 bytes gmem\n" + record) {
		write(line)
	}
	write(strings.Repeat("ptxas info    : 0 bytes gmem\n"+record, 20_000))
	for line := range strings.Lines("[2/2] Linking\n" + record) {
		write(line)
	}
	w.Close()
	if _, more := <-seen; more {
		t.Error("more lines than were written")
	}
}

func TestEncodingFaults(t *testing.T) {
	const log = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'k' for 'sm_80'\n"
	zip := zipped(log + log)
	utf := encode16("\ufeff"+log, false)
	for name, text := range map[string]string{
		"gzip, cut":                     zip[:len(zip)-6],
		"gzip, damaged":                 zip[:len(zip)/2] + "\x00\x00" + zip[len(zip)/2+2:],
		"gzip, header only":             zip[:5],
		"UTF-16, odd length":            utf + "\x00",
		"UTF-16, half a character":      utf + "\x00\xd8\n\x00",
		"UTF-16, UTF-8 appended":        utf + log,
		"UTF-8, UTF-16 appended":        log + encode16(log, false),
		"UTF-16, second half of a pair": utf + "\x00\xdc\n\x00",
	} {
		l := parseText(t, text)
		found := false
		for _, f := range l.Faults {
			found = found || f.Kind == parse.FaultEncoding
		}
		if !found {
			t.Errorf("%s: no encoding fault among %+v", name, l.Faults)
		}
	}
}
