package report

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// matchers are the patterns of docs/problem-matcher.json: of a line of oneline,
// and of a message's first line and its place in the text.
func matchers(t *testing.T) (oneline, head, where *regexp.Regexp) {
	t.Helper()
	file := readMatchers(t)
	compile := func(pattern string) *regexp.Regexp {
		// The one escape that JavaScript and Go write in different ways.
		return regexp.MustCompile(strings.ReplaceAll(pattern, `\u001b`, `\x1b`))
	}
	long := file[1].Pattern
	return compile(file[0].Pattern[0].Regexp), compile(long[0].Regexp), compile(long[1].Regexp)
}

type problemMatcher struct {
	Owner   string
	Pattern []struct {
		Regexp                                      string
		File, Line, Column, Severity, Message, Code int
	}
}

func readMatchers(t *testing.T) []problemMatcher {
	t.Helper()
	var file struct{ ProblemMatcher []problemMatcher }
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
	return file.ProblemMatcher
}

// The problem matcher of docs finds each finding in plain and in coloured
// output, in oneline and in text.
func TestProblemMatcher(t *testing.T) {
	file := readMatchers(t)
	oneline, head, where := file[0].Pattern[0], file[1].Pattern[0], file[1].Pattern[1]
	onelineRE, headRE, whereRE := matchers(t)
	first := []string{"src/bounds.cu", "38", "1", "error", "smem_bound reaches 9 of 12 declared blocks per SM on sm_90", "min-blocks"}
	for _, color := range []string{"never", "always"} {
		in := fixture()
		in.Color, in.NoGroup = color, true

		lines := strings.Split(strings.TrimSuffix(write(t, "oneline", in), "\n"), "\n")
		p := oneline
		for i, line := range lines {
			m := onelineRE.FindStringSubmatch(line)
			if m == nil {
				t.Fatalf("color %s: no match in %q", color, line)
			}
			if i == 0 && strings.Join([]string{m[p.File], m[p.Line], m[p.Column], m[p.Severity], m[p.Message], m[p.Code]}, "|") != strings.Join(first, "|") {
				t.Errorf("color %s: %q", color, m)
			}
		}

		lines = strings.Split(write(t, "text", in), "\n")
		found := 0
		for i, line := range lines[:len(lines)-1] {
			m := headRE.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			at := whereRE.FindStringSubmatch(lines[i+1])
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
