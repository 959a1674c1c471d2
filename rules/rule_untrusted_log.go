package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/parse"
)

const untrustedLogID = "untrusted-log"

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
			"- a binary (`--binary`) that has other spills than the log: they are not of one build\n" +
			"- something declared for a kernel that was captured apart (`-rdc`) without its device link\n" +
			"- a compiler or the build failed upstream of the pipe, which hides its exit code\n\n" +
			"With `--partial` an empty log and a low number of kernels are notes; nothing else is relaxed. " +
			"Another note tells of functions that were compiled apart (`-rdc`) in a log without the linker's lines: the registers of a kernel that calls one are then too low.",
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
		Kernel: checkBuild,
		Log:    func(t *Totals) { checkTrust(t.judge) },
	}
}

// checkBuild reports a binary that is not of the log's build.
func checkBuild(u *Subject) {
	if !u.otherBuild() {
		return
	}
	p := u.ties.places
	u.Report(Finding{
		Message: fmt.Sprintf("spills %s%s in the log and %s in the binary: they are not of one build",
			spillText(u.SpillStoreBytes.Or(0), u.SpillLoadBytes.Or(0)), u.on(), spillText(p.SpillStoreBytes, p.SpillLoadBytes)),
		Detail: "other-build", LogText: stackText(u.Class), ofCompiler: true,
		Notes: []string{"the binary: " + p.File},
		Help:  "build again, and give the log and the binaries of that build",
	})
}

func checkTrust(j *judge) {
	j.checkFaults()
	j.checkDefects()
	j.checkPresence()
	j.checkExpected()
	j.checkArchsKnown()
	j.checkStated()
	j.checkLinked()
}

// checkPresence reports a log without a kernel to judge.
func (j *judge) checkPresence() {
	var f Finding
	switch {
	case j.hasJudgedArch():
		return
	case j.log.Len() == 0:
		if j.hasFault(parse.FaultEmpty) || j.hasFault(parse.FaultBinary) {
			return
		}
		f = Finding{
			Message: "the log has no kernel",
			Detail:  adviceFor(parse.FaultEmpty).id,
			Help:    adviceFor(parse.FaultEmpty).help,
		}
		if j.policy.Partial {
			f.Severity = Info
		}
	case len(j.policy.Archs) == 0:
		if j.judgedCount > 0 {
			return
		}
		f = Finding{
			Message: "no record of the log can be judged: none has a name",
			Detail:  "nameless",
			Help:    adviceFor(parse.FaultUnnamed).help,
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
			Log:      j.log.Kernel(0).Place,
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
		return j.judgedCount > 0
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
	if !j.unknownArchs() {
		return
	}
	blind := map[*archInfo][]int{}
	var order []*archInfo
	for _, i := range j.matching(func(u *Subject) bool {
		return u.arch.sm == nil && !u.isFunction() &&
			(u.declaresBlocks() || u.decl.unsure || u.arch.name == "" && len(j.policy.Archs) > 0)
	}) {
		a := j.subjects[j.subjectOf[i]].arch
		if blind[a] == nil {
			order = append(order, a)
		}
		blind[a] = append(blind[a], i)
	}
	for _, a := range order[:min(len(order), mostArchs)] {
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
		j.reportRecords(f, list)
	}
}

// unknownArchs reports whether there is a unit of an architecture that the
// table does not have.
func (j *judge) unknownArchs() bool {
	for _, a := range j.archs {
		if a.sm == nil && a.units > 0 {
			return true
		}
	}
	return false
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
func (u *Subject) declaresBlocks() bool {
	return u.decl.LaunchBounds.Value.MinBlocks > 0 || u.decl.anyBudget(func(b *Budget) bool { return b.onBlocks })
}

// checkLinked notes that functions were compiled apart (-rdc) and the linker's
// lines are not in the log: the registers of a kernel that calls one are then
// too low, and which kernels do, nobody says. It is no reason to distrust the
// whole log.
func (j *judge) checkLinked() {
	j.checkUnlinked()
	if j.links.any || !j.survey.apart {
		return
	}
	list := j.matching(func(u *Subject) bool {
		return u.Stage == parse.StagePtxas && !u.isFunction() && (u.declaresBlocks() || u.decl.Registers.Set)
	})
	if len(list) == 0 {
		return
	}
	j.reportRecords(Finding{
		Severity: Info,
		Message: fmt.Sprintf("functions were compiled apart (-rdc), and the linker's lines are not in the log: %s may need more registers than it says",
			count(int64(len(list)), "kernel")),
		Detail: "not-linked",
		Help:   "add the linker's lines: -Xnvlink -v at the device link",
	}, list)
}

// checkUnlinked reports kernels whose unit was captured apart (-rdc) without
// the device link that settles their registers. Where something is declared
// that rests on registers, the log can't be judged.
func (j *judge) checkUnlinked() {
	unlinked := func(record int) bool {
		at := j.log.Kernel(record).Compilation
		return at >= 0 && at < len(j.log.Compilations) && j.log.Compilations[at].Unlinked
	}
	if !slices.ContainsFunc(j.log.Compilations, func(c parse.Compilation) bool { return c.Unlinked }) {
		return
	}
	rests := func(u *Subject) bool {
		d := u.decl
		return d.LaunchBounds.Set || d.MaxRegisters.Set || d.anyBudget(func(b *Budget) bool { return b.linked })
	}
	for _, declared := range []bool{true, false} {
		list := j.matching(func(u *Subject) bool { return !u.isFunction() && rests(u) == declared })
		list = slices.DeleteFunc(list, func(record int) bool { return !unlinked(record) })
		if len(list) == 0 {
			continue
		}
		f := Finding{
			Message: fmt.Sprintf("%s %s compiled apart (-rdc), and no device link that took %s was captured: linked, more registers may be needed than the compiler says",
				count(int64(len(list)), "kernel"), wasVerb(len(list)), themWord(len(list))),
			Detail: "unlinked",
			Help:   `have occlint wrap stand in front of the device link too: set_property(GLOBAL PROPERTY RULE_LAUNCH_LINK "occlint wrap --") in CMakeLists.txt, or NVCC="occlint wrap -- nvcc" for make; then delete what is linked and build again`,
		}
		if !declared {
			f.Severity = Warning // a number for people to read; no verdict rests on it
			f.Detail += " undeclared"
		}
		j.reportRecords(f, list)
	}
}

func themWord(n int) string {
	if n == 1 {
		return "it"
	}
	return "them"
}
