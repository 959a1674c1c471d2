package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/occlint/occlint/arch"
)

// The drawing of one curve, in SVG units.
const (
	chartWidth, chartHeight = 420, 250
	chartLeft, chartRight   = 48, 16
	chartTop, chartBottom   = 40, 40
	figureHeading           = 34
)

// svgStyle follows the reader's light or dark scheme, and prints.
const svgStyle = `
svg{color-scheme:light dark;--ink:#1f2328;--soft:#59636e;--grid:#d9dee3;--curve:#0a66c2;--now:#b3261e;--target:#7a5a00;--paper:#fff}
@media (prefers-color-scheme:dark){svg{--ink:#e6edf3;--soft:#9aa4af;--grid:#32383f;--curve:#58a6ff;--now:#ff8a80;--target:#e3b341;--paper:#0d1117}}
text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--soft)}
.paper{fill:var(--paper)}
.title{font-size:14px;font-weight:600;fill:var(--ink)}
.grid{stroke:var(--grid);stroke-width:1}
.curve{fill:none;stroke:var(--curve);stroke-width:2;stroke-linejoin:round}
.under{fill:var(--curve);opacity:.1}
.now{fill:var(--now);stroke:var(--paper);stroke-width:2}
.nowtext,.targettext{paint-order:stroke;stroke:var(--paper);stroke-width:4px;stroke-linejoin:round}
.nowtext{fill:var(--now);font-weight:600}
.target{stroke:var(--target);stroke-width:1.5;stroke-dasharray:5 4}
.targettext{fill:var(--target)}
`

// Figure is a row of curves under a title.
type Figure struct {
	Title  string // escaped where it is drawn
	Curves []Curve
}

// WriteSVG writes figures, one below the other, as one SVG document.
func WriteSVG(w io.Writer, figures []Figure) error {
	out := bufio.NewWriter(w)
	p := func(format string, args ...any) { _, _ = fmt.Fprintf(out, format, args...) }
	columns := 1
	for _, f := range figures {
		columns = max(columns, len(f.Curves))
	}
	const rowHeight = figureHeading + chartHeight
	width, height := chartWidth*columns, rowHeight*max(1, len(figures))
	p(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="t d">`+"\n", width, height, width, height)
	p("<title id=\"t\">Occupancy curves</title>\n<desc id=\"d\">")
	for _, f := range figures {
		p("%s. ", escapeHTML(escaped(f.Title)))
		for i := range f.Curves {
			p("%s ", escapeHTML(f.Curves[i].words()))
		}
	}
	p("</desc>\n<style>%s</style>\n<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", svgStyle, width, height)
	for row, f := range figures {
		p("<text class=\"title\" x=\"%d\" y=\"%d\">%s</text>\n", chartLeft, row*rowHeight+24, escapeHTML(escaped(f.Title)))
		for i := range f.Curves {
			p("<g transform=\"translate(%d %d)\">\n%s</g>\n", i*chartWidth, row*rowHeight+figureHeading, f.Curves[i].drawing())
		}
	}
	p("</svg>\n")
	return out.Flush()
}

// words says in text what a curve shows.
func (c *Curve) words() string {
	title, _, _ := c.axis()
	s := "Occupancy over " + title
	if here, ok := c.here(); ok {
		s += ": " + percent(here) + " at " + c.value(c.Now)
	}
	s += "."
	if c.Target > 0 {
		s += " Declared: " + percent(c.Target) + "."
	}
	return s
}

// value shows a value of the curve's quantity with its unit.
func (c *Curve) value(n int) string {
	switch c.Of {
	case arch.Registers:
		return plural(n, "register")
	case arch.Shared:
		return plural(n, "byte")
	default:
		return plural(n, "thread")
	}
}

func (c *Curve) x(value int) float64 {
	return chartLeft + float64(value)/float64(max(1, c.Most()))*(chartWidth-chartLeft-chartRight)
}

func chartY(percent float64) float64 {
	return chartHeight - chartBottom - percent/100*(chartHeight-chartTop-chartBottom)
}

// drawing is the inside of one chart.
func (c *Curve) drawing() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	title, ticks, label := c.axis()
	p("<text class=\"title\" x=\"%d\" y=\"18\">Occupancy by %s</text>\n", chartLeft, title)
	for _, pct := range []float64{0, 25, 50, 75, 100} {
		p("<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f %%</text>\n",
			chartLeft, chartY(pct), chartWidth-chartRight, chartLeft-6, chartY(pct)+4, pct)
	}
	for _, at := range ticks {
		p("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", c.x(at), chartHeight-chartBottom+18, label(at))
	}
	if len(c.Points) == 0 {
		return b.String()
	}
	line := c.path()
	p("<path class=\"under\" d=\"%sV%.1fH%.1fZ\"/>\n<path class=\"curve\" d=\"%s\"/>\n", line, chartY(0), c.x(c.Points[0].From), line)
	if c.Target > 0 {
		p("<path class=\"target\" d=\"M%d %.1fH%d\"/><text class=\"targettext\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">declared %s</text>\n",
			chartLeft, chartY(c.Target), chartWidth-chartRight, chartWidth-chartRight, chartY(c.Target)-5, percent(c.Target))
	}
	c.today(&b)
	return b.String()
}

// path follows the points, each flat from where it begins to where it ends.
func (c *Curve) path() string {
	var b strings.Builder
	for i := range c.Points {
		p := &c.Points[i]
		y := chartY(p.Percent())
		if i == 0 {
			fmt.Fprintf(&b, "M%.1f %.1f", c.x(p.From), y)
		} else {
			fmt.Fprintf(&b, "V%.1f", y)
		}
		fmt.Fprintf(&b, "H%.1f", c.x(p.To))
	}
	return b.String()
}

// today marks where the launch stands, its label on the side that has room.
func (c *Curve) today(b *strings.Builder) {
	here, ok := c.here()
	if !ok {
		return
	}
	x, y := c.x(min(c.Now, c.Most())), chartY(here)
	anchor, dx := "start", 9.0
	if x > chartWidth*0.6 {
		anchor, dx = "end", -9
	}
	labelY := y - 9
	if labelY < chartTop {
		labelY = y + 18
	}
	fmt.Fprintf(b, "<circle class=\"now\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/><text class=\"nowtext\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s: %s</text>\n",
		x, y, x+dx, labelY, anchor, c.value(c.Now), percent(here))
}
