package tune

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/capture"
	"github.com/occlint/occlint/internal/name"
)

// Benchmark is the user's own way to measure a variant.
type Benchmark struct {
	Command string         // for the shell
	Regex   *regexp.Regexp // its first group, or the whole of it, is the time; nil: the last number
	Wall    bool           // the command's own duration counts, whatever it prints
	Rounds  int            // of all rows, interleaved
	Dir     string
	Env     []string
}

// LeastRounds is the fewest rounds that show a spread.
const LeastRounds = 3

// Timing is what a row took, in milliseconds.
type Timing struct {
	Median, Min, Max float64
	Runs             []float64 // in the order of the rounds
}

// Verdict is what the times say.
type Verdict struct {
	// Fastest is the index of the row that is faster than every other outside
	// the spread; -1 where none is.
	Fastest  int
	Sentence string
}

// The variables that a benchmark finds.
const (
	variantVariable = "OCCLINT_VARIANT" // as-written, none, 256 or 256,4
	cubinVariable   = "OCCLINT_CUBIN"   // the variant's machine code
	kernelVariable  = "OCCLINT_KERNEL"  // mangled
)

// candidate is a row that is measured.
type candidate struct {
	row *Row
	env []string
}

// Time measures the frontier's rows and today's. A row whose benchmark fails
// keeps its numbers and says so. Every row is built beforehand: with the
// kernel's bounds changed and those of all others left alone.
func Time(ctx context.Context, w *Workspace, unit Unit, t *Table, b *Benchmark) error {
	candidates, err := t.candidates(ctx, w, unit, b)
	if err != nil {
		return err
	}
	for round := range b.Rounds {
		for i := range candidates {
			// Each round begins with another row, so that none is always the
			// first on a cold device.
			c := &candidates[(i+round)%len(candidates)]
			if c.row.TimeError != "" {
				continue
			}
			ms, err := b.once(ctx, c.env)
			var failed *benchmarkError
			switch {
			case errors.As(err, &failed):
				c.row.TimeError, c.row.Time = failed.Error(), nil
			case err != nil:
				return err
			default:
				if c.row.Time == nil {
					c.row.Time = &Timing{}
				}
				c.row.Time.Runs = append(c.row.Time.Runs, ms)
			}
		}
	}
	for i := range candidates {
		candidates[i].row.Time.settle()
	}
	t.judgeTimes()
	return nil
}

// candidates builds what is measured.
func (t *Table) candidates(ctx context.Context, w *Workspace, unit Unit, b *Benchmark) ([]candidate, error) {
	if unit.Method() == "source" && t.aim.everywhere() {
		return nil, fmt.Errorf("%s can't be timed with the other kernels left as they are, since the compiler does not tell on which line it has its bounds", name.Brief(name.Qualified(t.Name), mostErrorRunes))
	}
	var list []candidate
	for i := range t.Rows {
		r := &t.Rows[i]
		if !r.Frontier && r.Kind != AsWritten || !r.Measured() || r.Blocks == 0 {
			continue
		}
		c, err := t.candidate(ctx, w, unit, b, i)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// candidate builds one row: all kernels of the unit, this one with the row's
// bounds.
func (t *Table) candidate(ctx context.Context, w *Workspace, unit Unit, b *Benchmark, at int) (c candidate, err error) {
	r := &t.Rows[at]
	c = candidate{r, append(slices.Clone(b.Env), kernelVariable+"="+t.Name, variantVariable+"="+r.Name())}
	cubin := t.base.cubin
	if r.Kind != AsWritten {
		o := order{variant: r.Variant, clusterRank: t.clusterRank, kernels: []string{t.Name}}
		if unit.Method() == "source" {
			o.header = t.aim.header(r.Variant, t.clusterRank)
			path := filepath.Join(w.dir, fmt.Sprintf("variant-%d.h", at))
			if err := os.WriteFile(path, []byte(o.header), 0o600); err != nil {
				return c, err
			}
			c.env = capture.AppendFlags(c.env, "-include "+path)
		}
		built, err := unit.compile(ctx, w, o)
		if err != nil {
			return c, err
		}
		if r.TimeError = built.fault; r.TimeError == "" {
			if err := t.proveAlone(built, r.Variant); err != nil {
				return c, err
			}
		}
		cubin = built.cubin
	}
	c.env = append(c.env, cubinVariable+"="+cubin)
	return c, nil
}

// benchmarkError is a run without a time.
type benchmarkError struct{ text string }

func (e *benchmarkError) Error() string { return e.text }

// once runs the benchmark once.
func (b *Benchmark) once(ctx context.Context, env []string) (float64, error) {
	shell := []string{"sh", "-c", b.Command}
	if runtime.GOOS == "windows" {
		shell = []string{"cmd", "/c", b.Command}
	}
	p := process{args: shell, dir: b.Dir, env: env}
	end, err := p.run(ctx)
	if err != nil {
		return 0, err
	}
	if end.code != 0 {
		return 0, &benchmarkError{fmt.Sprintf("exit %d: %s", end.code, firstError(end.stderr+end.stdout))}
	}
	if b.Wall {
		return float64(end.took.Microseconds()) / 1000, nil
	}
	return printedTime(end.stdout, b.Regex)
}

// A number with its unit, which does not stand inside a word: of "sm_90" the
// 90 is none.
var timeText = regexp.MustCompile(`(?:^|[^\pL\pN_.])([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)[ \t]*(?:(` + timeUnits + `)(?:$|[^\pL\pN_])|$|[^\pL\pN_])`)

// timeUnits are how programs spell a unit of time. The longer spelling comes
// first only for reading: what follows a unit must be no letter.
const timeUnits = `nanoseconds?|nsecs?|ns|microseconds?|usecs?|us|µs|μs|milliseconds?|msecs?|ms|seconds?|secs?|s|minutes?|mins?`

// millis is how many milliseconds a unit has, by its first letters: no unit is
// milliseconds.
func millis(unit string) float64 {
	for _, u := range []struct {
		prefix string
		millis float64
	}{{"ns", 1e-6}, {"nano", 1e-6}, {"us", 1e-3}, {"micro", 1e-3}, {"µs", 1e-3}, {"μs", 1e-3}, {"min", 60e3}, {"s", 1e3}} {
		if strings.HasPrefix(unit, u.prefix) {
			return u.millis
		}
	}
	return 1
}

// printedTime is the time that a benchmark printed, in milliseconds: what the
// expression finds last, else the last number. A number without a unit is in
// milliseconds.
func printedTime(text string, expression *regexp.Regexp) (float64, error) {
	if expression != nil {
		all := expression.FindAllStringSubmatch(text, -1)
		if len(all) == 0 {
			return 0, &benchmarkError{fmt.Sprintf("--time-regex %q matches nothing that it printed", expression)}
		}
		match := all[len(all)-1]
		text = match[min(1, len(match)-1)]
	}
	last := -1
	var m []int
	// Matches may share the sign between two numbers, so they are sought one by one.
	for at := 0; at < len(text); {
		next := timeText.FindStringSubmatchIndex(text[at:])
		if next == nil {
			break
		}
		last, m = at, next
		at += next[3]
	}
	if last < 0 {
		return 0, &benchmarkError{"it printed no number; --time-wall takes the command's own duration"}
	}
	value, err := strconv.ParseFloat(text[last+m[2]:last+m[3]], 64)
	if err != nil || value < 0 {
		return 0, &benchmarkError{fmt.Sprintf("the number %q is no time", text[last+m[2]:last+m[3]])}
	}
	unit := ""
	if m[4] >= 0 {
		unit = text[last+m[4] : last+m[5]]
	}
	return value * millis(unit), nil
}

func (t *Timing) settle() {
	if t == nil {
		return
	}
	sorted := slices.Sorted(slices.Values(t.Runs))
	n := len(sorted)
	t.Min, t.Max = sorted[0], sorted[n-1]
	t.Median = (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// judgeTimes names a fastest row where its slowest run beats every other row's
// fastest.
func (t *Table) judgeTimes() {
	var timed []int
	failed := 0
	for i := range t.Rows {
		switch {
		case t.Rows[i].Time != nil:
			timed = append(timed, i)
		case t.Rows[i].TimeError != "":
			failed++
		}
	}
	slices.SortStableFunc(timed, func(a, b int) int {
		if t.Rows[a].Time.Median < t.Rows[b].Time.Median {
			return -1
		}
		return 1
	})
	v := &Verdict{Fastest: -1}
	t.Verdict = v
	if len(timed) < 2 {
		v.Sentence = "fewer than two rows have a time, so none is the fastest"
		return
	}
	first := &t.Rows[timed[0]]
	for _, i := range timed[1:] {
		if other := &t.Rows[i]; first.Time.Max >= other.Time.Min {
			v.Sentence = fmt.Sprintf("no row is the fastest outside the spread: %s took %s and %s %s", t.title(timed[0]), first.Time, t.title(i), other.Time)
			return
		}
	}
	v.Fastest = timed[0]
	second := timed[1]
	among := ""
	if failed > 0 {
		among = fmt.Sprintf(" of those with a time (the benchmark failed for %s)", plural(failed, "row"))
	}
	v.Sentence = fmt.Sprintf("the fastest%s is %s: %s; next is %s: %s", among, t.title(timed[0]), first.Time, t.title(second), t.Rows[second].Time)
}

// String shows the median and, in brackets, the spread.
func (t *Timing) String() string {
	return fmt.Sprintf("%s ms (%s to %s)", shortNumber(t.Median), shortNumber(t.Min), shortNumber(t.Max))
}

// shortNumber keeps four digits.
func shortNumber(v float64) string {
	const digits = 4
	s := strconv.FormatFloat(v, 'g', digits, 64)
	if f, err := strconv.ParseFloat(s, 64); err == nil && strings.ContainsAny(s, "e") {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return s
}
