package compare

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/name"
)

// fault records what is wrong at a node, and what to do where suggestion is
// not empty.
func (r *baselineReader) fault(n *yaml.Node, suggestion, format string, args ...any) {
	p := config.Problem{
		Pos:        config.Pos{Line: max(n.Line, 1), Column: max(n.Column, 1)},
		Message:    name.Escape(fmt.Sprintf(format, args...)),
		Suggestion: suggestion,
		Width:      1,
	}
	if n.Kind == yaml.ScalarNode && n.Style == 0 {
		p.Width = max(1, utf8.RuneCountInString(n.Value))
	}
	if p.Pos.Line <= len(r.lines) {
		p.Line = strings.TrimRight(r.lines[p.Pos.Line-1], "\r")
	}
	r.problems = append(r.problems, p)
}

// inConflict reports the marks that git leaves in a file that two sides
// changed. Some of them are YAML.
func (r *baselineReader) inConflict() bool {
	for i, line := range r.lines {
		if strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ") || strings.HasPrefix(line, "=======") {
			r.fault(&yaml.Node{Line: i + 1}, "merge the two sides, or write the baseline anew", "a merge left its marks")
			return true
		}
	}
	return false
}

func (r *baselineReader) unknownKey(k *yaml.Node, key string, known ...string) {
	r.fault(k, cmp.Or(didYouMean(key, known), "there are "+strings.Join(known, ", ")), "no key %q here", key)
}

// didYouMean suggests the known word that is nearest, where one is near.
func didYouMean(word string, known []string) string {
	if near := config.Nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

func kindWord(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias, which a baseline can't have"
	default:
		if n.Value == "" || n.Tag == "!!null" {
			return "empty"
		}
		return "a single value"
	}
}

// notYAML takes the place out of the YAML library's error.
func (r *baselineReader) notYAML(err error) {
	var many *yaml.LoadErrors
	if errors.As(err, &many) && len(many.Errors) > 0 {
		err = many.Errors[0]
	}
	var one *yaml.LoadError
	if errors.As(err, &one) {
		r.fault(&yaml.Node{Line: one.Mark.Line, Column: one.Mark.Column}, "", "not YAML: %s", one.Message)
		return
	}
	r.fault(&yaml.Node{}, "", "not YAML: %v", err)
}
