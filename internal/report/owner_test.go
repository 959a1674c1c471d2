package report

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/rules"
)

func junitOf(t *testing.T, in *Input) []junitCase {
	t.Helper()
	var r junitSuites
	if err := xml.Unmarshal([]byte(write(t, "junit", in)), &r); err != nil {
		t.Fatal(err)
	}
	var cases []junitCase
	skipped := 0
	for _, s := range r.Suites {
		cases = append(cases, s.Cases...)
		for _, c := range s.Cases {
			if c.Skipped != nil {
				skipped++
			}
		}
	}
	if r.Tests != len(cases) || r.Skipped != skipped {
		t.Errorf("says %d tests and %d skipped, has %d and %d", r.Tests, r.Skipped, len(cases), skipped)
	}
	return cases
}

// Two translation units have a kernel of one name; the second spills.
func TestFindingsBelongToTheirRecord(t *testing.T) {
	zero := rules.Declaration{Match: "*", SpillStoreBytes: rules.Declared[int64](0), SpillLoadBytes: rules.Declared[int64](0)}
	in := judged(t, spilling("_Z4tilePf", 0, 0)+spilling("_Z4tilePf", 16, 24), &rules.Policy{Declarations: []rules.Declaration{zero}})
	if in.Result.Judged != 2 {
		t.Fatalf("%d kernels", in.Result.Judged)
	}
	cases := junitOf(t, in)
	if len(cases) != 2 {
		t.Fatalf("%d cases", len(cases))
	}
	// A record has five lines, and its second is the one that names it.
	if c := cases[0]; c.Name != "tile(float*)" || c.Line != 2 || c.Failure != nil {
		t.Errorf("first case %+v", c)
	}
	if c := cases[1]; c.Name != "tile(float*) (2)" || c.Line != 7 || c.Failure == nil {
		t.Errorf("second case %+v", c)
	}
	d := newHTMLData(in)
	if d.Kernels[0].Findings != nil || !slices.Equal(d.Kernels[1].Findings, []int{0}) {
		t.Errorf("the page has findings %v and %v", d.Kernels[0].Findings, d.Kernels[1].Findings)
	}
}

// What a record does not tell is not passed.
func TestJUnitSkipsWhatIsNotJudged(t *testing.T) {
	log := spilling("_Z4tilePf", 0, 0)
	in := judged(t, log+strings.Join(strings.SplitAfter(spilling("_Z4cutPf", 0, 0), "\n")[:3], ""), &rules.Policy{})
	if in.Result.NotJudged != 1 {
		t.Fatalf("%d not judged", in.Result.NotJudged)
	}
	for _, c := range junitOf(t, in) {
		switch {
		case strings.HasPrefix(c.Name, "tile"):
			if c.Skipped != nil {
				t.Errorf("tile is skipped: %+v", c.Skipped)
			}
		case strings.HasPrefix(c.Name, "cut"):
			if c.Skipped == nil || c.Skipped.Message != "truncated" {
				t.Errorf("cut: %+v", c)
			}
		}
	}
}

// Errors about no kernel stand nowhere else on the page, so they are there
// however many messages there are.
func TestHTMLListsWhatHasNoRow(t *testing.T) {
	log := spillingAll("_Z4tile%dPf", slices.Repeat([][2]int{{16, 24}}, htmlBlocks+20))
	zero := rules.Declaration{SpillStoreBytes: rules.Declared[int64](0), SpillLoadBytes: rules.Declared[int64](0)}
	gone := zero
	gone.Match = "zzz_gone"
	in := judged(t, log, &rules.Policy{Declarations: []rules.Declaration{zero, gone}})
	in.NoGroup = true
	page := write(t, "html", in)
	for _, want := range []string{"&#34;zzz_gone&#34; matches no kernel", "20 more messages; the table"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
}
