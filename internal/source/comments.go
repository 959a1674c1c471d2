package source

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// Comments is what the `// occlint:` comments of one kernel say.
type Comments struct {
	Budgets []Budget
	Ignores []Ignore
}

// Budget is one field of a comment: spills=0.
type Budget struct {
	Field string // "spills", "registers", …: see commentFields
	Value string // as written, without blanks: "96KiB"
	Place parse.Place
	Text  string // the comment
}

// Ignore is one `// occlint:ignore RULE -- reason`.
type Ignore struct {
	Rule   string
	Reason string
	Place  parse.Place
	Text   string
}

// A Fault is a comment for occlint that can't be followed.
type Fault struct {
	Place parse.Place
	Text  string
}

func (f Fault) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", f.Place.File, f.Place.Line, f.Place.Column, f.Text)
}

// commentFields are the fields that a comment can set, with the operators that
// each takes.
var commentFields = sync.OnceValue(func() map[string]string {
	fields := map[string]string{"dynamic_shared": "=", "block": "="}
	for _, b := range rules.Budgets() {
		operators := "= <="
		if b.AtLeast {
			operators = "= >="
		}
		fields[b.Key] = operators
		if b.Group != "" {
			fields[b.Group] = operators
		}
	}
	return fields
})

// marker opens a comment for occlint.
const marker = "occlint:"

// parseComment reads a comment's text. ok is false when it is not for occlint.
func parseComment(c comment) (got Comments, faults []Fault, ok bool) {
	text := strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(c.text), "/!<"))
	rest, found := strings.CutPrefix(text, marker)
	if !found {
		return got, nil, false
	}
	place := c.pos.place()
	fault := func(format string, args ...any) {
		faults = append(faults, Fault{place, fmt.Sprintf(format, args...)})
	}
	if strings.ContainsAny(rest, "\n\r") {
		fault("a comment for occlint is one line")
		return got, faults, true
	}
	rest = strings.TrimSpace(rest)
	if after, isIgnore := strings.CutPrefix(rest, "ignore"); isIgnore && (after == "" || after[0] == ' ' || after[0] == '\t') {
		got.Ignores = parseIgnore(strings.TrimSpace(after), text, place, fault)
		return got, faults, true
	}
	if rest == "" {
		fault(`nothing follows %q: want budgets, such as "// occlint: spills=0 registers<=64", or "// occlint:ignore RULE -- reason"`, marker)
	}
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		at := strings.IndexAny(word, "<>=")
		if at < 0 {
			fault("%q is no budget: want FIELD=NUMBER, with %s", shortText(word), fieldList())
			continue
		}
		op := word[at : len(word)-len(strings.TrimLeft(word[at:], "<>="))]
		field, value := word[:at], word[at+len(op):]
		switch allowed, known := commentFields()[field]; {
		case !known:
			fault("%q is no field of a comment: there are %s", shortText(field), fieldList())
		case !slices.Contains(strings.Fields(allowed), op):
			fault("%s takes %s, not %q", field, strings.ReplaceAll(allowed, " ", " or "), shortText(op))
		case value == "":
			fault("%s has no number", field)
		case slices.ContainsFunc(got.Budgets, func(b Budget) bool { return b.Field == field }):
			fault("%s is set twice", field)
		default:
			got.Budgets = append(got.Budgets, Budget{field, value, place, text})
		}
	}
	return got, faults, true
}

// nearMiss says what keeps a comment from being one for occlint although it was
// meant as one; empty when it was not. A budget that nobody reads is worse than
// none.
func nearMiss(c comment) string {
	const tool = "occlint"
	for line := range strings.Lines(c.text) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "/!<* \t"))
		if len(line) < len(tool) || !strings.EqualFold(line[:len(tool)], tool) {
			continue
		}
		rest := line[len(tool):]
		exact := strings.HasPrefix(line, marker)
		if rest = strings.TrimSpace(strings.TrimLeft(rest, " \t:-=")); !exact && !instructs(rest) {
			continue
		}
		return fmt.Sprintf(`%q looks like a comment for occlint, and is not read: it must begin with "// %s" and be a comment of its own`, shortText(line), marker)
	}
	return ""
}

// instructs reports whether text begins as what follows the marker does: with
// a budget or an ignore.
func instructs(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	if strings.EqualFold(first, "ignore") {
		return strings.Contains(text, "--")
	}
	at := strings.IndexAny(text, "<>=")
	if at < 0 {
		return false
	}
	_, known := commentFields()[strings.ToLower(strings.TrimSpace(text[:at]))]
	return known
}

func parseIgnore(rest, text string, place parse.Place, fault func(string, ...any)) []Ignore {
	names, reason, found := strings.Cut(rest, "--")
	reason = strings.TrimSpace(reason)
	if !found || reason == "" {
		fault(`a reason is missing: "// occlint:ignore RULE -- why this is accepted"`)
		return nil
	}
	var all []Ignore
	for _, rule := range strings.FieldsFunc(names, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		all = append(all, Ignore{rule, reason, place, text})
	}
	if len(all) == 0 {
		fault(`a rule is missing: "// occlint:ignore RULE -- why this is accepted"`)
	}
	return all
}

func fieldList() string {
	var names []string
	for name := range commentFields() {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// attachComments gives each comment for occlint to the kernels on whose lines
// it stands, or above whose declaration.
func (u *unit) attachComments(files []*file) {
	for _, f := range slices.Compact(slices.Clone(files)) {
		if !f.outline.comments {
			continue
		}
		below := linesBelow(f)
		byLine := u.kernelsByLine(f)
		for _, c := range f.comments {
			got, faults, ok := parseComment(c)
			if !ok {
				if text := nearMiss(c); text != "" && !u.skipped(c.pos) {
					u.faults = append(u.faults, Fault{c.pos.place(), text})
				}
				continue
			}
			if u.skipped(c.pos) {
				continue
			}
			u.faults = append(u.faults, faults...)
			owners := byLine.on[c.pos.line]
			if len(owners) == 0 && c.alone {
				owners = byLine.from[below[c.last]]
			}
			if len(owners) == 0 && len(faults) == 0 && !u.broken {
				u.faults = append(u.faults, Fault{c.pos.place(), "no kernel stands on this line or begins below it"})
			}
			for _, k := range owners {
				if k.notes == nil {
					k.notes = &Comments{}
				}
				k.notes.Budgets = append(k.notes.Budgets, got.Budgets...)
				k.notes.Ignores = append(k.notes.Ignores, got.Ignores...)
			}
		}
	}
}

// linesBelow maps each line that comments alone fill to the first line below
// it that they do not.
func linesBelow(f *file) map[int32]int32 {
	below := map[int32]int32{}
	for i := len(f.comments) - 1; i >= 0; i-- {
		c := f.comments[i]
		if !c.alone {
			continue
		}
		next := c.last + 1
		if further, ok := below[next]; ok {
			next = further
		}
		for l := c.pos.line; l <= c.last; l++ {
			below[l] = next
		}
	}
	for _, t := range f.tokens {
		delete(below, t.pos.line) // code stands behind the comment
	}
	return below
}

// kernelLines finds the kernels of a file by line.
type kernelLines struct {
	on   map[int32][]*Kernel // every line of a declaration's head
	from map[int32][]*Kernel // its first line
}

// maxHeadLines is the longest head that comments are looked for in, in lines.
const maxHeadLines = 200

func (u *unit) kernelsByLine(f *file) kernelLines {
	lines := kernelLines{map[int32][]*Kernel{}, map[int32][]*Kernel{}}
	for _, k := range u.kernels {
		if k.first.file != f {
			continue
		}
		lines.from[k.first.line] = append(lines.from[k.first.line], k)
		for l := k.first.line; l <= min(k.lastLine, k.first.line+maxHeadLines); l++ {
			lines.on[l] = append(lines.on[l], k)
		}
	}
	return lines
}

// skipped reports whether a place lies in text that the preprocessor drops.
func (u *unit) skipped(p pos) bool {
	for _, r := range u.dropped {
		if r.from.file == p.file && r.from.offset <= p.offset && p.offset < r.to {
			return true
		}
	}
	return false
}

// span is a part of a file.
type span struct {
	from pos
	to   int32 // offset
}

// orphans is what was wrong with the unit's comments.
func (u *unit) orphans() []Fault { return u.faults }

// Faults lists the comments for occlint that can't be followed.
func (p *Project) Faults() []Fault {
	var all []Fault
	for _, u := range p.units {
		for _, f := range u.faults {
			if !slices.Contains(all, f) {
				all = append(all, f)
			}
		}
	}
	return all
}
