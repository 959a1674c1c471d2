package tune

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// WriteMarkdown writes a table for each kernel, for a pull request or an issue.
func (f *File) WriteMarkdown(w io.Writer) error {
	out := bufio.NewWriter(name.LineWriter(w))
	for i := range f.Kernels {
		f.Kernels[i].markdown(out)
	}
	for _, n := range f.Notes {
		fmt.Fprintf(out, "\n%s\n", markdownText(n))
	}
	return out.Flush()
}

func (k *FileKernel) markdown(out *bufio.Writer) {
	fmt.Fprintf(out, "### %s on %s\n\n%s\n\n", markdownText(k.title()), markdownText(k.Arch), markdownText(k.Launch))
	timed := k.timed()
	head, rule := "| | bounds | cap | registers | stack | spill stores | loads | in loops | blocks | occupancy | limited by |", "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|"
	if timed {
		head, rule = head+" time |", rule+"--:|"
	}
	fmt.Fprintln(out, head+" same code |\n"+rule+"---|")
	for i := range k.Rows {
		r := &k.Rows[i]
		if r.SameAs != nil {
			continue
		}
		cells := []string{mark(r.Frontier), r.title(), strconv.Itoa(r.Cap)}
		cells = append(cells, r.numbers()...)
		if timed {
			cells = append(cells, r.time())
		}
		cells = append(cells, strings.Join(k.twins(r.Variant), ", "))
		for c := range cells {
			cells[c] = markdownText(cells[c])
		}
		fmt.Fprintln(out, "| "+strings.Join(cells, " | ")+" |")
	}
	fmt.Fprintln(out)
	for _, s := range append(append([]string{}, k.Sentences...), k.troubles()...) {
		fmt.Fprintf(out, "- %s\n", markdownText(s))
	}
	for _, n := range k.Notes {
		fmt.Fprintf(out, "- note: %s\n", markdownText(n))
	}
}

// title is the kernel's name for people.
func (k *FileKernel) title() string { return name.Brief(name.Qualified(k.Name), mostNameRunes) }

func (k *FileKernel) timed() bool {
	for i := range k.Rows {
		if k.Rows[i].TimeMillis != nil {
			return true
		}
	}
	return false
}

// twins are the rows with the machine code of a variant.
func (k *FileKernel) twins(variant string) []string {
	var list []string
	for i := range k.Rows {
		if r := &k.Rows[i]; r.SameAs != nil && *r.SameAs == variant {
			list = append(list, r.title())
		}
	}
	return list
}

// troubles are the rows that were refused, and why.
func (k *FileKernel) troubles() []string {
	var list []string
	for i := range k.Rows {
		if r := &k.Rows[i]; r.Error != nil {
			list = append(list, r.title()+": "+*r.Error)
		}
	}
	return list
}

// title is a variant's name for people.
func (r *FileRow) title() string {
	switch {
	case r.Today:
		return "as written"
	case len(r.LaunchBounds) == 2:
		return fmt.Sprintf("(%d, %d)", r.LaunchBounds[0], r.LaunchBounds[1])
	case len(r.LaunchBounds) == 1:
		return fmt.Sprintf("(%d)", r.LaunchBounds[0])
	}
	return "none"
}

// numbers are the cells from registers to the limiter.
func (r *FileRow) numbers() []string {
	if r.Registers == nil || r.Percent == nil {
		return []string{"-", "-", "-", "-", "-", "-", "-", "refused"}
	}
	var cells []string
	for _, n := range []*int{r.Registers, r.StackBytes, r.SpillStoreBytes, r.SpillLoadBytes, r.LoopSpillBytes, r.Blocks} {
		cell := "-"
		if n != nil {
			cell = strconv.Itoa(*n)
		}
		cells = append(cells, cell)
	}
	return append(cells, percent(*r.Percent), r.limitedBy())
}

func (r *FileRow) limitedBy() string { return name.Escape(strings.Join(r.Limiters, ", ")) }

func (r *FileRow) time() string {
	if t := r.TimeMillis; t != nil {
		return (&Timing{Median: t.Median, Min: t.Min, Max: t.Max}).String()
	}
	return ""
}

func mark(frontier bool) string {
	if frontier {
		return "*"
	}
	return ""
}

// markdownText keeps text from meaning anything to Markdown.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range name.Escape(s) {
		switch r {
		case '<':
			b.WriteString("&lt;")
			continue
		case '>':
			b.WriteString("&gt;")
			continue
		case '&':
			b.WriteString("&amp;")
			continue
		case '\\', '`', '*', '_', '[', ']', '|', '#', '!', '~', '@':
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
