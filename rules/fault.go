package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// shown is how many of many places a finding lists; shownRecords the same for
// captured records, since which of them to build again is what matters there.
const (
	shown        = 5
	shownRecords = 40
)

// advice is what to say about one kind of fault.
type advice struct {
	id       string // of fingerprints
	headline string // before what the parser says
	many     string // instead of it, for several records: one verb is their number
	help     string
}

// adviceFor knows every kind; one that is new to it is reported all the same.
func adviceFor(kind parse.FaultKind) advice {
	switch kind {
	case parse.FaultEmpty:
		return advice{
			id: "empty",
			help: "compile with nvcc -Xptxas -v (and -Xnvlink -v for device links); if the build had nothing to do, build from clean, say --partial, or keep records over builds with occlint wrap (no environment variable makes a build system compile again); " +
				"a cache returns kernels without compiling them: NVRTC compiles with --no-cache, the driver with CUDA_CACHE_DISABLE=1, ccache with CCACHE_RECACHE=1",
		}
	case parse.FaultTruncated:
		return advice{
			id: "truncated", headline: "the log is cut",
			many: "the log is cut: %d records or lines of it are not whole",
			help: "keep the whole log: look for a full disk, a limit on its size, or a job that was killed",
		}
	case parse.FaultBuildFailed:
		return advice{
			id: "build-failed", headline: "the build failed",
			help: "fix the build first; a pipe hides its exit code, set -o pipefail shows it",
		}
	case parse.FaultInterleaved:
		return advice{
			id: "interleaved", headline: "lines of several jobs ran together",
			many: "lines of several jobs ran together: the numbers of %d records have no certain owner",
			help: "keep the jobs apart: occlint wrap as the compiler launcher, make -O, ninja, or one job",
		}
	case parse.FaultUnnamed:
		return advice{
			id: "unnamed", headline: "numbers without a kernel",
			many: "the names of %d records are not in the log",
			help: "keep the whole log of one job: the line that names the kernel is missing",
		}
	case parse.FaultConflict:
		return advice{
			id: "conflict", headline: "one kernel has contradicting numbers",
			many: "%d records contradict others of the same kernel",
			help: "give occlint the log of one build, each job's lines apart",
		}
	case parse.FaultEncoding:
		return advice{
			id: "encoding", headline: "the log can't be read as text",
			help: "write the log as UTF-8, or as UTF-16 with its mark, and check that it is whole",
		}
	case parse.FaultStale:
		return advice{
			id:   "stale",
			many: "%d captured records are missing or stale",
			help: "build again under occlint wrap, so that each compilation has its record",
		}
	default:
	}
	switch kind {
	case parse.FaultBinary:
		return advice{
			id: "binary", headline: "a binary cannot be judged whole",
			help: "build it again, or fetch it again; what has no code for a GPU needs -gencode arch=compute_90,code=sm_90, or its log",
		}
	case parse.FaultMismatch:
		return advice{
			id: "mismatch", headline: "a log and a binary disagree",
			help: "one of the two is not of this build: give the log of the build that made the binary, or the binary alone",
		}
	default:
	}
	return advice{id: "fault-" + kind.String(), help: "give occlint the whole log of a build that succeeded"}
}

// checkFaults reports what the parser says is wrong: one finding for each
// kind, however many places it has.
func (j *judge) checkFaults() {
	byKind := map[parse.FaultKind][]*parse.Fault{}
	judged := j.judgedPlaces()
	for i := range j.log.Faults {
		f := &j.log.Faults[i]
		if isJudged, isRecord := judged[f.Place]; f.Kernel == "" || isJudged || !isRecord {
			byKind[f.Kind] = append(byKind[f.Kind], f)
		}
	}
	failed := byKind[parse.FaultBuildFailed]
	if failed = append(failed, j.failedRemarks(failed)...); len(failed) > 0 {
		byKind[parse.FaultBuildFailed] = failed
		delete(byKind, parse.FaultEmpty) // that it has no kernel needs no second reason
	}
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		j.reportFaults(kind, byKind[kind])
	}
}

// judgedPlaces says of each record that a fault may concern whether it is
// judged.
func (j *judge) judgedPlaces() map[parse.Place]bool {
	if len(j.policy.Archs) == 0 || len(j.log.Faults) == 0 {
		return nil
	}
	places := make(map[parse.Place]bool, len(j.log.Faults))
	for i := range j.log.Faults {
		places[j.log.Faults[i].Place] = false
	}
	isRecord := map[parse.Place]bool{}
	for _, k := range j.log.Kernels() {
		if _, wanted := places[k.Place]; wanted {
			isRecord[k.Place] = true
			places[k.Place] = places[k.Place] || j.arch(k.Arch).judged
		}
	}
	maps.DeleteFunc(places, func(p parse.Place, _ bool) bool { return !isRecord[p] })
	return places
}

// failedRemarks are the errors of the compilers that the parser kept as
// messages only.
func (j *judge) failedRemarks(known []*parse.Fault) []*parse.Fault {
	seen := map[parse.Place]bool{}
	for _, f := range known {
		seen[f.Place] = true
	}
	var list []*parse.Fault
	for i := range j.log.Remarks {
		r := &j.log.Remarks[i]
		if r.Severity >= parse.Error && !seen[r.Place] {
			list = append(list, &parse.Fault{Text: r.Tool + " reported an error: " + r.Text, Place: r.Place})
		}
	}
	return list
}

// reportFaults reports all faults of one kind.
func (j *judge) reportFaults(kind parse.FaultKind, list []*parse.Fault) {
	say := adviceFor(kind)
	f := Finding{Detail: say.id, Help: say.help, Log: list[0].Place, Message: list[0].Text}
	if kind == parse.FaultEmpty && j.policy.Partial {
		f.Severity = Info
	}
	if list[0].Kernel != "" && say.many != "" {
		f.Message = name.Qualified(list[0].Kernel) + ": " + f.Message
	}
	if say.headline != "" && !strings.HasPrefix(f.Message, say.headline) {
		f.Message = say.headline + ": " + f.Message
	}
	if len(list) > 1 {
		rest := list[1:]
		f.Message += fmt.Sprintf(" (and %d more)", len(rest))
		if say.many != "" {
			f.Message, rest = fmt.Sprintf(say.many, len(list)), list
		}
		most := shown
		if kind == parse.FaultStale {
			most = shownRecords
		}
		for _, fault := range rest[:min(len(rest), most)] {
			f.Notes = append(f.Notes, faultNote(fault, say.many != ""))
		}
		if more := len(rest) - most; more > 0 {
			f.Notes = append(f.Notes, fmt.Sprintf("and %d more", more))
		}
	}
	if kind == parse.FaultInterleaved && list[0].Place.Line > 1 {
		f.Notes = append([]string{fmt.Sprintf("the mixing begins at %s:%d; the records above are sound", list[0].Place.File, list[0].Place.Line)}, f.Notes...)
	}
	j.report(f)
}

// faultNote is the place of a fault and what is wrong, or the kernel that it
// concerns where all of them say the same.
func faultNote(f *parse.Fault, same bool) string {
	text := f.Text
	if f.Kernel != "" && same {
		text = name.Qualified(f.Kernel)
	}
	switch {
	case f.Place.File == "":
		return text
	case f.Place.Line == 0:
		return f.Place.File + ": " + text
	}
	return fmt.Sprintf("%s:%d: %s", f.Place.File, f.Place.Line, text)
}

// checkDefects reports records with defects that no fault speaks of.
func (j *judge) checkDefects() {
	type record struct {
		kind  parse.FaultKind
		place parse.Place
	}
	told := map[record]bool{}
	for i := range j.log.Faults {
		told[record{j.log.Faults[i].Kind, j.log.Faults[i].Place}] = true
	}
	damaged := j.matching(func(u *Subject) bool { return u.Defect != 0 })
	defects := [...]struct {
		defect parse.Defects
		kind   parse.FaultKind
		text   string
	}{
		{parse.Interleaved, parse.FaultInterleaved, "the numbers of this record have no certain owner"},
		{parse.Truncated, parse.FaultTruncated, "the record is not whole"},
		{parse.Conflicting, parse.FaultConflict, "the log states different numbers for this record"},
		{parse.Unnamed, parse.FaultUnnamed, "the name of this record is not in the log"},
	}
	for _, d := range defects {
		var list []*parse.Fault
		for _, i := range damaged {
			u, k := j.subjects[j.subjectOf[i]], j.log.Kernel(i)
			if !u.Defect.Has(d.defect) || told[record{d.kind, k.Place}] {
				continue
			}
			if c := u.compiled(); c >= 0 && told[record{d.kind, j.log.Kernel(c).Place}] {
				continue
			}
			list = append(list, &parse.Fault{Text: d.text, Kernel: k.Name, Place: k.Place})
		}
		if d.defect == parse.Unnamed {
			for _, k := range j.unnamed() {
				if told[record{d.kind, k.Place}] {
					continue
				}
				text := "a record of which the log states neither the name nor a number"
				if stated := usedText(k.Class); stated != "" {
					text = "whose these are is not in the log: " + stated
				}
				list = append(list, &parse.Fault{Text: text, Place: k.Place})
			}
		}
		if len(list) > 0 {
			j.reportFaults(d.kind, list)
		}
	}
}

// unnamed lists the records of judged architectures whose name is not known.
func (j *judge) unnamed() []parse.Kernel {
	if !j.survey.unnamed {
		return nil
	}
	var list []parse.Kernel
	for _, k := range j.log.Kernels() {
		if k.Name == "" && j.arch(k.Arch).judged {
			list = append(list, k)
		}
	}
	return list
}
