package config

import (
	"strconv"
	"time"

	"go.yaml.in/yaml/v4"
)

// Pos is a place in a file, which is named as the config's own. Line and
// Column count from 1, columns in characters. The zero Pos is unknown.
type Pos struct {
	Line, Column int
	File         string
}

// IsZero reports an unknown place.
func (p Pos) IsZero() bool { return p.Line == 0 }

// Field is one setting. The zero Field is one that the file does not have.
type Field[T any] struct {
	Value T
	Set   bool
	// Pos is where the setting begins: its key, or the item of a list.
	Pos Pos
	// Text is the setting as a person would write it on one line:
	// "launch_bounds: [256, 4]".
	Text string

	at Pos // of the value
}

// Entry is one key of a Map.
type Entry[T any] struct {
	Key   string
	Pos   Pos // of the key
	Value T
}

// Map holds the entries of a mapping whose keys are free, in file order.
type Map[T any] []Entry[T]

// Arch is the name of an architecture as written: "sm_90a", "compute_90" or "9.0".
type Arch string

// GPUName is the name of a device: "H100-SXM".
type GPUName string

// Rule is a rule's id: "spill-budget".
type Rule string

// VerdictName is the id of a verdict of occlint profile: "spills-hot".
type VerdictName string

// Glob selects files: "src/**/*.cu".
type Glob string

// Macro is the text that a macro stands for.
type Macro string

// NotPassed is the Macro of `NAME: null`: the build does not pass NAME, which
// decides the #ifdefs that ask for it.
const NotPassed Macro = "\x00"

// Bytes is a size in bytes.
type Bytes int64

// Percent is a share of 100.
type Percent float64

// Bandwidth is in bytes per second.
type Bandwidth float64

// Hertz is a frequency in cycles per second.
type Hertz float64

// Severity is what the findings of a rule count as.
type Severity string

// The severities.
const (
	Off     Severity = "off"
	Info    Severity = "info"
	Warning Severity = "warning"
	Error   Severity = "error"
)

var severities = []string{string(Off), string(Info), string(Warning), string(Error)}

// Bounds are launch bounds. MinBlocks 0 declares no minimum, ClusterBlocks 0
// no cluster size.
type Bounds struct {
	Threads       int // the most threads per block
	MinBlocks     int // the fewest resident blocks per SM
	ClusterBlocks int // the most blocks per cluster
}

// Spills are budgets for bytes of spill stores and of spill loads. Either can
// be missing.
type Spills struct {
	Stores Field[Bytes]
	Loads  Field[Bytes]
}

// reader is a type that reads itself from a node. key is the key that the
// value stands under and pos where the setting begins.
type reader interface {
	read(d *decoder, s setting)
}

// setting is a value with what its surroundings say of it.
type setting struct {
	key   string
	pos   Pos
	node  *yaml.Node
	min   int64  // the least number
	names string // what the keys of a map are
}

func (f *Field[T]) read(d *decoder, s setting) {
	n, ok := d.scalarNode(s, &f.Value)
	if !ok {
		return
	}
	if !d.value(s, n, &f.Value) {
		return
	}
	f.Set, f.Pos, f.Text, f.at = true, s.pos, s.text(), posOf(n)
}

// value reads one value into the type that target points to.
func (d *decoder) value(s setting, n *yaml.Node, target any) bool {
	var err error
	switch t := target.(type) {
	case *int:
		var v int64
		v, err = parseCount(n, s.min)
		*t = int(v)
	case *Bytes:
		var v int64
		v, err = parseBytes(n, s.min)
		*t = Bytes(v)
	case *Percent:
		*t, err = parsePercent(n)
	case *Bandwidth:
		*t, err = parseBandwidth(n)
	case *Hertz:
		*t, err = parseHertz(n)
	case *time.Time:
		*t, err = parseDate(n)
	case *string:
		*t, err = parseText(n)
	case *bool:
		*t, err = parseBool(n)
	case *Macro:
		*t = Macro(n.Value)
		if isNull(n) {
			*t = NotPassed
		}
	case *Severity:
		*t, err = parseSeverity(n)
	case *Arch:
		*t, err = parseArch(n)
	case *Glob:
		*t, err = parseGlob(n)
	case *GPUName:
		*t, err = d.parseGPU(n)
	case *Rule:
		*t, err = d.parseRule(n)
	case *VerdictName:
		*t, err = d.parseVerdict(n)
	case *Bounds:
		return d.bounds(s, n, t)
	default:
		return d.pattern(n, target)
	}
	if err != nil {
		d.fail(n, s.key, err)
		return false
	}
	return true
}

func (m *Map[T]) read(d *decoder, s setting) {
	for _, pair := range d.pairs(s.node, s.key) {
		key, ok := d.mapKey(pair.key, s.names)
		if !ok {
			continue
		}
		entry := Entry[T]{Key: key, Pos: posOf(pair.key)}
		before := len(d.problems)
		d.into(&entry.Value, setting{key: key, pos: entry.Pos, node: pair.value})
		if len(d.problems) == before {
			*m = append(*m, entry)
		}
	}
}

func (f *Spills) read(d *decoder, s setting) {
	n := d.resolve(s.node)
	if n.Kind != yaml.MappingNode {
		var both Field[Bytes]
		both.read(d, s)
		f.Stores, f.Loads = both, both
		return
	}
	var parts struct {
		Stores Field[Bytes] `yaml:"stores"`
		Loads  Field[Bytes] `yaml:"loads"`
	}
	d.into(&parts, s)
	f.Stores, f.Loads = parts.Stores, parts.Loads
	for _, part := range []*Field[Bytes]{&f.Stores, &f.Loads} {
		if part.Set {
			part.Text = s.key + ": {" + part.Text + "}"
		}
	}
	if len(n.Content) == 0 {
		d.problem(n, s.key+" is empty; write a number, or {stores: 16, loads: 16}")
	}
}

// text renders a setting on one line.
func (s setting) text() string {
	value := render(s.node, 0)
	if s.key == "" {
		return value
	}
	return s.key + ": " + value
}

// render writes a node as a person would on one line, cut where it is long.
func render(n *yaml.Node, depth int) string {
	const longest = 200
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		n = n.Alias
	}
	var text string
	switch {
	case n.Kind == yaml.ScalarNode && n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		text = strconv.Quote(n.Value)
	case n.Kind == yaml.ScalarNode:
		text = n.Value
	case n.Kind == yaml.SequenceNode && depth < 4:
		text = "["
		for i, item := range n.Content {
			if i > 0 {
				text += ", "
			}
			if text += render(item, depth+1); len(text) > longest {
				break
			}
		}
		text += "]"
	default:
		text = "{…}"
	}
	return cut(text, longest)
}

// cut shortens a text to at most so many bytes, between characters.
func cut(text string, longest int) string {
	if len(text) <= longest {
		return text
	}
	for longest > 0 && text[longest]&0xC0 == 0x80 {
		longest--
	}
	return text[:longest] + "…"
}
