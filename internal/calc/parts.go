package calc

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/table"
)

// parts writes what was asked for beside the occupancy.
func (p *printer) parts(a *Answer, several bool) {
	of := ""
	if several {
		of = " on " + a.Arch
		if a.Kernel != "" {
			of = " of " + name.Escape(name.Qualified(a.Kernel)) + of
		}
	}
	if a.Bounds != nil {
		p.bounds(a, of)
	}
	if a.Memory != nil {
		p.memory(a, of)
	}
	for i := range a.Sweeps {
		p.sweep(&a.Sweeps[i], of)
	}
	if a.Suggest != nil {
		p.suggest(a.Suggest, of)
	}
}

func (b Bounds) String() string {
	if b.MinBlocks == 0 {
		return fmt.Sprintf("__launch_bounds__(%d)", b.Threads)
	}
	return fmt.Sprintf("__launch_bounds__(%d, %d)", b.Threads, b.MinBlocks)
}

func (p *printer) bounds(a *Answer, of string) {
	b, l := a.Bounds, &a.Launch
	registers := l.Registers
	p.linef("")
	p.heading(b.String() + of)
	p.linef("  at most %s per thread", plural(b.Registers, "register"))
	if b.MostThreads > 0 {
		p.linef("  a block has %d threads at most on %s: no launch has the %d that the bounds allow", b.MostThreads, a.Arch, b.Threads)
	}
	switch {
	case !b.Honoured:
		p.linef("  the compiler drops the minimum of %s: %s; the maximum of threads alone caps the registers", plural(b.MinBlocks, "block"), b.Reason)
	case b.MinBlocks > 0 && b.With.Blocks >= b.MinBlocks:
		p.linef("  the minimum of %s is within reach", plural(b.MinBlocks, "block"))
	case b.MinBlocks > 0 && b.MostThreads == 0:
		p.linef("  the minimum of %s is missed all the same: %s allow %d", plural(b.MinBlocks, "block"), b.With.Limiters, b.With.Blocks)
	}
	switch {
	case b.Over > 0:
		p.linef("  %s are %d over the cap: the compiler must do with %d, and spills what does not fit", plural(registers, "register"), b.Over, b.Registers)
	case registers > 0:
		p.linef("  %s are within the cap", plural(registers, "register"))
	}
	if l.Threads > b.Threads {
		p.linef("  blocks of %d threads can't launch: the bounds allow %d", l.Threads, b.Threads)
	}
	p.linef("  with the bounds     %s", b.occupancyText(b.WithRegisters, &b.With))
	if b.Without != nil {
		p.linef("  without the bounds  %s", b.occupancyText(registers, b.Without))
	}
}

func (b *BoundsAnswer) occupancyText(registers int, o *arch.Occupancy) string {
	if o.Blocks == 0 {
		return fmt.Sprintf("%d threads, %s: can't launch, because of %s", b.Threads, plural(registers, "register"), o.Limiters)
	}
	return fmt.Sprintf("%d threads, %s: %s, %d of %d warps, %s %%; limited by %s", b.Threads,
		plural(registers, "register"), plural(o.Blocks, "block"), o.Warps, o.WarpSlots, percent(o.Percent()), o.Limiters)
}

func (p *printer) memory(a *Answer, of string) {
	m := a.Memory
	p.linef("")
	p.heading(m.GPU.Name + of)
	if m.OtherArch {
		p.linef("  is %s: nothing to say about %s", m.GPU.Arch, a.Arch)
		return
	}
	if m.Flight != nil {
		p.flight(a, m)
	}
	if m.Waves != nil {
		p.waves(m)
	}
}

func (p *printer) flight(a *Answer, m *Memory) {
	g, f := m.GPU, m.Flight
	p.linef("  needs   %.0f bytes in flight per SM: %d cycles at %s GHz, %s TB/s over %d SMs (latency %s)",
		f.Need, g.LatencyCycles, decimals(g.ClockHz/1e9), decimals(g.BandwidthBytesPerSec/1e12), g.SMs, g.LatencyFrom)
	if f.Threads == 0 {
		p.linef("  has     none: no block is resident")
		return
	}
	p.linef("  has     %.0f: %s resident × %s each", f.Have, plural(f.Threads, "thread"), plural(m.BytesInFlight, "byte"))
	if f.Enough() {
		p.linef("  enough  the memory can be busy all the time; %s per thread would do", plural(f.BytesPerThread, "byte"))
		return
	}
	p.linef("  short   by %.0f bytes: at most %s %% of the bandwidth", f.Need-f.Have, percent(100*f.BandwidthShare()))
	if f.BytesPerThread > 0 {
		p.linef("  either  %s in flight per thread with the threads that are resident", plural(f.BytesPerThread, "byte"))
	}
	slots := a.WarpSlots * arch.WarpThreads
	switch {
	case f.Reachable:
		p.linef("  or      %s resident (%s %%) with %s each: %s%s", plural(f.ThreadsNeeded, "thread"),
			percent(100*float64(f.ThreadsNeeded)/float64(slots)), plural(m.BytesInFlight, "byte"), plural(f.BlocksNeeded, "block"), needed(a, f.BlocksNeeded))
	case f.ThreadsNeeded <= slots:
		p.linef("  no number of blocks of %s would do alone: %s would be needed, which smaller blocks may have", plural(a.Launch.Threads, "thread"), plural(f.ThreadsNeeded, "thread"))
	default:
		p.linef("  no occupancy would do alone: %s would be needed, and %d fit", plural(f.ThreadsNeeded, "thread"), slots)
	}
}

// needed says what must change for so many blocks to be resident.
func needed(a *Answer, blocks int) string {
	changes, ok := a.SM.Reach(a.Launch, blocks)
	if !ok {
		return ", which this launch can't have"
	}
	if len(changes) == 0 {
		return ""
	}
	parts := make([]string, len(changes))
	for i, c := range changes {
		switch what := c.Resource.String(); c.Resource {
		case arch.Shared:
			parts[i] = plural(c.Need, "byte") + " of shared memory"
		case arch.Warps:
			parts[i] = plural(c.Need, "thread") + " per block"
		default:
			parts[i] = plural(c.Need, strings.TrimSuffix(what, "s"))
		}
	}
	return ", which need " + strings.Join(parts, " and ") + " or fewer"
}

func (p *printer) waves(m *Memory) {
	w := m.Waves
	if w.PerWave == 0 {
		p.linef("  grid    %s, and none fits", plural(w.Grid, "block"))
		return
	}
	are := "are"
	if w.Grid == 1 {
		are = "is"
	}
	p.linef("  grid    %s %s %s of %d (%d SMs × %s)", plural(w.Grid, "block"), are, plural(w.Count(), "wave"), w.PerWave, m.GPU.SMs, plural(w.PerWave/int64(m.GPU.SMs), "block"))
	if w.LastGrid == 0 {
		p.linef("  tail    none: every wave is full")
		return
	}
	p.linef("  tail    %s in the last wave; %s %% of all places stay empty", plural(w.LastGrid, "block"), percent(w.IdlePercent()))
}

func (p *printer) sweep(s *Sweep, of string) {
	p.linef("")
	p.heading("occupancy over " + axisTitle(s.Of) + of)
	for _, line := range s.Draw(&p.curves) {
		p.linef("%s", line)
	}
	p.linef("")
	p.table(sweepTable(s))
}

func axisTitle(of arch.Resource) string {
	switch of {
	case arch.Registers:
		return "registers per thread"
	case arch.Shared:
		return "bytes of shared memory per block"
	default:
		return "threads per block"
	}
}

// sweepTable lists a sweep's points.
func sweepTable(s *Sweep) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Title: "from", Key: "from", Right: true}, {Title: "to", Key: "to", Right: true},
		{Title: "blocks", Key: "blocks", Right: true}, {Title: "warps", Key: "warps", Right: true},
		{Title: "%", Key: "percent", Right: true}, {Title: "limited by", Key: "limiters"},
		{Title: "", Key: "now"},
	}}
	for i := range s.Points {
		pt := &s.Points[i]
		mark := ""
		if pt.From <= s.Now && s.Now <= pt.To {
			mark = "<- now: " + strconv.Itoa(s.Now)
		}
		t.Rows = append(t.Rows, []string{
			strconv.Itoa(pt.From), strconv.Itoa(pt.To), strconv.Itoa(pt.Blocks),
			strconv.Itoa(pt.Warps), percent(pt.Percent()), pt.Limiters.String(), mark,
		})
	}
	return t
}

func (p *printer) suggest(s *Suggestion, of string) {
	p.linef("")
	p.heading("block sizes" + of)
	if len(s.Best) == 0 {
		p.linef("  none fits: the registers, shared memory or barriers are too many for one warp")
		return
	}
	sizes := make([]string, len(s.Best))
	for i, b := range s.Best {
		sizes[i] = strconv.Itoa(b.Threads)
	}
	best := &s.Best[0]
	p.linef("  most warps: %d of %d, %s %%, with blocks of %s threads", best.Warps, best.WarpSlots, percent(best.Percent()), strings.Join(sizes, ", "))
	if s.Asked > 0 && len(s.ByBlocks) == 0 {
		near := make([]string, len(s.Nearest))
		for i, r := range s.Nearest {
			sizes := plural(r.Smallest.Threads, "thread")
			if r.Largest.Threads != r.Smallest.Threads {
				sizes = fmt.Sprintf("%d to %s", r.Smallest.Threads, plural(r.Largest.Threads, "thread"))
			}
			near[i] = fmt.Sprintf("blocks of %s have %d", sizes, r.Blocks)
		}
		p.linef("  no block size has exactly %s resident; %s", plural(s.Asked, "block"), strings.Join(near, ", "))
		return
	}
	p.linef("")
	p.table(suggestTable(s))
}

func suggestTable(s *Suggestion) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Title: "blocks per SM", Key: "blocks", Right: true}, {Title: "smallest block", Key: "smallest_threads", Right: true},
		{Title: "%", Key: "smallest_percent", Right: true}, {Title: "largest block", Key: "largest_threads", Right: true},
		{Title: "%", Key: "largest_percent", Right: true}, {Title: "limited by", Key: "limiters"},
	}}
	for _, r := range s.ByBlocks {
		t.Rows = append(t.Rows, []string{
			strconv.Itoa(r.Blocks), strconv.Itoa(r.Smallest.Threads), percent(r.Smallest.Percent()),
			strconv.Itoa(r.Largest.Threads), percent(r.Largest.Percent()), r.Largest.Limiters.String(),
		})
	}
	return t
}

func decimals(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
