package report

import (
	"fmt"

	"github.com/occlint/occlint/internal/where"
)

// htmlPlaces is where a kernel uses local memory, for its page.
type htmlPlaces struct {
	Headline string      `json:"h"`
	File     string      `json:"file"`
	Notes    []string    `json:"notes,omitempty"`
	Rows     []htmlPlace `json:"rows,omitempty"`
	Lines    [][]string  `json:"lines,omitempty"` // place, loop depth, bytes of spills, of other local memory
	More     string      `json:"more,omitempty"`
}

// htmlPlace is a loop: its name, how deep it is nested, what it holds in words,
// and the shares of the kernel's spills and other traffic, in percent.
type htmlPlace struct {
	Label  string  `json:"l"`
	Indent int     `json:"i"`
	Words  string  `json:"w"`
	Spills float64 `json:"s"`
	Arrays float64 `json:"a"`
}

// htmlLines is how many source lines a kernel's page lists, and htmlLoops how
// many loops; occlint where has all.
const (
	htmlLines = 20
	htmlLoops = 100
)

// newHTMLPlaces is nil where the kernel's binary was not given, or shows no use
// of local memory.
func newHTMLPlaces(k *where.Kernel) *htmlPlaces {
	if k == nil || len(k.Sites) == 0 {
		return nil
	}
	p := &htmlPlaces{Headline: k.Headline(), File: brief(k.File)}
	for _, n := range k.Notes {
		p.Notes = append(p.Notes, brief(n))
	}
	if k.Certainty != where.Unknown {
		p.addLoops(k)
	}
	for i, l := range where.Lines([]*where.Kernel{k}) {
		if i == htmlLines {
			p.More = "occlint where lists all lines."
			break
		}
		p.Lines = append(p.Lines, []string{l.Text(), l.DepthText(), bytesText(l.SpillStoreBytes, l.SpillLoadBytes),
			bytesText(l.ArrayStoreBytes+l.OtherStoreBytes, l.ArrayLoadBytes+l.OtherLoadBytes)})
	}
	return p
}

func (p *htmlPlaces) addLoops(k *where.Kernel) {
	all := float64(max(1, k.SpillBytes()+k.ArrayBytes()))
	rows, _ := k.Tree()
	for i, r := range rows {
		if i == htmlLoops {
			p.More = "occlint where has all loops."
			return
		}
		words := fmt.Sprintf("%s, spills %s", plural(r.Instructions, "instruction"), bytesText(r.SpillStoreBytes, r.SpillLoadBytes))
		if r.ArrayStoreBytes+r.ArrayLoadBytes > 0 {
			words += ", arrays " + bytesText(r.ArrayStoreBytes, r.ArrayLoadBytes)
		}
		p.Rows = append(p.Rows, htmlPlace{r.Label, r.Indent, words,
			round1(100 * float64(r.SpillStoreBytes+r.SpillLoadBytes) / all), round1(100 * float64(r.ArrayStoreBytes+r.ArrayLoadBytes) / all)})
	}
}

// bytesText shows bytes of stores and loads, as the table of kernels does.
func bytesText(stores, loads int64) string {
	if stores+loads == 0 {
		return "0"
	}
	return fmt.Sprintf("%d + %d", stores, loads)
}
