package judge

import (
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
)

// latency is a launch of 8 waves whose warps wait for memory, with room for
// more of them: 256 threads with 72 registers are 3 blocks on sm_90.
func latency() *profile.Launch {
	l := &profile.Launch{
		Names: profile.Names{Mangled: "_Z1kv"}, Arch: "sm_90", Grid: profile.Dim{3168, 1, 1}, Block: profile.Dim{256, 1, 1}, Merged: 1,
		Stalls: []profile.Stall{{Reason: "long_scoreboard", Ratio: 9}, {Reason: "wait", Ratio: 1}},
	}
	for m, x := range map[profile.Metric]float64{
		profile.DurationNanos: 1e6, profile.ComputePercent: 20, profile.MemoryPercent: 40, profile.DRAMPercent: 40, profile.L1Percent: 10, profile.L2Percent: 20,
		profile.TheoreticalPercent: 37.5, profile.AchievedPercent: 36, profile.IssuePercent: 10, profile.EligibleWarps: 0.1, profile.BusyCycles: 95,
		profile.LongestCycles: 100, profile.Instructions: 1e6, profile.LocalLoads: 0, profile.LocalStores: 0, profile.RegistersPerThread: 72,
		profile.StaticSharedBytes: 0, profile.DynamicSharedBytes: 0, profile.SMs: 132,
	} {
		l.Values.Set(m, x)
	}
	return l
}

// Each verdict by one change to a launch of which the last verdict holds, at
// the threshold and next to it.
func TestVerdictsByOneChange(t *testing.T) {
	set := func(values map[profile.Metric]float64) func(*profile.Launch) {
		return func(l *profile.Launch) {
			for m, x := range values {
				l.Values.Set(m, x)
			}
		}
	}
	record := Record{Name: "_Z1kv", Arch: "sm_90", Registers: 72, SharedBytes: 0, SpillStoreBytes: 0, SpillLoadBytes: 0}
	spilling := record
	spilling.SpillStoreBytes, spilling.SpillLoadBytes, spilling.StackBytes = 100, 120, 100
	calling := record
	calling.CalleeStoreBytes, calling.CalleeLoadBytes = 220, 248
	lacking := func(drop ...profile.Metric) func(*profile.Launch) {
		return func(l *profile.Launch) {
			var v profile.Values
			for m := profile.DurationNanos; m <= profile.UsesDynamicLaunch; m++ {
				x, ok := l.Values.Of(m)
				for _, d := range drop {
					ok = ok && m != d
				}
				if ok {
					v.Set(m, x)
				}
			}
			l.Values = v
		}
	}
	stalls := func(list ...profile.Stall) func(*profile.Launch) { return func(l *profile.Launch) { l.Stalls = list } }
	for _, c := range []struct {
		reason string
		change func(*profile.Launch)
		record Record
		want   Verdict
	}{
		{"unchanged", func(*profile.Launch) {}, record, RaiseOrILP},
		{"other registers", set(map[profile.Metric]float64{profile.RegistersPerThread: 80}), record, ProfileStale},
		{"below 10 us", set(map[profile.Metric]float64{profile.DurationNanos: 9999}), record, TooShort},
		{"10 us", set(map[profile.Metric]float64{profile.DurationNanos: 10000}), record, RaiseOrILP},
		{"5 % local", set(map[profile.Metric]float64{profile.LocalLoads: 30000, profile.LocalStores: 20000}), spilling, SpillsHot},
		{"5 % local, spilled in a callee", set(map[profile.Metric]float64{profile.LocalLoads: 30000, profile.LocalStores: 20000}), calling, SpillsHot},
		{"a callee's spills that are not counted", lacking(profile.LocalLoads, profile.LocalStores), calling, SpillsUnmeasured},
		{"4.9 % local", set(map[profile.Metric]float64{profile.LocalLoads: 29000, profile.LocalStores: 20000}), spilling, RaiseOrILP},
		{"local memory of arrays", set(map[profile.Metric]float64{profile.LocalLoads: 300000}), record, RaiseOrILP},
		{"arrays by the counter of spills", set(map[profile.Metric]float64{profile.LocalLoads: 300000, profile.LocalSpills: 0}), spilling, RaiseOrILP},
		{"spills that are not counted", lacking(profile.LocalLoads, profile.LocalStores), spilling, SpillsUnmeasured},
		{"no spills that could be counted", lacking(profile.LocalLoads, profile.LocalStores), record, RaiseOrILP},
		{"131 blocks", func(l *profile.Launch) { l.Grid = profile.Dim{131, 1, 1} }, record, GridTooSmall},
		{"356 of 396 blocks", func(l *profile.Launch) { l.Grid = profile.Dim{356, 1, 1} }, record, GridTooSmall},
		{"357 of 396 blocks", func(l *profile.Launch) { l.Grid = profile.Dim{357, 1, 1} }, record, RaiseOrILP},
		{"busy 79 %", set(map[profile.Metric]float64{profile.BusyCycles: 79}), record, Uneven},
		{"busy 80 %", set(map[profile.Metric]float64{profile.BusyCycles: 80}), record, RaiseOrILP},
		{"issue 80 %", set(map[profile.Metric]float64{profile.IssuePercent: 80}), record, NotOccupancy},
		{"issue 79.9 %", set(map[profile.Metric]float64{profile.IssuePercent: 79.9}), record, RaiseOrILP},
		{"a warp is ready", set(map[profile.Metric]float64{profile.EligibleWarps: 1}), record, NotOccupancy},
		{"memory 80 %", set(map[profile.Metric]float64{profile.MemoryPercent: 80}), record, NotOccupancy},
		{"compute 80 %", set(map[profile.Metric]float64{profile.ComputePercent: 80}), record, NotOccupancy},
		{"tensor 50 %", set(map[profile.Metric]float64{profile.TensorPercent: 50}), record, NotOccupancy},
		{"tensor 49 %", set(map[profile.Metric]float64{profile.TensorPercent: 49}), record, RaiseOrILP},
		{"no throughput", lacking(profile.ComputePercent), record, Insufficient},
		{"no issue slots", lacking(profile.IssuePercent), record, Insufficient},
		{"memory 60 %", set(map[profile.Metric]float64{profile.MemoryPercent: 60}), record, NearALimit},
		{"compute 60 %", set(map[profile.Metric]float64{profile.ComputePercent: 60}), record, NearALimit},
		{"no reasons", stalls(), record, StalledUnknown},
		{"49 % memory", stalls(profile.Stall{Reason: "long_scoreboard", Ratio: 49}, profile.Stall{Reason: "wait", Ratio: 51}), record, OtherLatency},
		{"50 % memory, of several reasons", stalls(profile.Stall{Reason: "long_scoreboard", Ratio: 20}, profile.Stall{Reason: "lg_throttle", Ratio: 10},
			profile.Stall{Reason: "tex_throttle", Ratio: 10}, profile.Stall{Reason: "drain", Ratio: 10}, profile.Stall{Reason: "wait", Ratio: 50}), record, RaiseOrILP},
		{"achieved 29.9 of 37.5", set(map[profile.Metric]float64{profile.AchievedPercent: 29.9}), record, LatencyUnfilled},
		{"achieved 30 of 37.5", set(map[profile.Metric]float64{profile.AchievedPercent: 30}), record, RaiseOrILP},
		{"32 registers fill the SM", func(l *profile.Launch) {
			set(map[profile.Metric]float64{profile.RegistersPerThread: 32, profile.AchievedPercent: 97})(l)
			l.Names.Mangled = "_Z1nv"
		}, record, LatencyILP},
		{"an average of unlike launches", func(l *profile.Launch) { l.Mixed = "dynamic shared memory" }, record, Insufficient},
	} {
		l := latency()
		c.change(l)
		if k := judgedLaunch(t, l, c.record); k.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", c.reason, k.Verdict, k.Message, c.want)
		}
	}
}

// What a report doesn't have leaves verdicts open, those before the one that
// was given and, where that one only says what is missing, those behind it.
func TestOpenVerdicts(t *testing.T) {
	without := func(drop ...profile.Metric) *profile.Launch {
		l := latency()
		var v profile.Values
		for m := profile.DurationNanos; m <= profile.UsesDynamicLaunch; m++ {
			if x, ok := l.Values.Of(m); ok && !slices.Contains(drop, m) {
				v.Set(m, x)
			}
		}
		l.Values = v
		return l
	}
	noReasons := latency()
	noReasons.Stalls = nil
	record := Record{Name: "_Z1kv", Arch: "sm_90", Registers: 72, SharedBytes: 0}
	spilling := record
	spilling.SpillStoreBytes, spilling.SpillLoadBytes = 100, 120
	behind := []Verdict{NearALimit, StalledUnknown, OtherLatency, LatencyUnfilled, LatencyILP, RaiseOrILP}
	for _, c := range []struct {
		reason  string
		launch  *profile.Launch
		records []Record
		verdict Verdict
		open    []Verdict
	}{
		{"all is known", latency(), []Record{record}, RaiseOrILP, nil},
		{"no time", without(profile.DurationNanos), []Record{record}, RaiseOrILP, []Verdict{TooShort}},
		{"no local counters, no record", without(profile.LocalLoads), nil, RaiseOrILP, []Verdict{SpillsHot}},
		{"no local counters, and no spills", without(profile.LocalLoads), []Record{record}, RaiseOrILP, nil},
		{"spills not counted", without(profile.LocalLoads), []Record{spilling}, SpillsUnmeasured,
			append([]Verdict{SpillsHot, GridTooSmall, Uneven, NotOccupancy, Insufficient}, behind...)},
		{"no registers", without(profile.RegistersPerThread), []Record{record}, RaiseOrILP, []Verdict{ProfileStale}},
		{"no busy cycles", without(profile.BusyCycles), []Record{record}, RaiseOrILP, []Verdict{Uneven}},
		{"no issue slots", without(profile.IssuePercent), []Record{record}, Insufficient, append([]Verdict{NotOccupancy}, behind...)},
		{"no reasons", noReasons, []Record{record}, StalledUnknown, behind[2:]},
		{"no achieved occupancy", without(profile.AchievedPercent), []Record{record}, RaiseOrILP, []Verdict{LatencyUnfilled}},
	} {
		if k := judgedLaunch(t, c.launch, c.records...); k.Verdict != c.verdict || !slices.Equal(k.Open, c.open) {
			t.Errorf("%s: %s, and %q are open; want %s and %q", c.reason, k.Verdict, k.Open, c.verdict, c.open)
		}
	}
}

// A warp-specialised GEMM at 12.5 %: nothing is ready in 86 % of the cycles,
// and the tensor pipe is busy. More occupancy is no advice for it, nor for a
// page without stall reasons.
func TestNoAdviceWithoutATestOfSaturation(t *testing.T) {
	l := latency()
	l.Values.Set(profile.TensorPercent, 85)
	l.Values.Set(profile.IssuePercent, 14)
	k := judgedLaunch(t, l)
	if k.Verdict != NotOccupancy || strings.Contains(k.Message+k.Help+strings.Join(k.Notes, ""), "gain a block") {
		t.Errorf("%s: %s; %s; %q", k.Verdict, k.Message, k.Help, k.Notes)
	}
}

// 256 threads, 72 registers: 3 blocks; 64 registers are 4. The memory does 40
// %, so the bound of a step is 4/3 and that of all min(100/37.5, 2.5) = 2.5.
func TestStepsByHand(t *testing.T) {
	k := judgedLaunch(t, latency())
	if want := "3 blocks, limited by registers: 8 fewer registers per thread gain a block (at most 1.33x)"; !strings.Contains(k.Message, want) {
		t.Errorf("%q is not in %q", want, k.Message)
	}
	// 1024 bytes are reserved for each block: 233472 / 4 - 1024 = 57344; shared
	// memory and registers limit to 3 together.
	l := latency()
	l.Values.Set(profile.DynamicSharedBytes, 70000)
	k = judgedLaunch(t, l)
	if want := "limited by registers and shared: 8 fewer registers per thread and 12656 fewer bytes of shared memory per block gain a block"; !strings.Contains(k.Message, want) {
		t.Errorf("%q is not in %q", want, k.Message)
	}
}

// Spill loads by counting: 16896 warps, 131 loads of 4 bytes in the code, and
// 2,197,595,136 that ran are 993 for each.
func TestTimesRun(t *testing.T) {
	k := byID(t, judged(t, "prof.raw.csv.gz", "prof.log"), "18")
	if !strings.Contains(k.Message, "every spill load runs 993 times a warp") {
		t.Error(k.Message)
	}
	// With an array in the frame, what is counted may be the array's.
	r := Record{Name: "_Z1kv", Arch: "sm_90", Registers: 72, SharedBytes: 0, SpillStoreBytes: 100, SpillLoadBytes: 120, StackBytes: 4096}
	l := latency()
	l.Values.Set(profile.LocalLoads, 1e5)
	if k := judgedLaunch(t, l, r); k.Verdict != SpillsHot || strings.Contains(k.Message, "times a warp") {
		t.Errorf("%s: %s", k.Verdict, k.Message)
	}
}

// No bound gives more than 255 registers, and none more than 65536 / 1024 = 64
// to a block of 1024 threads.
func TestRegistersThatCannotBeHad(t *testing.T) {
	for _, c := range []struct {
		threads   int64
		registers int
		want      string
	}{
		{256, 72, "allow more registers (72 now)"},
		{256, 255, "let it need fewer registers (a smaller tile per thread, less unrolling; it has the 255 that a thread can have)"},
		{1024, 64, "blocks of 1024 threads can't launch with more than 64 registers per thread"},
		{1024, 56, "allow more registers (56 now)"},
	} {
		l := latency()
		l.Block = profile.Dim{c.threads, 1, 1}
		l.Values.Set(profile.RegistersPerThread, float64(c.registers))
		l.Values.Set(profile.LocalLoads, 5e5)
		r := Record{Name: "_Z1kv", Arch: "sm_90", Registers: c.registers, SharedBytes: 0, SpillStoreBytes: 100, SpillLoadBytes: 120}
		if k := judgedLaunch(t, l, r); k.Verdict != SpillsHot || !strings.Contains(k.Help, c.want) {
			t.Errorf("%d threads, %d registers: %s, %q; want %q", c.threads, c.registers, k.Verdict, k.Help, c.want)
		}
	}
}

// Averages are weighted by time, and of several verdicts on one shape each is
// an entry: 1 ms at 10 % and 3 ms at 30 % are 25 %.
func TestGroups(t *testing.T) {
	j := New(nil, Options{Table: arch.Builtin(), Thresholds: Defaults()})
	for i, c := range []struct{ ms, issue, busy float64 }{{1, 10, 95}, {3, 30, 95}, {2, 10, 50}} {
		l := latency()
		l.ID = strconv.Itoa(i)
		l.Values.Set(profile.DurationNanos, c.ms*1e6)
		l.Values.Set(profile.IssuePercent, c.issue)
		l.Values.Set(profile.BusyCycles, c.busy)
		if err := j.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	r := j.Result()
	if len(r.Kernels) != 2 || r.Kernels[0].Verdict != RaiseOrILP || r.Kernels[1].Verdict != Uneven {
		t.Fatalf("%+v", r.Kernels)
	}
	k := &r.Kernels[0]
	if want := "other launches of this shape (1, 33.3 % of the time) are uneven"; !slices.Contains(k.Notes, want) || len(r.Kernels[1].Notes) > 0 {
		t.Errorf("notes %q and %q, want %q", k.Notes, r.Kernels[1].Notes, want)
	}
	if k.Launches != 2 || k.Share != 4.0/6 || math.Abs(k.Counters.Issue-25) > 1e-9 || k.Counters.Instructions != 2e6 {
		t.Errorf("%d launches, %g of the time, issue %g, %g instructions", k.Launches, k.Share, k.Counters.Issue, k.Counters.Instructions)
	}
}

// A million kernels have no entry each.
func TestGroupsAreBounded(t *testing.T) {
	j := New(nil, Options{Table: arch.Builtin(), Thresholds: Defaults()})
	for i := range mostGroups + 1000 {
		l := &profile.Launch{Names: profile.Names{Mangled: "k" + strconv.Itoa(i)}, Merged: 1}
		l.Values.Set(profile.DurationNanos, 1)
		if err := j.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if r := j.Result(); len(r.Kernels) != mostGroups || r.Left != 1000 || math.Abs(r.LeftShare-1000.0/(mostGroups+1000)) > 1e-9 {
		t.Errorf("%d entries, %d left out, %g of the time", len(r.Kernels), r.Left, r.LeftShare)
	}
}

// Launches that are not of one kernel on a whole device are refused.
func TestUnusable(t *testing.T) {
	for _, m := range []profile.Metric{profile.UsesGreenContext, profile.UsesMPS, profile.UsesDynamicLaunch} {
		l := latency()
		l.Values.Set(m, 1)
		if err := New(nil, Options{Table: arch.Builtin()}).Add(l); err == nil {
			t.Errorf("metric %d is accepted", m)
		}
	}
	j := New(nil, Options{Table: arch.Builtin(), Thresholds: Defaults()})
	_, err := profile.Read(open(t, "own-range.raw.csv.gz"), "range", j.Add, nil)
	if err == nil || !strings.Contains(err.Error(), "whole range") {
		t.Errorf("a replayed range: %v", err)
	}
}

// A build by another compiler: two of the kernels have other registers there.
func TestStaleLog(t *testing.T) {
	r := judged(t, "own.raw.csv.gz", "own-12.4.log")
	k := byID(t, r, "0")
	if k.Verdict != ProfileStale || k.Message != "the profile has 16 registers, the log 17: the profile is of another build; not judged" {
		t.Errorf("%s: %s", k.Verdict, k.Message)
	}
	for i := range r.Kernels {
		if k := &r.Kernels[i]; (k.Verdict == ProfileStale) != strings.Contains(k.Shown, "gather") {
			t.Errorf("%s is %s", k.Shown, k.Verdict)
		}
	}
}

// What the change of one thing did to the time of each kernel of own.cu: no
// bound was ever exceeded, and what gains nothing from occupancy gained
// nothing. The names are those of own.times.csv.
func TestVerdictsHeldAgainstTime(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(strings.ReplaceAll(read(t, "own.times.csv"), ", ", "; "))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	ms := map[string]float64{}
	for _, row := range rows[1:] {
		if ms[row[0]], err = strconv.ParseFloat(row[3], 64); err != nil {
			t.Fatal(err)
		}
	}
	r := judged(t, "own.raw.csv.gz", "own.log")
	for _, c := range []struct {
		id            string
		want          Verdict
		before, after string
		least, most   float64 // of time / time after the change
	}{
		{"0", RaiseOrILP, "gather1-2", "gather1-8", 1.5, 4},       // 2 to 8 blocks: 4 at most, by the warps; 100/41 by the memory
		{"0", RaiseOrILP, "gather1-2", "gather8-2", 1.3, 4},       // or loads in flight
		{"2", NearALimit, "gather8-2", "gather1-8", 1, 1.6},       // 63 % busy
		{"4", NearALimit, "copy-4", "copy-8", 1, 1.33},            // 75 % busy
		{"3", NotOccupancy, "copy-8", "copy-4", 0.9, 1.02},        // DRAM is full: fewer blocks are as good, nearly
		{"5", NotOccupancy, "fma-8", "fma-4", 0.98, 1.02},         // issue slots
		{"9", NotOccupancy, "column-0", "column-0-2", 0.98, 1.02}, // bank conflicts
		{"9", NotOccupancy, "column-0", "column-1", 20, 40},       // no conflicts
		{"7", SpillsHot, "outer-8", "outer-2", 10, 20},            // registers in place of spills
		{"12", OtherLatency, "chain-1", "chain-4", 3, 4},          // independent arithmetic
		{"16", GridTooSmall, "deal-16", "deal-1056", 10, 20},      // more blocks
		{"18", Uneven, "odd", "even", 2.5, 3.5},                   // even blocks
	} {
		k := byID(t, r, c.id)
		if k.Verdict != c.want {
			t.Errorf("launch %s (%s): %s, want %s", c.id, c.before, k.Verdict, c.want)
		}
		if gain := ms[c.before] / ms[c.after]; gain < c.least || gain > c.most {
			t.Errorf("%s to %s gained %.2fx, want %g to %g", c.before, c.after, gain, c.least, c.most)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	var b strings.Builder
	buf := make([]byte, 4096)
	for r := open(t, name); ; {
		n, err := r.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return b.String()
		}
	}
}

// What is remembered of launches without counters changes no result: times in
// any order, short ones and long ones of one shape.
func TestLikeLaunchesAreCountedAlike(t *testing.T) {
	add := func(list []float64, remember bool) *Result {
		j := New(nil, Options{Table: arch.Builtin(), Thresholds: Defaults()})
		for _, us := range list {
			l := &profile.Launch{Names: profile.Names{Mangled: "_Z1kv"}, Arch: "sm_90", Grid: profile.Dim{264, 1, 1}, Block: profile.Dim{256, 1, 1}, Merged: 1}
			l.Values.Set(profile.DurationNanos, us*1e3)
			l.Values.Set(profile.RegistersPerThread, 40)
			l.Values.Set(profile.SMs, 132)
			if err := j.Add(l); err != nil {
				t.Fatal(err)
			}
			if !remember {
				clear(j.before)
			}
		}
		return j.Result()
	}
	for _, list := range [][]float64{{20, 30, 25, 5, 6, 4}, {5, 50, 5, 50}, {9.9, 10, 10.1}} {
		a, b := add(list, true), add(list, false)
		if len(a.Kernels) != 2 || a.TimeNanos != b.TimeNanos || a.Launches != b.Launches || len(a.Kernels) != len(b.Kernels) || a.Unjoined != b.Unjoined {
			t.Fatalf("%v: %+v, and without remembering %+v", list, a, b)
		}
		for i := range a.Kernels {
			x, y := &a.Kernels[i], &b.Kernels[i]
			if x.Verdict != y.Verdict || x.Message != y.Message || x.Launches != y.Launches || x.TimeNanos != y.TimeNanos || x.Grids != y.Grids {
				t.Errorf("%v: %+v, and without remembering %+v", list, x, y)
			}
		}
	}
}
