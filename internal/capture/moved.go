package capture

import (
	"path/filepath"
	"slices"
	"strings"
)

// dropMoved takes out what a build left in its records before its directory
// was moved or copied, where it has been made again since. Records name files
// by their whole paths, so the new ones don't replace the old.
func (l *loader) dropMoved() {
	type place struct{ home, outputs string }
	at := func(r *stored) place { return place{r.dir, r.relativeOutputs()} }
	latest := map[place]*stored{}
	for _, r := range l.records {
		old := latest[at(r)]
		if old == nil || r.atHome() && !old.atHome() || r.atHome() == old.atHome() && r.Ended.After(old.Ended) {
			latest[at(r)] = r
		}
	}
	replaced := func(r *stored) bool {
		last := latest[at(r)]
		return last != nil && last != r && last.Records != r.Records
	}
	before := len(l.records)
	l.records = slices.DeleteFunc(l.records, replaced)
	l.unfinished = slices.DeleteFunc(l.unfinished, func(r *stored) bool { return !r.atHome() && replaced(r) })
	if n := before - len(l.records); n > 0 {
		l.notes = append(l.notes, count(n, "record")+" left out: made before the build directory was moved, and made again since")
	}
}

// atHome reports whether a record lies where it was written.
func (r *stored) atHome() bool { return r.Records == r.dir }

// relativeOutputs are the outputs as they lie from the records.
func (r *stored) relativeOutputs() string {
	var outs []string
	for _, o := range r.Outputs {
		if rel, err := filepath.Rel(r.Records, o); err == nil {
			o = rel
		}
		outs = append(outs, o)
	}
	return strings.Join(outs, "\x00")
}
