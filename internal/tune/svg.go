package tune

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// The drawing of one kernel, in SVG units.
const (
	chartWidth, chartHeight = 640, 320
	chartLeft, chartRight   = 64, 120
	chartTop, chartBottom   = 48, 48
)

// svgStyle follows the reader's light or dark scheme.
const svgStyle = `
svg.tune{color-scheme:light dark;--ink:#1f2328;--soft:#59636e;--grid:#d9dee3;--curve:#0a66c2;--now:#b3261e;--paper:#fff}
@media (prefers-color-scheme:dark){svg.tune{--ink:#e6edf3;--soft:#9aa4af;--grid:#32383f;--curve:#58a6ff;--now:#ff8a80;--paper:#0d1117}}
svg.tune text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--soft)}
svg.tune .paper{fill:var(--paper)}
svg.tune .title{font-size:14px;font-weight:600;fill:var(--ink)}
svg.tune .grid{stroke:var(--grid);stroke-width:1}
svg.tune .frontier{fill:none;stroke:var(--curve);stroke-width:2;stroke-linejoin:round}
svg.tune .point{fill:var(--paper);stroke:var(--soft);stroke-width:1.5}
svg.tune .best{fill:var(--curve);stroke:var(--paper);stroke-width:2}
svg.tune .now{fill:none;stroke:var(--now);stroke-width:2}
svg.tune .name{fill:var(--ink);paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}
`

// WriteSVG draws each kernel's rows, the bytes of spills over the occupancy,
// with the frontier as a line.
func (f *File) WriteSVG(w io.Writer) error {
	out := bufio.NewWriter(w)
	height := chartHeight * max(1, len(f.Kernels))
	fmt.Fprintf(out, `<svg class="tune" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t d">`+"\n",
		chartWidth, height, chartWidth, height)
	fmt.Fprint(out, "<title id=\"t\">Spills by occupancy under other launch bounds</title>\n<desc id=\"d\">")
	for i := range f.Kernels {
		k := &f.Kernels[i]
		fmt.Fprintf(out, "%s on %s: %s. ", svgText(k.title()), svgText(k.Arch), svgText(strings.Join(k.Sentences, "; ")))
	}
	fmt.Fprintf(out, "</desc>\n<style>%s</style>\n<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", svgStyle, chartWidth, height)
	for i := range f.Kernels {
		fmt.Fprintf(out, "<g transform=\"translate(0 %d)\">\n%s</g>\n", i*chartHeight, f.Kernels[i].drawing())
	}
	fmt.Fprint(out, "</svg>\n")
	return out.Flush()
}

// spills is what a row stores and loads; false where it has no numbers.
func (r *FileRow) spills() (int, bool) {
	if r.SpillStoreBytes == nil || r.SpillLoadBytes == nil || r.Percent == nil {
		return 0, false
	}
	// A file can say anything.
	const most = 1 << 30
	return max(0, min(*r.SpillStoreBytes, most)) + max(0, min(*r.SpillLoadBytes, most)), true
}

// chart maps a kernel's rows to the drawing.
type chart struct{ most int }

func (c chart) x(percent float64) float64 {
	return chartLeft + max(0, min(percent, 100))/100*(chartWidth-chartLeft-chartRight)
}

func (c chart) y(spills int) float64 {
	return chartHeight - chartBottom - float64(spills)/float64(c.most)*(chartHeight-chartTop-chartBottom)
}

func (k *FileKernel) drawing() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	c := chart{roundUp(k.mostSpills())}
	p("<text class=\"title\" x=\"16\" y=\"24\">%s on %s</text>\n", svgText(name.Brief(k.title(), 70)), svgText(k.Arch))
	for quarter := range 5 {
		pct, bytes := float64(quarter)*25, c.most*quarter/4
		p("<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d</text>\n",
			chartLeft, c.y(bytes), chartWidth-chartRight, chartLeft-6, c.y(bytes)+4, bytes)
		p("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f %%</text>\n", c.x(pct), chartHeight-chartBottom+18, pct)
	}
	p("<text x=\"16\" y=\"42\">bytes of spills</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\">occupancy</text>\n", chartWidth-chartRight, chartHeight-10)
	k.line(&b, c)
	for i := range k.Rows {
		k.point(&b, c, &k.Rows[i])
	}
	return b.String()
}

func (k *FileKernel) mostSpills() int {
	most := 1
	for i := range k.Rows {
		if n, ok := k.Rows[i].spills(); ok {
			most = max(most, n)
		}
	}
	return most
}

// line is the frontier, a step from each row to the next with more occupancy.
func (k *FileKernel) line(b *strings.Builder, c chart) {
	var rows []*FileRow
	for i := range k.Rows {
		if r := &k.Rows[i]; r.Frontier && r.Percent != nil {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b *FileRow) int {
		return int(math.Copysign(1, *a.Percent-*b.Percent))
	})
	d := ""
	for i, r := range rows {
		n, _ := r.spills()
		if i == 0 {
			d = fmt.Sprintf("M%.1f %.1f", c.x(*r.Percent), c.y(n))
			continue
		}
		d += fmt.Sprintf("V%.1fH%.1f", c.y(n), c.x(*r.Percent))
	}
	if len(rows) > 1 {
		fmt.Fprintf(b, "<path class=\"frontier\" d=\"%s\"/>\n", d)
	}
}

func (k *FileKernel) point(b *strings.Builder, c chart, r *FileRow) {
	n, ok := r.spills()
	if !ok || r.SameAs != nil {
		return
	}
	x, y, class := c.x(*r.Percent), c.y(n), "point"
	if r.Frontier {
		class = "best"
	}
	fmt.Fprintf(b, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"><title>%s: %s registers, %d bytes of spills, %s</title></circle>\n",
		class, x, y, svgText(r.title()), optional(r.Registers), n, percent(*r.Percent))
	if r.Today {
		fmt.Fprintf(b, "<circle class=\"now\" cx=\"%.1f\" cy=\"%.1f\" r=\"9\"/>\n", x, y)
	}
	if r.Frontier || r.Today {
		fmt.Fprintf(b, "<text class=\"name\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", x+11, y-7, svgText(r.title()))
	}
}

// roundUp is the next number that divides well into quarters.
func roundUp(n int) int {
	step := 4
	for step*10 < n {
		step *= 10
	}
	return (n + step - 1) / step * step
}

func svgText(s string) string { return html.EscapeString(name.Escape(s)) }
