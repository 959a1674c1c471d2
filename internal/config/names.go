package config

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/occlint/occlint/internal/name"
)

// mapKey checks a key of a free mapping by what the keys are to be.
func (d *decoder) mapKey(key *yaml.Node, names string) (string, bool) {
	d.nodes++
	var f *valueError
	switch names {
	case "arch":
		f = archFault(key.Value)
	case "rule":
		f = d.ruleFault(key.Value)
	case "macro":
		if !macroName().MatchString(key.Value) {
			f = &valueError{quote(key.Value) + " is not the name of a macro", ""}
		}
	default:
		d.gpus = append(d.gpus, key.Value)
		if strings.TrimSpace(key.Value) == "" {
			f = &valueError{"the name is empty", ""}
		}
	}
	if f != nil {
		d.suggest(key, f.message, f.suggestion)
		return "", false
	}
	return key.Value, true
}

// ruleFault returns what is wrong with a rule's id, or nil.
func (d *decoder) ruleFault(id string) *valueError {
	switch {
	case len(d.known.Rules) == 0 && ruleID().MatchString(id), slices.Contains(d.known.Rules, id):
		return nil
	case len(d.known.Rules) == 0:
		return &valueError{quote(id) + " is not the id of a rule", ""}
	}
	suggestion := didYouMean(nearest(id, d.known.Rules))
	if suggestion == "" {
		suggestion = `"occlint rules" lists them`
	}
	return &valueError{"there is no rule " + quote(id), suggestion}
}

func (d *decoder) parseVerdict(n *yaml.Node) (VerdictName, error) {
	known := d.known.Verdicts
	switch {
	case len(known) == 0 && ruleID().MatchString(n.Value), slices.Contains(known, n.Value):
		return VerdictName(n.Value), nil
	case len(known) == 0:
		return "", &valueError{quote(n.Value) + " is not the id of a verdict", ""}
	}
	suggestion := didYouMean(nearest(n.Value, known))
	if suggestion == "" {
		suggestion = "docs/profile.md lists them"
	}
	return "", &valueError{"there is no verdict " + quote(n.Value), suggestion}
}

func (d *decoder) parseRule(n *yaml.Node) (Rule, error) {
	if f := d.ruleFault(n.Value); f != nil {
		return "", f
	}
	return Rule(n.Value), nil
}

func (d *decoder) parseGPU(n *yaml.Node) (GPUName, error) {
	text, err := parseText(n)
	return GPUName(text), err
}

// pattern reads a name pattern.
func (d *decoder) pattern(n *yaml.Node, target any) bool {
	p := target.(**name.Pattern)
	text, err := parseText(n)
	if err == nil {
		*p, err = name.CompilePattern(text)
	}
	if err != nil {
		d.suggest(n, "match: "+name.Escape(err.Error()), suggestionOf(err))
		return false
	}
	return true
}

// bounds reads 256, [256], [256, 4] or [256, 4, 2].
func (d *decoder) bounds(s setting, n *yaml.Node, b *Bounds) bool {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	if len(items) == 0 || len(items) > 3 {
		d.suggest(n, s.key+": "+strconv.Itoa(len(items))+" numbers are not launch bounds", "write 256, [256, 4] or [256, 4, 2]")
		return false
	}
	into := []*int{&b.Threads, &b.MinBlocks, &b.ClusterBlocks}
	ok := true
	for i, item := range items {
		item = d.resolve(item)
		if item.Kind != yaml.ScalarNode {
			d.problem(item, s.key+": here must be a number, not "+kindOf(item))
			ok = false
			continue
		}
		least := int64(0) // a minimum of 0 blocks declares none
		if i == 0 {
			least = 1
		}
		v, err := parseCount(item, least)
		if err != nil {
			d.fail(item, s.key, err)
			ok = false
		}
		*into[i] = int(v)
	}
	return ok
}
