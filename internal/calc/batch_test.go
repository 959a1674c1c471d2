package calc_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
)

// TestBatchReference runs the reference file itself as a batch: what is added
// must equal what the file says.
func TestBatchReference(t *testing.T) {
	reference, err := os.ReadFile(filepath.Join("..", "..", "testdata", "occupancy", "reference-sample.csv"))
	if err != nil {
		t.Fatal(err)
	}
	// Its columns have the names of those that are added, and registers that
	// play no part are 0.
	header, rest, _ := strings.Cut(string(reference), "\n")
	header = strings.NewReplacer(",blocks", ",want_blocks", ",limit_", ",want_").Replace(header)
	noRegisters := regexp.MustCompile(`(?m)^(\w+,\d+),0,`)
	f := strings.NewReader(header + "\n" + noRegisters.ReplaceAllString(rest, "$1,-,"))
	var out bytes.Buffer
	b := calc.Batch{Table: arch.Builtin(), File: "reference", OnError: func(err error) { t.Error(err) }}
	if n, bad, err := b.Run(&out, f); n != 9200 || bad != 0 || err != nil {
		t.Fatalf("%d rows, %d bad, %v", n, bad, err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	// arch,threads,registers,shared_bytes,barriers,blocks,limit_warps … limit_barriers,
	// registers_per_block,shared_bytes_per_block, then what is added.
	for i, row := range rows[1:] {
		if row[5] != row[13] || !slices.Equal(row[6:11], row[15:20]) {
			t.Errorf("row %d: %v", i+2, row)
		}
	}
}

func TestBatchBadRows(t *testing.T) {
	in := "\ufeffnote,shared_bytes,arch,threads,registers\n" + // a BOM, another order, no barriers
		"ok,16384,sm_90,256,40\n" +
		"unknown,0,sm_99,256,40\n" +
		"word,0,sm_90,many,40\n" +
		"short,0,sm_90\n" +
		"zero,0,sm_90,0,40\n" +
		"negative,-1,sm_90,32,40\n" +
		"long,0,sm_90,32,40,5,6\n" +
		"none,0,sm_90,32,0\n" +
		"huge,1GiB,sm_90,32,9999999999\n" +
		"size,16KiB,sm_90,256,40\n" +
		"\"a\nb\",0,9.0,32,-\n" // a cell of two lines; registers not known
	var out bytes.Buffer
	var errs []string
	b := calc.Batch{Table: arch.Builtin(), File: "f.csv", OnError: func(err error) { errs = append(errs, err.Error()) }}
	n, bad, err := b.Run(&out, strings.NewReader(in))
	if n != 11 || bad != 8 || err != nil {
		t.Fatalf("%d rows, %d bad, %v", n, bad, err)
	}
	want := "note,shared_bytes,arch,threads,registers,blocks,warps,limit_warps,limit_blocks,limit_registers,limit_shared,limit_barriers\n" +
		"ok,16384,sm_90,256,40,6,48,8,32,6,13,-\n" +
		"unknown,0,sm_99,256,40,,,,,,,\n" +
		"word,0,sm_90,many,40,,,,,,,\n" +
		"short,0,sm_90,,,,,,,,,\n" +
		"zero,0,sm_90,0,40,,,,,,,\n" +
		"negative,-1,sm_90,32,40,,,,,,,\n" +
		"long,0,sm_90,32,40,,,,,,,\n" +
		"none,0,sm_90,32,0,,,,,,,\n" +
		"huge,1GiB,sm_90,32,9999999999,,,,,,,\n" +
		"size,16KiB,sm_90,256,40,6,48,8,32,6,13,-\n" +
		"\"a\nb\",0,9.0,32,-,32,32,64,32,-,228,-\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i, prefix := range []string{
		`f.csv:3: unknown architecture "sm_99"`, `f.csv:4: threads: "many" is not a whole number`, "f.csv:5: 3 cells, and the header has 5",
		"f.csv:6: threads: 0, want 1 or more", "f.csv:7: shared_bytes: \"-1\" is out of range",
		"f.csv:8: 7 cells, and the header has 5", "f.csv:9: registers: 0, want 1 or more, or - where", "f.csv:10: registers: 9999999999, want 0 to 1073741824",
	} {
		if i >= len(errs) || !strings.HasPrefix(errs[i], prefix) {
			t.Errorf("errors = %q, want %q at %d", errs, prefix, i)
		}
	}
}

func TestBatchHeader(t *testing.T) {
	for in, want := range map[string]string{
		"": "f.csv: empty; the first line names the columns: arch,threads,registers,shared_bytes,barriers",
		"arch,threads,registers,shared_bytes,threads\n":        "f.csv:1: the header has threads more than once",
		"arch,threads,registers,shared_bytes,warps,blocks\n":   "f.csv:1: the header has blocks, warps, which a batch adds: rename",
		"arch,threads,registers,shared_bytes\rsm_90,1,1,1\r":   "f.csv:1: the lines end with CR alone",
		"\n\narch,\"threads,registers\nsm_90,1,1,1\n":          "f.csv:3: a quote is opened and never closed",
		strings.Repeat("arch,threads,registers,shared", 1<<16): "f.csv:1: the line is longer than 1048576 bytes",
		"arch,threads\nsm_90,1\n":                              "f.csv:1: the header lacks registers, shared_bytes; it needs arch,threads,",
	} {
		b := calc.Batch{Table: arch.Builtin(), File: "f.csv"}
		if _, _, err := b.Run(&bytes.Buffer{}, strings.NewReader(in)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error = %v, want %q", in, err, want)
		}
	}
}

// TestBatchQuotes: a row that is no CSV is reported where it starts and keeps
// what can be told of its cells, and the rows after it are computed.
func TestBatchQuotes(t *testing.T) {
	const header = "arch,threads,registers,shared_bytes,barriers"
	good := func(n int) string { return strings.Repeat("sm_90,32,16,0,16\n", n) }
	// 128 warps of 512 registers, 228 blocks of 1024 bytes, 64/16 barriers.
	computed := func(n int) string { return strings.Repeat("sm_90,32,16,0,16,4,4,64,32,128,228,4\n", n) }
	for _, tt := range []struct {
		name, in, want string
		rows, bad      int64
		errs           []string
	}{
		{"text behind a quote", "sm_90,\"a\"b,1,1,1\n" + good(2), "sm_90,\"\"\"a\"\"b\",1,1,1,,,,,,,\n" + computed(2), 3, 1,
			[]string{`f.csv:2: text follows the closing quote (") of a cell`}},
		{"a quote within", good(1) + "sm_90,3\"2,1,1,1\n" + good(1), computed(1) + "sm_90,\"3\"\"2\",1,1,1,,,,,,,\n" + computed(1), 3, 1,
			[]string{`f.csv:3: a quote (") stands within a cell`}},
		{"never closed", good(1) + "sm_90,\"32,16,0,16\n" + good(3), computed(1) + "sm_90,\"\"\"32\",16,0,16,,,,,,,\n" + computed(3), 5, 1,
			[]string{"f.csv:3: a quote is opened and never closed"}},
		{"closed by the next that is never closed", "\"sm_90,32,16,0,16\n" + good(1) + "\"sm_90,32,16,0,16\n" + good(1),
			"\"\"\"sm_90\",32,16,0,16,,,,,,,\n" + computed(1) + "\"\"\"sm_90\",32,16,0,16,,,,,,,\n" + computed(1), 4, 2,
			[]string{`f.csv:2: a quote is opened, and in line 4: text follows the closing quote`, "f.csv:4: a quote is opened and never closed"}},
		{"quoted cells", "\"sm_90\",\"32\",16,\"0\",\"16\"\r\n\r\n" + good(1), computed(2), 2, 0, nil},
		{"the end without a newline", strings.TrimSpace(good(2)), computed(2), 2, 0, nil},
		{"a long line", good(1) + "sm_90,32,16,0," + strings.Repeat("1", 1<<20) + "\n" + good(1), computed(1) + ",,,,,,,,,,,\n" + computed(1), 3, 1,
			[]string{"f.csv:3: the line is longer than 1048576 bytes"}},
		{"a long cell of many lines", "sm_90,\"" + strings.Repeat(strings.Repeat("x", 1<<18)+"\n", 5) + good(1), "", 6, 5,
			[]string{"f.csv:2: a quote is opened and not closed within 1048576 bytes", "f.csv:3: 1 cells, and"}},
	} {
		var out bytes.Buffer
		var errs []string
		b := calc.Batch{Table: arch.Builtin(), File: "f.csv", OnError: func(err error) { errs = append(errs, err.Error()) }}
		n, bad, err := b.Run(&out, strings.NewReader(header+"\n"+tt.in))
		if n != tt.rows || bad != tt.bad || err != nil {
			t.Errorf("%s: %d rows, %d bad, %v; want %d, %d", tt.name, n, bad, err, tt.rows, tt.bad)
		}
		_, got, _ := strings.Cut(out.String(), "\n")
		if tt.want == "" { // too long to be shown
			tt.want, got = computed(1), got[max(0, len(got)-len(computed(1))):]
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		for i, prefix := range tt.errs {
			if i >= len(errs) || !strings.HasPrefix(errs[i], prefix) {
				t.Errorf("%s: errors %q, want %q at %d", tt.name, errs, prefix, i)
			}
		}
	}
}

// TestBatchMemory: a line of 64 MiB is passed over, not kept.
func TestBatchMemory(t *testing.T) {
	in := io.MultiReader(strings.NewReader("arch,threads,registers,shared_bytes\n\""), io.LimitReader(zeros{}, 64<<20), strings.NewReader("\nsm_90,32,16,0\n"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b := calc.Batch{Table: arch.Builtin(), File: "f.csv"}
	if n, bad, err := b.Run(io.Discard, in); n != 2 || bad != 1 || err != nil {
		t.Errorf("%d rows, %d bad, %v", n, bad, err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 16<<20 {
		t.Errorf("%d bytes allocated", used)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// TestBatchWriteError: an error of writing is told once.
func TestBatchWriteError(t *testing.T) {
	b := calc.Batch{Table: arch.Builtin(), File: "f.csv"}
	_, _, err := b.Run(full{}, strings.NewReader("arch,threads,registers,shared_bytes\nsm_90,32,16,0\n"))
	if err == nil || err.Error() != "no space" {
		t.Errorf("error = %v, want it once", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

func BenchmarkBatch(b *testing.B) {
	var in strings.Builder
	in.WriteString("arch,threads,registers,shared_bytes,barriers\n")
	for i := range 10000 {
		fmt.Fprintf(&in, "sm_90,%d,%d,%d,%d\n", 1+i%1024, 1+i%255, i*23%232448, i%17)
	}
	batch := calc.Batch{Table: arch.Builtin(), File: "f.csv"}
	b.SetBytes(int64(in.Len()))
	for b.Loop() {
		if _, bad, err := batch.Run(&bytes.Buffer{}, strings.NewReader(in.String())); bad != 0 || err != nil {
			b.Fatal(bad, err)
		}
	}
}

// FuzzBatch: whatever the file, each row is computed or reported, and what is
// written is CSV again with the added columns.
func FuzzBatch(f *testing.F) {
	f.Add("arch,threads,registers,shared_bytes,barriers\nsm_90,256,40,16384,1\nsm_99,1,1,1,1\n")
	f.Add("\ufeffnote,shared_bytes,arch,threads,registers\n\"a\nb\",0,9.0,32,-\nx,1\n")
	f.Add("arch,threads,registers,shared_bytes\nsm_90,\"a\"b,1,1\nsm_120f,1024,255,999999999\n")
	f.Add("arch,arch,threads,registers,shared_bytes\n\n\r\nsm_90,sm_80,1,1,1\r\n")
	table := arch.Builtin()
	f.Fuzz(func(t *testing.T, in string) {
		var out bytes.Buffer
		reported := int64(0)
		b := calc.Batch{Table: table, File: "f.csv", OnError: func(error) { reported++ }}
		rows, bad, err := b.Run(&out, strings.NewReader(in))
		if reported != bad || bad > rows {
			t.Fatalf("%d rows, %d bad, %d reported", rows, bad, reported)
		}
		if err != nil {
			return
		}
		r := csv.NewReader(&out)
		written, err := r.ReadAll() // each row as long as the header
		if err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		if n := int64(len(written)) - 1; n != rows {
			t.Fatalf("%d rows read, %d bad, %d written", rows, bad, n)
		}
	})
}
