package compare

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// ReadBaseline reads a baseline file. file is only for messages and origins.
// The error is a *config.Errors with all faults; there is no baseline then,
// since half of one would accept what nobody can see.
func ReadBaseline(file string, data []byte) (*rules.Baseline, error) {
	r := &baselineReader{
		file: file, lines: strings.Split(string(data), "\n"), rules: ruleIDs(), at: map[identity]int{},
	}
	r.document(data)
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b config.Problem) int {
			return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
		})
		return nil, &config.Errors{File: file, What: "baseline", Problems: r.problems}
	}
	return &rules.Baseline{
		Entries: r.entries,
		Origin:  rules.Origin{From: rules.FromBaseline, Place: parse.Place{File: file}},
	}, nil
}

type baselineReader struct {
	file     string
	rules    []string // the ids that there are
	entries  []rules.BaselineEntry
	at       map[identity]int // line of each entry
	lines    []string
	problems []config.Problem
}

func (r *baselineReader) document(data []byte) {
	if r.inConflict() {
		return
	}
	// A list of nodes, since a second document would go unread and unseen.
	var docs []yaml.Node
	if err := yaml.Load(data, &docs, yaml.WithAllDocuments()); err != nil {
		r.notYAML(err)
		return
	}
	switch {
	case len(docs) == 0:
		r.fault(&yaml.Node{}, "occlint baseline write writes one", "the baseline is empty")
		return
	case len(docs) > 1:
		r.fault(&docs[1], "", "a second document begins here; a baseline is one")
		return
	}
	root := &docs[0]
	if root.Kind == yaml.DocumentNode && len(root.Content) == 1 {
		root = root.Content[0]
	}
	version, families := false, false
	r.mapping(root, "the baseline", func(key string, k, v *yaml.Node) {
		switch key {
		case "version":
			version = true
			if v.Kind != yaml.ScalarNode || v.Value != strconv.Itoa(BaselineVersion) {
				r.fault(v, "", "version %q is not known; this occlint reads version %d", v.Value, BaselineVersion)
			}
		case "families":
			families = true
			r.families(v)
		default:
			r.unknownKey(k, key, "version", "families")
		}
	})
	if len(r.problems) == 0 && !version {
		r.fault(root, "write version: 1", "version is missing")
	}
	if len(r.problems) == 0 && !families {
		r.fault(root, "write families: [] for an empty baseline", "families is missing")
	}
}

// mapping calls each for every key of a mapping. Aliases and keys that are
// not plain words are faults.
func (r *baselineReader) mapping(n *yaml.Node, what string, each func(key string, k, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fault(n, "", "%s is to be a mapping, and is %s", what, kindWord(n))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode {
			r.fault(k, "", "a key of %s is to be a word, and is %s", what, kindWord(k))
			continue
		}
		if line, twice := seen[k.Value]; twice {
			r.fault(k, "", "%q is there twice; the first is in line %d", k.Value, line)
			continue
		}
		seen[k.Value] = k.Line
		each(k.Value, k, v)
	}
}

func (r *baselineReader) families(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		r.fault(n, "", "families is to be a list, and is %s", kindWord(n))
		return
	}
	for _, item := range n.Content {
		r.family(item)
	}
}

func (r *baselineReader) family(n *yaml.Node) {
	var group rules.BaselineEntry
	var kernels *yaml.Node
	before := len(r.problems)
	r.mapping(n, "a family", func(key string, k, v *yaml.Node) {
		switch key {
		case "family":
			// For people only: the kernels' names decide.
			_ = r.text(v, key)
		case "reason":
			group.Reason = strings.TrimSpace(r.text(v, key))
		case "kernels":
			kernels = v
		default:
			r.unknownKey(k, key, "family", "reason", "kernels")
		}
	})
	// A word that is misspelt is not missing as well.
	misspelt := len(r.problems) > before
	if group.Reason == "" && !misspelt {
		r.fault(n, "say why the findings are accepted", "reason is missing or empty")
	}
	if kernels == nil {
		if !misspelt {
			r.fault(n, "", "kernels is missing or empty")
		}
		return
	}
	r.mapping(kernels, "kernels", func(kernel string, _, findings *yaml.Node) {
		e := group
		// A name that a person pasted from a log is made canonical here.
		e.Kernel = name.Canonical(kernel)
		r.mapping(findings, "a kernel", func(key string, k, values *yaml.Node) {
			if e, ok := r.finding(e, key, k); ok {
				r.values(e, k, values)
			}
		})
	})
}

// finding reads "ARCH RULE" or "ARCH RULE DETAIL".
func (r *baselineReader) finding(e rules.BaselineEntry, key string, k *yaml.Node) (rules.BaselineEntry, bool) {
	target, rest, ok := strings.Cut(key, " ")
	e.Rule, e.Detail, _ = strings.Cut(rest, " ")
	switch {
	case !ok:
		r.fault(k, "write it as sm_90 spill-budget", "%q is no architecture and rule", key)
		return e, false
	case !slices.Contains(r.rules, e.Rule):
		r.fault(k, cmp.Or(didYouMean(e.Rule, r.rules), "occlint rules lists them"), "there is no rule %q", e.Rule)
		return e, false
	case slices.Contains(neverAccepted, e.Rule):
		r.fault(k, "remove the entry", "%s can't be accepted: it speaks of the gate, not of a kernel", e.Rule)
		return e, false
	case isMisspelt(target):
		r.fault(k, "write it as sm_90 spill-budget", "%q is not the name of an architecture", target)
		return e, false
	}
	if target != unknownArchWord {
		e.Arch = target
	}
	e.Origin = rules.Origin{
		From:  rules.FromBaseline,
		Place: parse.Place{File: r.file, Line: k.Line, Column: k.Column},
	}
	return e, true
}

// isMisspelt reports a word that is meant to name an architecture and can't.
// Any other word is taken: a log may print what nobody has seen yet.
func isMisspelt(target string) bool {
	number, ok := strings.CutPrefix(arch.Base(target), "sm_")
	_, err := strconv.ParseUint(number, 10, 16)
	return ok && err != nil
}

func (r *baselineReader) values(e rules.BaselineEntry, at, values *yaml.Node) {
	if values.Kind == yaml.MappingNode && len(values.Content) == 0 {
		r.fault(at, "write what is accepted, such as {spill_stores: 16}", "no value for %s", at.Value)
	}
	r.mapping(values, "a finding", func(field string, k, v *yaml.Node) {
		if field == presentWord {
			if v.Value != "true" {
				r.fault(v, "", "%s can only be true", presentWord)
				return
			}
			e.Field, e.Value = "", 0
			r.add(e, k)
			return
		}
		if fieldRank(field) < 0 || field == "" {
			r.unknownKey(k, field, append(slices.Clone(baselineFields[:len(baselineFields)-1]), presentWord)...)
			return
		}
		number, err := strconv.ParseFloat(v.Value, 64)
		if v.Kind != yaml.ScalarNode || err != nil || math.IsNaN(number) || math.IsInf(number, 0) || number < 0 {
			r.fault(v, "", "%s is to be a number that is not negative", field)
			return
		}
		e.Field, e.Value = field, number
		r.add(e, k)
	})
}

func (r *baselineReader) add(e rules.BaselineEntry, at *yaml.Node) {
	id := entryIdentity(&e)
	if line, twice := r.at[id]; twice {
		r.fault(at, "", "%s of %s on %s is accepted twice; the first is in line %d", e.Rule, e.Kernel, e.Arch, line)
		return
	}
	r.at[id] = at.Line
	r.entries = append(r.entries, e)
}

func (r *baselineReader) text(v *yaml.Node, key string) string {
	if v.Kind != yaml.ScalarNode {
		r.fault(v, "", "%s is to be text, and is %s", key, kindWord(v))
		return ""
	}
	return v.Value
}

func ruleIDs() []string {
	var ids []string
	for _, rule := range rules.Registry() {
		ids = append(ids, rule.ID)
	}
	return ids
}
