package name

import (
	"strings"
	"unicode/utf8"

	"github.com/ianlancetaylor/demangle"

	"github.com/occlint/occlint/internal/share"
)

// maxArgsWidth is the width, in characters, beyond which the template
// arguments that all names share are elided.
const maxArgsWidth = 40

// Shorten returns a short name for each of a list of mangled names: as little
// as tells it from all others in the list. It tries, in this order: the last
// part of the name ("saxpy"); with the template arguments that differ
// ("saxpy<float>", "gemm<…, 128, …>"); with all arguments; the qualified name;
// the whole declaration; the qualified name with the source file that an
// internal name holds ("(anonymous namespace)::hidden [basics_cu]"); the
// mangled name. Equal names get equal short ones,
// different names different ones. The result is not escaped.
func Shorten(mangled []string) []string {
	s := shortener{index: make(map[string]int, len(mangled))}
	for _, m := range mangled {
		if _, seen := s.index[m]; !seen {
			s.index[m] = len(s.names)
			s.names = append(s.names, described{mangled: m})
		}
	}
	const worthwhile = 256 // names; fewer are read before another thread has begun
	share.Do(len(s.names), share.Parts(len(s.names), worthwhile), func(_, from, to int) {
		for i := from; i < to; i++ {
			s.names[i] = describe(s.names[i].mangled)
		}
	})
	s.run()
	short := make([]string, len(mangled))
	for i, m := range mangled {
		short[i] = s.names[s.index[m]].short
	}
	return short
}

// described is a name with its parts.
type described struct {
	mangled string
	base    string   // last part, without arguments
	args    []string // template arguments of the last part; nil when it has none
	level   level
	short   string
}

// level is how much of a name is shown.
type level uint8

const (
	showBase level = iota
	showDifferent
	showArgs
	showQualified
	showDeclaration
	showUnit
	showMangled
)

func describe(mangled string) described {
	d := described{mangled: mangled, base: mangled}
	inner := innerStatic(mangled)
	ast, ok := parse(inner, demangle.NoParams)
	if !ok {
		d.base = plain(inner, mangled)
		return d
	}
	last := lastPart(declared(ast))
	if t, ok := last.(*demangle.Template); ok {
		d.base = show(lastPart(t.Name), mangled)
		d.args = make([]string, len(t.Args))
		for i, arg := range t.Args {
			d.args[i] = show(arg, "")
		}
		return d
	}
	d.base = show(last, mangled)
	return d
}

// lastPart takes the scopes off a name. What is local to a function keeps it:
// without it a lambda would be "operator()".
func lastPart(ast demangle.AST) demangle.AST {
	for {
		q, ok := ast.(*demangle.Qualified)
		if !ok || q.LocalName {
			return ast
		}
		ast = q.Name
	}
}

// text returns the name at a level. Levels other than showDifferent depend on
// the name alone.
func (d *described) text(at level) string {
	switch at {
	case showBase, showDifferent:
		return d.base
	case showArgs:
		return d.base + arguments(d.args)
	case showQualified:
		return Qualified(d.mangled)
	case showDeclaration:
		return Demangle(d.mangled)
	case showUnit:
		return Qualified(d.mangled) + unit(d.mangled)
	default:
		return d.mangled
	}
}

// unit returns the source file that a name with an id of internal linkage
// holds, " [basics_cu]", and nothing for other names.
func unit(mangled string) string {
	stable := Canonical(mangled)
	for _, mark := range []string{markAnonymous, markInternal, markStatic} {
		_, rest, ok := strings.Cut(stable, mark)
		if !ok {
			continue
		}
		if mark == markStatic {
			_, rest, _ = strings.Cut(rest, "__")
		}
		size, digits := number(rest)
		if digits > 0 && digits+1+size <= len(rest) {
			return " [" + rest[digits+1:digits+1+size] + "]"
		}
	}
	return ""
}

func arguments(args []string) string {
	if args == nil {
		return ""
	}
	return "<" + strings.Join(args, ", ") + ">"
}

type shortener struct {
	names []described
	index map[string]int // by mangled name
}

// run raises the level of all names that share their text with another one
// until no two share it. Mangled names are distinct, and each round raises at
// least two names, so it ends after as many rounds as there are levels.
func (s *shortener) run() {
	for i := range s.names {
		s.names[i].short = s.names[i].text(showBase)
	}
	for {
		clashes := s.clashes()
		if len(clashes) == 0 {
			return
		}
		for _, group := range clashes {
			s.raise(group)
		}
	}
}

// clashes returns the groups of names that are shown alike, in order of their
// first member.
func (s *shortener) clashes() [][]int {
	groups := make(map[string][]int, len(s.names))
	for i := range s.names {
		groups[s.names[i].short] = append(groups[s.names[i].short], i)
	}
	var clashing [][]int
	for i := range s.names {
		if g := groups[s.names[i].short]; len(g) > 1 && g[0] == i {
			clashing = append(clashing, g)
		}
	}
	return clashing
}

// raise shows more of each name of a group.
func (s *shortener) raise(group []int) {
	atBase := true
	for _, i := range group {
		atBase = atBase && s.names[i].level == showBase
	}
	if atBase {
		s.showDifferences(group)
		return
	}
	for _, i := range group {
		if d := &s.names[i]; d.level < showMangled {
			d.level++
			d.short = d.text(d.level)
		}
	}
}

// showDifferences shows the arguments in which the names of a group differ.
func (s *shortener) showDifferences(group []int) {
	first := s.names[group[0]].args
	differ := make([]bool, len(first))
	for _, i := range group {
		args := s.names[i].args
		if len(args) != len(first) {
			differ = nil
			break
		}
		for j := range args {
			differ[j] = differ[j] || args[j] != first[j]
		}
	}
	for _, i := range group {
		d := &s.names[i]
		d.level = showDifferent
		if differ == nil || width(d.args) <= maxArgsWidth {
			d.short = d.text(showArgs)
			continue
		}
		d.short = d.base + arguments(elide(d.args, differ))
	}
}

// elide replaces each run of arguments that are the same in all names by "…".
func elide(args []string, differ []bool) []string {
	var shown []string
	for i, arg := range args {
		switch {
		case differ[i]:
			shown = append(shown, arg)
		case len(shown) == 0 || shown[len(shown)-1] != "…":
			shown = append(shown, "…")
		}
	}
	return shown
}

// width returns how many characters a list of arguments takes.
func width(args []string) int {
	n := 0
	for _, arg := range args {
		n += utf8.RuneCountInString(arg) + len(", ")
	}
	return n
}
