package rules

import (
	"fmt"
	"iter"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// Totals is what a rule on the log as a whole may see: how many kernels there
// are of which kind, and what the log says beside its kernels.
type Totals struct{ judge *judge }

// Report reports a finding of the running rule on the log as a whole.
func (t *Totals) Report(f Finding) { t.judge.report(f) }

// Subjects lists what was judged, each with the number of kernels and functions
// that it stands for.
func (t *Totals) Subjects() iter.Seq2[*Subject, int] {
	return func(yield func(*Subject, int) bool) {
		counts := make([]int, len(t.judge.subjects))
		for _, n := range t.judge.subjectOf {
			counts[n]++
		}
		for n, u := range t.judge.subjects {
			if u != nil && counts[n] > 0 && !yield(u, counts[n]) {
				return
			}
		}
	}
}

// Policy is what the log is judged by.
func (t *Totals) Policy() *Policy { return t.judge.policy }

// Compilations are those of the log.
func (t *Totals) Compilations() []parse.Compilation { return t.judge.log.Compilations }

// Remarks are the messages of the compilers.
func (t *Totals) Remarks() []parse.Remark { return t.judge.log.Remarks }

// Faults are what makes the log untrustworthy.
func (t *Totals) Faults() []parse.Fault { return t.judge.log.Faults }

// matching lists the judged records whose subject is as f says, in the order of
// the log.
func (j *judge) matching(f func(*Subject) bool) (records []int) {
	matches := make([]bool, len(j.subjects))
	none := true
	for n, u := range j.subjects {
		matches[n] = u != nil && f(u)
		none = none && !matches[n]
	}
	if none {
		return nil
	}
	for i, n := range j.subjectOf {
		if matches[n] {
			records = append(records, i)
		}
	}
	return records
}

// reportRecords reports one finding on many kernels, some of them by name.
func (j *judge) reportRecords(f Finding, records []int) {
	first := j.log.Kernel(records[0])
	f.Log = first.Place
	f.LogText = usedText(first.Class)
	if len(records) == 1 {
		// The fingerprint names the kernel, and the message does not start with it.
		f.Detail += " " + name.Canonical(first.Name)
	}
	for _, i := range records[:min(len(records), shown)] {
		f.Notes = append(f.Notes, name.Qualified(j.log.Kernel(i).Name)+j.subjects[j.subjectOf[i]].on())
	}
	if more := len(records) - shown; more > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("and %d more", more))
	}
	j.report(f)
}
