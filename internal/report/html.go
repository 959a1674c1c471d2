package report

import (
	"bufio"
	"crypto/sha256"
	_ "embed" // the page, its style and its script
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"

	"github.com/occlint/occlint/internal/compare"
)

var (
	//go:embed html/page.html
	htmlPage string
	//go:embed html/style.css
	htmlStyle string
	//go:embed html/page.js
	htmlScript string
)

// htmlBlocks is how many messages the page lists above the table, besides those
// about no kernel of the table.
const htmlBlocks = 100

// htmlView is what the page's template shows without a script.
type htmlView struct {
	Title, Found, Scope, Version string
	Policy                       string // for the browser: load nothing, run this script only
	Trusted                      bool
	Counts                       []htmlCount
	Blocks                       []htmlBlock
	MoreBlocks                   string
	Gone                         []string // kernels that the base has
	Left                         string   // what the table leaves out
	Tuned                        template.HTML
	Style                        template.CSS
	Script                       template.JS
	Data                         template.JS
}

type htmlCount struct {
	Class string
	N     int
	Word  string
}

type htmlBlock struct {
	Severity, Message, Rule, Place, Declared, Log string
	Notes, Help                                   []string
	Kernel                                        int // index of the kernel's page; -1 for none
	Open                                          bool
}

// writeHTML writes one self-contained page: findings, a table to sort and
// filter, and a page for each kernel. It loads nothing from anywhere; the
// browser is told so.
func writeHTML(w *bufio.Writer, in *Input) error {
	page, err := template.New("page").Parse(htmlPage)
	if err != nil {
		return err
	}
	d := newHTMLData(in)
	data, err := json.Marshal(d) // writes < and > as escapes, so no name can end the script
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(htmlScript))
	c := count(in.Result.Findings)
	view := htmlView{
		Title: escaped(in.title()), Gone: in.gone(), Found: c.found(true), Scope: in.scope(), Version: escaped(in.Version),
		Policy: "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; script-src 'sha256-" +
			base64.StdEncoding.EncodeToString(sum[:]) + "'",
		Tuned:   in.Tuned,
		Trusted: in.Result.Trusted(), Counts: htmlCounts(c, in.Result.NotJudged),
		Style:  template.CSS(htmlStyle), //nolint:gosec // ours
		Script: template.JS(htmlScript), //nolint:gosec // ours
		Data:   template.JS(data),       //nolint:gosec // escaped by the encoder
	}
	if d.left > 0 {
		view.Left = fmt.Sprintf("%d more records are not in this page; those with findings come first. occlint show --output csv has all.", d.left)
	}
	messages := blocks(in.open(), in.NoGroup)
	more := 0
	for i := range messages {
		h := in.htmlBlock(messages[i], d, len(messages) <= 3)
		// What the table has no row for stands here or nowhere.
		if i >= htmlBlocks && h.Kernel >= 0 {
			more++
			continue
		}
		view.Blocks = append(view.Blocks, h)
	}
	if more > 0 {
		view.MoreBlocks = plural(more, "more message")
	}
	return page.Execute(w, view)
}

// gone lists the kernels that the base has and the log has not.
func (in *Input) gone() []string {
	if in.Diff == nil {
		return nil
	}
	const shown = 100
	var list []string
	more := 0
	for i := range in.Diff.Pairs {
		p := &in.Diff.Pairs[i]
		switch {
		case p.Status != compare.Removed:
		case len(list) == shown:
			more++
		default:
			list = append(list, clip(escaped(in.demangled(p.OldName)), markdownCell)+" on "+escaped(p.Arch))
		}
	}
	if more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return list
}

// title says what was judged: the logs' names.
func (in *Input) title() string {
	var files []string
	last := ""
	for _, k := range in.Log.Kernels() {
		if f := k.Place.File; f != last && !slices.Contains(files, f) && len(files) <= 8 {
			files = append(files, f)
			last = f
		}
	}
	return list(files, 3)
}

func htmlCounts(c counts, notJudged int) []htmlCount {
	var list []htmlCount
	add := func(class string, n int, one, many string) {
		if n > 0 {
			word := many
			if n == 1 {
				word = one
			}
			list = append(list, htmlCount{class, n, word})
		}
	}
	add("error", c.errors, "error", "errors")
	add("warning", c.warnings, "warning", "warnings")
	add("info", c.infos, "info", "info")
	add("", c.suppressed, "suppressed", "suppressed")
	add("", c.baselined, "in the baseline", "in the baseline")
	add("", c.known, "as in the base", "as in the base")
	add("", notJudged, "not judged", "not judged")
	if c.errors+c.warnings+c.infos == 0 {
		list = append([]htmlCount{{"good", 0, "findings"}}, list...)
	}
	return list
}

func (in *Input) htmlBlock(b *block, d *htmlData, open bool) htmlBlock {
	f := b.worst
	h := htmlBlock{Severity: f.Severity.String(), Message: in.message(f), Rule: f.Rule, Place: place(anchor(f)),
		Declared: declaredWords(f.Declared), Kernel: d.kernelOf(in, f), Open: open, Notes: in.facts(b), Help: b.helps()}
	if f.LogText != "" {
		h.Log = place(f.Log) + ": " + brief(f.LogText)
	}
	return h
}
