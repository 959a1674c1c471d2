package report

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/rules"
)

const rulePages = "../../docs/rules"

// The pages in docs/rules are made from the rules themselves and from what the
// program prints for their examples: go test -update writes them.
func TestRulePages(t *testing.T) {
	pages := map[string]string{"README.md": RulesIndex(rules.Registry())}
	for _, r := range rules.Registry() {
		pages[r.ID+".md"] = RuleMarkdown(r)
	}
	for file, want := range pages {
		path := filepath.Join(rulePages, file)
		if *update {
			if err := os.MkdirAll(rulePages, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("%v (go test -update writes it)", err)
		}
		if d := cmp.Diff(want, string(got)); d != "" {
			t.Errorf("%s is not what the rule says (go test -update; -want +got):\n%s", path, d)
		}
	}
	files, err := os.ReadDir(rulePages)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if pages[f.Name()] == "" {
			t.Errorf("%s belongs to no rule", f.Name())
		}
	}
}

// What a rule's example states as its finding stands in what the program
// prints for it, as a message of its own or beside a worse one.
func TestRuleExamplesSayWhatTheyState(t *testing.T) {
	for _, r := range rules.Registry() {
		out := exampleOutput(r)
		if !strings.Contains(out, r.Example.Finding+" ["+r.ID+"]") {
			t.Errorf("%s: the example states %q, and its run says\n%s", r.ID, r.Example.Finding, out)
		}
	}
}

func TestExplain(t *testing.T) {
	r, ok := rules.ByID("min-blocks")
	if !ok {
		t.Fatal("no min-blocks")
	}
	plain := Explain(r, &term.Style{Unicode: true, Width: 72})
	for _, line := range strings.Split(plain, "\n") {
		// Code keeps its lines; prose is wrapped.
		if term.Width(line) > 72 && !strings.HasPrefix(line, "    ") {
			t.Errorf("a line of %d columns: %q", term.Width(line), line)
		}
	}
	colored := Explain(r, &term.Style{Unicode: true, Width: 72, Color: true})
	stripped := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(colored, "")
	if d := cmp.Diff(strings.ReplaceAll(plain, "`", ""), strings.ReplaceAll(stripped, "`", "")); d != "" {
		t.Errorf("colour changes the text:\n%s", d)
	}
}

func TestNearestRules(t *testing.T) {
	tests := []struct{ word, want string }{
		{"min-block", "min-blocks"},
		{"minblocks", "min-blocks"},
		{"spil-budget", "spill-budget"},
		{"[min-blocks]", "min-blocks"},
		{"cliff", "register-cliff"},
		{"untrusted", "untrusted-log"},
		{"regression", "regression"},
		{"spils", "spill-budget callee-spill spill-in-loop"},
		{"budget", "spill-budget register-budget shared-budget stack-budget barrier-budget"},
		{"something-else-entirely", ""},
		{"x", ""},
		{strings.Repeat("x", 10000), ""},
	}
	for _, tt := range tests {
		got, want := NearestRules(tt.word), strings.Fields(tt.want)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("NearestRules(%.20q) = %q, want %q", tt.word, got, want)
		}
	}
}
