package tune

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
)

// Request is what to find out.
type Request struct {
	Unit    Unit
	Pattern *name.Pattern
	All     bool  // also more than MostKernels
	Caps    []int // these register caps alone; none: all
	Jobs    int   // compilations at a time; at least 1
	Table   *arch.Table
	// Launch says how a kernel of a compiler's log is launched. Nil knows nothing.
	Launch func(log, kernel, arch string) (Launch, error)
}

// MostKernels is how many kernels a pattern may match without being asked
// whether that was meant: each one costs up to ten compilations.
const MostKernels = 8

// CompileError says that the unit does not compile as it is.
type CompileError struct{ Output, First string }

func (e *CompileError) Error() string {
	return "the command fails as it is, before any bound was changed: " + e.First
}

// NoKernelError says that the pattern matches nothing.
type NoKernelError struct {
	Pattern string
	Have    []string // mangled
}

func (e *NoKernelError) Error() string {
	if len(e.Have) == 0 {
		return "what was compiled has no kernel"
	}
	const most = 5
	var list []string
	for _, k := range e.Have[:min(most, len(e.Have))] {
		list = append(list, name.Brief(name.Qualified(k), mostErrorRunes))
	}
	if more := len(e.Have) - most; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("no kernel matches --kernel %q; what was compiled has %s", e.Pattern, strings.Join(list, ", "))
}

// ManyError says that the pattern matches more kernels than one would wait for.
type ManyError struct {
	Pattern string
	Found   int
}

func (e *ManyError) Error() string {
	return fmt.Sprintf("--kernel %q matches %d kernels, and each takes up to ten compilations: name fewer, or say --all", e.Pattern, e.Found)
}

// NoThreadsError says that nobody knows a kernel's block size.
type NoThreadsError struct{ Kernel string }

func (e *NoThreadsError) Error() string {
	return name.Brief(name.Qualified(e.Kernel), mostErrorRunes) + " has no fixed block size: it declares no launch bounds, and no config says block:; give --threads"
}

// AllFailedError says that no variant compiled.
type AllFailedError struct{ Kernel, First string }

func (e *AllFailedError) Error() string {
	return fmt.Sprintf("no variant of %s compiles: %s", name.Brief(name.Qualified(e.Kernel), mostErrorRunes), e.First)
}

// Run compiles the unit as it is, and then under every variant of the kernels
// that the pattern matches. The workspace is the caller's to close.
func Run(ctx context.Context, w *Workspace, req *Request) (*Result, error) {
	base, err := req.Unit.compile(ctx, w, order{})
	if err != nil {
		return nil, err
	}
	if base.fault != "" {
		return nil, &CompileError{base.output, base.fault}
	}
	tables, err := req.tables(base)
	if err != nil {
		return nil, err
	}
	if err := req.aimAll(ctx, w, tables); err != nil {
		return nil, err
	}
	jobs := plan(tables, base)
	if err := req.compileAll(ctx, w, jobs); err != nil {
		return nil, err
	}
	result := &Result{Method: req.Unit.Method()}
	for _, t := range tables {
		if err := t.fill(base, jobs); err != nil {
			return nil, err
		}
		result.Tables = append(result.Tables, t.Table)
	}
	return result, nil
}

// draft is a table whose rows are to be compiled.
type draft struct{ Table }

// tables finds the kernels and plans their rows.
func (req *Request) tables(base *compiled) ([]*draft, error) {
	var have, found []string
	records := map[string]record{}
	for _, r := range base.records {
		if !slices.Contains(have, r.name) {
			have = append(have, r.name)
			if req.Pattern.Match(r.name) {
				found = append(found, r.name)
			}
		}
		records[r.name] = r
	}
	switch {
	case len(found) == 0:
		return nil, &NoKernelError{req.Pattern.String(), have}
	case len(found) > MostKernels && !req.All:
		return nil, &ManyError{req.Pattern.String(), len(found)}
	}
	var drafts []*draft
	for _, kernel := range found {
		d, err := req.draft(base, records[kernel])
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

func (req *Request) draft(base *compiled, r record) (*draft, error) {
	entry := base.entryOf(r.name)
	if entry == nil {
		return nil, &HookError{Kernel: r.name, Missing: true}
	}
	d := &draft{Table: Table{Name: r.name, Arch: r.arch, Today: boundsOf(entry), base: base, clusterRank: entry.MaxClusterBlocks}}
	sm, err := req.Table.Lookup(r.arch)
	if err != nil {
		return nil, err
	}
	d.SM = sm
	if req.Launch != nil {
		if d.Launch, err = req.Launch(base.output, r.name, r.arch); err != nil {
			return nil, err
		}
	}
	switch u := req.Unit.(type) {
	case *PTX:
		d.fromPTX(u)
	case *Source:
		d.fromCommand(u)
	}
	if d.Today.Fixed {
		d.requireSize()
	}
	if len(d.Launch.Threads) == 0 && d.Today.Threads > 0 {
		d.Launch.Threads, d.Launch.From = []int{d.Today.Threads}, ""
	}
	if len(d.Launch.Threads) == 0 {
		return nil, &NoThreadsError{r.name}
	}
	if err := d.planRows(req.Caps); err != nil {
		return nil, err
	}
	d.noteBounds()
	return d, nil
}

// fromPTX takes what the file beside a PTX says where nobody said more, and
// tells what PTX can't.
func (d *draft) fromPTX(p *PTX) {
	if len(d.Launch.Threads) == 0 {
		d.Launch.Threads, d.Launch.From = p.Launch.Threads, p.Launch.From
	}
	if !d.Launch.DynamicKnown {
		d.Launch.DynamicBytes, d.Launch.DynamicKnown = p.Launch.DynamicBytes, p.Launch.DynamicKnown
	}
	d.note("from the PTX %s", p.Path)
	if byNVVM(p.Text) {
		d.note("NVIDIA's front end made this PTX (nvcc, or Numba) and looks at bounds too; it was not run again, so registers and spills may be off: from a source they are exact")
	}
}

// fromCommand takes the register cap of the command line.
func (d *draft) fromCommand(s *Source) {
	n, err := strconv.Atoi(s.Invocation.MaxRegisters())
	if err != nil || n <= 0 {
		return // none; what is no number is nvcc's to refuse
	}
	d.maxRegisters = n
	d.note("-maxrregcount=%d of the command caps the rows without bounds alone: the compiler ignores it for a kernel that has bounds", n)
}

// capOf is the most registers that a variant leaves a thread.
func (d *draft) capOf(v Variant) int {
	c := capOf(d.SM, v.Bounds)
	if v.Bounds == (Bounds{}) && d.maxRegisters > 0 {
		c = min(c, d.maxRegisters)
	}
	return c
}

// requireSize leaves the block size that the kernel requires: a launch with
// another fails.
func (d *draft) requireSize() {
	if given := d.Launch.Threads; len(given) > 0 && !slices.Equal(given, []int{d.Today.Threads}) {
		d.note("the kernel requires blocks of %d threads, so no other size is tried", d.Today.Threads)
	}
	d.Launch.Threads, d.Launch.From = []int{d.Today.Threads}, ""
}

func (d *draft) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

// planRows lists the variants: the kernel as it is, without bounds, and each
// block size's.
func (d *draft) planRows(caps []int) error {
	variants := []Variant{{Kind: AsWritten, Bounds: d.Today}}
	for _, threads := range d.Launch.Threads {
		plan, err := Plan(d.SM, threads, caps)
		if err != nil {
			return err
		}
		for _, v := range plan {
			// With a size that is required there is no other mode than "this size".
			if d.Today.Fixed && v.Kind == Unbounded || slices.Contains(variants, v) {
				continue
			}
			variants = append(variants, v)
		}
	}
	for _, v := range variants {
		row := Row{Variant: v, Threads: d.Launch.Threads[0], Cap: d.capOf(v), SameAs: -1}
		if v.Kind == Declared {
			row.Threads = v.Threads
		}
		if v.Kind == AsWritten && v.Threads > 0 && v.Threads < row.Threads {
			row.Threads = v.Threads // it can't be launched with more
		}
		d.Rows = append(d.Rows, row)
	}
	return nil
}

// noteBounds says what of the kernel's own bounds the compiler drops.
func (d *draft) noteBounds() {
	b := d.Today
	if c := d.SM.RegisterCap(b.Threads, b.MinBlocks); b.MinBlocks > 0 && !c.Honoured {
		d.note("as written it declares %s, whose minimum the compiler drops on %s: %s", b, d.SM.Name, c.Reason)
	}
	if d.clusterRank > 0 {
		d.note("its third launch bound, a cluster of at most %d blocks, is kept in every row", d.clusterRank)
	}
	for _, threads := range d.Launch.Threads {
		if threads%arch.WarpThreads != 0 {
			d.note("%d threads are no whole number of warps: the last warp of each block is partly empty", threads)
		}
	}
}

// job is a compilation that one or more rows wait for: those of kernels whose
// bounds one line declares.
type job struct {
	order
	aim    target
	tables []*draft
	done   *compiled
}

func (j *job) serves(d *draft, v Variant) bool {
	return j.variant == v && j.clusterRank == d.clusterRank && j.aim == d.aim
}

// asItIs reports whether a variant is what the kernel declares: the untouched
// command has compiled it then.
func (d *draft) asItIs(v Variant) bool {
	return v.Kind == AsWritten || !d.Today.Fixed && v.Bounds == d.Today
}

func plan(drafts []*draft, base *compiled) []*job {
	var jobs []*job
	for _, d := range drafts {
		for i := range d.Rows {
			v := d.Rows[i].Variant
			if d.asItIs(v) {
				continue
			}
			at := slices.IndexFunc(jobs, func(j *job) bool { return j.serves(d, v) })
			if at < 0 {
				at = len(jobs)
				jobs = append(jobs, &job{order: order{variant: v, clusterRank: d.clusterRank}, aim: d.aim})
			}
			jobs[at].kernels = append(jobs[at].kernels, d.Name)
			jobs[at].tables = append(jobs[at].tables, d)
		}
	}
	for _, j := range jobs {
		j.only = alone(j.kernels, base)
		j.header = j.aim.header(j.variant, j.clusterRank) // PTX has no use for it
	}
	return jobs
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// alone are the kernels that the assembler may be restricted to, which saves
// the time that the others take; none where that could change anything: a
// function that several kernels call is compiled for all of them.
func alone(kernels []string, base *compiled) []string {
	for _, k := range kernels {
		if !plainName.MatchString(k) || name.Canonical(k) != k {
			return nil
		}
	}
	if hasFunctions.MatchString(base.text) {
		return nil
	}
	return kernels
}

var hasFunctions = regexp.MustCompile(`(?m)^[ \t]*(?:\.(?:visible|weak)[ \t]+)*\.func\b`)

// compileAll does the jobs, several at a time, and proves each. The first
// error ends the others.
func (req *Request) compileAll(ctx context.Context, w *Workspace, jobs []*job) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan *job)
	var wg sync.WaitGroup
	for range max(1, req.Jobs) {
		wg.Go(func() {
			for j := range next {
				if err := req.compileOne(ctx, w, j); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, j := range jobs {
		next <- j
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

func (req *Request) compileOne(ctx context.Context, w *Workspace, j *job) (err error) {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if j.done, err = req.Unit.compile(ctx, w, j.order); err != nil {
		return err
	}
	if j.done.fault != "" {
		return nil // a row with its error
	}
	for _, d := range j.tables {
		if err := d.proveAlone(j.done, j.variant); err != nil {
			return err
		}
	}
	return nil
}

// fill takes the numbers of each row from its compilation.
func (d *draft) fill(base *compiled, jobs []*job) error {
	errs := 0
	for i := range d.Rows {
		row := &d.Rows[i]
		c := base
		if !d.asItIs(row.Variant) {
			at := slices.IndexFunc(jobs, func(j *job) bool { return j.serves(d, row.Variant) })
			c = jobs[at].done
		}
		row.from(c, d)
		if !row.Measured() && row.Kind != AsWritten {
			errs++
		}
	}
	if errs == len(d.Rows)-1 && errs > 0 {
		return &AllFailedError{d.Name, d.Rows[1].Error}
	}
	if !d.Rows[0].Measured() {
		return errors.New("as written: " + d.Rows[0].Error)
	}
	d.compare()
	if from, to, ok := d.SingleBlockCosts(); ok {
		d.note("as written, the minimum of 1 block costs blocks: (%d) alone has %d instead of %d and no more spills", d.Today.Threads, to, from)
	}
	return nil
}

func (r *Row) from(c *compiled, d *draft) {
	r.CompileMillis = float64(c.took.Microseconds()) / 1000
	if r.Error = c.fault; r.Error != "" {
		return
	}
	at := slices.IndexFunc(c.records, func(k record) bool { return k.name == d.Name })
	if at < 0 {
		r.Error = "the compiler said nothing of this kernel"
		return
	}
	if r.Error = c.records[at].fault; r.Error != "" {
		return
	}
	r.Numbers = c.records[at].Numbers
	r.Occupancy = d.SM.Occupancy(arch.Launch{
		Threads: r.Threads, Registers: r.Registers, Barriers: r.Barriers,
		SharedBytes: r.SharedBytes + d.Launch.DynamicBytes,
	})
}
