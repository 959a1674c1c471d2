package config

import (
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"github.com/occlint/occlint/internal/name"
)

// maxNodes bounds how many nodes are looked at. A file of the largest size
// has fewer; aliases that repeat large parts of it can have any number.
const maxNodes = 1 << 18

// spentAll marks that the problem is reported.
const spentAll = 1 << 30

// decoder reads a tree of nodes into a Config and collects what is wrong.
type decoder struct {
	file     string
	read     bool // the text is YAML, so that c says what the file does
	lines    []string
	known    Known
	problems []Problem
	nodes    int      // looked at so far
	gpus     []string // the names under custom_gpus
}

// problem records what is wrong at a node.
func (d *decoder) problem(n *yaml.Node, message string) { d.suggest(n, message, "") }

func (d *decoder) suggest(n *yaml.Node, message, suggestion string) {
	d.at(posOf(n), width(n), message, suggestion)
}

// at records what is wrong at a place.
func (d *decoder) at(pos Pos, width int, message, suggestion string) {
	p := Problem{Pos: pos, Message: message, Suggestion: suggestion, Width: width}
	if !pos.IsZero() && len(d.lines) > 0 {
		// The empty value of a document that ends at once lies behind the file.
		p.Pos = d.inside(pos)
		p.Line = d.lines[p.Pos.Line-1]
	}
	d.problems = append(d.problems, p)
}

// fail records a fault of the value of a key.
func (d *decoder) fail(n *yaml.Node, key string, err error) {
	message, suggestion := err.Error(), suggestionOf(err)
	if key != "" {
		message = name.Escape(key) + ": " + message
	}
	d.suggest(n, message, suggestion)
}

// suggestionOf returns what a fault suggests; other errors suggest nothing.
func suggestionOf(err error) string {
	var f *valueError
	if errors.As(err, &f) {
		return f.suggestion
	}
	return ""
}

func posOf(n *yaml.Node) Pos { return Pos{Line: n.Line, Column: n.Column} }

// width is how many characters of its line a node has, as far as it shows.
func width(n *yaml.Node) int {
	if n.Kind != yaml.ScalarNode || n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return 1
	}
	w := utf8.RuneCountInString(n.Value)
	if quoted(n) {
		w += 2
	}
	return max(w, 1)
}

// resolve follows an alias to what it stands for.
func (d *decoder) resolve(n *yaml.Node) *yaml.Node {
	d.nodes++
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

// spent reports, once, that aliases have made the file too large.
func (d *decoder) spent(n *yaml.Node) bool {
	if d.nodes < maxNodes {
		return false
	}
	if d.nodes < spentAll {
		d.nodes = spentAll
		d.problem(n, "the aliases of the file stand for more than "+strconv.Itoa(maxNodes)+" values; write less by anchors")
	}
	return true
}

// into reads a setting into what target points to.
func (d *decoder) into(target any, s setting) {
	if d.spent(s.node) {
		return
	}
	if r, ok := target.(reader); ok {
		r.read(d, s)
		return
	}
	switch v := reflect.ValueOf(target).Elem(); v.Kind() {
	case reflect.Slice:
		d.list(v, s)
	default:
		d.structure(v, s)
	}
}

// list reads a sequence into a slice.
func (d *decoder) list(v reflect.Value, s setting) {
	n := d.resolve(s.node)
	if n.Kind != yaml.SequenceNode {
		suggestion := ""
		if n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null" {
			suggestion = "write a list: [" + name.Escape(cut(render(n, 0), 40)) + "]"
		}
		d.suggest(n, s.key+" must be a list, not "+kindOf(n), suggestion)
		return
	}
	for _, item := range n.Content {
		if d.spent(item) {
			return
		}
		element := reflect.New(v.Type().Elem())
		before := len(d.problems)
		d.into(element.Interface(), setting{node: item, pos: posOf(item), min: s.min})
		if len(d.problems) == before {
			v.Set(reflect.Append(v, element.Elem()))
		}
	}
}

// member is a key that a mapping can have.
type member struct {
	key   string
	value reflect.Value
	tag   reflect.StructTag
}

// members lists the keys of a struct; those of an embedded one belong to it.
func members(v reflect.Value) []member {
	var list []member
	for i := range v.NumField() {
		field := v.Type().Field(i)
		key, option, _ := strings.Cut(field.Tag.Get("yaml"), ",")
		switch {
		case option == "inline":
			list = append(list, members(v.Field(i))...)
		case key != "-" && key != "":
			list = append(list, member{key, v.Field(i), field.Tag})
		}
	}
	return list
}

var posType = reflect.TypeFor[Pos]()

// structure reads a mapping into a struct.
func (d *decoder) structure(v reflect.Value, s setting) {
	n := d.resolve(s.node)
	known := members(v)
	if field := v.FieldByName("Pos"); field.IsValid() && field.Type() == posType {
		field.Set(reflect.ValueOf(posOf(s.node)))
	}
	found := make(map[string]bool) // also those that a misspelt key stands for
	for _, pair := range d.pairs(n, s.key) {
		key := pair.key.Value
		m, ok := memberOf(known, key)
		if !ok {
			found[d.unknown(pair.key, s.key, known)] = true
			continue
		}
		found[key] = true
		least, _ := strconv.ParseInt(m.tag.Get("min"), 10, 64)
		d.into(m.value.Addr().Interface(), setting{
			key: key, pos: posOf(pair.key), node: pair.value, min: least, names: m.tag.Get("keys"),
		})
		if value := d.resolve(pair.value); m.tag.Get("nonempty") != "" && value.Kind == yaml.SequenceNode && len(value.Content) == 0 {
			d.suggest(value, key+" is an empty list, which would leave nothing to judge", "remove the key for all")
		}
	}
	for _, m := range known {
		if need := m.tag.Get("need"); need != "" && !found[m.key] && n.Kind == yaml.MappingNode {
			d.suggest(n, m.key+" is missing", need)
		}
	}
}

func memberOf(known []member, key string) (member, bool) {
	for _, m := range known {
		if m.key == key {
			return m, true
		}
	}
	return member{}, false
}

// unknown reports a key that a mapping can't have: misspelt, or a key of
// another place. It returns the key that was meant, as far as one can tell.
func (d *decoder) unknown(key *yaml.Node, under string, known []member) (meant string) {
	words := make([]string, len(known))
	for i, m := range known {
		words[i] = m.key
	}
	message := "unknown key " + quote(key.Value)
	if under != "" {
		message += " under " + name.Escape(under)
	}
	meant = nearest(key.Value, words)
	suggestion := didYouMean(meant)
	if suggestion == "" {
		suggestion = elsewhere(key.Value)
	}
	if suggestion == "" && len(words) <= 12 {
		suggestion = "the keys are " + listing(words)
	}
	d.suggest(key, message, suggestion)
	return meant
}

// elsewhere says where a key belongs that is known in another place.
func elsewhere(key string) string {
	for _, place := range []struct {
		value any
		text  string
	}{
		{Limits{}, "it belongs under defaults or an entry of kernels"},
		{Kernel{}, "it belongs into an entry of kernels"},
		{Config{}, "it belongs to the top level, without indentation"},
		{Ignore{}, "it belongs into an entry of ignore"},
	} {
		if _, ok := memberOf(members(reflect.ValueOf(place.value)), key); ok {
			return place.text
		}
	}
	return ""
}

// pair is a key of a mapping with its value.
type pair struct{ key, value *yaml.Node }

// pairs returns what a mapping holds: its own keys and then those of the
// mappings that it merges ("<<"), as far as it does not have them itself.
func (d *decoder) pairs(n *yaml.Node, what string) []pair {
	n = d.resolve(n)
	if n.Kind != yaml.MappingNode {
		d.problem(n, mustBeMapping(what)+kindOf(n))
		return nil
	}
	var own, merged []pair
	first := make(map[string]Pos)
	for i := 0; i+1 < len(n.Content) && !d.spent(n); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		d.nodes++
		if key.Tag == "!!merge" {
			merged = append(merged, d.merges(value)...)
			continue
		}
		if key.Kind != yaml.ScalarNode {
			d.problem(key, "a key must be a word, not "+kindOf(key))
			continue
		}
		if at, again := first[key.Value]; again {
			d.problem(key, "the key "+quote(key.Value)+" is here a second time; the first is in line "+strconv.Itoa(at.Line))
			continue
		}
		first[key.Value] = posOf(key)
		own = append(own, pair{key, value})
	}
	for _, p := range merged {
		if _, have := first[p.key.Value]; !have {
			first[p.key.Value] = posOf(p.key)
			own = append(own, p)
		}
	}
	return own
}

// merges returns the pairs that the value of "<<" brings in: a mapping or a
// list of them, of which the first to have a key gives it.
func (d *decoder) merges(value *yaml.Node) []pair {
	n := d.resolve(value)
	sources := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		sources = n.Content
	}
	var list []pair
	for _, source := range sources {
		source = d.resolve(source)
		if source.Kind != yaml.MappingNode {
			d.problem(source, "\"<<\" takes a mapping or a list of mappings, not "+kindOf(source))
			continue
		}
		for i := 0; i+1 < len(source.Content) && !d.spent(source); i += 2 {
			d.nodes++
			if key := source.Content[i]; key.Kind == yaml.ScalarNode && key.Tag != "!!merge" {
				list = append(list, pair{key, source.Content[i+1]})
			} else {
				d.problem(key, "a mapping that is merged must hold plain keys only")
			}
		}
	}
	return list
}

func mustBeMapping(what string) string {
	if what == "" {
		return "here must be keys with values, not "
	}
	return name.Escape(what) + " must hold keys with values, not "
}

// kindOf names what a node is.
func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias of itself"
	default:
		return scalarKind(n)
	}
}

func scalarKind(n *yaml.Node) string {
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!int", "!!float":
		return "a number"
	case "!!bool":
		return "true or false"
	default:
		return "text"
	}
}

// scalarNode checks that a setting has one value of a plain kind; launch
// bounds can be a list too.
func (d *decoder) scalarNode(s setting, target any) (*yaml.Node, bool) {
	n := d.resolve(s.node)
	_, bounds := target.(*Bounds)
	_, macro := target.(*Macro)
	switch {
	case macro && isNull(n) && n.Value != "":
		return n, true // not passed; an empty value may be meant to be an empty macro
	case macro && isNull(n):
		d.suggest(n, label(s.key)+" has no value", `write "" for an empty macro, null for one that the build does not pass`)
	case bounds && n.Kind == yaml.SequenceNode:
		return n, true
	case n.Kind != yaml.ScalarNode:
		d.problem(n, label(s.key)+" must be one value, not "+kindOf(n))
	case n.ShortTag() == "!!null":
		d.suggest(n, label(s.key)+" has no value", "give it one, or remove the key")
	case !strings.HasPrefix(n.ShortTag(), "!!") || n.ShortTag() == "!!binary":
		d.problem(n, "the tag "+quote(n.Tag)+" means nothing here")
	default:
		return n, true
	}
	return nil, false
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

func label(key string) string {
	if key == "" {
		return "the item"
	}
	return name.Escape(key)
}
