package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/edit"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/internal/term"
)

// VerdictsMarkdown is the part of docs/profile.md that is made from the
// verdicts' own text. example says what occlint prints for one.
func VerdictsMarkdown(docs []judge.Doc, example func(judge.Doc) string) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	for i, d := range docs {
		p("\n### %d. `%s`: %s\n\n%s\n\n%s\n\n**What to do.** %s\n", i+1, d.Verdict, d.Title, d.When, d.Why, d.Do)
		p("\n```text\n%s\n```\n", strings.TrimRight(example(d), "\n"))
		if d.Example.Change != "" {
			p("\n*Tested by a change.* %s\n", d.Example.Change)
		}
	}
	return b.String()
}

// ExplainVerdict is a verdict's text for a terminal.
func ExplainVerdict(d judge.Doc, style *term.Style) string {
	var b strings.Builder
	columns := 80
	if style.Width > 0 {
		columns = min(style.Width, 100)
	}
	b.WriteString(style.Strong(string(d.Verdict)) + ": " + style.Text(d.Title) + "\n")
	for _, part := range []struct{ title, text string }{
		{"When", d.When}, {"Why it matters", d.Why}, {"What to do", d.Do}, {"Tested by a change", d.Example.Change},
	} {
		if part.text == "" {
			continue
		}
		b.WriteString("\n" + style.Strong(part.title) + "\n\n" + explainParagraph(part.text, style, columns))
	}
	return b.String()
}

// NearestVerdicts are the verdicts that were probably meant by a slip.
func NearestVerdicts(id string) []string {
	var near []string
	for _, d := range judge.Docs() {
		if v := string(d.Verdict); edit.Distance(id, v) <= 2 || len(id) > 2 && strings.Contains(v, id) {
			near = append(near, v)
		}
	}
	slices.Sort(near)
	return near
}
