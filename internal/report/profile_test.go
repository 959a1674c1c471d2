package report

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
	"github.com/occlint/occlint/internal/profile/judge"
)

func writeProfile(t *testing.T, format string, r *judge.Result, o ProfileOptions) string {
	t.Helper()
	var b bytes.Buffer
	if o.Table == nil {
		o.Table = arch.Builtin()
	}
	if err := Profile(&b, format, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The JSON of every kind of report is what the schema says, and no number that
// isn't known is there.
func TestProfileJSONConformsToItsSchema(t *testing.T) {
	text, err := os.ReadFile("../../docs/profile.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	const url = "https://raw.githubusercontent.com/occlint/occlint/main/docs/profile.schema.json"
	if err := c.AddResource(url, doc); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile(url)
	for reportFile, log := range map[string]string{
		"own.raw.csv.gz": "own.log", "own.details.csv.gz": "own-12.4.log", "own.summary.csv.gz": "own.log", "own-small.ncu-rep.gz": "own.log",
		"prof.occ-only.csv.gz": "prof.log", "model.trace.json.gz": "own.log", "fixtures/nsys-gpu-trace.csv": "fixtures/build.log", "fixtures/details-2020.csv": "fixtures/build.log",
	} {
		conform(t, schema, writeProfile(t, "json", profileOf(t, reportFile, log), ProfileOptions{
			Problems: []profile.Problem{{Place: profile.Place{File: "r.csv", Line: 3}, Text: "not a row"}},
		}))
	}
	trace := writeProfile(t, "json", profileOf(t, "model.trace.json.gz", "own.log"), ProfileOptions{})
	for _, key := range []string{"issue_percent", "achieved_percent", "instructions", "stalls", "throughput", "record"} {
		if strings.Contains(trace, `"`+key+`"`) {
			t.Errorf("a trace has no %s, and the JSON has", key)
		}
	}
}

// hostileProfile is a result whose every text is from outside and means harm.
func hostileProfile() *judge.Result {
	bad := "::error::x\x1b[31m\u202e##[error]</script><script>alert(1)</script>|`*_[a](b)\n::set-output name=x::y"
	k := judge.Kernel{
		Shown: bad, Arch: bad, Device: bad, IDs: []string{bad}, Launches: 1, TimeNanos: 1e6, Share: 1, Threads: 32, Dynamic: arch.Unknown, Registers: arch.Unknown,
		Waves: math.NaN(), SMs: math.NaN(), ReportedPercent: math.NaN(), Verdict: judge.OtherLatency, Message: "warps wait for: " + bad, Help: bad, Notes: []string{bad},
		Place:  profile.Place{File: bad, Line: 1},
		Record: &judge.Record{Name: bad, Arch: bad, Registers: 1, File: bad, Line: 2},
		Counters: judge.Counters{
			Achieved: math.NaN(), Issue: math.NaN(), Eligible: math.NaN(), ActiveWarps: math.NaN(), Busy: math.NaN(), Compute: math.NaN(), Memory: math.NaN(),
			DRAM: math.NaN(), L2: math.NaN(), L1: math.NaN(), Tensor: math.NaN(), Instructions: math.NaN(), Local: math.NaN(), Stalls: []profile.Stall{{Reason: bad, Ratio: 100}},
		},
	}
	return &judge.Result{Kernels: []judge.Kernel{k}, TimeNanos: 1e6, Launches: 1, Devices: []string{bad}}
}

// Text from a report is only text, in every format.
func TestHostileProfile(t *testing.T) {
	options := ProfileOptions{Title: hostileProfile().Kernels[0].Shown, Problems: []profile.Problem{{Place: profile.Place{File: "f\x1b"}, Text: "x\x1b[0m"}}}
	for _, format := range ProfileFormats() {
		out := writeProfile(t, format, hostileProfile(), options)
		if strings.ContainsAny(out, "\x1b\u202e") || strings.Contains(out, "##[") {
			t.Errorf("%s passes control characters on", format)
		}
		for line := range strings.Lines(out) {
			if strings.HasPrefix(strings.TrimLeft(line, " "), "::") {
				t.Errorf("%s starts a line with %q", format, line[:min(len(line), 30)])
			}
		}
		if format == "html" && (strings.Contains(out, "<script") || strings.Contains(out, "</script")) {
			t.Error("a name ends up as a script")
		}
		if format == "markdown" && strings.Contains(out, "<script>") {
			t.Error("a name ends up as HTML")
		}
	}
}

// A page shows the three curves with the point that was achieved, loads
// nothing and runs nothing.
func TestProfilePage(t *testing.T) {
	page := writeProfile(t, "html", profileOf(t, "own.raw.csv.gz", "own.log"), ProfileOptions{Title: "own.raw.csv.gz"})
	for _, want := range []string{
		`default-src 'none'`, "Occupancy by registers per thread", "Occupancy by shared memory per block", "Occupancy by threads per block",
		">achieved 81.7 %</text>", `style="width:32.4%"`, "spills-hot",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(page, "<section "); n != 25 {
		t.Errorf("%d kernels, want 25", n)
	}
	for _, not := range []string{"<script", "src=", "http://", "url("} {
		if strings.Contains(page, not) {
			t.Errorf("the page has %q", not)
		}
	}
}

// Top and MinShare cut the list, which says what it leaves out.
func TestProfileIsCut(t *testing.T) {
	r := profileOf(t, "own.raw.csv.gz", "own.log")
	if out := writeProfile(t, "text", r, ProfileOptions{MinShare: 0.1}); strings.Count(out, "\n  occupancy ") != 3 || !strings.Contains(out, "; 22 not shown") {
		t.Error(out)
	}
	if out := writeProfile(t, "text", r, ProfileOptions{Top: 1}); strings.Count(out, "\n  occupancy ") != 1 {
		t.Error(out)
	}
}
