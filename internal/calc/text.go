package calc

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/table"
	"github.com/occlint/occlint/internal/term"
)

// WriteText writes the answers for people: one in full, several as a table,
// with the parts that were asked for below. Curves are drawn in ASCII alone
// when plain is set.
func WriteText(w io.Writer, style *term.Style, plain bool, answers []Answer) error {
	p := &printer{w: w, style: style, curves: *style}
	p.curves.Unicode = style.Unicode && !plain
	if len(answers) == 1 {
		p.answer(&answers[0])
	} else {
		p.table(comparison(answers))
		p.leftOut(answers)
	}
	for i := range answers {
		p.parts(&answers[i], len(answers) > 1)
	}
	return p.err
}

// printer keeps the first error of writing.
type printer struct {
	w      io.Writer
	style  *term.Style
	curves term.Style
	err    error
}

func (p *printer) linef(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, p.style.Text(fmt.Sprintf(format, args...)))
	}
}

func (p *printer) heading(text string) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, p.style.Strong(p.style.Text(text)))
	}
}

func (p *printer) table(t *table.Table) {
	if p.err == nil {
		p.err = t.WriteText(p.w, p.style)
	}
}

func (p *printer) answer(a *Answer) {
	p.heading(title(a))
	p.linef("%s", verdict(a))
	for _, why := range refusals(a) {
		p.linef("%s", why)
	}
	p.linef("")
	p.table(limits(a))
	p.linef("")
	p.allocation(a)
	p.steps(a)
}

// title names the subject: "sm_90: 256 threads, 40 registers, …".
func title(a *Answer) string {
	l := &a.Launch
	parts := []string{plural(l.Threads, "thread")}
	if l.Registers > 0 {
		parts = append(parts, plural(l.Registers, "register"))
	} else {
		parts = append(parts, "registers not given")
	}
	shared := FormatBytes(l.SharedBytes) + " of shared memory"
	if a.DynamicBytes > 0 {
		shared += fmt.Sprintf(", %d of them dynamic", a.DynamicBytes)
	}
	parts = append(parts, shared)
	if l.Barriers > 0 {
		parts = append(parts, plural(l.Barriers, "barrier"))
	}
	subject := a.Arch
	if a.Kernel != "" {
		subject = name.Escape(name.Qualified(a.Kernel)) + " on " + a.Arch
	}
	return subject + ": " + strings.Join(parts, ", ")
}

func verdict(a *Answer) string {
	if a.Blocks == 0 {
		return "0 blocks: this can't launch, because of " + a.Limiters.String()
	}
	return fmt.Sprintf("%s per SM, %d of %d warps, %s %%; limited by %s",
		plural(a.Blocks, "block"), a.Warps, a.WarpSlots, percent(a.Percent()), a.Limiters)
}

// refusals say what a block or thread can't have, with the most that it can.
func refusals(a *Answer) []string {
	var why []string
	l, sm := &a.Launch, a.SM
	if l.Threads > sm.ThreadsPerBlock {
		why = append(why, fmt.Sprintf("%d threads are more than a block can have: %d", l.Threads, sm.ThreadsPerBlock))
	}
	switch {
	case l.Registers > sm.RegistersPerThread:
		why = append(why, fmt.Sprintf("%d registers are more than a thread can have: %d", l.Registers, sm.RegistersPerThread))
	case a.Limits[arch.Registers] == 0:
		why = append(why, registerRefusal(a))
	}
	if l.SharedBytes > sm.SharedBytesPerBlock {
		why = append(why, fmt.Sprintf("%d bytes of shared memory are more than a block can have: %d", l.SharedBytes, sm.SharedBytesPerBlock))
	}
	if l.Barriers > sm.BarriersPerBlock {
		why = append(why, fmt.Sprintf("%d barriers are more than a block can name: %d", l.Barriers, sm.BarriersPerBlock))
	}
	return why
}

// registerRefusal says why no block fits though a thread may have so many
// registers.
func registerRefusal(a *Answer) string {
	sm := a.SM
	perWarp := a.RegistersPerBlock / max(a.WarpsPerBlock, 1)
	warps := (a.WarpsPerBlock + 3) / 4 * 4 // as they are counted for a block's limit
	switch partition := sm.Registers / sm.Partitions; {
	case warps*perWarp > sm.RegistersPerBlock:
		return fmt.Sprintf("%d warps of %d registers are more than a block can have: %d", a.WarpsPerBlock, a.Launch.Registers, sm.RegistersPerBlock)
	case perWarp > partition:
		return fmt.Sprintf("a warp of %d registers takes %d, more than a partition of the SM has: %d", a.Launch.Registers, perWarp, partition)
	default:
		return fmt.Sprintf("%d warps of %d registers are more than the SM's %d partitions of %d hold", a.WarpsPerBlock, a.Launch.Registers, sm.Partitions, partition)
	}
}

func limits(a *Answer) *table.Table {
	t := &table.Table{Columns: []table.Column{
		{Title: "resource"}, {Title: "a block takes", Right: true}, {Title: "an SM has", Right: true},
		{Title: "blocks", Right: true}, {Title: ""},
	}}
	for r := range arch.AllResources() {
		takes, has := a.use(r)
		mark := ""
		if a.Limiters.Has(r) {
			mark = "<- limit"
		}
		t.Rows = append(t.Rows, []string{r.String(), takes, has, number(a.Limits[r]), mark})
	}
	return t
}

// use is what one block takes of a resource and what the SM has of it, as
// text.
func (a *Answer) use(r arch.Resource) (takes, has string) {
	switch r {
	case arch.Warps:
		return strconv.Itoa(a.WarpsPerBlock), strconv.Itoa(a.SM.WarpSlots)
	case arch.Blocks:
		return "1", strconv.Itoa(a.SM.BlockSlots)
	case arch.Registers:
		if a.Launch.Registers <= 0 {
			return "-", strconv.Itoa(a.SM.Registers)
		}
		return strconv.Itoa(a.RegistersPerBlock), strconv.Itoa(a.SM.Registers)
	case arch.Shared:
		return strconv.Itoa(a.SharedBytesPerBlock), strconv.Itoa(a.SM.SharedBytes)
	case arch.Barriers:
		takes, has = number(max(a.Launch.Barriers, arch.Unknown)), "-"
		if a.SM.Barriers > 0 {
			has = strconv.Itoa(a.SM.Barriers)
		}
	}
	return takes, has
}

func (p *printer) allocation(a *Answer) {
	w := a.Waste()
	allocated, wasted := "", ""
	if w.FreeRegisters != arch.Unknown {
		allocated = fmt.Sprintf("%d of %d registers, ", a.SM.Registers-w.FreeRegisters, a.SM.Registers)
		wasted = plural(w.Registers, "register") + " by rounding, "
	}
	p.linef("allocated  %s%d of %d bytes of shared memory; %d of %d warps stay free",
		allocated, a.SM.SharedBytes-w.FreeSharedBytes, a.SM.SharedBytes, w.FreeWarps, a.SM.WarpSlots)
	p.linef("wasted     per block %s%d bytes of shared memory (%d reserved, %d by rounding)",
		wasted, w.ReservedBytes+w.RoundingBytes, w.ReservedBytes, w.RoundingBytes)
	switch a.ThreadsFrom {
	case SuggestedThreads:
		p.linef("note       no block size is given: this is for the smallest with the most warps")
	case BoundsThreads:
		p.linef("note       no block size is given: this is for the maximum of the launch bounds")
	case DeclaredThreads:
		p.linef("note       the block size is the declared one")
	case GivenThreads:
	}
	p.leftOut([]Answer{*a})
	if n := a.Launch.SharedBytes; n > a.SM.StaticSharedBytesPerBlock && n <= a.SM.SharedBytesPerBlock {
		p.linef("note       above %d bytes the kernel must opt in (cudaFuncAttributeMaxDynamicSharedMemorySize) and use dynamic shared memory",
			a.SM.StaticSharedBytesPerBlock)
	}
}

// leftOut notes the limits that are left out for want of a number.
func (p *printer) leftOut(answers []Answer) {
	if i := slices.IndexFunc(answers, func(a Answer) bool { return a.Launch.Registers <= 0 }); i >= 0 {
		p.linef("note       registers are not given, and their limit is left out: %s has %d for all blocks", answers[i].SM.Name, answers[i].SM.Registers)
	}
	if i := slices.IndexFunc(answers, func(a Answer) bool { return a.SM.Barriers > 0 && a.Launch.Barriers < 0 }); i >= 0 {
		p.linef("note       barriers are not given, and their limit is left out: %s has %d for all blocks", answers[i].SM.Name, answers[i].SM.Barriers)
	}
}

func (p *printer) steps(a *Answer) {
	p.linef("")
	p.heading("nearest steps")
	for _, s := range a.Steps {
		p.linef("  %-10s %s", s.Resource, StepText(&s))
	}
}

// StepText says in words where the nearest steps are.
func StepText(s *arch.Step) string {
	unit := func(n int) string {
		if s.Resource == arch.Shared {
			return plural(n, "byte")
		}
		return strconv.Itoa(n)
	}
	down := "fewer gain nothing"
	if s.Fewer > 0 {
		down = fmt.Sprintf("%s fewer (%d) give %s", unit(s.Fewer), s.Now-s.Fewer, plural(s.GainTo, "block"))
		if s.Fewer == 1 {
			down = strings.Replace(down, " give ", " gives ", 1)
		}
	}
	up := "none more is free"
	if s.Blocks == 0 {
		return down
	}
	if s.Free > 0 {
		up = fmt.Sprintf("%s more are free (up to %d)", unit(s.Free), s.Now+s.Free)
	}
	if s.LoseTo < s.Blocks {
		up += ", the next leaves " + plural(s.LoseTo, "block")
	}
	return down + "; " + up
}

func plural[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.FormatInt(int64(n), 10) + " " + noun + "s"
}

// number writes a limit; "-" where it does not apply.
func number(n int) string {
	if n == arch.Unknown {
		return "-"
	}
	return strconv.Itoa(n)
}

// percent writes at most two decimals.
func percent(p float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(p, 'f', 2, 64), "0"), ".")
}
