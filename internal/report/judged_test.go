package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// judged is the report's input for a log and a policy.
func judged(t *testing.T, text string, p *rules.Policy) *Input {
	t.Helper()
	log := &parse.Log{}
	if err := log.Read(strings.NewReader(text), "build.log"); err != nil {
		t.Fatal(err)
	}
	r, err := rules.Judge(log, p)
	if err != nil {
		t.Fatal(err)
	}
	return &Input{Log: log, Result: r, ConfigFile: ".occlint.yml", Color: "never"}
}

// spillLog is a kernel that spills.
func spillLog(kernel string) string {
	return "ptxas info    : 0 bytes gmem\n" +
		"ptxas info    : Compiling entry function '" + kernel + "' for 'sm_90'\n" +
		"ptxas info    : Function properties for " + kernel + "\n" +
		"    120 bytes stack frame, 244 bytes spill stores, 276 bytes spill loads\n" +
		"ptxas info    : Used 64 registers, used 0 barriers, 120 bytes cumulative stack size\n"
}

var bounds256x4 = rules.Declaration{Match: "*", LaunchBounds: rules.Declared(rules.Bounds{Threads: 256, MinBlocks: 4})}

// Without a budget the machine formats have no limit, which is not one of 0.
func TestNoLimitIsAbsent(t *testing.T) {
	spills := func(d rules.Declaration) rules.Declaration {
		d.SpillStoreBytes = rules.Declared[int64](0)
		return d
	}
	type limits map[string][]string // by rule: the finding, then each measure
	for _, c := range []struct {
		name string
		d    rules.Declaration
		want limits
	}{
		{"none", bounds256x4, limits{"spill-budget": {"", "", ""}, "capped-and-spilling": {"", "", ""}}},
		// 276 bytes of loads, for which nothing is declared, are the worst number.
		{"stores alone", spills(bounds256x4), limits{"spill-budget": {"", "0", ""}, "capped-and-spilling": {"", "", ""}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := judged(t, spillLog("k"), &rules.Policy{Declarations: []rules.Declaration{c.d}})
			type number struct {
				Limit json.RawMessage `json:"limit"`
			}
			var doc struct {
				Findings []struct {
					Rule string `json:"rule"`
					number
					Measures []number `json:"measures"`
				} `json:"findings"`
			}
			if err := json.Unmarshal([]byte(write(t, "json", in)), &doc); err != nil {
				t.Fatal(err)
			}
			if len(doc.Findings) != len(c.want) {
				t.Fatalf("%d findings, want %d", len(doc.Findings), len(c.want))
			}
			for _, f := range doc.Findings {
				have := []string{string(f.Limit)}
				for _, m := range f.Measures {
					have = append(have, string(m.Limit))
				}
				if !slices.Equal(have, c.want[f.Rule]) {
					t.Errorf("%s: limits %q, want %q", f.Rule, have, c.want[f.Rule])
				}
			}
			if sarif := write(t, "sarif", in); strings.Contains(sarif, `"limit"`) {
				t.Errorf("SARIF has a limit:\n%s", sarif)
			}
			for _, line := range strings.Split(write(t, "jsonl", in), "\n") {
				if strings.Contains(line, `"rule":"capped-and-spilling"`) && strings.Contains(line, `"limit"`) {
					t.Errorf("a limit in %s", line)
				}
			}
		})
	}
}

// The spill heads its message and the cap stands below, of regressions too.
func TestRegressionsAreHeadedByTheSpill(t *testing.T) {
	p := &rules.Policy{Declarations: []rules.Declaration{bounds256x4}, Baseline: &rules.Baseline{}}
	p.Declarations[0].SpillStoreBytes, p.Declarations[0].SpillLoadBytes = rules.Declared[int64](0), rules.Declared[int64](0)
	// The cap's entry is the more distant one, and counts the callees as well.
	for rule, value := range map[string]float64{"spill-budget": 200, "capped-and-spilling": 100} {
		for _, field := range []string{rules.FieldSpillStores, rules.FieldSpillLoads} {
			p.Baseline.Entries = append(p.Baseline.Entries, rules.BaselineEntry{
				Rule: rule, Kernel: "k", Arch: "sm_90", Field: field, Value: value, Reason: "as it was",
			})
		}
	}
	out := write(t, "text", judged(t, spillLog("k"), p))
	for _, want := range []string{
		"error: k got worse on sm_90: 244 bytes of spill stores, 44 more than the 200 that the baseline accepts (spill-budget) [regression]",
		"= also k got worse on sm_90: 244 bytes of spill stores, 144 more than the 100 that the baseline accepts (capped-and-spilling) [regression]",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if n := strings.Count(out, "error: "); n != 1 {
		t.Errorf("%d messages, want 1:\n%s", n, out)
	}
}

// A name of a megabyte is in the formats for machines as it is; nobody reads it
// whole, and two that differ somewhere stay two.
func TestVeryLongNames(t *testing.T) {
	first := "k" + strings.Repeat("x", 1<<20)
	second := first[:1<<19] + "y" + first[1<<19:]
	in := judged(t, spillLog(first)+spillLog(second), &rules.Policy{Declarations: []rules.Declaration{bounds256x4}})
	if in.Result.Judged != 2 {
		t.Fatalf("%d kernels", in.Result.Judged)
	}
	for _, format := range []string{"text", "oneline", "github", "markdown", "html", "gitlab", "junit", "checkstyle"} {
		if n := len(write(t, format, in)); n > 200<<10 {
			t.Errorf("%s: %d bytes", format, n)
		}
	}
	for _, format := range []string{"json", "jsonl", "sarif"} {
		if out := write(t, format, in); !strings.Contains(out, first) || !strings.Contains(out, second) {
			t.Errorf("%s has not all of the names", format)
		}
	}
	var shown, csv strings.Builder
	if err := Show(&shown, "text", in, ShowOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := Show(&csv, "csv", in, ShowOptions{}); err != nil || !strings.Contains(csv.String(), second) {
		t.Errorf("csv has not all of the names (%v)", err)
	}
	lines := strings.Split(shown.String(), "\n")
	if shown.Len() > 20<<10 || lines[1] == lines[2] {
		t.Errorf("show: %d bytes, %.100q and %.100q", shown.Len(), lines[1], lines[2])
	}
	var declared strings.Builder
	if err := Declared(&declared, "text", in); err != nil || declared.Len() > 20<<10 {
		t.Errorf("declared: %d bytes, %v", declared.Len(), err)
	}
}

// spilling is a record of an instantiation that spills.
func spilling(kernel string, stores, loads int) string {
	return "ptxas info    : 0 bytes gmem\n" +
		"ptxas info    : Compiling entry function '" + kernel + "' for 'sm_90'\n" +
		"ptxas info    : Function properties for " + kernel + "\n" +
		fmt.Sprintf("    8 bytes stack frame, %d bytes spill stores, %d bytes spill loads\n", stores, loads) +
		"ptxas info    : Used 64 registers, used 0 barriers\n"
}

// spillingAll has a record for each pair of stores and loads, named by number.
func spillingAll(format string, bytes [][2]int) string {
	var log strings.Builder
	for i, b := range bytes {
		log.WriteString(spilling(fmt.Sprintf(format, i), b[0], b[1]))
	}
	return log.String()
}

// Of a family the worst is the one with the number that is furthest past its
// limit, stores or loads, and each of the two has its own range.
func TestWorstOfAFamily(t *testing.T) {
	log := spillingAll("_ZN3lin5sgemmILi%dEEEvPf", [][2]int{{100, 0}, {0, 500}, {40, 40}, {8, 8}})
	zero := rules.Declaration{Match: "*", SpillStoreBytes: rules.Declared[int64](0), SpillLoadBytes: rules.Declared[int64](0)}
	out := write(t, "text", judged(t, log, &rules.Policy{Declarations: []rules.Declaration{zero}}))
	for _, want := range []string{
		"error: lin::sgemm<1> spills 0 bytes of stores and 500 of loads on sm_90",
		"= the worst of 4 kernels of this family on sm_90, 0 to 100 bytes of spill stores, 0 to 500 bytes of spill loads (--no-group lists each)\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	// 500 of loads stand before 100 of stores in a list of all, too.
	in := judged(t, log, &rules.Policy{Declarations: []rules.Declaration{zero}})
	in.NoGroup = true
	var order []string
	for _, m := range regexp.MustCompile(`(?m)^error: lin::sgemm<(\d)>`).FindAllStringSubmatch(write(t, "text", in), -1) {
		order = append(order, m[1])
	}
	if want := []string{"1", "0", "2", "3"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

// Of more results than GitHub shows, the ones that go are those with the least.
func TestSARIFLeavesOutTheLeast(t *testing.T) {
	in := fixture()
	one := in.Result.Findings[1] // spill-budget
	in.Result.Findings = nil
	for i := range 5001 {
		f := one
		f.Value, f.Limit, f.Measures, f.Message = float64(i+1), 0, nil, fmt.Sprintf("%d bytes", i+1)
		in.Result.Findings = append(in.Result.Findings, f)
	}
	var log sarifRead
	if err := json.Unmarshal([]byte(write(t, "sarif", in)), &log); err != nil {
		t.Fatal(err)
	}
	r := log.Runs[0].Results
	if first, last := r[0].Message.Text, r[len(r)-1].Message.Text; !strings.HasPrefix(first, "5001 bytes") || !strings.HasPrefix(last, "2 bytes") {
		t.Errorf("from %q to %q, want 5001 to 2 bytes", first, last)
	}
}
