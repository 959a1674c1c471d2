package tune

import (
	"math"
	"regexp"
	"strings"
	"testing"
)

func TestPrintedTime(t *testing.T) {
	tests := []struct {
		text, regex string
		want        float64 // milliseconds
		fault       string
	}{
		{text: "1.5\n", want: 1.5},
		{text: "GPU: sm_90\nkernel2 took 250 us\n", want: 0.25},
		{text: "250us", want: 0.25},
		{text: "3 ms, 12.5 ms\ndone\n", want: 12.5},
		{text: "0.002 s", want: 2},
		{text: "1e3 ns", want: 0.001},
		{text: "7µs", want: 0.007},
		{text: "took 1.5 seconds\n", want: 1500},
		{text: "elapsed: 2 sec.", want: 2000},
		{text: "12 msec", want: 12},
		{text: "3 milliseconds", want: 3},
		{text: "4 microseconds", want: 0.004},
		{text: "5usecs", want: 0.005},
		{text: "6 nanoseconds", want: 0.000006},
		{text: "2 min", want: 120_000},
		{text: "8 metres", want: 8}, // no unit of time
		{text: "1 2 3", want: 3},
		{text: "time=3.25", want: 3.25},
		{text: ".5", want: 0.5},
		{text: "run 5: t=7 (99 samples)", regex: `t=(\S+)`, want: 7},
		{text: "a 4 us b 5 us", regex: `\d+ us`, want: 0.005},
		{text: "sm_90 v1.2.3x", fault: "no number"},
		{text: "", fault: "no number"},
		{text: "x", regex: "y", fault: "matches nothing"},
		{text: "-3", fault: "is no time"},
	}
	for _, tt := range tests {
		var re *regexp.Regexp
		if tt.regex != "" {
			re = regexp.MustCompile(tt.regex)
		}
		got, err := printedTime(tt.text, re)
		switch {
		case tt.fault != "":
			if err == nil || !strings.Contains(err.Error(), tt.fault) {
				t.Errorf("%q: got %g, %v, want an error with %q", tt.text, got, err, tt.fault)
			}
		case err != nil || math.Abs(got-tt.want) > 1e-12:
			t.Errorf("%q: got %g, %v, want %g", tt.text, got, err, tt.want)
		}
	}
}

func timing(runs ...float64) *Timing {
	t := &Timing{Runs: runs}
	t.settle()
	return t
}

// The code that a source has already is named as such: (256, 2) here is the
// source as it is.
func TestJudgeTimesAsWritten(t *testing.T) {
	today, twin, other := row(t, 0, 32, 0, 0, "a"), row(t, 2, 32, 0, 0, "a"), row(t, 3, 32, 0, 0, "b")
	today.Kind, today.SameAs, twin.SameAs, other.SameAs = AsWritten, -1, 0, -1
	today.Time, other.Time = timing(1, 1, 1), timing(2, 2, 2)
	table := &Table{Rows: []Row{today, twin, other}}
	table.judgeTimes()
	const want = "the fastest is (256, 2) (as written): 1 ms (1 to 1); next is (256, 3): 2 ms (2 to 2)"
	if got := table.Verdict.Sentence; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSettle(t *testing.T) {
	if got := timing(3, 1, 2); got.Median != 2 || got.Min != 1 || got.Max != 3 {
		t.Errorf("got %+v", got)
	}
	if got := timing(4, 1, 2, 3); got.Median != 2.5 {
		t.Errorf("median %g of an even number of runs, want 2.5", got.Median)
	}
}

// failed stands for a benchmark that ended without a time.
var failed = &Timing{}

func TestJudgeTimes(t *testing.T) {
	tests := []struct {
		reason  string
		times   []*Timing
		fastest int
		says    string
	}{
		{"outside the spread", []*Timing{timing(5, 6, 7), timing(1, 2, 3), nil}, 1, "the fastest is (256, 2): 2 ms (1 to 3); next is (256, 1): 6 ms (5 to 7)"},
		{"spreads that meet", []*Timing{timing(3, 4, 5), timing(1, 2, 3)}, -1, "no row is the fastest outside the spread"},
		{"a third one's spread reaches into it", []*Timing{timing(1, 2, 3), timing(4, 4, 4), timing(2.5, 9, 9)}, -1, "no row is the fastest"},
		{"a row whose benchmark failed is no loser", []*Timing{timing(5, 6, 7), timing(1, 2, 3), failed}, 1, "the fastest of those with a time (the benchmark failed for 1 row) is (256, 2): 2 ms (1 to 3); next"},
		{"one alone", []*Timing{timing(1, 1, 1), nil}, -1, "fewer than two rows"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			table := &Table{}
			for i, time := range tt.times {
				r := row(t, i+1, 32, 0, 0, string(rune('a'+i)))
				if r.Time = time; time == failed {
					r.Time, r.TimeError = nil, "exit 1"
				}
				r.SameAs = -1
				table.Rows = append(table.Rows, r)
			}
			table.judgeTimes()
			if v := table.Verdict; v.Fastest != tt.fastest || !strings.Contains(v.Sentence, tt.says) {
				t.Errorf("got %d, %q", v.Fastest, v.Sentence)
			}
		})
	}
}
