package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/parse"
)

// judge is one call of Judge.
type judge struct {
	policy   *Policy
	table    *arch.Table
	gpu      *arch.GPU // nil: none named
	log      *parse.Log
	severity map[string]Severity // of every rule, as configured

	archs         map[string]*archInfo // by printed name
	archSeen      []bool               // per Policy.Archs: the log has it
	linked        map[key]linkedMost
	compiled      map[key]*parse.Kernel
	compiledNames map[string]bool // of any architecture, where there is a listing of a binary as well
	hasArchs      map[string]bool // what hasArch found

	units     []unit
	notJudged int
	declared  *declarations
	remarks   *remarks

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
func Judge(log *parse.Log, p *Policy) (*Result, error) {
	if p == nil {
		p = &Policy{}
	}
	j := &judge{policy: p, table: p.Table, log: log, archs: map[string]*archInfo{}, hasArchs: map[string]bool{}, said: map[remarkOn]bool{}}
	if j.table == nil {
		j.table = arch.Builtin()
	}
	j.archSeen = make([]bool, len(p.Archs))
	exceptions, err := j.prepare()
	if err != nil {
		return nil, err
	}
	j.makeUnits()
	j.remarks = j.readRemarks()
	j.declare()
	j.run()
	j.findings = fold(j.findings)
	exceptions.apply(j)
	j.finish()
	return j.result(), nil
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
	for _, r := range Registry() {
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

// declare joins kernels with what is declared for them and with the remarks
// that name them, and computes what fits.
func (j *judge) declare() {
	for i := range j.units {
		u := &j.units[i]
		u.decl = j.declared.of(u.kernel.Name, u.arch)
		u.remarks, u.globals = j.remarks.of(u), j.remarks.global
	}
	for i := range j.units {
		u := &j.units[i]
		if u.parent != nil {
			u.decl = j.declared.callee(u.decl, u.parent.decl)
		}
		u.measure()
	}
	// A pattern that matches only kernels which are not judged is told apart
	// from one that matches nothing.
	for i := range j.log.Kernels {
		if k := &j.log.Kernels[i]; k.Name != "" && !j.arch(k.Arch).judged {
			j.declared.of(k.Name, j.arch(k.Arch))
		}
	}
}

// run asks every rule that is on.
func (j *judge) run() {
	for _, r := range Registry() {
		if j.severity[r.ID] == Off {
			continue
		}
		j.rule = r
		if r.kernel != nil {
			for i := range j.units {
				r.kernel(j, &j.units[i])
			}
		}
		if r.log != nil {
			r.log(j)
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
	r := &Result{Findings: j.findings, NotJudged: j.notJudged}
	r.Kernels = make([]Judgement, len(j.units))
	for i := range j.units {
		u := &j.units[i]
		shared, _ := u.shared()
		r.Kernels[i] = Judgement{
			Kernel: u.kernel, Record: u.record, Compiled: u.compiled,
			Declared: &u.decl.Declaration, Occupancy: u.occ, SharedBytes: shared,
		}
		if u.occ != nil {
			r.Kernels[i].Threads = u.launch.Threads
		}
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
