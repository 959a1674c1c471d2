package rules

import (
	"hash/maphash"

	"github.com/occlint/occlint/internal/share"
	"github.com/occlint/occlint/parse"
)

// worthSharing is how many kernels are worth another thread: fewer are done
// before it has begun.
const worthSharing = 4096

// declare joins units with what is declared for them and with the remarks that
// name them. Most of the time goes into the matching of names, so that the
// processors share it.
func (j *judge) declare() {
	j.seed = maphash.MakeSeed()
	j.hashes = make([]uint64, len(j.units))
	parts := share.Parts(len(j.units), worthSharing)
	if j.singly {
		parts = 1
	}
	jobs := make([]declaring, parts)
	jobs[0].declared = j.declared
	for w := range jobs[1:] {
		jobs[w+1].declared = j.declared.fork(w + 1)
	}
	share.Do(len(j.units), parts, func(part, from, to int) {
		job := &jobs[part]
		job.judge, job.from, job.to = j, from, to
		job.run()
	})
	for w := range jobs[1:] {
		j.declared.take(jobs[w+1].declared)
	}
	j.entered = j.countEntries(jobs)
	j.declareRest()
}

// declareRest does what few logs have need of.
func (j *judge) declareRest() {
	if len(j.remarks.byName) > 0 {
		for i := range j.units {
			u := &j.units[i]
			if list := j.remarks.of(u); len(list) > 0 {
				u.tie().remarks = list
			}
		}
	}
	// A pattern that matches only kernels which are not judged is told apart
	// from one that matches nothing.
	if len(j.units) == len(j.kernels) {
		return
	}
	for i := range j.kernels {
		if k := &j.kernels[i]; k.Name != "" && !j.arch(k.Arch).judged {
			j.declared.of(k.Name, j.arch(k.Arch))
		}
	}
}

// declaring is one processor's share of the units.
type declaring struct {
	*judge
	declared *declarations
	from, to int
	names    []declaredName
	entries  []int32 // units that may be the first of their name
}

// declaredName remembers what was found for a name.
type declaredName struct {
	hash  uint64
	name  string
	arch  *archInfo
	decl  *merged
	entry bool // it is counted as an entry
}

func (d *declaring) run() {
	const most = 1 << 14 // names; a build repeats those of its headers
	size := 1
	for size < min(most, d.to-d.from) {
		size *= 2
	}
	d.names = make([]declaredName, size)
	d.entries = make([]int32, 0, d.to-d.from)
	for i := d.from; i < d.to; i++ {
		u := &d.units[i]
		name := u.kernel.Name
		h := maphash.String(d.seed, name)
		d.hashes[i] = h
		n := &d.names[h&uint64(size-1)]
		if d.singly || n.hash != h || n.arch != u.arch || n.name != name {
			*n = declaredName{h, name, u.arch, d.declared.of(name, u.arch), false}
		}
		u.decl = n.decl
		if !n.entry && u.kernel.Kind != parse.Function {
			n.entry = true
			d.entries = append(d.entries, int32(i))
		}
	}
}

// fork returns declarations for another goroutine to match names by.
func (d *declarations) fork(number int) *declarations {
	f := *d
	f.patterns = d.patterns.fork()
	f.byParts, f.byCallee = map[string]*merged{}, nil
	f.judged, f.seen = make([]bool, len(d.list)), make([]bool, len(d.list))
	f.scratch, f.key = nil, nil
	f.ids = uint32(number) << 20
	return &f
}

// take adds what a fork has seen.
func (d *declarations) take(f *declarations) {
	for i := range d.list {
		d.judged[i] = d.judged[i] || f.judged[i]
		d.seen[i] = d.seen[i] || f.seen[i]
	}
}
