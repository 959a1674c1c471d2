package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// judge is one call of Judge.
type judge struct {
	policy   *Policy
	table    *arch.Table
	gpu      *arch.GPU // nil: none named
	log      *parse.Log
	rules    []*Rule
	severity map[string]Severity // of every rule, as configured

	archs      map[string]*archInfo // by printed name
	archSeen   []bool               // per Policy.Archs: the log has it
	classArchs map[*parse.Class]*archInfo
	renamed    map[classOn]*parse.Class

	provenClasses map[provenOn]*parse.Class
	links         links
	hasArchs      map[string]bool // what hasArch found

	survey      survey
	subjects    []*Subject // from 1 on
	subjectOf   []int32    // of each record; 0: it is not judged
	judgedCount int        // records that are
	notJudged   int
	entered     *counter
	declared    *declarations
	remarks     *remarks
	needs       []need
	singly      bool // each record has a subject of its own; for tests

	rule     *Rule       // the one that is running
	nearby   name.Nearby // once asked for
	findings []Finding
}

// Judge holds a log against a policy; nil is the policy that declares nothing.
// Neither is changed, and the result points into both. The error is for a
// policy that can't be applied: a bad pattern, a rule or GPU that doesn't
// exist. What is wrong with the log are findings of untrusted-log.
func Judge(log *parse.Log, p *Policy) (*Result, error) { return judgeLog(log, p, false) }

// judgeLog is Judge. singly judges each record by itself, as the result must
// always be.
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
	j := &judge{policy: p, table: p.Table, log: log, archs: map[string]*archInfo{}, hasArchs: map[string]bool{}, renamed: map[classOn]*parse.Class{}, provenClasses: map[provenOn]*parse.Class{}, rules: append(Registry(), p.Rules...)}
	if j.table == nil {
		j.table = arch.Builtin()
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
	j.look()
	j.groupRecords()
	j.tieRemarks()
	j.tieCallees()
	j.tiePlaces()
	j.run()
	j.findings = fold(j.findings)
	exceptions.apply(j)
	j.finish()
	return j.result()
}

// prepare checks the policy and makes its patterns ready.
func (j *judge) prepare() (*exceptions, error) {
	errs := []error{checkRules(j.rules), j.readSeverities(), j.findGPU()}
	var err error
	j.declared, err = newDeclarations(j.policy.Declarations)
	errs = append(errs, err)
	e, err := newExceptions(j.policy, j.rules)
	errs = append(errs, err)
	return e, errors.Join(errs...)
}

func (j *judge) readSeverities() error {
	j.severity = map[string]Severity{}
	for _, r := range j.rules {
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

// on reports whether a rule is switched on.
func (j *judge) on(rule string) bool { return j.severity[rule] != Off }

func (j *judge) result() *Result {
	r := &Result{
		Findings: j.findings, Judged: j.judgedCount, NotJudged: j.notJudged, Entries: j.entries(),
		records: j.log.Len(), of: j.judgement, table: j.table,
	}
	r.NotJudged += len(j.matching(func(u *Subject) bool { return u.Defect != 0 }))
	for _, name := range j.namedArchs(true) {
		if j.archs[name].units > 0 {
			r.Archs = append(r.Archs, name)
		}
	}
	return r
}

// judgement is what Result.Of returns.
func (j *judge) judgement(record int) (k Judgement, judged bool) {
	n := j.subjectOf[record]
	if n == 0 {
		return k, false
	}
	u := j.subjects[n]
	k = Judgement{
		Record: j.log.Kernel(record), Compiled: u.compiled(),
		Declared: u.Declared, Occupancy: u.Occupancy, SharedBytes: u.sum,
	}
	k.Kernel = k.Record
	k.Kernel.Class = u.Class
	if k.Compiled >= 0 {
		k.Kernel.CompileMicros = j.log.Kernel(k.Compiled).CompileMicros
	}
	if u.Occupancy != nil {
		k.Threads = u.Launch.Threads
	}
	return k, true
}
