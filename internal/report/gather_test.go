package report

import (
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// TestGather: baseline entries that nobody needs are one message, and the last;
// one alone is told as it is, and so is each where grouping is off.
func TestGather(t *testing.T) {
	stale := func(kernel string) rules.Finding {
		return rules.Finding{
			Rule: "stale-exception", Severity: rules.Warning, Accepted: kernel, Detail: kernel,
			Message: "the baseline accepts spill-budget for " + kernel + ", and there is none any more",
		}
	}
	ignore := rules.Finding{Rule: "stale-exception", Severity: rules.Warning, Detail: "i", Message: "the ignore of spill-budget for \"x\" suppresses nothing"}
	spill := rules.Finding{Rule: "spill-budget", Severity: rules.Warning, Kernel: "_Z1kv", Subject: "k", Message: "k spills"}
	for _, tc := range []struct {
		reason   string
		findings []rules.Finding
		noGroup  bool
		want     []string
	}{
		{"one", []rules.Finding{stale("_Z1av"), spill}, false, []string{"k spills", "the baseline accepts spill-budget for _Z1av, and there is none any more"}},
		{
			"five values of four families", []rules.Finding{stale("_Z1av"), stale("_Z1bIiEvv"), stale("_Z1bIfEvv"), ignore, stale("_Z1cv"), stale("_Z1dv"), spill}, false,
			[]string{"k spills", "the ignore of spill-budget for \"x\" suppresses nothing", "5 values that the baseline accepts are no longer needed | of a, b, c and 1 more"},
		},
		{
			"each", []rules.Finding{stale("_Z1av"), stale("_Z1bv")}, true,
			[]string{"the baseline accepts spill-budget for _Z1av, and there is none any more", "the baseline accepts spill-budget for _Z1bv, and there is none any more"},
		},
	} {
		in := &Input{Log: &parse.Log{}, Result: &rules.Result{Findings: tc.findings}, NoGroup: tc.noGroup}
		var got []string
		for _, b := range in.messages(in.shown()) {
			got = append(got, strings.Join(append([]string{in.message(b.worst)}, in.facts(b)...), " | "))
		}
		if strings.Join(got, "\n") != strings.Join(tc.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", tc.reason, strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
		}
	}
}
