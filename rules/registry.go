package rules

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Rule is one thing that Judge looks for, with its documentation. What
// explain, the README, docs/rules and SARIF say about a rule is this struct.
type Rule struct {
	ID    string // stable: configs, baselines and ignores name it
	Title string // no capital, no period
	// Why says what the rule means and why it matters, in paragraphs of
	// Markdown without headings.
	Why     string
	Example Example
	Fix     string // how to get rid of a finding, in paragraphs of Markdown
	// Default is the severity without any configuration. A rule may report at
	// a lower one where nothing is declared; Why says so then.
	Default Severity
	Options []Option // the config keys that it reads

	// Kernel judges what kernels and functions that are alike have alike: it is
	// called once for all of them, on several goroutines. Log judges the log as
	// a whole, once, behind all kernels. Either can be nil.
	Kernel func(*Subject)
	Log    func(*Totals)
}

// Example is a log that breaks a rule, and what the rule says about it.
type Example struct {
	Log    string         // as a compiler prints it
	Config string         // .occlint.yml to go with it; empty where the log is enough
	Files  []File         // what the config names: a source, a baseline; or a flag: a profile
	Args   []string       // of the command, before the log
	Binary string         // an image of testdata/cubin that is given with the log; empty for none
	Policy func() *Policy // what config and files declare; nil where the log is enough
	// Finding is the message of the finding that the rule must give.
	Finding string
}

// File is a file of an example, by its path from the config.
type File struct{ Path, Text string }

// Option is a config key that a rule reads.
type Option struct {
	Key  string // as in .occlint.yml
	Text string // what it does: a sentence with a period
}

// Registry lists every rule, in the order in which reports and documentation
// show them. The rules are shared: don't change them.
func Registry() []*Rule { return slices.Clone(registry()) }

var registry = sync.OnceValue(func() []*Rule {
	return []*Rule{
		cannotLaunch(),
		minBlocks(),
		boundsIgnored(),
		spillBudget(),
		calleeSpill(),
		spillInLoop(),
		cappedAndSpilling(),
		registerBudget(),
		sharedBudget(),
		stackBudget(),
		barrierBudget(),
		minOccupancy(),
		declarationConflict(),
		unresolvedBounds(),
		dynamicSharedUnknown(),
		registerCliff(),
		stackFrame(),
		blockShape(),
		staticShared(),
		bytesInFlight(),
		compilerRemark(),
		profileStale(),
		launchDiffers(),
		regression(),
		unmatched(),
		staleException(),
		untrustedLog(),
		unknownArch(),
	}
})

// ByID finds a rule.
func ByID(id string) (*Rule, bool) {
	for _, r := range registry() {
		if r.ID == id {
			return r, true
		}
	}
	return nil, false
}

// checkRules finds rules that can't be told apart, which only a policy's own
// can be.
func checkRules(rules []*Rule) error {
	seen := map[string]bool{}
	var errs []error
	for i, r := range rules {
		if r.ID == "" || seen[r.ID] {
			errs = append(errs, fmt.Errorf("rule %d has the id %q, which is empty or another's", i+1, r.ID))
		}
		seen[r.ID] = true
	}
	return errors.Join(errs...)
}
