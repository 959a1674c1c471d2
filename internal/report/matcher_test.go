package report

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The problem matcher of docs finds each finding in plain and in coloured
// output, in oneline and in text.
func TestProblemMatcher(t *testing.T) {
	var file struct {
		ProblemMatcher []struct {
			Owner   string
			Pattern []struct {
				Regexp                                      string
				File, Line, Column, Severity, Message, Code int
			}
		}
	}
	text, err := os.ReadFile("../../docs/problem-matcher.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.ProblemMatcher) != 2 {
		t.Fatalf("%d matchers", len(file.ProblemMatcher))
	}
	oneline, long := file.ProblemMatcher[0], file.ProblemMatcher[1]
	compile := func(pattern string) *regexp.Regexp {
		// The one escape that JavaScript and Go write in different ways.
		return regexp.MustCompile(strings.ReplaceAll(pattern, `\u001b`, `\x1b`))
	}
	first := []string{"src/bounds.cu", "38", "1", "error", "smem_bound reaches 9 of 12 declared blocks per SM on sm_90", "min-blocks"}
	for _, color := range []string{"never", "always"} {
		in := fixture()
		in.Color, in.NoGroup = color, true

		lines := strings.Split(strings.TrimSuffix(write(t, "oneline", in), "\n"), "\n")
		p := oneline.Pattern[0]
		for i, line := range lines {
			m := compile(p.Regexp).FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("color %s: no match in %q", color, line)
			}
			if i == 0 && strings.Join([]string{m[p.File], m[p.Line], m[p.Column], m[p.Severity], m[p.Message], m[p.Code]}, "|") != strings.Join(first, "|") {
				t.Errorf("color %s: %q", color, m)
			}
		}

		lines = strings.Split(write(t, "text", in), "\n")
		head, where := long.Pattern[0], long.Pattern[1]
		found := 0
		for i, line := range lines[:len(lines)-1] {
			m := compile(head.Regexp).FindStringSubmatch(line)
			if m == nil {
				continue
			}
			at := compile(where.Regexp).FindStringSubmatch(lines[i+1])
			if at == nil {
				t.Fatalf("color %s: no place in %q", color, lines[i+1])
			}
			if found == 0 && strings.Join([]string{at[where.File], at[where.Line], at[where.Column], m[head.Severity], m[head.Message], m[head.Code]}, "|") != strings.Join(first, "|") {
				t.Errorf("color %s: %q %q", color, m, at)
			}
			found++
		}
		if found != 8 { // six errors and warnings of kernels, a cap beside its spill, and two of the config
			t.Errorf("color %s: %d findings in the text", color, found)
		}
	}
}
