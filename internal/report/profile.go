package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/internal/term"
)

// ProfileOptions say how a profile is written.
type ProfileOptions struct {
	Title    string  // what was read
	Top      int     // at most so many kernels; 0 is all
	MinShare float64 // none below this share of the time, 0 to 1
	Problems []profile.Problem
	More     int // problems that are not in the list
	Version  string
	Table    *arch.Table
	Color    string
	Env      func(string) string
}

// ProfileFormats lists the formats of a profile.
func ProfileFormats() []string { return []string{"text", "json", "markdown", "html"} }

// Profile writes what launches came to.
func Profile(w io.Writer, format string, r *judge.Result, o ProfileOptions) error {
	out := bufio.NewWriterSize(guardOf(format)(w), 64<<10)
	p := &profileWriter{ProfileOptions: o, result: r, style: term.New(w, o.Color, o.Env)}
	p.kernels = p.shown()
	var err error
	switch format {
	case "text":
		err = p.text(out)
	case "json":
		err = p.json(out)
	case "markdown":
		err = p.markdown(out)
	case "html":
		err = p.html(out)
	default:
		return fmt.Errorf("no format %q for a profile; there are %s", format, strings.Join(ProfileFormats(), ", "))
	}
	return cmp.Or(err, out.Flush())
}

// profileWriter is one profile on its way to one stream.
type profileWriter struct {
	ProfileOptions
	result  *judge.Result
	kernels []judge.Kernel
	style   *term.Style
}

// shown are the kernels that were asked for.
func (p *profileWriter) shown() []judge.Kernel {
	list := p.result.Kernels
	for i := range list {
		if list[i].Share < p.MinShare || p.Top > 0 && i >= p.Top {
			return list[:i]
		}
	}
	return list
}

// figure writes a number as it is read: 8.9, 93, 0.08; "-" when absent.
func figure(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.Abs(x) < 1 && x != 0:
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(round1(x), 'f', -1, 64)
}

// ofTime writes a share of the time in percent.
func ofTime(x float64) string {
	if x > 0 && x < 0.001 {
		return "<0.1 %"
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + " %"
}

// millis writes nanoseconds as milliseconds, with as many digits as a profiler
// shows.
func millis(ns float64) string {
	digits := 3
	if ns >= 1e8 {
		digits = 1
	}
	return strconv.FormatFloat(ns/1e6, 'f', digits, 64)
}

// dim writes a grid or block: 256, 32x8, 2x66x1 as far as it isn't 1.
func dim(d profile.Dim) string {
	n := len(d)
	for n > 1 && d[n-1] == 1 {
		n--
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = strconv.FormatInt(d[i], 10)
	}
	return strings.Join(parts, "x")
}

// launchWords say how a kernel was launched.
func launchWords(k *judge.Kernel) string {
	s := plural(k.Threads, "thread")
	if n := k.Block; n[1] > 1 || n[2] > 1 {
		s += " (" + dim(n) + ")"
	}
	switch {
	case k.Dynamic != arch.Unknown:
		s += fmt.Sprintf(", %d bytes dynamic", k.Dynamic)
	case k.Shape.SharedBytes > 0:
		s += fmt.Sprintf(", %d bytes of shared memory", k.Shape.SharedBytes)
	}
	switch n := k.Grid.Count(); {
	case n == 0:
	case k.Grids > 1:
		s += fmt.Sprintf(", %d blocks and other grids", n)
	default:
		s += fmt.Sprintf(", %d blocks", n)
	}
	if !math.IsNaN(k.Waves) {
		s += fmt.Sprintf(" (%s waves)", strconv.FormatFloat(k.Waves, 'f', 2, 64))
	}
	return s
}

// recordWords say what the compiler said of a kernel, or that nothing is known.
func recordWords(k *judge.Kernel) string {
	r := k.Record
	if r == nil {
		s := "no record"
		if k.Registers != arch.Unknown {
			s = fmt.Sprintf("%d registers in the profile, no record", k.Registers)
		}
		return s
	}
	s := fmt.Sprintf("%d registers", r.Registers)
	switch {
	case r.Spills():
		s += fmt.Sprintf(", %d + %d bytes of spills", max(r.SpillStoreBytes, 0), max(r.SpillLoadBytes, 0))
	case r.SpillStoreBytes == 0:
		s += ", 0 spills"
	}
	at := brief(r.File)
	if r.Line > 0 {
		at += ":" + itoa(r.Line)
	}
	return s + " (" + at + ")"
}

// occupancyWords say what fits and what was there.
func occupancyWords(k *judge.Kernel) string {
	var s string
	if o := k.Occupancy; o != nil {
		s = fmt.Sprintf("occupancy %s %% theoretical (%s, %s)", figure(o.Percent()), plural(o.Blocks, "block"), o.Limiters.String())
	} else {
		s = "occupancy unknown"
		if !math.IsNaN(k.ReportedPercent) {
			s = fmt.Sprintf("occupancy %s %% theoretical, as the report says", figure(k.ReportedPercent))
		}
	}
	if a := k.Counters.Achieved; !math.IsNaN(a) {
		s += fmt.Sprintf(", %s %% achieved", figure(a))
	}
	return s
}

// counterWords list the counters that the verdict rests on; empty without any.
func counterWords(c *judge.Counters) string {
	var parts []string
	add := func(x float64, format string) {
		if !math.IsNaN(x) {
			parts = append(parts, fmt.Sprintf(format, figure(x)))
		}
	}
	add(c.Issue, "issue %s %%")
	add(c.Eligible, "eligible %s")
	if len(c.Stalls) > 0 {
		parts = append(parts, fmt.Sprintf("%s %s %%", brief(strings.ReplaceAll(c.Stalls[0].Reason, "_", " ")), figure(c.Stalls[0].Ratio)))
	}
	add(c.Busy, "busy %s %%")
	add(c.Compute, "compute %s %%")
	add(c.Memory, "memory %s %%")
	return strings.Join(parts, ", ")
}

func launches(n int64) string {
	if n == 1 {
		return "1 launch"
	}
	return strconv.FormatInt(n, 10) + " launches"
}

// summary says what all came to.
func (p *profileWriter) summary() string {
	r := p.result
	s := fmt.Sprintf("%s in %s by kernel and shape, %s ms under the profiler", launches(r.Launches), plural(len(r.Kernels), "row"), millis(r.TimeNanos))
	if on := r.Devices; len(on) > 0 {
		s += " on " + brief(list(on, 3))
	} else if len(r.Archs) > 0 {
		s += " on " + brief(list(r.Archs, 3))
	}
	if n := len(r.Kernels) - len(p.kernels); n > 0 {
		s += fmt.Sprintf("; %d not shown", n)
	}
	if r.Left > 0 {
		s += fmt.Sprintf("; %d launches of further shapes, %s of the time, are not told apart", r.Left, ofTime(r.LeftShare))
	}
	if r.Records > 0 && r.Unjoined > 0 {
		s += fmt.Sprintf("; %s of the time has no record", ofTime(r.Unjoined))
	}
	if r.Stale > 0 {
		s += fmt.Sprintf("; %s is of another build", ofTime(r.Stale))
	}
	return s
}

// problemWords is a problem with its place on one line.
func problemWords(p profile.Problem) string {
	s := brief(p.Place.File)
	if p.Place.Line > 0 {
		s += ":" + itoa(p.Place.Line)
	}
	return s + ": " + brief(p.Text)
}
