package source

import (
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/share"
)

// work reads the units of a project. Hundreds of source files include the same
// headers, and of these few have a kernel or a constant that one asks for. So
// at first only directives are followed, which tells what each unit includes;
// then the files that have something of use are read whole, and the units
// with such a file again, until no kernel asks for more.
type work struct {
	project *Project
	given   map[string]*macro
	absent  map[string]bool
	needed  map[string]bool // last names of the kernels that will be asked for; nil: all
	jobs    []*job

	carriers map[string]bool // macros that make kernels
	braces   map[string]int  // macros that open or close braces
	wanted   wanted
	shared   map[string]bool // functions that touch dynamic shared memory
}

// job is one unit to read.
type job struct {
	file  *file
	files []*file // all that go into it
	unit  *unit   // nil: it has nothing of use
	fresh bool    // one of its files is to be read whole since it was read last
}

// bases are the last names of kernels.
func bases(mangled []string) map[string]bool {
	if mangled == nil {
		return nil
	}
	found := map[string]bool{}
	for _, m := range mangled {
		if y, ok := readSymbol(m); ok {
			found[lastOf(y.key)] = true
		}
	}
	return found
}

// lastOf is the name behind the last ::.
func lastOf(qualified string) string { return qualified[strings.LastIndex(qualified, ":")+1:] }

// outline follows the directives of each source, and of the headers that none
// of them includes.
func (w *work) outline(names []string) error {
	headers := slices.IndexFunc(names, isHeader)
	if headers < 0 {
		headers = len(names)
	}
	if err := w.directives(names[:headers]); err != nil {
		return err
	}
	included := map[*file]bool{}
	for _, j := range w.jobs {
		for _, f := range j.files[min(1, len(j.files)):] {
			included[f] = true
		}
	}
	for _, name := range names[headers:] {
		f, err := w.project.read(name)
		if err != nil {
			return err
		}
		if included[f] || !mayDeclare(f.text) {
			continue
		}
		if err := w.directives([]string{name}); err != nil {
			return err
		}
		last := w.jobs[len(w.jobs)-1]
		for _, f := range last.files[min(1, len(last.files)):] {
			included[f] = true
		}
	}
	return nil
}

func (w *work) directives(names []string) error {
	from := len(w.jobs)
	for _, name := range names {
		f, err := w.project.read(name)
		if err != nil {
			return err
		}
		w.jobs = append(w.jobs, &job{file: f})
	}
	w.each(w.jobs[from:], func(j *job, pp *preprocessor) {
		pp.file(j.file)
		j.files = pp.files
	})
	return nil
}

// each does something for jobs on all processors, each with a preprocessor.
func (w *work) each(jobs []*job, do func(*job, *preprocessor)) {
	next := make(chan *job, len(jobs))
	for _, j := range jobs {
		next <- j
	}
	close(next)
	parts := share.Parts(len(jobs), 1)
	share.Do(parts, parts, func(_, _, _ int) {
		var buffer []token
		for j := range next {
			pp := newPreprocessor(w.given, w.absent)
			pp.open = w.project.include
			pp.out = buffer[:0]
			do(j, pp)
			buffer = pp.out // what is kept of it is copied
		}
	})
}

// units reads the units until no kernel asks for more.
func (w *work) units() {
	w.macros()
	w.wanted, w.shared = wanted{}, map[string]bool{}
	for w.choose() {
		var again []*job
		for _, j := range w.jobs {
			if j.fresh {
				again = append(again, j)
			}
		}
		w.each(again, func(j *job, pp *preprocessor) {
			j.unit = scanUnit(j.file, pp, w.needed)
			j.files, j.fresh = pp.files, false
		})
		for _, j := range again {
			for name := range j.unit.wanted {
				w.wanted[name] = true
			}
			for _, name := range j.unit.sharing {
				w.shared[name] = true
			}
		}
	}
}

// macros finds those that make kernels and those that open braces.
func (w *work) macros() {
	var all []define
	for _, f := range w.project.files {
		if f != nil {
			all = append(all, f.defined()...)
		}
	}
	for name, m := range w.given {
		all = append(all, define{name: name, body: m.body})
	}
	w.carriers = carriers(all)
	w.braces = map[string]int{}
	for _, d := range all {
		if d.braces != 0 {
			w.braces[d.name] = d.braces
		}
	}
}

// choose picks the files that are read whole from here on, and reports whether
// a unit has a new one.
func (w *work) choose() bool {
	fresh := map[*file]bool{}
	for _, f := range w.project.files {
		if f == nil || f.whole {
			continue
		}
		o := &f.outline
		if o.kernels || o.shared || o.comments || o.nested || f.has(w.carriers) || f.has(w.shared) || f.opens(w.braces) || f.mayDefine(w.wanted) {
			f.whole = true
			f.load()
			fresh[f] = true
		}
	}
	found := false
	for _, j := range w.jobs {
		j.fresh = slices.ContainsFunc(j.files, func(f *file) bool { return fresh[f] })
		found = found || j.fresh
	}
	return found
}
