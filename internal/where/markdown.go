package where

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// WriteMarkdown writes the report as a comment or a job summary: the worst
// lines in the open, each kernel's loops folded.
func WriteMarkdown(w io.Writer, r *Report) error {
	b := bufio.NewWriter(name.LineWriter(w))
	fmt.Fprintf(b, "### occlint: where local memory is used\n\n%s\n", markdownText(r.summary()))
	lines := r.Lines
	if r.Top > 0 && len(lines) > r.Top {
		lines = lines[:r.Top]
	}
	if len(lines) > 0 {
		fmt.Fprint(b, "\n| line | loop depth | spill stores | spill loads | other stores | other loads |\n|---|---:|---:|---:|---:|---:|\n")
	}
	for i := range lines {
		l := &lines[i]
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", markdownCode(l.Text()), markdownText(l.DepthText()), shownBytes(l.SpillStoreBytes), shownBytes(l.SpillLoadBytes),
			shownBytes(l.ArrayStoreBytes+l.OtherStoreBytes), shownBytes(l.ArrayLoadBytes+l.OtherLoadBytes))
	}
	if n := len(r.Lines) - len(lines); n > 0 {
		fmt.Fprintf(b, "\n%s.\n", plural(n, "more line"))
	}
	for _, k := range r.Kernels {
		k.markdown(b)
	}
	if r.Left > 0 {
		fmt.Fprintf(b, "\n%s with local memory.\n", plural(r.Left, "more kernel"))
	}
	for i, n := range r.Notes {
		if i == 0 {
			fmt.Fprintln(b)
		}
		fmt.Fprintf(b, "- %s\n", markdownText(n))
	}
	return b.Flush()
}

func (k *Kernel) markdown(b *bufio.Writer) {
	fmt.Fprintf(b, "\n<details><summary>%s: %s</summary>\n\n", markdownCode(k.label()), markdownText(k.Headline()))
	for _, n := range k.Notes {
		fmt.Fprintf(b, "%s.\n\n", markdownText(n))
	}
	if len(k.Sites) > 0 && k.Certainty != Unknown {
		fmt.Fprint(b, "| loop | instructions | spill stores | spill loads | array stores | array loads |\n|---|---:|---:|---:|---:|---:|\n")
		rows, _ := k.Tree()
		for _, r := range rows {
			label := markdownText(r.Label)
			if r.Loop != nil {
				label = strings.Repeat("&emsp;", r.Indent) + markdownCode(r.Label)
			}
			fmt.Fprintf(b, "| %s | %d | %s | %s | %s | %s |\n", label, r.Instructions, shownBytes(r.SpillStoreBytes), shownBytes(r.SpillLoadBytes), shownBytes(r.ArrayStoreBytes), shownBytes(r.ArrayLoadBytes))
		}
	}
	fmt.Fprint(b, "\n</details>\n")
}

// summary says in a sentence what the report has.
func (r *Report) summary() string {
	spill, loops := 0, 0
	for _, k := range r.Kernels {
		if k.SpillBytes() > 0 {
			spill++
		}
		if k.LoopSpillBytes() > 0 {
			loops++
		}
	}
	if len(r.Kernels) == 0 {
		return "No kernel uses local memory."
	}
	return fmt.Sprintf("Of %s %d spill, %d of them in loops. Bytes count each instruction once.", plural(len(r.Kernels)+r.Left+r.Quiet, "kernel"), spill, loops)
}

// markdownCode shows text from outside in code type, also within a table.
func markdownCode(s string) string { return "<code>" + markdownText(s) + "</code>" }

// markdownText writes every sign that could be markup as an entity.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("&<>\"'`|*_[]()\\~$@#!:^", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
