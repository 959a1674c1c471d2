package where

import (
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"
	"strconv"

	"github.com/occlint/occlint/internal/name"
)

//go:embed page.html
var page string

type htmlReport struct {
	Summary string
	Lines   [][]string
	Kernels []htmlKernel
	Files   []htmlFile
	Notes   []string
}

type htmlKernel struct {
	ID, Label, Headline, File string
	Notes                     []string
	Rows                      []htmlRow
}

type htmlRow struct {
	Label, Words string
	Margin       float64 // rem
	Spill, Array float64 // percent of the kernel's bytes
}

type htmlFile struct {
	Name  string
	Lines []htmlLine
}

type htmlLine struct {
	Text string
	Hot  bool
}

// WriteHTML writes one page that loads nothing: the worst lines, the loops of
// each kernel as nested bars, and the sources where there is a listing.
func WriteHTML(w io.Writer, r *Report) error {
	t, err := template.New("where").Parse(page)
	if err != nil {
		return err
	}
	out := htmlReport{Summary: r.summary(), Notes: r.Notes}
	for i := range r.Lines {
		if r.Top > 0 && i == r.Top {
			break
		}
		l := &r.Lines[i]
		out.Lines = append(out.Lines, []string{l.Text(), l.DepthText(), strconv.Itoa(l.Kernels), shownBytes(l.SpillStoreBytes), shownBytes(l.SpillLoadBytes),
			shownBytes(l.ArrayStoreBytes + l.OtherStoreBytes), shownBytes(l.ArrayLoadBytes + l.OtherLoadBytes)})
	}
	for i, k := range r.Kernels {
		h := htmlKernel{ID: fmt.Sprintf("k%d", i), Label: k.label(), Headline: k.Headline(), File: name.Escape(k.File), Notes: k.Notes}
		if k.Certainty != Unknown {
			h.Rows = k.bars()
		}
		out.Kernels = append(out.Kernels, h)
	}
	if r.Source != nil {
		for _, f := range r.listings() {
			out.Files = append(out.Files, f.html())
		}
	}
	return t.Execute(w, out)
}

// bars shows each row of the tree with its share of the kernel's bytes.
func (k *Kernel) bars() []htmlRow {
	var list []htmlRow
	all := float64(max(1, k.SpillBytes()+k.ArrayBytes()))
	rows, _ := k.Tree()
	for _, r := range rows {
		h := htmlRow{Label: r.Label, Margin: 1.1 * float64(r.Indent)}
		h.Words = fmt.Sprintf("%s, spills: %d bytes stored, %d loaded", plural(r.Instructions, "instruction"), r.SpillStoreBytes, r.SpillLoadBytes)
		if r.ArrayStoreBytes+r.ArrayLoadBytes > 0 {
			h.Words += fmt.Sprintf("; arrays: %d stored, %d loaded", r.ArrayStoreBytes, r.ArrayLoadBytes)
		}
		h.Spill = 100 * float64(r.SpillStoreBytes+r.SpillLoadBytes) / all
		h.Array = 100 * float64(r.ArrayStoreBytes+r.ArrayLoadBytes) / all
		list = append(list, h)
	}
	return list
}

func (f *listed) html() htmlFile {
	out := htmlFile{Name: name.Escape(f.file)}
	for n, run := range f.stretches() {
		if n > 0 {
			out.Lines = append(out.Lines, htmlLine{Text: "..."})
		}
		for at := run[0]; at <= run[1]; at++ {
			_, hot := f.lines[at]
			out.Lines = append(out.Lines, htmlLine{Text: f.row(at), Hot: hot})
		}
	}
	return out
}
