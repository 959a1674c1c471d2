package report

import (
	"bufio"
	"fmt"

	"github.com/occlint/occlint/internal/table"
)

// markdown writes the table, then each kernel's verdict folded.
func (p *profileWriter) markdown(w *bufio.Writer) error {
	printf := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }
	printf("## occlint: %s\n\n", escapeMarkdown(p.summary()))
	t := p.profileTable()
	cut := &table.Table{Columns: t.Columns, Rows: t.Rows[:min(len(t.Rows), markdownBlocks)]}
	if err := writeMarkdownTable(w, cut); err != nil {
		return err
	}
	names := p.shortNames()
	for i := range cut.Rows {
		k := &p.kernels[i]
		printf("\n<details><summary>%s: %s: %s</summary>\n\n", unlinked(escapeHTML(clip(names[i], markdownCell))), k.Verdict,
			unlinked(escapeHTML(clip(brief(k.Message), markdownCell))))
		printf("- kernel %s\n", codeMarkdown(clip(escaped(k.Shown), markdownCell)))
		for _, s := range []string{recordWords(k), launchWords(k), occupancyWords(k), counterWords(&k.Counters)} {
			if s != "" {
				printf("- %s\n", escapeMarkdown(s))
			}
		}
		for _, n := range k.Notes {
			printf("- %s\n", escapeMarkdown(clip(brief(n), markdownCell)))
		}
		if k.Help != "" {
			printf("- **help:** %s\n", escapeMarkdown(clip(brief(k.Help), 2*markdownCell)))
		}
		printf("\n</details>\n")
	}
	if n := len(p.kernels) - len(cut.Rows); n > 0 {
		printf("\n%s not shown here; the text report has them all.\n", plural(n, "more kernel"))
	}
	return nil
}
