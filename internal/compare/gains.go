package compare

import (
	"bufio"
	"fmt"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/term"
)

// SpillGain is a kernel whose code spills more than it did, or more in loops.
// Two binaries tell it; logs can't.
type SpillGain struct {
	Name, Arch         string // mangled
	Parent             string // of a function: the kernel that it was compiled for
	OldBytes, NewBytes int64  // of stores and loads
	OldLoop, NewLoop   int64  // those in loops
	Where              string // which loops and lines, in a sentence
}

// mostGained bounds the list where View has no limit of its own.
const mostGained = 50

func (v *View) gains() (shown []SpillGain, left int) {
	limit := v.Limit
	if limit <= 0 {
		limit = max(mostGained, len(v.Gains))
	}
	if len(v.Gains) > limit {
		return v.Gains[:limit], len(v.Gains) - limit
	}
	return v.Gains, 0
}

func (g *SpillGain) label() string {
	text := name.Brief(name.Qualified(g.Name), nameLimit)
	if g.Parent != "" {
		text += " in " + name.Brief(name.Qualified(g.Parent), nameLimit)
	}
	return text
}

func (v *View) gainsText(b *bufio.Writer, style *term.Style) {
	shown, left := v.gains()
	if len(shown) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", style.Strong(fmt.Sprintf("Where spills were gained (%d)", len(v.Gains))))
	for i := range shown {
		text := fmt.Sprintf("%s on %s: %s", shown[i].label(), name.Escape(shown[i].Arch), shown[i].Where)
		lines := []string{style.Text(text)}
		if style.Width > 0 {
			lines = term.Wrap(lines[0], max(20, style.Width-2))
		}
		for _, l := range lines {
			fmt.Fprintf(b, "  %s\n", l)
		}
	}
	if left > 0 {
		fmt.Fprintf(b, "  %s left out; --limit 0 shows all\n", plural(left, "kernel"))
	}
}

func (v *View) gainsMarkdown(b *bufio.Writer) {
	shown, left := v.gains()
	if len(shown) == 0 {
		return
	}
	fmt.Fprintf(b, "\n<details><summary>Where spills were gained (%d)</summary>\n\n", len(v.Gains))
	for i := range shown {
		fmt.Fprintf(b, "- %s on %s: %s\n", markdownCode(shown[i].label()), markdownCode(shown[i].Arch), markdownText(shown[i].Where))
	}
	if left > 0 {
		fmt.Fprintf(b, "\n%s left out.\n", plural(left, "kernel"))
	}
	fmt.Fprint(b, "\n</details>\n")
}

// jsonGain is a SpillGain in JSON.
type jsonGain struct {
	Name      string `json:"name"`
	Demangled string `json:"demangled"`
	Parent    string `json:"parent,omitempty"`
	Arch      string `json:"arch"`
	Old       int64  `json:"old_spill_bytes"`
	New       int64  `json:"new_spill_bytes"`
	OldLoop   int64  `json:"old_loop_spill_bytes"`
	NewLoop   int64  `json:"new_loop_spill_bytes"`
	Where     string `json:"where"`
}

func (v *View) gainsJSON() []jsonGain {
	var list []jsonGain
	for _, g := range v.Gains {
		list = append(list, jsonGain{g.Name, name.Demangle(g.Name), g.Parent, g.Arch, g.OldBytes, g.NewBytes, g.OldLoop, g.NewLoop, g.Where})
	}
	return list
}
