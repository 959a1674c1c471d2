package calc_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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
	// 6 warps, and 7 or 8 warps.
	if n := s.Nearest; len(n) != 2 || n[0].Blocks != 8 || n[0].Smallest.Threads != 192 || n[1].Blocks != 6 || n[1].Smallest.Threads != 224 || n[1].Largest.Threads != 256 {
		t.Errorf("nearest to 7 blocks: %+v", n)
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
	if b = r.Answers()[0].Bounds; b.Without != nil || b.Over != 0 || b.With.Blocks != 4 || b.MostThreads != 0 {
		t.Errorf("registers not known: %+v", b)
	}
	r.Bounds.Threads = 2048
	if b = r.Answers()[0].Bounds; b.MostThreads != 1024 || b.With.Blocks != 0 {
		t.Errorf("bounds of 2048 threads: %+v", b)
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
	// What is not known is not 0. 64 warps in 8 blocks; 16300 bytes allow 13.
	r.Subjects[0].Launch.Registers = arch.Unknown
	want = calc.Waste{Registers: arch.Unknown, ReservedBytes: 1024, RoundingBytes: 84, FreeRegisters: arch.Unknown, FreeSharedBytes: 233472 - 8*17408}
	if diff := cmp.Diff(want, r.Answers()[0].Waste()); diff != "" {
		t.Errorf("registers not known (-want +got):\n%s", diff)
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

// TestMemoryOfAlias: a GPU is of its architecture by any of its names.
func TestMemoryOfAlias(t *testing.T) {
	table, err := arch.Builtin().WithGPUs(arch.CustomGPU{Name: "Thor", Like: "L4", Arch: "sm_101"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := table.GPU("Thor")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sm_101", "sm_110", "sm_110a"} {
		r := calc.Request{Subjects: []calc.Subject{subject(t, name, arch.Launch{Threads: 256})}, GPU: g, Grid: 1, Table: table}
		if m := r.Answers()[0].Memory; m.OtherArch || m.Waves == nil {
			t.Errorf("sm_101 is another architecture than %s", name)
		}
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
	waste, _ := a["waste"].(map[string]any)
	for _, absent := range []string{"registers_per_block", "free_registers"} {
		if _, ok := waste[absent]; ok || a[absent] != nil {
			t.Errorf("%s is not known and is %v", absent, waste[absent])
		}
	}
	if waste["free_warps"] != 0.0 {
		t.Errorf("free_warps = %v, want 0: 8 blocks of 8 warps", waste["free_warps"])
	}
	limits, _ := a["limits"].(map[string]any)
	if v, ok := limits["registers"]; !ok || v != nil {
		t.Errorf("limits.registers = %v, want null", v)
	}
	bounds, _ := a["launch_bounds"].(map[string]any)
	if got.Schema != 1 || a["demangled"] != "k(float*)" || a["blocks"] != 8.0 || bounds["honoured"] != false || bounds["register_cap"] != 255.0 {
		t.Errorf("got %s", b.String())
	}
	s.Kernel = "k\u202e\u009b31m" // as a log can name one
	b.Reset()
	r = calc.Request{Subjects: []calc.Subject{s}}
	if err := calc.WriteJSON(&b, r.Answers()); err != nil {
		t.Fatal(err)
	}
	if out := b.String(); strings.ContainsAny(out, "\u202e\u009b") || !strings.Contains(out, `"kernel": "k\u202e\u009b31m"`) {
		t.Errorf("a name can move a cursor: %s", out)
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
	rows = read(calc.Request{Subjects: []calc.Subject{subject(t, "sm_90", arch.Launch{Threads: 256})}})
	if cells := strings.Join(rows[1], ","); !strings.HasPrefix(cells, ",sm_90,256,-,0,0,8,64,64,100,warps,8,32,-,228,-,-,1024,-,-,-,") {
		t.Errorf("registers that are not known: %s", cells)
	}
	sweep := []arch.Resource{arch.Registers}
	g, err := arch.Builtin().GPU("H100")
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]calc.Request{
		"two sweeps":              {Sweeps: []arch.Resource{arch.Registers, arch.Shared}},
		"a sweep and block sizes": {Sweeps: sweep, Suggest: true},
		"a sweep and bounds":      {Sweeps: sweep, Bounds: &calc.Bounds{Threads: 256}},
		"a sweep and a grid":      {Sweeps: sweep, GPU: g, Grid: 3},
		"block sizes and bytes":   {Suggest: true, GPU: g, BytesInFlight: 3},
	} {
		r.Subjects = subjects
		if err := calc.WriteCSV(&bytes.Buffer{}, r.Answers()); !errors.Is(err, calc.ErrOneTable) {
			t.Errorf("%s: error = %v", name, err)
		}
	}
}

// TestText: what is not known or can't be is said, and not a number.
func TestText(t *testing.T) {
	g, err := arch.Builtin().GPU("H100")
	if err != nil {
		t.Fatal(err)
	}
	custom, err := arch.Builtin().With(arch.Custom{Name: "sm_130", Like: "sm_90", Numbers: map[arch.Number]int{arch.Partitions: 16}})
	if err != nil {
		t.Fatal(err)
	}
	small, err := custom.Lookup("sm_130")
	if err != nil {
		t.Fatal(err)
	}
	h100 := func(l arch.Launch, bytes int, grid int64) calc.Request {
		return calc.Request{Subjects: []calc.Subject{subject(t, "sm_90", l)}, GPU: g, BytesInFlight: bytes, Grid: grid}
	}
	for _, tt := range []struct {
		name      string
		request   calc.Request
		want, not string
	}{
		{"registers not given", h100(arch.Launch{Threads: 256}, 0, 0),
			"note       registers are not given, and their limit is left out: sm_90 has 65536 for all blocks\n", "0 of 65536"},
		{"several, registers not given", calc.Request{Subjects: []calc.Subject{subject(t, "sm_90", arch.Launch{Threads: 256}), subject(t, "sm_37", arch.Launch{Threads: 256})}},
			"note       registers are not given", "0/0"},
		{"the block size is chosen", calc.Request{Subjects: []calc.Subject{{Arch: "sm_90", SM: sm(t, "sm_90"), Launch: arch.Launch{Threads: 64}, ThreadsFrom: calc.SuggestedThreads}}},
			"note       no block size is given: this is for the smallest with the most warps\n", "declared"},
		// As TestFlightReachable of package arch.
		{"fewer registers for more threads", h100(arch.Launch{Threads: 256, Registers: 255}, 16, 0),
			"  or      561 threads resident (27.39 %) with 16 bytes each: 3 blocks, which need 80 registers or fewer\n", "no occupancy"},
		{"can't launch", h100(arch.Launch{Threads: 1024, Registers: 80}, 16, 0), "  has     none: no block is resident\n", "either"},
		{"one block", h100(arch.Launch{Threads: 256, Registers: 32}, 0, 1), "  grid    1 block is 1 wave of 1056 (132 SMs × 8 blocks)\n", "are 1 wave"},
		{"the largest grid", h100(arch.Launch{Threads: 256, Registers: 32}, 0, math.MaxInt64), "799 blocks in the last wave; 0 % of all", "-0"},
		// 65536/16 = 4096 a partition; 255 registers are 8160, 8192 a warp.
		{"a warp above a partition", calc.Request{Subjects: []calc.Subject{{Arch: "sm_130", SM: small, Launch: arch.Launch{Threads: 32, Registers: 255}}}},
			"a warp of 255 registers takes 8192, more than a partition of the SM has: 4096\n", "more than a block"},
		{"bounds above a block", calc.Request{Subjects: []calc.Subject{subject(t, "sm_90", arch.Launch{Threads: 2048})}, Bounds: &calc.Bounds{Threads: 2048, MinBlocks: 1}},
			"  a block has 1024 threads at most on sm_90: no launch has the 2048 that the bounds allow\n", "within reach"},
	} {
		var b bytes.Buffer
		if err := calc.WriteText(&b, term.Plain(), true, tt.request.Answers()); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, tt.want) || strings.Contains(got, tt.not) {
			t.Errorf("%s: want %q and no %q in\n%s", tt.name, tt.want, tt.not, got)
		}
	}
}
