package rules

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

func readLog(t testing.TB, text string) *parse.Log {
	t.Helper()
	log := &parse.Log{}
	if err := log.Read(strings.NewReader(text), "build.log"); err != nil {
		t.Fatal(err)
	}
	return log
}

func mustJudge(t testing.TB, log *parse.Log, p *Policy) *Result {
	t.Helper()
	r, err := Judge(log, p)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRegistryIsComplete: each rule has a file, and each file is registered.
func TestRegistryIsComplete(t *testing.T) {
	files, err := filepath.Glob("rule_*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no rules", err)
	}
	for _, file := range files {
		id := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(file, "rule_"), ".go"), "_", "-")
		if _, ok := ByID(id); !ok {
			t.Errorf("%s is not in the registry: no rule %s", file, id)
		}
	}
	if n := len(Registry()); n != len(files) {
		t.Errorf("%d rules and %d files", n, len(files))
	}
}

func TestRulesAreDocumented(t *testing.T) {
	id := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	seen := map[string]bool{}
	for _, r := range Registry() {
		if !id.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("id %q is malformed or there twice", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" || len(r.Title) > 72 || strings.HasSuffix(r.Title, ".") || strings.ToLower(r.Title[:1]) != r.Title[:1] {
			t.Errorf("%s: title %q: want up to 72 letters, no capital, no period", r.ID, r.Title)
		}
		for what, text := range map[string]string{"why": r.Why, "fix": r.Fix, "example log": r.Example.Log, "example finding": r.Example.Finding} {
			if len(text) < 20 {
				t.Errorf("%s: %s is missing: %q", r.ID, what, text)
			}
		}
		if (r.Example.Config == "") != (r.Example.Policy == nil) {
			t.Errorf("%s: the example's config and its policy must come together", r.ID)
		}
		for _, o := range r.Options {
			if o.Key == "" || !strings.HasSuffix(o.Text, ".") {
				t.Errorf("%s: option %q: %q is no sentence", r.ID, o.Key, o.Text)
			}
		}
		if r.ID == untrustedLogID && r.Default != Error {
			t.Errorf("%s must be an error", r.ID)
		}
		if found, ok := ByID(r.ID); !ok || found.Title != r.Title {
			t.Errorf("ByID does not find %s", r.ID)
		}
	}
	if _, ok := ByID("no-such-rule"); ok {
		t.Error("ByID finds a rule that does not exist")
	}
}

// The example of each rule gives its finding: the documentation shows what the
// program does.
func TestExamplesAreTrue(t *testing.T) {
	for _, r := range Registry() {
		t.Run(r.ID, func(t *testing.T) {
			var p *Policy
			if r.Example.Policy != nil {
				p = r.Example.Policy()
			}
			result := mustJudge(t, readLog(t, r.Example.Log), p)
			var messages []string
			for i := range result.Findings {
				f := &result.Findings[i]
				messages = append(messages, f.Rule+": "+f.Message)
				if f.Rule == r.ID && f.Message == r.Example.Finding {
					return
				}
			}
			t.Errorf("want\n%s: %s\nhave\n%s", r.ID, r.Example.Finding, strings.Join(messages, "\n"))
		})
	}
}
