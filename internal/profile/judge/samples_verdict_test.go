package judge

import (
	"encoding/json"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
)

// What each kernel of prof.cu is limited by is known by how it was made, and by
// prof.times.csv: its time at eight amounts of dynamic shared memory.
var sampleVerdicts = map[string]Verdict{
	"0": LatencyILP, "1": RaiseOrILP, "3": RaiseOrILP,
	"2": NotOccupancy, "8": NotOccupancy, "9": NotOccupancy, "14": NotOccupancy, "15": NotOccupancy, "22": NotOccupancy, "23": NotOccupancy,
	"18": SpillsHot, "19": SpillsHot,
	"24": Uneven, "25": Uneven, "30": Uneven, "31": Uneven,
}

func TestSamples(t *testing.T) {
	for report, joined := range map[string]Joined{
		"prof.raw.csv.gz": ByTemplate, "prof.raw-base.csv.gz": ByTemplate, "prof.raw-function.csv.gz": ByFunction,
	} {
		r := judged(t, report, "prof.log")
		for id, want := range sampleVerdicts {
			k := byID(t, r, id)
			if k.Verdict != want {
				t.Errorf("%s, launch %s: %s (%s), want %s", report, id, k.Verdict, k.Message, want)
			}
			if k.Joined != joined || k.Record == nil {
				t.Errorf("%s, launch %s: joined by %q, want %q", report, id, k.Joined, joined)
			}
		}
		if r.Joined != 16 || r.Unjoined != 0 || r.Stale != 0 {
			t.Errorf("%s: %d joined, %g unjoined, %g stale", report, r.Joined, r.Unjoined, r.Stale)
		}
	}
}

// A details page has no stall reasons, so what rests on them is open, and
// nothing is advised from it; all that comes before is the same.
func TestSamplesFromDetails(t *testing.T) {
	for _, report := range []string{"prof.details.csv.gz", "prof.details-mangled.csv.gz"} {
		r := judged(t, report, "prof.log")
		for id, want := range sampleVerdicts {
			if want == LatencyILP || want == RaiseOrILP {
				want = StalledUnknown
			}
			if k := byID(t, r, id); k.Verdict != want {
				t.Errorf("%s, launch %s: %s (%s), want %s", report, id, k.Verdict, k.Message, want)
			}
		}
		for i := range r.Kernels {
			if k := &r.Kernels[i]; k.Verdict == RaiseOrILP || strings.Contains(k.Help, "gain a block") {
				t.Errorf("%s advises occupancy: %s", report, k.Help)
			}
		}
	}
}

// The other exports name what they lack.
func TestSamplesNameWhatIsMissing(t *testing.T) {
	for report, want := range map[string][]string{
		"prof.occ-only.csv.gz":     {"SpeedOfLight", "SchedulerStats", "WarpStateStats"},
		"prof.basic-stdout.csv.gz": {"SchedulerStats", "WarpStateStats"},
	} {
		r := judged(t, report, "prof.log")
		k := byID(t, r, "1")
		if k.Verdict != Insufficient || !slices.Equal(k.Missing, want) {
			t.Errorf("%s: %s lacks %q, want %q", report, k.Verdict, k.Missing, want)
		}
		if k := byID(t, r, "18"); k.Verdict != SpillsUnmeasured {
			t.Errorf("%s: the spilling kernel is %s", report, k.Verdict)
		}
	}
	// The basic set has what saturates: DRAM at 92 %.
	if k := byID(t, judged(t, "prof.basic-stdout.csv.gz", "prof.log"), "2"); k.Verdict != NotOccupancy {
		t.Errorf("launch 2 is %s", k.Verdict)
	}
}

// The profiler's theoretical occupancy is an oracle for ours: they are equal
// on every launch that any sample has.
func TestTheoreticalOccupancyAgrees(t *testing.T) {
	launches := 0
	for report, log := range map[string]string{
		"prof.raw.csv.gz": "prof.log", "prof.raw-base.csv.gz": "", "prof.details.csv.gz": "prof.log", "prof.occ-only.csv.gz": "",
		"prof.basic-stdout.csv.gz": "", "own.raw.csv.gz": "own.log", "own.details.csv.gz": "own.log", "own-small.ncu-rep.gz": "",
		"fixtures/raw.csv": "fixtures/build.log", "fixtures/details-import.csv": "",
	} {
		var records []Record
		if log != "" {
			records = recordsOf(t, log)
		}
		x, thresholds := newIndex(records), Defaults()
		_, err := profile.Read(open(t, report), report, func(l *profile.Launch) error {
			f := newFacts(l, x.find(l, arch.Builtin()), &thresholds)
			f.fit(arch.Builtin(), "")
			theirs, ok := l.Values.Of(profile.TheoreticalPercent)
			if !ok || f.occupancy == nil {
				t.Errorf("%s, launch %s: theirs %t, ours %v", report, l.ID, ok, f.occupancy)
				return nil
			}
			launches++
			if math.Abs(theirs-f.occupancy.Percent()) > 0.005 {
				t.Errorf("%s, launch %s: theirs is %g, ours %g", report, l.ID, theirs, f.occupancy.Percent())
			}
			return nil
		}, nil)
		if err != nil {
			t.Error(err)
		}
	}
	if launches < 140 {
		t.Errorf("only %d launches were compared", launches)
	}
}

// The invented reports in further forms, by the verdicts that came with them.
func TestFixtures(t *testing.T) {
	data, err := io.ReadAll(open(t, "fixtures/expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected []struct {
		ID           int
		Mangled      string
		Registers    int
		LogRegisters int     `json:"log_registers"`
		Stores       int     `json:"spill_store_bytes"`
		Verdict      Verdict `json:"verdict"`
	}
	if err := json.Unmarshal(data, &expected); err != nil {
		t.Fatal(err)
	}
	// What a form can't tell: no stall reasons; no local memory in 2020; no
	// counters at all.
	details := map[Verdict]Verdict{RaiseOrILP: StalledUnknown}
	old := map[Verdict]Verdict{RaiseOrILP: StalledUnknown, SpillsHot: SpillsUnmeasured}
	none := map[Verdict]Verdict{RaiseOrILP: Insufficient, SpillsHot: SpillsUnmeasured, NotOccupancy: Insufficient}
	for report, less := range map[string]map[Verdict]Verdict{
		"raw.csv": nil, "raw-base-function.csv": nil,
		"details-import.csv": details, "details-live.csv": details, "details-mangled.csv": details, "details-german.csv": details,
		"summary-per-kernel.csv": details, "details-2020.csv": old, "trace.json": none, "nsys-gpu-trace.csv": none,
	} {
		r := judged(t, "fixtures/"+report, "fixtures/build.log")
		for _, e := range expected {
			want := e.Verdict
			if v, ok := less[want]; ok {
				want = v
			}
			found := false
			for i := range r.Kernels {
				k := &r.Kernels[i]
				if k.Record == nil || k.Name != e.Mangled || len(k.IDs) > 0 && !slices.Contains(k.IDs, strconv.Itoa(e.ID)) {
					continue
				}
				found = true
				if k.Verdict != want || k.Registers != e.Registers || k.Record.Registers != e.LogRegisters || k.Record.SpillStoreBytes != e.Stores {
					t.Errorf("%s, %s: %s with %d and %d registers, %d bytes; want %s, %d, %d, %d",
						report, e.Mangled, k.Verdict, k.Registers, k.Record.Registers, k.Record.SpillStoreBytes, want, e.Registers, e.LogRegisters, e.Stores)
				}
			}
			if !found {
				t.Errorf("%s has nothing of %s", report, e.Mangled)
			}
		}
	}
	raise := byID(t, judged(t, "fixtures/raw.csv", "fixtures/build.log"), "0")
	if !strings.Contains(raise.Message, "8 fewer registers per thread gain a block (at most 1.33x)") {
		t.Error(raise.Message)
	}
	if !slices.Equal(raise.IDs, []string{"0", "1"}) || raise.Launches != 2 || raise.Grids != 2 {
		t.Errorf("two grids of one shape: %q, %d launches, %d grids", raise.IDs, raise.Launches, raise.Grids)
	}
}

// In a trace each grid is an entry, with its waves, and a kernel without a
// record has its share of the time. 132 blocks of 384 threads with 213,000
// bytes: 1 block, 12 of 64 warps, where the trace says 0 %.
func TestFixtureTrace(t *testing.T) {
	r := judged(t, "fixtures/trace.json", "fixtures/build.log")
	for i := range r.Kernels {
		k := &r.Kernels[i]
		switch {
		case k.Shown == "lib_gemm_nolog":
			if k.Record != nil || k.Occupancy == nil || k.Occupancy.Percent() != 18.75 || math.Abs(k.Share-40000/(812352+405120+9120000+2210048+2944+40000.0)) > 1e-9 {
				t.Errorf("%+v", k)
			}
		case strings.Contains(k.Shown, "gather") && k.Grid[0] == 528:
			if math.Abs(k.Waves-528/396.0) > 1e-9 || k.Launches != 1 { // 132 SMs, 3 blocks of 256 threads with 72 registers
				t.Errorf("%g waves, %d launches", k.Waves, k.Launches)
			}
		}
	}
	if len(r.Kernels) != 6 || math.Abs(r.Unjoined-0.003177) > 1e-5 {
		t.Errorf("%d entries, %g without a record", len(r.Kernels), r.Unjoined)
	}
}

// Kernels of PyTorch's compiler are found in the binaries that it keeps, and
// what a library brought is listed by its share alone.
func TestTraceOfCompiledModel(t *testing.T) {
	r := judged(t, "model.trace.json.gz", "")
	if r.Launches != 28 || r.Counts {
		t.Errorf("%d launches, counters %t", r.Launches, r.Counts)
	}
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Occupancy == nil || k.Occupancy.Percent() <= 0 || math.IsNaN(k.Waves) {
			t.Errorf("%s: %v, %g waves", k.Shown, k.Occupancy, k.Waves)
		}
	}
}

// A library's warp-specialised GEMM: 18.75 % occupancy, one issue in six
// cycles, no warp ready in most, and nothing to gain from more of them.
func TestWarpSpecialisedGEMM(t *testing.T) {
	k := byID(t, judged(t, "cublas.raw.csv.gz", ""), "0")
	if k.Verdict != NotOccupancy || !strings.HasPrefix(k.Message, "the tensor pipe is 9") || k.Occupancy.Percent() != 18.75 || k.Counters.Issue > 17 {
		t.Errorf("%s: %s; %g %%, issue %g", k.Verdict, k.Message, k.Occupancy.Percent(), k.Counters.Issue)
	}
}

// Blocks of 1 to 8 shares in one wave leave places empty; four waves of them
// don't. A stream at full occupancy lacks loads in flight, and with four its
// memory is full.
func TestMoreKernels(t *testing.T) {
	r := judged(t, "more.raw.csv.gz", "more.log")
	for id, want := range map[string]Verdict{"0": LatencyUnfilled, "1": LatencyILP, "2": LatencyILP, "3": LatencyILP, "4": NotOccupancy} {
		if k := byID(t, r, id); k.Verdict != want || k.Record == nil {
			t.Errorf("launch %s: %s (%s), want %s", id, k.Verdict, k.Message, want)
		}
	}
}
