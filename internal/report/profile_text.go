package report

import (
	"bufio"
	"fmt"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/internal/table"
	"github.com/occlint/occlint/internal/term"
)

// text writes the table by time, then one block for each kernel.
func (p *profileWriter) text(w *bufio.Writer) error {
	t := p.profileTable()
	if err := t.WriteText(w, p.style); err != nil {
		return err
	}
	for i := range p.kernels {
		p.block(w, &p.kernels[i])
	}
	_, _ = fmt.Fprintln(w)
	for _, line := range term.Wrap(p.style.Text(p.summary()), p.style.Width) {
		_, _ = fmt.Fprintln(w, line)
	}
	return nil
}

// profileTable is one row for each kernel and launch shape.
func (p *profileWriter) profileTable() *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Title: "share", Right: true}, {Title: "ms", Right: true}, {Title: "launches", Right: true},
		{Title: "kernel", Flex: true}, {Title: "arch"}, {Title: "threads", Right: true}, {Title: "regs", Right: true},
		{Title: "occ", Right: true}, {Title: "achieved", Right: true}, {Title: "verdict"},
	}}
	names := p.shortNames()
	for i := range p.kernels {
		k := &p.kernels[i]
		occupancy := "-"
		if k.Occupancy != nil {
			occupancy = percent(k.Occupancy.Percent())
		}
		registers := "-"
		if k.Registers != arch.Unknown {
			registers = itoa(k.Registers)
		}
		achieved := figure(k.Counters.Achieved)
		if achieved != "-" {
			achieved += " %"
		}
		t.Rows = append(t.Rows, []string{ofTime(k.Share), millis(k.TimeNanos), strconv.FormatInt(k.Launches, 10), names[i],
			dash(escaped(k.Arch)), itoa(k.Threads), registers, occupancy, achieved, string(k.Verdict)})
	}
	return t
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// shortNames are as short as tells the kernels apart.
func (p *profileWriter) shortNames() []string {
	var mangled []string
	for i := range p.kernels {
		if n := p.kernels[i].Name; n != "" {
			mangled = append(mangled, n)
		}
	}
	short := name.Shorten(mangled)
	list := make([]string, len(p.kernels))
	at := 0
	for i := range p.kernels {
		if p.kernels[i].Name == "" {
			list[i] = briefName(p.kernels[i].Shown)
			continue
		}
		list[i] = briefName(short[at])
		at++
	}
	return list
}

// block writes what is known of one kernel.
func (p *profileWriter) block(w *bufio.Writer, k *judge.Kernel) {
	s := p.style
	line := func(indent, text string) {
		width := s.Width
		if width > 0 {
			width = max(width-len(indent), 20)
		}
		for i, l := range term.Wrap(s.Text(text), width) {
			if i == 1 {
				indent = strings.Repeat(" ", len(indent))
			}
			_, _ = fmt.Fprintln(w, indent+l)
		}
	}
	_, _ = fmt.Fprintln(w)
	head := fmt.Sprintf("%s  %s  %s  %s", briefName(k.Shown), dash(escaped(k.Arch)), launches(k.Launches), ofTime(k.Share))
	for i, l := range term.Wrap(s.Text(head), s.Width) {
		if i == 0 {
			l = s.Strong(l)
		}
		_, _ = fmt.Fprintln(w, l)
	}
	line("  ", recordWords(k)+" | "+launchWords(k))
	line("  ", occupancyWords(k))
	if c := counterWords(&k.Counters); c != "" {
		line("  ", c)
	}
	verdict := string(k.Verdict)
	if verdict == "" {
		verdict = "no verdict"
	}
	for i, l := range term.Wrap(s.Text(verdict+": "+brief(k.Message)), max(s.Width-2, 0)) {
		if i == 0 {
			l = verdictLook(s, k.Verdict)(verdict) + strings.TrimPrefix(l, verdict)
		}
		_, _ = fmt.Fprintln(w, "  "+l)
	}
	for _, n := range k.Notes {
		line("  = ", "note: "+brief(n))
	}
	if k.Help != "" {
		line("  = ", "help: "+brief(k.Help))
	}
}

// verdictLook is the look of a verdict: what can be gained, what is well, what
// is unknown.
func verdictLook(s *term.Style, v judge.Verdict) func(string) string {
	switch v {
	case judge.SpillsHot, judge.ProfileStale:
		return s.Error
	case judge.RaiseOrILP, judge.LatencyILP, judge.LatencyUnfilled, judge.OtherLatency, judge.GridTooSmall, judge.Uneven, judge.NearALimit:
		return s.Warning
	case judge.NotOccupancy:
		return s.Good
	default:
		return s.Info
	}
}
