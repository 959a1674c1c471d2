package rules

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

func untrustedLog() *Rule {
	return &Rule{
		ID:    untrustedLogID,
		Title: "the log can't be judged",
		Why: "A gate that passes because it saw nothing is worse than none. So each of these is an error, with an exit code of its own (3), and no config can switch it off:\n\n" +
			"- nothing was parsed, or no kernel of a judged architecture\n" +
			"- the log ends inside a record or inside a line\n" +
			"- a judged record has numbers that other jobs' lines ran through, or numbers that contradict each other\n" +
			"- fewer kernels than `expect:` says\n" +
			"- an unknown architecture under a kernel that declares blocks or occupancy\n" +
			"- a budget on a number that the log does not state\n" +
			"- a compiler or the build failed upstream of the pipe, which hides its exit code\n\n" +
			"With `--partial` an empty log and a low number of kernels are notes; nothing else is relaxed.",
		Example: Example{
			Log:     exampleFree64,
			Config:  "version: 1\narchs: [sm_80]\n",
			Policy:  func() *Policy { return &Policy{Archs: []Judged{{Arch: "sm_80"}}} },
			Finding: "the log has no kernel of sm_80, which is to be judged",
		},
		Fix: "Give occlint a whole log of a build that succeeded: compile with `-Xptxas -v` (and `-Xnvlink -v` for device links), build from clean, and keep the lines of parallel jobs apart (`occlint wrap`, `make -O`, ninja). " +
			"For an incremental build say `--partial`.",
		Default: Error,
		Options: []Option{
			{"expect", "The least number of kernels that a full log has: `{kernels: 780}`."},
			{"archs", "The architectures that are judged."},
		},
		log: checkTrust,
	}
}

func checkTrust(j *judge) {
	j.checkFaults()
	j.checkDefects()
	j.checkPresence()
	j.checkExpected()
	j.checkArchsKnown()
	j.checkStated()
}

// shown is how many of many places a finding lists.
const shown = 5

// faultAdvice says what to do about each kind of fault, and names the kind in
// fingerprints.
var faultAdvice = [...]struct{ id, headline, help string }{
	parse.FaultEmpty: {
		"empty", "",
		"compile with nvcc -Xptxas -v (and -Xnvlink -v for device links); if the build had nothing to do, build from clean or say --partial",
	},
	parse.FaultTruncated: {
		"truncated", "the log is cut",
		"keep the whole log: look for a full disk, a limit on log size, or a job that was killed",
	},
	parse.FaultBuildFailed: {
		"build-failed", "the build failed",
		"fix the build first; a pipe hides its exit code, set -o pipefail shows it",
	},
	parse.FaultInterleaved: {
		"interleaved", "lines of several jobs ran together",
		"keep the jobs apart: occlint wrap as the compiler launcher, make -O, ninja, or one job",
	},
	parse.FaultUnnamed: {
		"unnamed", "numbers without a kernel",
		"keep the whole log of one job: the line that names the kernel is missing",
	},
	parse.FaultConflict: {
		"conflict", "one kernel has contradicting numbers",
		"give occlint the log of one build, and each job's lines apart",
	},
	parse.FaultEncoding: {
		"encoding", "the log can't be read as text",
		"write the log as UTF-8 or UTF-16 with its mark, and check that it is whole",
	},
}

// checkFaults reports what the parser says is wrong: one finding for each
// kind, however many places it has.
func (j *judge) checkFaults() {
	byKind := map[parse.FaultKind][]*parse.Fault{}
	for i := range j.log.Faults {
		f := &j.log.Faults[i]
		if !j.foreign(f.Kernel) {
			byKind[f.Kind] = append(byKind[f.Kind], f)
		}
	}
	failed := byKind[parse.FaultBuildFailed]
	byKind[parse.FaultBuildFailed] = append(failed, j.failedRemarks(failed)...)
	for kind := range faultAdvice {
		if list := byKind[parse.FaultKind(kind)]; len(list) > 0 {
			j.reportFaults(parse.FaultKind(kind), list)
		}
	}
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
		if r.Severity < parse.Error || seen[r.Place] {
			continue
		}
		list = append(list, &parse.Fault{Kind: parse.FaultBuildFailed, Text: r.Tool + " error: " + r.Text, Kernel: r.Kernel, Place: r.Place})
	}
	return list
}

func (j *judge) reportFaults(kind parse.FaultKind, list []*parse.Fault) {
	advice := faultAdvice[kind]
	f := Finding{Detail: advice.id, Help: advice.help, Log: list[0].Place, LogText: ""}
	if kind == parse.FaultEmpty && j.policy.Partial {
		f.Severity = Info
	}
	f.Message = list[0].Text
	if advice.headline != "" && !strings.HasPrefix(f.Message, advice.headline) {
		f.Message = advice.headline + ": " + f.Message
	}
	if len(list) > 1 {
		f.Message += fmt.Sprintf(" (and %s more)", number(float64(len(list)-1)))
		for _, more := range list[1:min(len(list), shown+1)] {
			f.Notes = append(f.Notes, placeText(more.Place)+more.Text)
		}
	}
	j.report(f)
}

func placeText(p parse.Place) string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File + ": "
	}
	return fmt.Sprintf("%s:%d: ", p.File, p.Line)
}

// foreign reports whether a name is that of kernels which are not judged.
func (j *judge) foreign(kernel string) bool {
	if kernel == "" || len(j.policy.Archs) == 0 {
		return false
	}
	if j.names == nil {
		j.names = map[string]bool{} // true: judged
		for i := range j.log.Kernels {
			k := &j.log.Kernels[i]
			j.names[k.Name] = j.names[k.Name] || j.arch(k.Arch).judged
		}
	}
	judged, known := j.names[kernel]
	return known && !judged
}

// checkDefects reports records with defects that no fault speaks of.
func (j *judge) checkDefects() {
	told := map[string]bool{}
	kinds := map[parse.FaultKind]bool{}
	for i := range j.log.Faults {
		told[j.log.Faults[i].Kernel] = true
		kinds[j.log.Faults[i].Kind] = true
	}
	defects := [...]struct {
		defect parse.Defects
		kind   parse.FaultKind
		text   string
	}{
		{parse.Interleaved, parse.FaultInterleaved, "its numbers could not be told from those of other jobs"},
		{parse.Truncated, parse.FaultTruncated, "its record is cut"},
		{parse.Conflicting, parse.FaultConflict, "its records contradict each other"},
		{parse.Unnamed, parse.FaultUnnamed, "its owner is not in the log"},
	}
	for _, d := range defects {
		var list []*parse.Fault
		for i := range j.units {
			u := &j.units[i]
			if u.defects&d.defect != 0 && !told[u.kernel.Name] {
				list = append(list, &parse.Fault{
					Kind: d.kind, Text: name.Qualified(u.kernel.Name) + u.on() + ": " + d.text, Place: u.record.Place,
				})
			}
		}
		if d.kind == parse.FaultUnnamed && !kinds[parse.FaultUnnamed] {
			list = append(list, j.unnamed()...)
		}
		if len(list) > 0 {
			j.reportFaults(d.kind, list)
		}
	}
}

// unnamed lists the numbers of judged architectures whose owner is not known.
func (j *judge) unnamed() []*parse.Fault {
	var list []*parse.Fault
	for i := range j.log.Kernels {
		if k := &j.log.Kernels[i]; k.Name == "" && j.arch(k.Arch).judged {
			list = append(list, &parse.Fault{Text: "whose these are is not in the log: " + usedText(k), Place: k.Place})
		}
	}
	return list
}

// checkPresence reports a log without a kernel to judge.
func (j *judge) checkPresence() {
	var f Finding
	switch {
	case j.hasJudgedArch():
		return
	case len(j.log.Kernels) == 0:
		if j.hasFault(parse.FaultEmpty) {
			return
		}
		f = Finding{
			Message: "the log has no kernel",
			Detail:  faultAdvice[parse.FaultEmpty].id,
			Help:    faultAdvice[parse.FaultEmpty].help,
		}
		if j.policy.Partial {
			f.Severity = Info
		}
	case len(j.policy.Archs) == 0:
		if len(j.units) > 0 {
			return
		}
		f = Finding{
			Message: "no record of the log can be judged: none has a name",
			Detail:  "nameless",
			Help:    faultAdvice[parse.FaultUnnamed].help,
		}
	default:
		var asked []string
		for _, a := range j.policy.Archs {
			asked = append(asked, a.Arch)
		}
		f = Finding{
			Message:  fmt.Sprintf("the log has no kernel of %s, which %s to be judged", strings.Join(asked, ", "), beVerb(len(asked))),
			Detail:   "archs",
			Declared: j.policy.Archs[0].Origin,
			Log:      j.log.Kernels[0].Place,
			Notes:    []string{"the log has " + j.archList()},
			Help:     "build for a judged architecture, or correct archs; a log of the linker alone names no architecture where it links a single one: add the compiler's (-Xptxas -v)",
		}
	}
	if len(j.log.Compilations) > 0 && f.Log == (parse.Place{}) {
		f.Log = j.log.Compilations[0].Place
	}
	j.report(f)
}

// hasJudgedArch reports whether there is something to judge: where the policy
// names architectures, a record of one of them.
func (j *judge) hasJudgedArch() bool {
	if len(j.policy.Archs) == 0 {
		return len(j.units) > 0
	}
	for printed, a := range j.archs {
		if printed != "" && a.units > 0 {
			return true
		}
	}
	return false
}

func (j *judge) hasFault(kind parse.FaultKind) bool {
	for i := range j.log.Faults {
		if j.log.Faults[i].Kind == kind {
			return true
		}
	}
	return false
}

// checkExpected reports a log with fewer kernels than a full one has.
func (j *judge) checkExpected() {
	want := j.policy.ExpectKernels
	if want <= 0 {
		return
	}
	have := j.entries()
	if have >= want {
		return
	}
	f := Finding{
		Message: fmt.Sprintf("the log has %s, %d fewer than the %d that a full one has", count(int64(have), "kernel"), want-have, want),
		Value:   float64(have), Limit: float64(want), Unit: "kernels",
		Detail:   "expect",
		Declared: j.policy.ExpectOrigin,
		Help:     "build from clean, or say --partial; if kernels were removed on purpose, lower expect",
	}
	if f.Declared.From == "" {
		f.Declared.From = FromConfig
	}
	if j.policy.Partial {
		f.Severity = Info
	}
	j.report(f)
}

// checkArchsKnown reports kernels whose declared blocks or occupancy can't be
// judged, since nothing is known of their architecture.
func (j *judge) checkArchsKnown() {
	blind := map[*archInfo][]*unit{}
	var order []*archInfo
	for i := range j.units {
		u := &j.units[i]
		if u.arch.sm != nil || u.isFunction() || !u.declaresBlocks() && (u.arch.name != "" || len(j.policy.Archs) == 0) {
			continue
		}
		if blind[u.arch] == nil {
			order = append(order, u.arch)
		}
		blind[u.arch] = append(blind[u.arch], u)
	}
	for _, a := range order {
		list := blind[a]
		f := Finding{
			Message: fmt.Sprintf("%s is not in the table of architectures, and %s of it %s blocks or an occupancy",
				a.name, count(int64(len(list)), "kernel"), declareVerb(len(list))),
			Detail: "unknown-arch", Arch: a.name,
			Help: fmt.Sprintf("add it to the config: custom_archs: {%s: {like: sm_120}}", a.name),
		}
		if a.name == "" {
			f.Message = fmt.Sprintf("the log does not say for which architecture %s %s compiled", count(int64(len(list)), "kernel"), wasVerb(len(list)))
			f.Help = "the linker names no architecture where it links a single one: add the compiler's lines (-Xptxas -v) to the log"
		}
		j.reportUnits(f, list)
	}
}

func declareVerb(n int) string {
	if n == 1 {
		return "declares"
	}
	return "declare"
}

func beVerb(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func wasVerb(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// declaresBlocks reports whether a verdict on the kernel rests on its blocks.
func (u *unit) declaresBlocks() bool {
	return u.decl.LaunchBounds.Value.MinBlocks > 0 || u.decl.MinOccupancy.Set || u.decl.BytesInFlight.Set
}

// reportUnits reports one finding on many kernels, some of them by name.
func (j *judge) reportUnits(f Finding, list []*unit) {
	first := list[0]
	f.Log = first.record.Place
	f.LogText = usedText(first.record)
	if len(list) == 1 {
		// The fingerprint names the kernel, and the message does not start with it.
		f.Detail += " " + name.Canonical(first.kernel.Name)
	}
	for _, u := range list[:min(len(list), shown)] {
		f.Notes = append(f.Notes, name.Qualified(u.kernel.Name)+u.on())
	}
	if more := len(list) - shown; more > 0 {
		f.Notes = append(f.Notes, fmt.Sprintf("and %d more", more))
	}
	j.report(f)
}

// need is a number that a declaration is about.
type need struct {
	rule     string // the rule that would judge it
	what     string
	declared func(*unit) Origin // From is empty: not declared
	known    func(*unit) bool
	help     string
}

func needs() []need {
	set := func(o Origin, set bool) Origin {
		if !set {
			return Origin{}
		}
		return o
	}
	const verbose = "compile with -Xptxas -v: the linker and cuobjdump do not state it"
	return []need{
		{"register-budget", "registers",
			func(u *unit) Origin { return set(u.decl.Registers.Origin, u.decl.Registers.Set && !u.isFunction()) },
			func(u *unit) bool { return u.kernel.Registers.Stated() }, verbose},
		{"spill-budget", "spills",
			func(u *unit) Origin { return set(u.spillOrigin(), !u.isFunction()) },
			func(u *unit) bool { _, _, known := u.spills(); return known }, verbose},
		{"callee-spill", "spills of functions",
			func(u *unit) Origin { return set(u.spillOrigin(), u.isFunction()) },
			func(u *unit) bool { _, _, known := u.spills(); return known }, verbose},
		{"stack-budget", "stack frames",
			func(u *unit) Origin { return set(u.decl.StackBytes.Origin, u.decl.StackBytes.Set) },
			func(u *unit) bool { _, known := u.stack(); return known }, verbose},
		{"shared-budget", "shared memory",
			func(u *unit) Origin { return set(u.decl.SharedBytes.Origin, u.decl.SharedBytes.Set && !u.isFunction()) },
			func(u *unit) bool { _, known := u.staticShared(); return known }, verbose},
		{"barrier-budget", "named barriers",
			func(u *unit) Origin { return set(u.decl.Barriers.Origin, u.decl.Barriers.Set && !u.isFunction()) },
			func(u *unit) bool { return u.kernel.Barriers.Stated() }, "compile with CUDA 12.8 or later, which prints them, or declare no barriers for these kernels"},
		{"min-blocks", "registers or shared memory, on which declared blocks rest",
			func(u *unit) Origin { return set(u.decl.LaunchBounds.Origin, u.minBlocks() > 0 && u.judgesBlocks()) },
			(*unit).hasOccupancy, verbose},
		{"min-occupancy", "registers or shared memory, on which a declared occupancy rests",
			func(u *unit) Origin {
				return set(u.decl.MinOccupancy.Origin, u.decl.MinOccupancy.Set && u.judgesBlocks())
			},
			(*unit).hasOccupancy, verbose},
	}
}

// spillOrigin is where a spill budget was declared, if one was.
func (u *unit) spillOrigin() Origin {
	return cmp.Or(u.decl.SpillStoreBytes.Origin, u.decl.SpillLoadBytes.Origin)
}

func (u *unit) hasOccupancy() bool { return u.occ != nil }

// judgesBlocks reports whether an occupancy is to be expected: what else can
// be missing is reported elsewhere.
func (u *unit) judgesBlocks() bool {
	return !u.isFunction() && u.arch.sm != nil && u.threads() > 0
}

// checkStated reports budgets on numbers that the log does not state: unknown
// is never fine. Records with defects were reported as such.
func (j *judge) checkStated() {
	for _, n := range needs() {
		if !j.on(n.rule) {
			continue
		}
		var list []*unit
		for i := range j.units {
			u := &j.units[i]
			if u.defects == 0 && n.declared(u).From != "" && !n.known(u) {
				list = append(list, u)
			}
		}
		if len(list) == 0 {
			continue
		}
		verb := "has a budget or minimum"
		if len(list) > 1 {
			verb = "have a budget or minimum"
		}
		j.reportUnits(Finding{
			Message: fmt.Sprintf("%s %s for what the log does not state: %s", count(int64(len(list)), "kernel"), verb, n.what),
			Detail:  "not-stated " + n.rule, Declared: n.declared(list[0]), Help: n.help,
		}, list)
	}
}
