package report

import (
	"bufio"
	_ "embed" // the page
	"fmt"
	"html/template"
	"math"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile/judge"
)

//go:embed html/profile.html
var profilePage string

// profileView is what the page's template shows. The page has no script.
type profileView struct {
	Title, Summary, Version, Left string
	Problems                      []string
	Kernels                       []profileKernelView
	Style                         template.CSS
	Wide, High                    int
}

type profileKernelView struct {
	N                                                                int
	Width                                                            string // of the bar, percent
	Share, Millis, Short, Name, Arch, Registers, Occupancy, Achieved string
	Launches                                                         int64
	Threads                                                          int
	Verdict, Class, Message, Help                                    string
	Notes, Facts                                                     []string
	Charts                                                           []profileChart
}

type profileChart struct {
	Words   string
	Drawing template.HTML
}

// profiledKernels and htmlCharts bound the page.
const (
	profiledKernels = 500
	htmlCharts      = 50
)

func (p *profileWriter) html(w *bufio.Writer) error {
	page, err := template.New("profile").Parse(profilePage)
	if err != nil {
		return err
	}
	view := profileView{Title: brief(p.Title), Summary: p.summary(), Version: escaped(p.Version), Wide: chartWidth, High: chartHeight,
		Style: template.CSS(htmlStyle)} //nolint:gosec // ours
	for _, problem := range p.Problems {
		view.Problems = append(view.Problems, problemWords(problem))
	}
	shown := p.kernels[:min(len(p.kernels), profiledKernels)]
	rows := p.profileTable().Rows
	for i := range shown {
		k, row := &shown[i], rows[i]
		v := profileKernelView{
			N: i + 1, Width: fmt.Sprintf("%.1f", 100*k.Share), Share: row[0], Millis: row[1], Launches: k.Launches, Short: row[3],
			Name: briefName(k.Shown), Arch: row[4], Threads: k.Threads, Registers: row[6], Occupancy: row[7], Achieved: row[8],
			Verdict: string(k.Verdict), Class: verdictClass(k.Verdict), Message: brief(k.Message), Help: brief(k.Help),
			Facts: []string{recordWords(k), launchWords(k), occupancyWords(k)},
		}
		for _, n := range k.Notes {
			v.Notes = append(v.Notes, brief(n))
		}
		if c := counterWords(&k.Counters); c != "" {
			v.Facts = append(v.Facts, c)
		}
		if i < htmlCharts {
			v.Charts = p.charts(k)
		}
		view.Kernels = append(view.Kernels, v)
	}
	if n := len(p.kernels) - len(shown); n > 0 {
		view.Left = fmt.Sprintf("%d more kernels are not in this page; the text and JSON have all.", n)
	}
	return page.Execute(w, view)
}

func verdictClass(v judge.Verdict) string {
	switch v {
	case judge.SpillsHot, judge.ProfileStale:
		return "error"
	case judge.RaiseOrILP, judge.LatencyILP, judge.LatencyUnfilled, judge.OtherLatency, judge.GridTooSmall, judge.Uneven, judge.NearALimit:
		return "warning"
	default:
		return "info"
	}
}

// charts are the three curves of a launch, with what was achieved.
func (p *profileWriter) charts(k *judge.Kernel) []profileChart {
	if k.Occupancy == nil || p.Table == nil {
		return nil
	}
	sm, err := p.Table.Lookup(k.Arch)
	if err != nil {
		return nil
	}
	shape := k.Shape
	if shape.Barriers == arch.Unknown {
		shape.Barriers = 0
	}
	var list []profileChart
	for _, c := range Curves(sm, shape, 0) {
		words, drawing := c.words(), c.drawing()
		if a := k.Counters.Achieved; !math.IsNaN(a) && c.Now >= 0 {
			words += " Achieved: " + percent(a) + "."
			drawing += c.achieved(a)
		}
		list = append(list, profileChart{words, template.HTML(drawing)}) //nolint:gosec // ours, with numbers and fixed words
	}
	return list
}

// achieved marks what was measured, below where the launch stands.
func (c *Curve) achieved(percentage float64) string {
	x, y := c.x(min(c.Now, c.Most())), chartY(math.Min(percentage, 100))
	anchor, dx := "start", 9.0
	if x > chartWidth*0.6 {
		anchor, dx = "end", -9
	}
	return fmt.Sprintf("<path class=\"target\" d=\"M%.1f %.1fV%.1f\"/><circle class=\"now\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/><text class=\"targettext\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">achieved %s</text>\n",
		x, chartY(0), y, x, y, x+dx, y+18, anchor, percent(percentage))
}
