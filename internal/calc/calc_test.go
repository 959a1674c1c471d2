package calc_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
	"github.com/occlint/occlint/internal/term"
)

func sm(t testing.TB, name string) *arch.SM {
	t.Helper()
	s, err := arch.Builtin().Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func subject(t testing.TB, name string, l arch.Launch) calc.Subject {
	return calc.Subject{Arch: name, SM: sm(t, name), Launch: l}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int{
		"0": 0, "16384": 16384, "16KiB": 16384, "1.5KiB": 1536, "1 MiB": 1 << 20, "100B": 100, "1GiB": 1 << 30,
	} {
		if got, err := calc.ParseBytes(text); err != nil || got != want {
			t.Errorf("ParseBytes(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"16KB":      "did you mean 16KiB?",
		"16k":       "did you mean 16KiB?",
		"2mb":       "did you mean 2MiB?",
		"":          "is not a size",
		"KiB":       "is not a size",
		"0x10":      "is not a size",
		"1e3":       "is not a size",
		"1_000":     "is not a size",
		"-1":        "out of range",
		"9999GiB":   "out of range",
		"0.3KiB":    "not a whole number of bytes",
		"1.5":       "not a whole number of bytes",
		"16 parsec": "is not a size",
		"Inf":       "is not a size",
	} {
		if _, err := calc.ParseBytes(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseBytes(%q): error = %v, want %q", text, err, want)
		}
	}
}

// TestSweepAgrees: each value of a sweep has the occupancy of its launch, and
// the points leave no gap.
func TestSweepAgrees(t *testing.T) {
	for _, name := range []string{"sm_30", "sm_53", "sm_60", "sm_75", "sm_86", "sm_90", "sm_120"} {
		s := sm(t, name)
		for _, l := range []arch.Launch{
			{Threads: 256, Registers: 40, SharedBytes: 16384, Barriers: 1},
			{Threads: 1000, Registers: 33, SharedBytes: 1, Barriers: arch.Unknown},
			{Threads: 33, Registers: 128, SharedBytes: 40000, Barriers: 16},
		} {
			for _, of := range []arch.Resource{arch.Registers, arch.Shared, arch.Warps} {
				sweep := calc.NewSweep(s, l, of)
				next := 1
				if of == arch.Shared {
					next = 0
				}
				for _, p := range sweep.Points {
					if p.From != next || p.To < p.From {
						t.Fatalf("%s %s: a point from %d to %d, want from %d", name, of, p.From, p.To, next)
					}
					next = p.To + 1
					for _, v := range []int{p.From, (p.From + p.To) / 2, p.To} {
						if want := s.Occupancy(l.With(of, v)); want.Blocks != p.Blocks || want.Limiters != p.Limiters || want.Warps != p.Warps {
							t.Fatalf("%s %s: %d has %d blocks (%s), the sweep says %d (%s)", name, of, v, want.Blocks, want.Limiters, p.Blocks, p.Limiters)
						}
					}
				}
				most := map[arch.Resource]int{arch.Registers: s.RegistersPerThread, arch.Shared: s.SharedBytesPerBlock, arch.Warps: s.ThreadsPerBlock}[of]
				if sweep.Most() != most || sweep.Now != l.Of(of) {
					t.Fatalf("%s %s: ends at %d, now %d; want %d, %d", name, of, sweep.Most(), sweep.Now, most, l.Of(of))
				}
			}
		}
	}
}

// TestSweepSteps: by hand, 256 threads on sm_90. 16384 registers in each of 4
// parts; 8 warps a block: 2 warps in each part make a block.
func TestSweepSteps(t *testing.T) {
	sweep := calc.NewSweep(sm(t, "sm_90"), arch.Launch{Threads: 256, Registers: 40}, arch.Registers)
	var got []string
	for _, p := range sweep.Points {
		got = append(got, fmt.Sprintf("%d-%d:%d", p.From, p.To, p.Blocks))
	}
	want := []string{"1-24:8", "25-32:8", "33-40:6", "41-48:5", "49-64:4", "65-80:3", "81-128:2", "129-255:1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if p := sweep.At(40); p == nil || p.Blocks != 6 {
		t.Errorf("At(40) = %+v", p)
	}
	if p := sweep.At(256); p != nil {
		t.Errorf("At(256) = %+v, want nothing", p)
	}
}

func TestSuggest(t *testing.T) {
	r := calc.Request{Subjects: []calc.Subject{subject(t, "sm_90", arch.Launch{Threads: 256, Registers: 40})}, Suggest: true}
	s := r.Answers()[0].Suggest
	var sizes []int
	for _, b := range s.Best {
		sizes = append(sizes, b.Threads)
		if b.Warps != 48 {
			t.Errorf("%d threads have %d warps, want 48", b.Threads, b.Warps)
		}
	}
	// 12 warps in each of 4 parts: 48, by 2, 3, 4, 6, 8, 12, 16 and 24 warps.
	if want := []int{64, 96, 128, 192, 256, 384, 512, 768}; !slices.Equal(sizes, want) {
		t.Errorf("best = %v, want %v", sizes, want)
	}
	r.Blocks = 4
	s = r.Answers()[0].Suggest
	// 48/4 = 12 warps at most; with 9 there are 5.
	if len(s.ByBlocks) != 1 || s.ByBlocks[0].Smallest.Threads != 320 || s.ByBlocks[0].Largest.Threads != 384 {
		t.Errorf("for 4 blocks: %+v", s.ByBlocks)
	}
	r.Blocks = 7 // 48/7 = 6 warps have 8 blocks, 7 warps have 6
	if s = r.Answers()[0].Suggest; len(s.ByBlocks) != 0 {
		t.Errorf("for 7 blocks: %+v, want none", s.ByBlocks)
	}
	if got := calc.BestThreads(sm(t, "sm_30"), arch.Launch{Registers: 64}); got != 0 {
		t.Errorf("64 registers on sm_30: %d threads, want none", got)
	}
}

func TestBounds(t *testing.T) {
	r := calc.Request{
		Subjects: []calc.Subject{subject(t, "sm_90", arch.Launch{Threads: 256, Registers: 80})},
		Bounds:   &calc.Bounds{Threads: 256, MinBlocks: 4},
	}
	b := r.Answers()[0].Bounds
	if b.Registers != 64 || !b.Honoured || b.Over != 16 || b.WithRegisters != 64 || b.With.Blocks != 4 || b.Without.Blocks != 3 {
		t.Errorf("got %+v", b)
	}
	r.Subjects[0].Launch.Registers = arch.Unknown
	if b = r.Answers()[0].Bounds; b.Without != nil || b.Over != 0 || b.With.Blocks != 4 {
		t.Errorf("registers not known: %+v", b)
	}
}

func TestWaste(t *testing.T) {
	r := calc.Request{Subjects: []calc.Subject{subject(t, "sm_90", arch.Launch{Threads: 250, Registers: 41, SharedBytes: 16300})}}
	a := r.Answers()[0]
	// 8 warps × 48×32 = 12288 allocated, 250×41 = 10250 used. 16300+1024 =
	// 17324, allocated 17408. 5 blocks: 61440 of 65536, 87040 of 233472, 40 of 64.
	want := calc.Waste{Registers: 2038, ReservedBytes: 1024, RoundingBytes: 84, FreeRegisters: 4096, FreeSharedBytes: 146432, FreeWarps: 24}
	if diff := cmp.Diff(want, a.Waste()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMemoryOfAnotherArch(t *testing.T) {
	g, err := arch.Builtin().GPU("H100")
	if err != nil {
		t.Fatal(err)
	}
	r := calc.Request{
		Subjects: []calc.Subject{subject(t, "sm_80", arch.Launch{Threads: 256}), {Arch: "sm_90a", SM: sm(t, "sm_90a"), Launch: arch.Launch{Threads: 256}}},
		GPU:      g, BytesInFlight: 4, Grid: 1056,
	}
	a := r.Answers()
	if m := a[0].Memory; !m.OtherArch || m.Flight != nil || m.Waves != nil {
		t.Errorf("sm_80 on an H100: %+v", m)
	}
	if m := a[1].Memory; m.OtherArch || m.Flight.Have != 8192 || m.Waves.Count() != 1 {
		t.Errorf("sm_90a on an H100: %+v", m)
	}
}

func TestDraw(t *testing.T) {
	sweep := calc.NewSweep(sm(t, "sm_90"), arch.Launch{Threads: 256, Registers: 40}, arch.Registers)
	plain := sweep.Draw(&term.Style{Width: 40})
	for _, line := range plain {
		if strings.ContainsFunc(line, func(r rune) bool { return r > 126 }) {
			t.Errorf("%q has signs outside ASCII", line)
		}
		if len(line) > 40 {
			t.Errorf("%q is wider than 40 columns", line)
		}
	}
	if last := plain[len(plain)-1]; !strings.Contains(last, "^ now: 40, 75 %") {
		t.Errorf("the mark is %q", last)
	}
	// 100 % up to 32 registers: 32 columns for 255 registers, 8 each.
	if top := plain[0]; top != " 100 % |####" {
		t.Errorf("the top row is %q", top)
	}
	fine := strings.Join(sweep.Draw(&term.Style{Unicode: true}), "\n")
	if !strings.Contains(fine, "█") || !strings.Contains(fine, "▒") {
		t.Errorf("no blocks in\n%s", fine)
	}
	for _, of := range []arch.Resource{arch.Shared, arch.Warps} {
		for _, width := range []int{1, 20, 0} {
			s := calc.NewSweep(sm(t, "sm_90"), arch.Launch{Threads: 1024, Registers: 40, SharedBytes: 232448}, of)
			if lines := s.Draw(&term.Style{Width: width}); !strings.Contains(lines[len(lines)-1], "now: ") {
				t.Errorf("%s, %d columns: no mark below\n%s", of, width, strings.Join(lines, "\n"))
			}
		}
	}
}

func TestWriteJSON(t *testing.T) {
	g, err := arch.Builtin().GPU("H100")
	if err != nil {
		t.Fatal(err)
	}
	s := subject(t, "sm_90", arch.Launch{Threads: 256, Registers: arch.Unknown, Barriers: arch.Unknown})
	s.Kernel = "_Z1kPf"
	r := calc.Request{
		Subjects: []calc.Subject{s}, Sweeps: []arch.Resource{arch.Warps}, Suggest: true,
		Bounds: &calc.Bounds{Threads: 256, MinBlocks: 16}, GPU: g, BytesInFlight: 4, Grid: 100,
	}
	var b bytes.Buffer
	if err := calc.WriteJSON(&b, r.Answers()); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Schema  int
		Answers []map[string]any
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	a := got.Answers[0]
	for _, absent := range []string{"registers", "barriers"} {
		if _, ok := a[absent]; ok {
			t.Errorf("%s is not known and is %v", absent, a[absent])
		}
	}
	limits, _ := a["limits"].(map[string]any)
	if v, ok := limits["registers"]; !ok || v != nil {
		t.Errorf("limits.registers = %v, want null", v)
	}
	bounds, _ := a["launch_bounds"].(map[string]any)
	if got.Schema != 1 || a["demangled"] != "k(float*)" || a["blocks"] != 8.0 || bounds["honoured"] != false || bounds["register_cap"] != 255.0 {
		t.Errorf("got %s", b.String())
	}
	for _, part := range []string{"gpu", "sweeps", "suggest", "steps", "waste"} {
		if a[part] == nil {
			t.Errorf("%s is missing", part)
		}
	}
}

func TestWriteCSV(t *testing.T) {
	subjects := []calc.Subject{
		subject(t, "sm_80", arch.Launch{Threads: 256, Registers: 40, Barriers: arch.Unknown}),
		subject(t, "sm_90", arch.Launch{Threads: 256, Registers: 40, Barriers: 16}),
	}
	read := func(r calc.Request) [][]string {
		t.Helper()
		var b bytes.Buffer
		if err := calc.WriteCSV(&b, r.Answers()); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	rows := read(calc.Request{Subjects: subjects})
	if len(rows) != 3 || rows[0][1] != "arch" || rows[2][6] != "4" || rows[2][10] != "barriers" {
		t.Errorf("answers: %v", rows)
	}
	rows = read(calc.Request{Subjects: subjects, Sweeps: []arch.Resource{arch.Registers}})
	if strings.Join(rows[0], ",") != "kernel,arch,of,from,to,blocks,warps,percent,limiters,now" || rows[1][2] != "registers" {
		t.Errorf("sweep: %v", rows[:2])
	}
	rows = read(calc.Request{Subjects: subjects, Suggest: true})
	if rows[0][2] != "blocks" || len(rows) < 10 {
		t.Errorf("suggest: %v", rows)
	}
	two := calc.Request{Subjects: subjects, Sweeps: []arch.Resource{arch.Registers, arch.Shared}}
	if err := calc.WriteCSV(&bytes.Buffer{}, two.Answers()); !errors.Is(err, calc.ErrOneTable) {
		t.Errorf("two sweeps: error = %v", err)
	}
}

// TestBatchReference runs the reference file itself as a batch: what is added
// must equal what the file says.
func TestBatchReference(t *testing.T) {
	f, err := os.Open(filepath.Join("..", "..", "testdata", "occupancy", "reference-sample.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
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
		"\"a\nb\",0,9.0,32,-\n" // a cell of two lines; registers not known
	var out bytes.Buffer
	var errs []string
	b := calc.Batch{Table: arch.Builtin(), File: "f.csv", OnError: func(err error) { errs = append(errs, err.Error()) }}
	n, bad, err := b.Run(&out, strings.NewReader(in))
	if n != 7 || bad != 5 || err != nil {
		t.Fatalf("%d rows, %d bad, %v", n, bad, err)
	}
	want := "note,shared_bytes,arch,threads,registers,blocks,warps,limit_warps,limit_blocks,limit_registers,limit_shared,limit_barriers\n" +
		"ok,16384,sm_90,256,40,6,48,8,32,6,13,-\n" +
		"unknown,0,sm_99,256,40,,,,,,,\n" +
		"word,0,sm_90,many,40,,,,,,,\n" +
		"short,0,sm_90,,,,,,,,,\n" +
		"zero,0,sm_90,0,40,,,,,,,\n" +
		"negative,-1,sm_90,32,40,,,,,,,\n" +
		"\"a\nb\",0,9.0,32,-,32,32,64,32,-,228,-\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i, prefix := range []string{
		`f.csv:3: unknown architecture "sm_99"`, `f.csv:4: threads: "many" is not a whole number`, "f.csv:5: 3 cells, and the header has 5",
		"f.csv:6: threads: 0, want 1 or more", "f.csv:7: shared_bytes: -1, want 0 to",
	} {
		if i >= len(errs) || !strings.HasPrefix(errs[i], prefix) {
			t.Errorf("errors = %q, want %q at %d", errs, prefix, i)
		}
	}
}

func TestBatchHeader(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "f.csv: empty; the first line names the columns: arch,threads,registers,shared_bytes,barriers",
		"arch,threads\nsm_90,1\n": "f.csv:1: the header lacks registers, shared_bytes; it needs arch,threads,",
	} {
		b := calc.Batch{Table: arch.Builtin(), File: "f.csv"}
		if _, _, err := b.Run(&bytes.Buffer{}, strings.NewReader(in)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error = %v, want %q", in, err, want)
		}
	}
}

// TestBatchQuotes: a row that is no CSV is reported, and the rows after it are
// computed.
func TestBatchQuotes(t *testing.T) {
	in := "arch,threads,registers,shared_bytes,barriers\nsm_90,\"a\"b,1,1,1\nsm_90,32,16,0,16\n"
	var out bytes.Buffer
	b := calc.Batch{Table: arch.Builtin(), File: "f.csv"}
	n, bad, err := b.Run(&out, strings.NewReader(in))
	if n != 2 || bad != 1 || err != nil || !strings.HasSuffix(out.String(), "sm_90,32,16,0,16,4,4,64,32,128,228,4\n") {
		t.Errorf("%d rows, %d bad, %v:\n%s", n, bad, err, out.String())
	}
}

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
		if n := int64(len(written)) - 1; n > rows || n < rows-bad {
			t.Fatalf("%d rows read, %d bad, %d written", rows, bad, n)
		}
	})
}
