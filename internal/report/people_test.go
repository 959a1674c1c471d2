package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// A cap and a spill on each of 40 kernels are 80 findings of 40 kernels.
func TestMarkdownCountsKernels(t *testing.T) {
	log := spillingAll("_ZN3lin5sgemmILi%dEEEvPf", slices.Repeat([][2]int{{16, 24}}, 40))
	in := judged(t, log, &rules.Policy{Declarations: []rules.Declaration{bounds256x4}})
	if len(in.Result.Findings) != 80 {
		t.Fatalf("%d findings", len(in.Result.Findings))
	}
	out := write(t, "markdown", in)
	if !strings.Contains(out, "(and 39 more kernels like it)") {
		t.Errorf("39 others are not counted:\n%s", out)
	}
	// The advice on the spill, then that on the cap, wherever people read.
	for format, mark := range map[string]string{"text": "= help: ", "markdown": "- **help:** ", "github": "%0Ahelp: ", "html": "<b>Help:</b> "} {
		text := write(t, format, in)
		if n := strings.Count(text, mark); n != 2 || !strings.Contains(text, "compare the times with and without the cap") {
			t.Errorf("%s has %d pieces of advice, want 2", format, n)
		}
	}
}

// A name must notify nobody and refer to no issue, in a folded message's
// heading neither.
func TestMarkdownHasNoReferences(t *testing.T) {
	in := fixture()
	f := &in.Result.Findings[0]
	f.Subject, f.Message = "@octocat #1", "@octocat #1 spills"
	f.Notes, f.LogText = []string{"foo()::{lambda(auto:1)#1}"}, ""
	out := write(t, "markdown", in)
	for _, want := range []string{
		"| ❌ error | @\u2060octocat \\#\u20601 spills |",
		"<summary>error: @\u2060octocat #\u20601 spills</summary>",
		"- foo()::{lambda(auto:1)\\#\u20601}\n",
		"- log `build/nvcc.log:17`\n", // without an empty text behind it
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if got := unlinked(escapeHTML(`"a" #2`)); got != "&#34;a&#34; #\u20602" {
		t.Errorf("%q", got)
	}
}

// GitHub drops a job summary of more than 1 MiB whole.
func TestMarkdownIsBounded(t *testing.T) {
	in := fixture()
	one := in.Result.Findings[0]
	one.Notes = nil
	for range 100 {
		one.Notes = append(one.Notes, strings.Repeat("é", 3000)+itoa(len(one.Notes)))
	}
	one.Help = strings.Repeat("h", 1<<20)
	in.Result.Findings = nil
	for i := range 60 {
		f := one
		f.Kernel = fmt.Sprintf("k%d", i)
		in.Result.Findings = append(in.Result.Findings, f)
	}
	out := write(t, "markdown", in)
	if len(out) > 512<<10 || !strings.Contains(out, "more messages not shown here") || !strings.Contains(out, "The details of ") {
		t.Errorf("%d bytes; what is left out is not said", len(out))
	}
}

// The matcher takes places without a line and paths of Windows too.
func TestProblemMatcherTakesEveryPlace(t *testing.T) {
	oneline, _, where := matchers(t)
	for _, at := range []parse.Place{{File: "none.log"}, {File: `C:\src\a.cu`, Line: 3, Column: 7}, {File: "src/a.cu", Line: 3}} {
		in := fixture()
		f := &in.Result.Findings[0]
		f.Place, f.Declared = at, rules.Origin{}
		in.Result.Findings = in.Result.Findings[:1]
		want := []string{at.File, "", ""}
		if at.Line > 0 {
			want[1] = itoa(at.Line)
		}
		if at.Column > 0 {
			want[2] = itoa(at.Column)
		}
		for _, in.Color = range []string{"never", "always"} {
			m := oneline.FindStringSubmatch(strings.TrimSuffix(write(t, "oneline", in), "\n"))
			if m == nil || m[1] != want[0] || m[2] != want[1] || m[3] != want[2] {
				t.Errorf("oneline, %+v: %q", at, m)
			}
			m = where.FindStringSubmatch(strings.Split(write(t, "text", in), "\n")[1])
			if m == nil || m[1] != want[0] || m[2] != want[1] || m[3] != want[2] {
				t.Errorf("text, %+v: %q", at, m)
			}
		}
	}
}
