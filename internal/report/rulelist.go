package report

import (
	"bufio"
	"strings"

	"github.com/occlint/occlint/internal/edit"
	"github.com/occlint/occlint/internal/table"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/rules"
)

// RuleList writes the rules as a table: id, default severity, title.
func RuleList(w *bufio.Writer, list []*rules.Rule, style *term.Style) error {
	ids := 0
	for _, r := range list {
		ids = max(ids, len(r.ID))
	}
	for _, r := range list {
		word := look(style, r.Default)(term.Pad(r.Default.String(), len("warning")))
		lead := term.Pad(r.ID, ids) + table.Gap
		columns := 0
		if style.Width > 0 {
			columns = style.Width - len(lead) - len("warning") - len(table.Gap)
		}
		for i, line := range term.Wrap(style.Text(r.Title), columns) {
			head := style.Strong(lead) + word + table.Gap
			if i > 0 {
				head = strings.Repeat(" ", len(lead)+len("warning")+len(table.Gap))
			}
			if _, err := w.WriteString(head + line + "\n"); err != nil {
				return err
			}
		}
	}
	_, err := w.WriteString("\n" + style.Faint("occlint explain RULE says what a rule means, why it matters and how to fix it.") + "\n")
	return err
}

// RuleJSON is a rule in the output of `occlint rules`.
type RuleJSON struct {
	ID      string         `json:"id"`
	Title   string         `json:"title"`
	Default rules.Severity `json:"default"`
	Why     string         `json:"why"`
	Fix     string         `json:"fix"`
	Options []string       `json:"options"`
	URL     string         `json:"url"`
}

// RulesJSON is the list of rules for other tools.
func RulesJSON(list []*rules.Rule) []RuleJSON {
	out := make([]RuleJSON, len(list))
	for i, r := range list {
		out[i] = RuleJSON{r.ID, r.Title, r.Default, r.Why, r.Fix, []string{}, ruleURI(r.ID)}
		for _, o := range r.Options {
			out[i].Options = append(out[i].Options, o.Key)
		}
	}
	return out
}

// NearestRules are the rules that were probably meant, in the order of the
// registry; none when none is near.
func NearestRules(word string) []string {
	word = strings.ToLower(strings.Trim(word, "[]"))
	var best []string
	distance := max(2, len(word)/3)
	for _, r := range rules.Registry() {
		d := ruleDistance(word, r.ID)
		if d < distance {
			best, distance = nil, d
		}
		if d == distance {
			best = append(best, r.ID)
		}
	}
	return best
}

// ruleDistance is how far word is from a rule's id in edits. The start of an
// id, or one of its words, is as good as a slip; a slip in a word is two.
func ruleDistance(word, id string) int {
	d := edit.Distance(word, id)
	if len(word) < 3 {
		return d
	}
	if strings.HasPrefix(id, word) {
		d = min(d, 1)
	}
	for part := range strings.SplitSeq(id, "-") {
		if slip := edit.Distance(word, part); slip == 0 || slip == 1 && len(word) > 3 {
			d = min(d, 1+slip)
		}
	}
	return d
}
