package compare

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// Problem is one fault in a baseline file.
type Problem struct {
	Line, Column int // from 1
	Text         string
}

// BaselineError is every fault of a baseline file that can't be trusted. Such
// a file accepts nothing.
type BaselineError struct {
	File     string
	Problems []Problem // in the order of the file; never empty
	lines    []string
}

// Error shows each fault with its line and a caret.
func (e *BaselineError) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s", e.File, p.Line, p.Column, p.Text)
		if p.Line >= 1 && p.Line <= len(e.lines) {
			line := []rune(strings.TrimRight(e.lines[p.Line-1], "\r"))
			from := min(max(p.Column-1, 0), len(line))
			fmt.Fprintf(&b, "\n  %s\n  %s^", name.Escape(string(line)), strings.Repeat(" ", len([]rune(name.Escape(string(line[:from]))))))
		}
	}
	return b.String()
}

// maxProblems ends the list of faults of a file that is something else.
const maxProblems = 20

// ReadBaseline reads a baseline file. file is only for messages and origins.
// The error is a *BaselineError with all faults; there is no baseline then.
func ReadBaseline(file string, data []byte) (*rules.Baseline, error) {
	r := &baselineReader{file: file, rules: ruleIDs(), at: map[identity]int{}}
	r.document(data)
	if len(r.problems) > 0 {
		slices.SortStableFunc(r.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		if len(r.problems) > maxProblems {
			more := len(r.problems) - maxProblems
			r.problems = r.problems[:maxProblems]
			r.problems[maxProblems-1].Text += fmt.Sprintf(" (and %d more problems)", more)
		}
		return nil, &BaselineError{file, r.problems, strings.Split(string(data), "\n")}
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
	problems []Problem
}

func (r *baselineReader) fault(n *yaml.Node, format string, args ...any) {
	r.problems = append(r.problems, Problem{max(n.Line, 1), max(n.Column, 1), fmt.Sprintf(format, args...)})
}

func (r *baselineReader) document(data []byte) {
	// A list of nodes, since a second document would go unread and unseen.
	var docs []yaml.Node
	if err := yaml.Load(data, &docs, yaml.WithAllDocuments()); err != nil {
		r.notYAML(err)
		return
	}
	switch {
	case len(docs) == 0:
		r.fault(&yaml.Node{}, "the file is empty; occlint baseline write writes one")
		return
	case len(docs) > 1:
		r.fault(&docs[1], "a second document; a baseline is one")
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
				r.fault(v, "version %q is not known; this occlint reads version %d", v.Value, BaselineVersion)
			}
		case "families":
			families = true
			r.families(v)
		default:
			r.unknownKey(k, key, "version", "families")
		}
	})
	if len(r.problems) == 0 && !version {
		r.fault(root, "version is missing: write version: %d", BaselineVersion)
	}
	if len(r.problems) == 0 && !families {
		r.fault(root, "families is missing: write families: [] for an empty baseline")
	}
}

// mapping calls each for every key of a mapping. Aliases and keys that are
// not plain words are faults.
func (r *baselineReader) mapping(n *yaml.Node, what string, each func(key string, k, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.fault(n, "%s is to be a mapping, and is %s", what, kindWord(n))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		if k.Kind != yaml.ScalarNode {
			r.fault(k, "a key of %s is to be a word, and is %s", what, kindWord(k))
			continue
		}
		if line, twice := seen[k.Value]; twice {
			r.fault(k, "%q is there twice; the first is in line %d", k.Value, line)
			continue
		}
		seen[k.Value] = k.Line
		each(k.Value, k, v)
	}
}

func (r *baselineReader) families(n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		r.fault(n, "families is to be a list, and is %s", kindWord(n))
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
		case "rule":
			group.Rule = r.rule(v)
		case "reason":
			group.Reason = strings.TrimSpace(r.text(v, key))
		case "kernels":
			kernels = v
		default:
			r.unknownKey(k, key, "family", "rule", "reason", "kernels")
		}
	})
	if len(r.problems) > before {
		return
	}
	for _, missing := range []struct {
		word  string
		there bool
	}{{"rule", group.Rule != ""}, {"reason", group.Reason != ""}, {"kernels", kernels != nil}} {
		if !missing.there {
			r.fault(n, "%s is missing or empty", missing.word)
		}
	}
	if len(r.problems) > before {
		return
	}
	r.mapping(kernels, "kernels", func(kernel string, _, archs *yaml.Node) {
		e := group
		// A name that a person pasted from a log is made canonical here.
		e.Kernel = name.Canonical(kernel)
		r.mapping(archs, "a kernel", func(key string, k, values *yaml.Node) {
			e := e
			e.Arch, e.Detail, _ = strings.Cut(key, " ")
			if e.Arch == unknownArchWord {
				e.Arch = ""
			}
			e.Origin = rules.Origin{
				From:  rules.FromBaseline,
				Place: parse.Place{File: r.file, Line: k.Line, Column: k.Column},
			}
			r.values(e, k, values)
		})
	})
}

func (r *baselineReader) values(e rules.BaselineEntry, at, values *yaml.Node) {
	if values.Kind == yaml.MappingNode && len(values.Content) == 0 {
		r.fault(at, "no value for %s; write what is accepted, such as {%s: 16}", at.Value, rules.FieldSpillStores)
	}
	r.mapping(values, "an architecture", func(field string, k, v *yaml.Node) {
		if field == presentWord {
			if v.Value != "true" {
				r.fault(v, "%s can only be true", presentWord)
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
			r.fault(v, "%s is to be a number that is not negative", field)
			return
		}
		e.Field, e.Value = field, number
		r.add(e, k)
	})
}

func (r *baselineReader) add(e rules.BaselineEntry, at *yaml.Node) {
	id := entryIdentity(&e)
	if line, twice := r.at[id]; twice {
		r.fault(at, "%s of %s on %s is accepted twice; the first is in line %d", e.Rule, e.Kernel, e.Arch, line)
		return
	}
	r.at[id] = at.Line
	r.entries = append(r.entries, e)
}

func (r *baselineReader) text(v *yaml.Node, key string) string {
	if v.Kind != yaml.ScalarNode {
		r.fault(v, "%s is to be text, and is %s", key, kindWord(v))
		return ""
	}
	return v.Value
}

func (r *baselineReader) rule(v *yaml.Node) string {
	id := r.text(v, "rule")
	if id == "" {
		return ""
	}
	if !slices.Contains(r.rules, id) {
		r.fault(v, "there is no rule %q%s; occlint rules lists them", id, didYouMean(id, r.rules))
	}
	return id
}

func ruleIDs() []string {
	var ids []string
	for _, rule := range rules.Registry() {
		ids = append(ids, rule.ID)
	}
	return ids
}

func (r *baselineReader) unknownKey(k *yaml.Node, key string, known ...string) {
	r.fault(k, "no key %q here%s; there are %s", key, didYouMean(key, known), strings.Join(known, ", "))
}

func kindWord(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias, which a baseline can't have"
	}
	if n.Value == "" || n.Tag == "!!null" {
		return "empty"
	}
	return "a single value"
}

// notYAML takes the place out of the YAML library's error.
func (r *baselineReader) notYAML(err error) {
	var many *yaml.LoadErrors
	if errors.As(err, &many) && len(many.Errors) > 0 {
		err = many.Errors[0]
	}
	var one *yaml.LoadError
	if errors.As(err, &one) {
		r.fault(&yaml.Node{Line: one.Mark.Line, Column: one.Mark.Column}, "not YAML: %s", one.Message)
		return
	}
	r.fault(&yaml.Node{}, "not YAML: %v", err)
}
