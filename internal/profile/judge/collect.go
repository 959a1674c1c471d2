package judge

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/profile"
)

// Options say how launches are judged.
type Options struct {
	Table      *arch.Table
	Thresholds Thresholds
	// Arch is what occupancy is computed for, whatever the report says; empty
	// takes the report's.
	Arch string
}

// Judge takes launches one by one and keeps what they come to: as much as
// there are kernels and shapes, however many launches there are.
type Judge struct {
	options Options
	index   *index
	groups  map[groupKey]*group
	order   []*group
	result  Result
	devices map[string]bool
	archs   map[string]bool
	left    float64
	before  map[sameLaunch]*before
	grids   map[groupKey]int // of traces: entries that a kernel has
}

// groupKey tells entries apart. Averages across block sizes would be of
// nothing, and a grid that makes another verdict has an entry of its own.
type groupKey struct {
	name               string
	arch               string
	block              profile.Dim
	threads            int // of reports that have no more of the block
	dynamic, registers int
	grid               profile.Dim // of reports without counters
	verdict            Verdict
	message            string // of those that are about the record
}

// group is one entry in the making.
type group struct {
	kernel  Kernel
	shape   groupKey // what several verdicts on one shape share
	longest float64
	grids   map[profile.Dim]bool
	sums    [averaged]struct{ value, weight float64 }
}

// mostGroups bounds what a hostile report of a million kernels costs.
const mostGroups = 1 << 16

// New makes a Judge for these records.
func New(records []Record, o Options) *Judge {
	return &Judge{options: o, index: newIndex(records), groups: map[groupKey]*group{}, devices: map[string]bool{}, archs: map[string]bool{},
		before: map[sameLaunch]*before{}, grids: map[groupKey]int{}, result: Result{Records: len(records)}}
}

// AddOwn takes records that come with a report itself. What is given beside the
// report counts first: the profile is held against it. Of one name a report, or
// two of them, can hold several binaries with other numbers (Triton compiles a
// kernel of one name for each of its options): the launch's own numbers tell
// which is its.
func (j *Judge) AddOwn(records []Record) {
	for i := range records {
		if r := &records[i]; !j.index.isGiven(r.Name) && !j.index.hasSame(r) {
			j.index.add(records[i : i+1])
			j.result.Records++
		}
	}
}

// Add judges a launch. The error is a *profile.Error: a launch that no verdict
// can be given on, and the whole report with it.
func (j *Judge) Add(l *profile.Launch) error {
	key, plain := j.sameAs(l)
	if b := j.before[key]; plain && b != nil && j.again(b, l) {
		return nil
	}
	if err := usable(l); err != nil {
		return err
	}
	f := newFacts(l, j.index.find(l, j.options.Table), &j.options.Thresholds)
	f.fit(j.options.Table, j.options.Arch)
	verdict := f.judge()
	j.count(f)
	g := j.group(f, &verdict)
	if g == nil {
		j.result.Left += l.Merged
		j.left += timeOf(f)
		return nil
	}
	g.add(f, &verdict)
	if plain && len(j.before) < mostBefore {
		j.before[key] = &before{g, f.match}
	}
	return nil
}

// timeOf is the time of all launches that a launch stands for.
func timeOf(f *facts) float64 {
	if !known(f.micros) {
		return 0
	}
	return f.micros * 1e3 * float64(f.launch.Merged)
}

func (j *Judge) count(f *facts) {
	r, t := &j.result, timeOf(f)
	r.Launches += f.launch.Merged
	r.TimeNanos += t
	switch {
	case f.match.record != nil:
		r.Joined += f.launch.Merged
		if !f.match.record.Inside {
			r.Beside += f.launch.Merged
		}
	case f.match.stale != nil:
		r.Others += f.launch.Merged
		r.Stale += t
	default:
		r.Unjoined += t
	}
	r.Counts = r.Counts || f.counted()
	if a := f.launch.Arch; a != "" && len(j.archs) < mostGrids {
		j.archs[a] = true
	}
	if d := f.launch.Device; d != "" && len(j.devices) < mostGrids {
		j.devices[d] = true
	}
}

// group finds the entry of a launch, or makes it; nil where there are too many.
func (j *Judge) group(f *facts, v *judgement) *group {
	l := f.launch
	key := groupKey{name: l.Names.Shown(), arch: l.Arch, block: l.Block, threads: f.shape.Threads,
		dynamic: intOf(&l.Values, profile.DynamicSharedBytes), registers: intOf(&l.Values, profile.RegistersPerThread), verdict: v.verdict}
	if f.match.record != nil {
		key.name = f.match.record.Name
	}
	if v.verdict == ProfileStale {
		key.message = v.message
	}
	// Without counters the shape is all there is to show: each grid has an
	// entry, as long as there are few.
	all := key
	if !f.counted() {
		key.grid = l.Grid
		if j.groups[key] == nil && j.grids[all] >= mostGrids {
			key.grid = profile.Dim{}
		}
	}
	g := j.groups[key]
	if g == nil && len(j.groups) < mostGroups {
		g = newGroup(f, v)
		g.shape = all
		g.shape.verdict, g.shape.message = notJudged, ""
		j.groups[key] = g
		j.order = append(j.order, g)
		if !f.counted() {
			j.grids[all]++
		}
	}
	return g
}

func newGroup(f *facts, v *judgement) *group {
	l, r := f.launch, f.match.record
	g := &group{grids: map[profile.Dim]bool{}, longest: -1}
	k := &g.kernel
	k.Name, k.Shown, k.Arch, k.Device = l.Names.Mangled, l.Names.Shown(), l.Arch, l.Device
	k.Block, k.Threads = l.Block, f.shape.Threads
	k.Dynamic, k.Registers = intOf(&l.Values, profile.DynamicSharedBytes), intOf(&l.Values, profile.RegistersPerThread)
	k.Static, k.Coarse, k.Stale = intOf(&l.Values, profile.StaticSharedBytes), l.RoundedBytes, f.match.stale
	k.Record, k.Joined, k.Several = r, f.match.joined, f.match.several
	k.Shape, k.Occupancy, k.SMs = f.shape, f.occupancy, f.sms
	k.Verdict, k.Place = v.verdict, l.Place
	if r != nil {
		k.Name = r.Name
		if k.Arch == "" {
			k.Arch = r.Arch
		}
	}
	if k.Name != "" {
		k.Shown = name.Demangle(k.Name)
	}
	return g
}

// add counts a launch in.
func (g *group) add(f *facts, v *judgement) {
	l, k := f.launch, &g.kernel
	t := timeOf(f)
	k.Launches += l.Merged
	k.TimeNanos += t
	if l.ID != "" && len(k.IDs) < mostIDs {
		k.IDs = append(k.IDs, l.ID)
	}
	if len(g.grids) < mostGrids {
		g.grids[l.Grid] = true
	}
	for _, o := range v.open {
		if !slices.Contains(k.Open, o) {
			k.Open = append(k.Open, o)
		}
	}
	g.sum(f, t)
	if !(f.micros > g.longest) && g.longest >= 0 {
		return
	}
	g.longest = f.micros
	if !known(g.longest) {
		g.longest = 0
	}
	k.Grid, k.Waves, k.Place = l.Grid, f.waves(), l.Place
	k.ReportedPercent = l.Values.Or(profile.TheoreticalPercent, math.NaN())
	k.Message, k.Help, k.Notes, k.Missing = v.message, v.help, v.notes, v.missing
	k.Counters.Stalls = f.stalls
	k.Counters.SpillsCounted = f.spillsCounted && f.local > 0
	if differ := f.reportDiffers(); differ != "" {
		k.Notes = append(slices.Clone(k.Notes), differ)
	}
	k.Notes = append(slices.Clone(k.Notes), f.remarks()...)
}

// Result is what all launches came to.
func (j *Judge) Result() *Result {
	r := j.result
	slices.SortStableFunc(j.order, func(a, b *group) int { return cmp.Compare(b.kernel.TimeNanos, a.kernel.TimeNanos) })
	first := map[groupKey]int{} // the entry with most of the time, by shape
	for _, g := range j.order {
		k := g.kernel
		k.Grids = len(g.grids)
		if r.TimeNanos > 0 {
			k.Share = k.TimeNanos / r.TimeNanos
		}
		g.average(&k.Counters)
		if at, ok := first[g.shape]; !ok {
			first[g.shape] = len(r.Kernels)
		} else if of := &r.Kernels[at]; k.Verdict != of.Verdict {
			of.Notes = append(slices.Clip(of.Notes), fmt.Sprintf("other launches of this shape (%d, %.1f %% of the time) are %s", k.Launches, 100*k.Share, k.Verdict))
		}
		r.Kernels = append(r.Kernels, k)
	}
	if r.TimeNanos > 0 {
		r.Unjoined, r.Stale, r.LeftShare = r.Unjoined/r.TimeNanos, r.Stale/r.TimeNanos, j.left/r.TimeNanos
	}
	for d := range j.devices {
		r.Devices = append(r.Devices, d)
	}
	slices.Sort(r.Devices)
	r.Archs = slices.Sorted(maps.Keys(j.archs))
	return &r
}
