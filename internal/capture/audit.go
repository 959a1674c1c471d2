package capture

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/occlint/occlint/parse"
)

// audit finds out which records still hold. A record is compared with the
// files it describes only where it lies as it was written and its build
// directory is here: records that came from another machine describe files
// that are not.
type audit struct {
	root    string
	faults  []parse.Fault
	notes   []string
	gone    int
	headers map[string]fileState // as they are now; each is asked for once
	left    []string             // outputs whose source is gone
	// leftFiles are their records.
	leftFiles []string
	pending   map[string]bool // keys of outputs that have a fault already
	known     map[string]bool // outputs that have a record
	// contents are the objects that have a record, as it knows them.
	contents  map[content]bool
	databases map[string]*database // by build directory
}

func newAudit(root string) *audit {
	return &audit{
		root: canonicalDir(root, "."), headers: map[string]fileState{}, pending: map[string]bool{}, known: map[string]bool{},
		contents: map[content]bool{}, databases: map[string]*database{},
	}
}

// show names a path in reports: from root, with slashes, or whole when it lies
// outside.
func (a *audit) show(path string) string {
	rel, err := filepath.Rel(a.root, canonical(a.root, path))
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

// fault adds a reason not to trust the set.
func (a *audit) fault(text string, place parse.Place) {
	a.faults = append(a.faults, parse.Fault{Kind: parse.FaultStale, Text: text, Place: place})
}

// check compares all that was read with what is there, and takes out the
// records whose outputs are gone.
func (a *audit) check(l *loader) {
	for _, home := range l.homes {
		if db := a.readDatabase(home); db != nil {
			a.databases[filepath.Dir(home)] = db
		}
	}
	a.dropLeft(l)
	for _, r := range l.records {
		for i, o := range r.Outputs {
			a.known[o] = true
			if i < len(r.Object) {
				a.contents[content{r.Object[i].Bytes, r.Object[i].CRC32C}] = true
			}
		}
	}
	ended := map[string]time.Time{} // by file name without its extension: when the recorded call started
	for _, r := range l.records {
		ended[strings.TrimSuffix(r.file, recordExt)] = r.Started
	}
	for _, r := range l.unfinished {
		// A kill between the record and the end of the note leaves both.
		if !ended[strings.TrimSuffix(r.file, pendingExt)].Equal(r.Started) {
			a.unfinished(r)
		}
	}
	l.records = slices.DeleteFunc(l.records, func(r *stored) bool { return !a.accept(r) })
	if n := len(a.left); n > 0 {
		a.notes = append(a.notes, fmt.Sprintf("judged though the source is gone: %s; delete what no longer belongs to the build (%s)", listed(a.left), listed(a.leftFiles)))
	}
	a.countForeign(l.records)
	for _, build := range slices.Sorted(maps.Keys(a.databases)) {
		a.uncaptured(a.databases[build])
	}
	if a.gone > 0 {
		a.notes = append(a.notes, count(a.gone, "record")+" left out: what they describe is no longer there")
	}
}

// countForeign notes the records that nothing here can be compared with.
func (a *audit) countForeign(records []*stored) {
	n := 0
	for _, r := range records {
		if !r.local() {
			n++
		}
	}
	switch n {
	case 0:
	case 1:
		a.notes = append(a.notes, "1 record comes from another directory or machine: not compared with the files that it describes")
	default:
		a.notes = append(a.notes, count(n, "record")+" come from another directory or machine: not compared with the files that they describe")
	}
}

func (a *audit) corrupt(file string, err error) {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	a.fault(fmt.Sprintf("the record can't be used: %v; compile its source again, or delete the record when the source is gone", err),
		parse.Place{File: a.show(file)})
}

// unfinished judges a call that began and has no record since.
func (a *audit) unfinished(r *stored) {
	output := a.show(r.Outputs[0])
	if r.local() && !exists(r.Outputs[0]) && len(r.Sources) > 0 && !exists(r.Sources[0]) {
		a.gone++ // the file was taken out of the build
		return
	}
	a.pending[key(r.Outputs)] = true
	began := r.Started.Local().Format(time.DateTime)
	if r.State == stateFailed {
		a.fault(fmt.Sprintf("the record of %s is missing: its compilation at %s failed; mend it and build again, or delete %s if it left the build", output, began, a.show(r.file)), a.place(r))
		return
	}
	again := "build again"
	if r.local() && exists(r.Outputs[0]) && len(r.Sources) > 0 {
		// Killed after the compiler and before the record: to make, all is done.
		again = "touch " + a.show(r.Sources[0]) + " and build again"
	}
	a.fault(fmt.Sprintf("the record of %s is missing: its compilation began at %s and was killed, or is still running; %s, or delete %s if it left the build", output, began, again, a.show(r.file)), a.place(r))
}

// accept decides whether a record counts. A record that counts may have a
// fault all the same.
func (a *audit) accept(r *stored) bool {
	if !r.local() {
		return a.notSilent(r)
	}
	for _, o := range r.Outputs {
		if !exists(o) {
			a.gone++
			return false
		}
	}
	if !a.notSilent(r) {
		return false
	}
	if len(r.Sources) > 0 && !slices.ContainsFunc(r.Sources, exists) {
		a.left = append(a.left, fmt.Sprintf("%s (of %s)", a.show(r.Outputs[0]), a.show(r.Sources[0])))
		a.leftFiles = append(a.leftFiles, a.show(r.file))
	}
	if a.pending[key(r.Outputs)] {
		return true // named already
	}
	if why := a.stale(r); why != "" {
		a.fault(fmt.Sprintf("the record of %s is stale: %s", a.show(r.Outputs[0]), why), a.place(r))
	}
	return true
}

func (a *audit) notSilent(r *stored) bool {
	reason := map[state]func(*Record, string) string{stateSilent: silentReason, stateUnread: unreadReason}[r.State]
	if reason == nil {
		return true
	}
	var outs []string
	for _, o := range r.Outputs {
		outs = append(outs, a.show(o))
	}
	a.fault(reason(r.Record, strings.Join(outs, ", ")), a.place(r))
	return false
}

// stale says in which way the files are no longer what the record describes;
// empty when they are.
func (a *audit) stale(r *stored) string {
	for i, source := range r.Sources {
		if i < len(r.Inputs) {
			if changed, err := r.Inputs[i].changed(source); err == nil && changed {
				return a.show(source) + " changed since; " + a.rebuild(r, source)
			}
		}
	}
	for i, h := range r.Headers {
		now := a.header(h)
		// One that changed during the call may have been read before or after.
		changed := now.Modified.After(r.Started)
		if i < len(r.HeaderState) && now != (fileState{}) {
			changed = changed || now.Bytes != r.HeaderState[i].Bytes || !now.Modified.Equal(r.HeaderState[i].Modified)
		}
		if changed {
			return a.show(h) + " changed since; " + a.rebuild(r, h)
		}
	}
	if why := a.staleLink(r); why != "" {
		return why
	}
	// A program may be stripped or signed after its link; an object is not.
	if r.Step == "link" || r.Step == "archive" {
		return ""
	}
	for i, o := range r.Outputs {
		if i < len(r.Object) {
			if changed, err := r.Object[i].changed(o); err == nil && changed {
				return "the file was made again without occlint wrap, or changed since; delete it and build again with occlint wrap"
			}
		}
	}
	return ""
}

// rebuild says how to have a record made again whose input changed. To make and
// its like a file is out of date only when an input is newer.
func (a *audit) rebuild(r *stored, input string) string {
	if newer(input, r.Outputs[0]) {
		return "build again"
	}
	return "delete " + a.show(r.Outputs[0]) + " and build again"
}

func newer(a, b string) bool { // not older: clocks of files tick slowly
	ia, errA := os.Stat(a)
	ib, errB := os.Stat(b)
	return errA == nil && errB == nil && !ia.ModTime().Before(ib.ModTime())
}

// header is what a header is like now; the zero value when it is not there, as
// one that was generated may be.
func (a *audit) header(path string) fileState {
	now, ok := a.headers[path]
	if !ok {
		now = sizeAndTime(path)
		a.headers[path] = now
	}
	return now
}

// place is where a fault of a record points: its source, else its output.
func (a *audit) place(r *stored) parse.Place {
	if len(r.Sources) > 0 {
		return parse.Place{File: a.show(r.Sources[0])}
	}
	return parse.Place{File: a.show(r.Outputs[0])}
}

// local reports whether the files that the record describes are on this
// machine.
func (r *stored) local() bool {
	return r.atHome() && exists(r.Dir)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// count is "1 record" or "3 records".
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
