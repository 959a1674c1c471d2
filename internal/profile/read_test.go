package profile

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Every form of report is known by its bytes, and all of its launches are read.
func TestForms(t *testing.T) {
	for _, c := range []struct {
		file     string
		form     Form
		launches int
		stalls   bool
	}{
		{"prof.raw.csv.gz", FormRaw, 16, true},
		{"prof.raw-base.csv.gz", FormRaw, 16, true},
		{"prof.raw-function.csv.gz", FormRaw, 16, true},
		{"prof.details.csv.gz", FormDetails, 16, false},
		{"prof.details-mangled.csv.gz", FormDetails, 16, false},
		{"prof.occ-only.csv.gz", FormDetails, 16, false},
		{"prof.basic-stdout.csv.gz", FormDetails, 16, false},
		{"prof.trace.json.gz", FormTrace, 36, false},
		{"own.raw.csv.gz", FormRaw, 26, true},
		{"own.details.csv.gz", FormDetails, 26, false},
		{"own.summary.csv.gz", FormSummary, 21, false},
		{"own-small.ncu-rep.gz", FormReport, 3, true},
		{"own-small.raw.csv.gz", FormRaw, 3, true},
		{"own-small.details.txt.gz", FormDetails, 3, false},
		{"own-live.metrics.csv", FormMetrics, 3, false},
		{"own-live.raw.csv.gz", FormRaw, 3, false},
		{"model.trace.json.gz", FormTrace, 28, false},
		{"fixtures/details-2020.csv", FormDetails, 5, false},
		{"fixtures/details-german.csv", FormDetails, 5, false},
		{"fixtures/details-import.csv", FormDetails, 5, false},
		{"fixtures/details-live.csv", FormDetails, 5, false},
		{"fixtures/details-mangled.csv", FormDetails, 5, false},
		{"fixtures/raw.csv", FormRaw, 5, true},
		{"fixtures/raw-base-function.csv", FormRaw, 5, true},
		{"fixtures/summary-per-kernel.csv", FormSummary, 4, false},
		{"fixtures/trace.json", FormTrace, 6, false},
		{"fixtures/nsys-gpu-trace.csv", FormNsys, 5, false},
	} {
		t.Run(c.file, func(t *testing.T) {
			r, list, err := readAll(t, c.file)
			if err != nil {
				t.Fatal(err)
			}
			if r.Form != c.form || r.Launches != c.launches || len(list) != c.launches {
				t.Errorf("form %q with %d launches, want %q with %d", r.Form, len(list), c.form, c.launches)
			}
			if len(r.Problems) > 0 {
				t.Errorf("problems: %v", r.Problems)
			}
			for i := range list {
				if got := len(list[i].Stalls) > 0; got != c.stalls {
					t.Errorf("launch %d has stall reasons: %t, want %t", i, got, c.stalls)
				}
			}
		})
	}
}

// The first launch of the German file by hand: the page has 1.540.000 cycles,
// 33,20 %, 812.352 ns and 1.500.000,50 cycles, and Gbyte/s under the label that
// is a percentage in another section.
func TestNumbersByHand(t *testing.T) {
	_, list, err := readAll(t, "fixtures/details-german.csv")
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range map[Metric]float64{
		LongestCycles: 1540000, MemoryPercent: 33.2, DurationNanos: 812352, BusyCycles: 1500000.5, IssuePercent: 8.85,
		EligibleWarps: 0.08, RegistersPerThread: 72, LocalSpills: 0, BlockThreads: 256, GridBlocks: 1056, SMs: 132,
		TheoreticalPercent: 37.5, AchievedPercent: 36.2,
	} {
		if got, ok := list[0].Values.Of(m); !ok || got != want {
			t.Errorf("metric %d is %g (%t), want %g", m, got, ok, want)
		}
	}
	if l := list[0]; l.Arch != "sm_90" || l.Block != (Dim{256, 1, 1}) || l.Grid != (Dim{1056, 1, 1}) || l.ID != "0" {
		t.Errorf("the launch is %s %v %v %q", l.Arch, l.Block, l.Grid, l.ID)
	}
}

// One report exported in several ways says the same, as far as each way
// rounds: two decimals of a scaled unit are half a percent at worst.
func TestFormsAgree(t *testing.T) {
	for _, c := range []struct {
		a, b      string
		tolerance float64
	}{
		{"prof.raw.csv.gz", "prof.raw-base.csv.gz", 0.006},
		{"prof.raw.csv.gz", "prof.raw-function.csv.gz", 0},
		{"prof.details.csv.gz", "prof.details-mangled.csv.gz", 0},
		{"own-small.ncu-rep.gz", "own-small.raw.csv.gz", 1e-6},
		{"fixtures/details-import.csv", "fixtures/details-live.csv", 0.0015},
		{"fixtures/details-import.csv", "fixtures/details-german.csv", 0.0015},
	} {
		_, a, errA := readAll(t, c.a)
		_, b, errB := readAll(t, c.b)
		if errA != nil || errB != nil || len(a) != len(b) {
			t.Fatalf("%s and %s: %v, %v, %d and %d launches", c.a, c.b, errA, errB, len(a), len(b))
		}
		for i := range a {
			sameLaunch(t, c.a+" and "+c.b, &a[i], &b[i], c.tolerance)
		}
	}
}

func sameLaunch(t *testing.T, what string, a, b *Launch, tolerance float64) {
	t.Helper()
	if a.Grid != b.Grid || a.Block != b.Block || a.Arch != b.Arch || a.ID != b.ID {
		t.Errorf("%s: launch %s: %v %v %s, and %v %v %s", what, a.ID, a.Grid, a.Block, a.Arch, b.Grid, b.Block, b.Arch)
	}
	for m := range metrics {
		x, okX := a.Values.Of(m)
		y, okY := b.Values.Of(m)
		// What is below the last printed digit differs by more than a share.
		if okX != okY || math.Abs(x-y) > tolerance*math.Max(math.Abs(x), 1) {
			t.Errorf("%s: launch %s, metric %d: %g (%t) and %g (%t)", what, a.ID, m, x, okX, y, okY)
		}
	}
	if len(a.Stalls) != len(b.Stalls) {
		t.Fatalf("%s: launch %s: %d and %d stall reasons", what, a.ID, len(a.Stalls), len(b.Stalls))
	}
	for i := range a.Stalls {
		if a.Stalls[i].Reason != b.Stalls[i].Reason || math.Abs(a.Stalls[i].Ratio-b.Stalls[i].Ratio) > max(tolerance, 0)*math.Max(a.Stalls[i].Ratio, 1) {
			t.Errorf("%s: launch %s: %v and %v", what, a.ID, a.Stalls[i], b.Stalls[i])
		}
	}
}

// The binary report has its kernels' names in all spellings, the device, and
// the device binary, once for all three results.
func TestReportHoldsItsBinary(t *testing.T) {
	var sizes []int
	r, err := Read(open(t, "own-small.ncu-rep.gz"), "r", func(l *Launch) error {
		if l.Device != "NVIDIA H200" || !strings.HasPrefix(l.Names.Mangled, "_ZN3own") || l.Names.Function == "" {
			t.Errorf("launch %s: device %q, names %+v", l.ID, l.Device, l.Names)
		}
		return nil
	}, func(b *Binary) {
		sizes = append(sizes, len(b.Data))
		if string(b.Data[:4]) != "\x7fELF" {
			t.Errorf("%s begins with %q", b.Name, b.Data[:4])
		}
	})
	if err != nil || len(sizes) != 1 || r.Binaries != 1 {
		t.Errorf("%d binaries (%d said), error %v", len(sizes), r.Binaries, err)
	}
}

// A trace's own estimates are never read, and its shared memory is one number.
func TestTraceByHand(t *testing.T) {
	_, list, err := readAll(t, "fixtures/trace.json")
	if err != nil {
		t.Fatal(err)
	}
	last := list[len(list)-1]
	if last.Names.Shown() != "lib_gemm_nolog" || last.Values.Or(SharedBytes, 0) != 213000 || last.Values.Or(DurationNanos, 0) != 40000 {
		t.Errorf("the last launch is %+v", last)
	}
	if last.Values.Has(AchievedPercent) || last.Values.Has(TheoreticalPercent) || last.Values.Has(DynamicSharedBytes) {
		t.Error("an estimate of the trace was read")
	}
	if last.Arch != "sm_90" || last.Values.Or(SMs, 0) != 132 || last.Device != "Example GPU" {
		t.Errorf("device %q, %s", last.Device, last.Arch)
	}
}

// A trace may have its devices behind its events.
func TestTraceWithDevicesLast(t *testing.T) {
	const trace = `{"traceEvents":[
		{"ph":"X","cat":"kernel","name":"k\u00e9\ud83d\ude00","dur":2.5,"args":{"grid":[2,1,1],"block":[32,1,1],"device":1}},
		{"ph":"X","cat":"cpu_op","name":"not a kernel","dur":1}],
		"deviceProperties":[{"id":1,"name":"B","computeMajor":8,"computeMinor":6,"numSms":46}]}`
	_, list, err := launchesOf(strings.NewReader(trace), "t")
	if err != nil || len(list) != 1 {
		t.Fatal(err, list)
	}
	if l := list[0]; l.Arch != "sm_86" || l.Device != "B" || l.Names.Shown() != "ké😀" || l.Values.Or(DurationNanos, 0) != 2500 {
		t.Errorf("%+v", l)
	}
}

// Averages of launches that aren't alike are marked, with what differs: gather
// ran with 0 and 100,000 bytes of dynamic shared memory.
func TestSummaryOfUnlikeLaunches(t *testing.T) {
	_, list, err := readAll(t, "own.summary.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	var mixed []string
	for i := range list {
		if l := &list[i]; l.Mixed != "" {
			mixed = append(mixed, l.Names.Shown()+": "+l.Mixed)
		} else if l.Merged == 2 && strings.Contains(l.Names.Shown(), "gather<1>") {
			t.Error("gather<1> is averaged over two shapes and not marked")
		}
	}
	want := "void gather<1>(const float *, const int *, float *, int): dynamic shared memory"
	if !slices.Contains(mixed, want) {
		t.Errorf("%q is not among %q", want, mixed)
	}
}

// 8.0 Kbyte are 8000 bytes to the profiler, and 132.10 Kbyte are 132,096 that
// were rounded.
func TestSizesArePrintedRounded(t *testing.T) {
	_, list, err := readAll(t, "own-small.details.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	gemm := list[2]
	if got := gemm.Values.Or(DynamicSharedBytes, 0); got != 132100 || gemm.RoundedBytes != 10 {
		t.Errorf("%g bytes, coarse by %d", got, gemm.RoundedBytes)
	}
}
