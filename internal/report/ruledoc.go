package report

import (
	"fmt"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/rules"
)

// RuleMarkdown is the page of a rule in docs/rules: the same text as explain
// and the help in SARIF.
func RuleMarkdown(r *rules.Rule) string {
	return "# " + r.ID + "\n\n" + sentenceCase(r.Title) + ".\n\n" + ruleMarkdown(r) +
		"\n---\n\n[All rules](README.md). `occlint explain " + r.ID + "` shows this page in a terminal.\n"
}

// ruleMarkdown is a rule's text without its heading.
func ruleMarkdown(r *rules.Rule) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("Default severity: **%s**", r.Default)
	if r.ID == "untrusted-log" {
		p(" (always)")
	}
	p("\n\n%s\n", strings.TrimSpace(r.Why))
	p("\n## Example\n\n")
	if r.Example.Config != "" {
		p("With this `.occlint.yml`\n\n```yaml\n%s\n```\n\n", strings.TrimRight(r.Example.Config, "\n"))
		for _, f := range r.Example.Files {
			p("and this `%s`\n\n```%s\n%s\n```\n\n", f.Path, codeLanguage(f.Path), strings.TrimRight(f.Text, "\n"))
		}
		if r.Example.Binary != "" {
			p("the binary `%s` of the same build, ", r.Example.Binary)
		}
		p("and this log as")
	} else {
		p("With this log as")
	}
	p(" `%s`\n\n```text\n%s\n```\n\n`%s` prints\n\n```text\n%s\n```\n", exampleLog, strings.TrimRight(r.Example.Log, "\n"), exampleCommand(r), exampleOutput(r))
	p("\n## How to fix it\n\n%s\n", strings.TrimSpace(r.Fix))
	if len(r.Options) > 0 {
		p("\n## Configuration\n\n| key | |\n| --- | --- |\n")
		for _, o := range r.Options {
			p("| `%s` | %s |\n", strings.ReplaceAll(o.Key, "|", "\\|"), strings.ReplaceAll(o.Text, "|", "\\|"))
		}
	}
	return b.String()
}

// codeLanguage is the language of a file for the colours of a web page.
func codeLanguage(path string) string {
	switch filepath.Ext(path) {
	case ".cu", ".cuh":
		return "cuda"
	case ".yml", ".yaml":
		return "yaml"
	}
	return "text"
}

// ruleText is a rule's text for readers that show no Markdown.
func ruleText(r *rules.Rule) string {
	parts := []string{sentenceCase(r.Title) + ".", plainMarkdown(r.Why), "How to fix it: " + plainMarkdown(r.Fix)}
	return sarifPlain(strings.Join(parts, "\n\n"))
}

// RulesIndex is docs/rules/README.md: the table of all rules.
func RulesIndex(list []*rules.Rule) string {
	var b strings.Builder
	b.WriteString("# Rules\n\n| rule | default | finds |\n| --- | --- | --- |\n")
	for _, r := range list {
		fmt.Fprintf(&b, "| [`%s`](%s.md) | %s | %s |\n", r.ID, r.ID, r.Default, strings.ReplaceAll(r.Title, "|", "\\|"))
	}
	b.WriteString("\n`rules:` in `.occlint.yml` gives a rule another severity, or switches it off:\n\n" +
		"```yaml\nversion: 1\nrules: {register-cliff: warning, stack-frame: off}\n```\n")
	return b.String()
}

// Explain is a rule's page for a terminal.
func Explain(r *rules.Rule, style *term.Style) string {
	var b strings.Builder
	p := func(parts ...string) { b.WriteString(strings.Join(parts, "")) }
	// Prose is wrapped in a pipe too; a line of 500 letters is hard to read.
	columns := 80
	if style.Width > 0 {
		columns = min(style.Width, 100)
	}
	paragraphs := func(markdown string) {
		for para := range strings.SplitSeq(strings.TrimSpace(markdown), "\n\n") {
			p("\n", explainParagraph(para, style, columns))
		}
	}
	p(style.Strong(r.ID), " (", look(style, r.Default)(r.Default.String()), "): ", style.Text(r.Title), "\n")
	paragraphs(r.Why)
	p("\n", style.Strong("Example"), "\n")
	if r.Example.Config != "" {
		p("\n", style.Faint("  .occlint.yml"), "\n", explainCode(r.Example.Config, style))
	}
	for _, f := range r.Example.Files {
		p("\n", style.Faint("  "+f.Path), "\n", explainCode(f.Text, style))
	}
	p("\n", style.Faint("  "+exampleLog), "\n", explainCode(r.Example.Log, style))
	p("\n", style.Faint("  "+exampleCommand(r)), "\n")
	for _, line := range paintExample(exampleOutput(r), style, columns-4) {
		p(strings.TrimRight("    "+line, " "), "\n")
	}
	p("\n", style.Strong("How to fix it"), "\n")
	paragraphs(r.Fix)
	if len(r.Options) > 0 {
		p("\n", style.Strong("Configuration"), "\n\n")
		for _, o := range r.Options {
			lead := "  " + o.Key + ": "
			for i, line := range term.Wrap(style.Text(o.Key+": "+plainMarkdown(o.Text)), columns-4) {
				if i == 0 {
					p("  ", style.Code(o.Key), strings.TrimPrefix(line, o.Key), "\n")
				} else {
					p(strings.Repeat(" ", min(term.Width(lead), 6)), line, "\n")
				}
			}
		}
	}
	return b.String()
}

// explainParagraph shows a paragraph, list or code block of Markdown.
func explainParagraph(para string, style *term.Style, columns int) string {
	if strings.HasPrefix(para, "```") || strings.HasPrefix(para, "    ") {
		var lines []string
		for line := range strings.SplitSeq(para, "\n") {
			if !strings.HasPrefix(line, "```") {
				lines = append(lines, strings.TrimPrefix(line, "    "))
			}
		}
		return explainCode(strings.Join(lines, "\n"), style)
	}
	var b strings.Builder
	for _, item := range listItems(para) {
		hang := ""
		if strings.HasPrefix(item, "- ") {
			hang = "  "
		}
		for i, line := range term.Wrap(style.Text(item), columns-len(hang)) {
			if i > 0 {
				b.WriteString(hang)
			}
			b.WriteString(line + "\n")
		}
	}
	return paintCode(b.String(), style)
}

// listItems splits a paragraph into its list items, each on one line; text
// that is no list is one item.
func listItems(para string) []string {
	var items []string
	for line := range strings.SplitSeq(para, "\n") {
		line = strings.TrimSpace(line)
		if len(items) == 0 || strings.HasPrefix(line, "- ") {
			items = append(items, line)
		} else {
			items[len(items)-1] += " " + line
		}
	}
	return items
}

// paintCode gives code between backticks its look, without the backticks where
// colour tells it already. A span stays on its line, since escapes must.
func paintCode(text string, style *term.Style) string {
	text = strings.ReplaceAll(text, "**", "")
	if !style.Color {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		parts := strings.Split(line, "`")
		if len(parts)%2 == 0 { // a span that goes on in the next line
			b.WriteString(line)
			continue
		}
		for i, part := range parts {
			if i%2 == 1 {
				part = style.Code(part)
			}
			b.WriteString(part)
		}
	}
	return b.String()
}

func explainCode(code string, style *term.Style) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(code, "\n"), "\n") {
		b.WriteString("    " + style.Faint(style.Text(escaped(line))) + "\n")
	}
	return b.String()
}

// plainMarkdown takes the marks out of our own Markdown.
func plainMarkdown(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "**", ""), "`", "")
	var paragraphs []string
	for para := range strings.SplitSeq(strings.TrimSpace(s), "\n\n") {
		paragraphs = append(paragraphs, strings.Join(listItems(para), "\n"))
	}
	return strings.Join(paragraphs, "\n\n")
}

func firstParagraph(markdown string) string {
	first, _, _ := strings.Cut(plainMarkdown(markdown), "\n\n")
	return first
}

// sentenceCase makes the first letter a capital.
func sentenceCase(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
