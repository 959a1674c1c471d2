package rules

import (
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"unsafe"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
)

// judge is one call of Judge.
type judge struct {
	policy   *Policy
	table    *arch.Table
	gpu      *arch.GPU // nil: none named
	log      *parse.Log
	kernels  []parse.Kernel      // of the log
	severity map[string]Severity // of every rule, as configured

	archs         map[string]*archInfo // by printed name
	archSeen      []bool               // per Policy.Archs: the log has it
	linked        map[key]linkedMost
	compiled      map[key]*parse.Kernel
	compiledNames map[string]bool // of any architecture, where there is a listing of a binary as well
	hasArchs      map[string]bool // what hasArch found

	survey    survey
	units     []unit
	unitOf    []int32 // of a record, and one
	untied    *ties   // of the units without any
	seed      maphash.Seed
	hashes    []uint64 // of the units' names
	entered   *counter
	notJudged int
	declared  *declarations
	remarks   *remarks
	needs     []need
	singly    bool

	rule       *Rule // the one that is running
	said       map[remarkOn]bool
	familyList []family // once asked for
	inFlight   inFlight
	findings   []Finding
}

// Judge holds a log against a policy; nil is the policy that declares nothing.
// Neither is changed, and the result points into both. The error is for a
// policy that can't be applied: a bad pattern, a rule or GPU that doesn't
// exist. What is wrong with the log are findings of untrusted-log.
func Judge(log *parse.Log, p *Policy) (*Result, error) { return judgeLog(log, p, false) }

// judgeLog is Judge. singly judges each unit by itself and looks at all of
// them for conflicts and callees, as the result must always be.
func judgeLog(log *parse.Log, p *Policy, singly bool) (*Result, error) {
	j, exceptions, err := newJudge(log, p)
	if err != nil {
		return nil, err
	}
	j.singly = singly
	return j.verdict(exceptions), nil
}

// newJudge makes all ready that does not rest on the kernels of the log.
func newJudge(log *parse.Log, p *Policy) (*judge, *exceptions, error) {
	if p == nil {
		p = &Policy{}
	}
	j := &judge{policy: p, table: p.Table, log: log, archs: map[string]*archInfo{}, hasArchs: map[string]bool{}, said: map[remarkOn]bool{}}
	if j.table == nil {
		j.table = arch.Builtin()
	}
	j.kernels = make([]parse.Kernel, 0, log.Len())
	for _, k := range log.Kernels() {
		j.kernels = append(j.kernels, k)
	}
	j.archSeen = make([]bool, len(p.Archs))
	exceptions, err := j.prepare()
	if err != nil {
		return nil, nil, err
	}
	j.remarks = j.readRemarks()
	return j, exceptions, nil
}

// verdict judges the kernels of the log.
func (j *judge) verdict(exceptions *exceptions) *Result {
	j.makeUnits()
	j.declare()
	j.attachCallees(!j.singly && j.distinct())
	j.measure()
	j.run()
	j.findings = fold(j.findings)
	exceptions.apply(j)
	j.finish()
	return j.result()
}

// prepare checks the policy and makes its patterns ready.
func (j *judge) prepare() (*exceptions, error) {
	errs := []error{j.readSeverities(), j.findGPU()}
	var err error
	j.declared, err = newDeclarations(j.policy.Declarations)
	errs = append(errs, err)
	e, err := newExceptions(j.policy)
	errs = append(errs, err)
	return e, errors.Join(errs...)
}

func (j *judge) readSeverities() error {
	j.severity = map[string]Severity{}
	for _, r := range registry() {
		j.severity[r.ID] = r.Default
	}
	var errs []error
	for id, s := range j.policy.Severities {
		switch _, known := j.severity[id]; {
		case !known:
			errs = append(errs, fmt.Errorf("severity of %q: there is no such rule", id))
		case id == untrustedLogID && s != Error:
			errs = append(errs, fmt.Errorf("severity of %s: it is always an error, so that a log that can't be judged never passes", id))
		default:
			j.severity[id] = s
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

func (j *judge) findGPU() (err error) {
	if j.policy.GPU != "" {
		j.gpu, err = j.table.GPU(j.policy.GPU)
	}
	return err
}

// measure computes what fits, once per class of units.
func (j *judge) measure() {
	j.needs = needs()
	known := newClasses(len(j.units))
	for i := range j.units {
		u := &j.units[i]
		if u.parent != nil {
			u.decl = j.declared.callee(u.decl, u.parent.decl)
		}
		if j.singly {
			u.measure(j.needs)
		} else {
			known.measure(u, j.needs)
		}
	}
}

// on reports whether a rule is switched on.
func (j *judge) on(rule string) bool { return j.severity[rule] != Off }

// budgeted is the severity of a finding of the running rule: lower than the
// rule's own where nothing is declared, unless the policy sets one.
func (j *judge) budgeted(declared bool) Severity {
	if _, set := j.policy.Severities[j.rule.ID]; declared || set {
		return j.severity[j.rule.ID]
	}
	return min(Warning, j.severity[j.rule.ID])
}

func (j *judge) result() *Result {
	r := &Result{Findings: j.findings, Judged: len(j.units), NotJudged: j.notJudged, Entries: j.entries(), records: len(j.kernels), of: j.judgement, table: j.table}
	j.unitOf = make([]int32, len(j.kernels))
	for i := range j.units {
		u := &j.units[i]
		j.unitOf[j.indexOf(u.record)] = int32(i) + 1
		if u.defects != 0 {
			r.NotJudged++
		}
	}
	for _, name := range j.namedArchs(true) {
		if j.archs[name].units > 0 {
			r.Archs = append(r.Archs, name)
		}
	}
	return r
}

// judgement is what Result.Of returns.
func (j *judge) judgement(record int) (k Judgement, judged bool) {
	n := j.unitOf[record] - 1
	if n < 0 {
		return k, false
	}
	u := &j.units[n]
	k = Judgement{Kernel: *u.kernel, Record: *u.record, Compiled: -1, Declared: &u.decl.Declaration, Occupancy: u.occ, SharedBytes: u.sum}
	if u.compiled != nil {
		k.Compiled = j.indexOf(u.compiled)
	}
	if u.occ != nil {
		k.Threads = u.launch.Threads
	}
	return k, true
}

// indexOf is where a record stands in the log.
func (j *judge) indexOf(k *parse.Kernel) int {
	return int((uintptr(unsafe.Pointer(k)) - uintptr(unsafe.Pointer(&j.kernels[0]))) / unsafe.Sizeof(*k))
}
