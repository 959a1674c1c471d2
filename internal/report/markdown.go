package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/occlint/occlint/internal/table"
	"github.com/occlint/occlint/rules"
)

// Limits of a comment and a job summary: GitHub cuts a summary at 1 MiB and a
// comment at 65,536 characters; nobody reads more than this many rows.
const (
	markdownBlocks = 50
	markdownCell   = 400 // runes
	markdownBytes  = 256 << 10
)

// writeMarkdown writes a report for a pull request's comment or a job summary:
// the summary, then a table of messages, then each message's details folded.
func writeMarkdown(w *bufio.Writer, in *Input) error {
	list := blocks(in.open(), in.NoGroup)
	c := count(in.Result.Findings)
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

	p("## occlint: %s\n\n", c.found(true))
	p("%s%s.\n", escapeMarkdown(in.scope()), escapeMarkdown(c.setAside(in.Result.NotJudged)))
	if !in.Result.Trusted() {
		p("\n**This is no verdict:** the log can't be trusted as a whole, see `untrusted-log`.\n")
	}
	if len(list) == 0 {
		return nil
	}
	shown := list[:min(len(list), markdownBlocks)]
	p("\n| severity | finding | rule | where |\n| --- | --- | --- | --- |\n")
	for _, b := range shown {
		p("| %s %s | %s%s | %s | %s |\n", severitySign(b.worst.Severity), b.worst.Severity,
			escapeMarkdown(clip(in.message(b.worst), markdownCell)), moreLikeIt(b),
			codeMarkdown(b.worst.Rule), markdownPlace(b.worst))
	}
	if n := len(list) - len(shown); n > 0 {
		p("\n%s not shown here; the text report has them all.\n", plural(n, "more message"))
	}
	left := markdownBytes
	for i, b := range shown {
		details := markdownDetails(in, b)
		if left -= len(details); left < 0 {
			p("\nThe details of %s are not shown here; the text report has them.\n", plural(len(shown)-i, "message"))
			break
		}
		p("%s", details)
	}
	return nil
}

// moreLikeIt says how many kernels a message stands for besides the worst one,
// or how many architectures of that kernel.
func moreLikeIt(b *block) string {
	switch kernels, archs := b.kernels(); {
	case kernels > 1:
		return " (and " + plural(kernels-1, "more kernel") + " like it)"
	case len(archs) > 1:
		return " (and on " + plural(len(archs)-1, "more architecture") + ")"
	}
	return ""
}

func severitySign(s rules.Severity) string {
	switch s {
	case rules.Error:
		return "❌"
	case rules.Warning:
		return "⚠️"
	default:
		return "ℹ️"
	}
}

func markdownPlace(f *rules.Finding) string {
	if at := place(anchor(f)); at != "" {
		return codeMarkdown(at)
	}
	return ""
}

func markdownDetails(in *Input, b *block) string {
	f := b.worst
	var text strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&text, format, args...) }
	p("\n<details><summary>%s: %s</summary>\n\n", f.Severity, unlinked(escapeHTML(clip(in.message(f), markdownCell))))
	if f.Kernel != "" {
		p("- kernel %s\n", codeMarkdown(clip(escaped(in.demangled(f.Kernel)), markdownCell)))
	}
	if f.Declared.Text != "" {
		at := string(f.Declared.From)
		if s := place(f.Declared.Place); s != "" {
			at = s
		}
		p("- declared %s at %s\n", codeMarkdown(brief(f.Declared.Text)), codeMarkdown(at))
	}
	switch at := place(f.Log); {
	case at != "" && f.LogText != "":
		p("- log %s: %s\n", codeMarkdown(at), codeMarkdown(brief(f.LogText)))
	case at != "" && f.Log != anchor(f):
		p("- log %s\n", codeMarkdown(at))
	}
	for _, fact := range in.facts(b) {
		p("- %s\n", escapeMarkdown(clip(fact, 2*markdownCell)))
	}
	for _, help := range b.helps() {
		p("- **help:** %s\n", escapeMarkdown(help))
	}
	p("\n</details>\n")
	return text.String()
}

// markdownSigns has the signs that mean something in GitHub's Markdown,
// wherever they stand. A backslash before each shows it as it is; < and & are
// entities, since an HTML block is read before backslashes are, and so are the
// signs that make a link of an address. An @ would notify people even so, by
// the text that is shown, and #1 refer to an issue: a word joiner behind the
// sign stops both.
var markdownSigns = strings.NewReplacer(
	"\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "~", "\\~", "|", "\\|",
	"[", "\\[", "]", "\\]", "!", "\\!", "#", "\\#\u2060", "$", "\\$",
	"<", "&lt;", ">", "&gt;", "&", "&amp;", "@", "@\u2060",
	"://", "&#58;//", "www.", "www&#46;", "\n", " ", "\r", " ",
)

// escapeMarkdown makes text plain in Markdown, in a table's cell too.
func escapeMarkdown(s string) string { return markdownSigns.Replace(s) }

// markdownEntities spells as entities what Markdown reads inside HTML's code.
var markdownEntities = strings.NewReplacer(
	"|", "&#124;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "~", "&#126;", "[", "&#91;", "\\", "&#92;", "$", "&#36;",
	"@", "@\u2060", "://", "&#58;//", "www.", "www&#46;",
)

// unlinked keeps text inside of HTML from notifying people and from referring to
// issues, which the text that is shown would do. Entities are left as they are.
func unlinked(s string) string {
	return strings.NewReplacer("&#", "&#", "#", "#\u2060", "@", "@\u2060").Replace(s)
}

// codeMarkdown sets s as code. A table splits cells at pipes even inside
// backticks, and no fence is safe for both, so those are set in HTML.
func codeMarkdown(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
	switch {
	case s == "":
		return ""
	case strings.ContainsAny(s, "|`"):
		return "<code>" + markdownEntities.Replace(escapeHTML(s)) + "</code>"
	}
	return "`" + s + "`"
}

// clip cuts s in the middle to at most n runes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n/2]) + "…" + string(r[len(r)-(n-n/2-1):])
}

// writeMarkdownTable writes a table of GitHub's Markdown.
func writeMarkdownTable(w *bufio.Writer, t *table.Table) error {
	var b strings.Builder
	for _, c := range t.Columns {
		b.WriteString("| " + escapeMarkdown(c.Title) + " ")
	}
	b.WriteString("|\n")
	for _, c := range t.Columns {
		if c.Right {
			b.WriteString("| ---: ")
		} else {
			b.WriteString("| --- ")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		for _, cell := range row {
			b.WriteString("| " + escapeMarkdown(cell) + " ")
		}
		b.WriteString("|\n")
	}
	_, err := w.WriteString(b.String())
	return err
}
