package source

import (
	"fmt"
	"maps"
	"strings"
)

// preprocessor turns one source file and what it includes into one run of
// tokens. Where a condition can't be decided both branches stay, between
// marks.
type preprocessor struct {
	open     func(from *file, name string, quoted bool) *file // nil: not in the project
	formulas formulas
	macros   map[string][]entry
	versions map[string]int      // how often a name was defined so far
	given    map[string]*macro   // passed by the build with -D
	absent   map[string]bool     // known not to be passed
	asked    map[string]*formula // names that a condition asked for, with that condition
	pushed   map[string][]saved  // by #pragma push_macro
	guard    *guard
	conds    []condition
	once     map[*file]bool
	missing  []include // includes that are not in the project
	files    []*file   // every file that went in, the source file first
	out      []token
	includes int
	depth    int
	spent    int
	problem  string
	last     pos
	dropped  []span // text that conditions leave out
}

// include is an #include that names no file of the project.
type include struct {
	name string
	pos  pos
}

// condition is one #if … #endif that is being read.
type condition struct {
	outer   *guard // around it
	rest    *guard // outer, and none of the conditions so far
	dead    bool   // the whole of it is skipped
	taken   bool   // a branch was certain: no later one counts
	active  bool   // the present branch counts
	entered bool   // a mark was written
	at      int    // where, among the tokens that come out
	sawElse bool
}

func newPreprocessor(given map[string]*macro, absent map[string]bool) *preprocessor {
	return &preprocessor{
		formulas: formulas{}, macros: map[string][]entry{}, versions: map[string]int{},
		given: maps.Clone(given), absent: absent, once: map[*file]bool{}, asked: map[string]*formula{}, pushed: map[string][]saved{},
	}
}

// fail ends the work on this source file. The first problem counts.
func (p *preprocessor) fail(format string, args ...any) {
	if p.problem == "" {
		p.problem = fmt.Sprintf(format, args...)
	}
}

func (p *preprocessor) failed() bool { return p.problem != "" }

func (p *preprocessor) active() bool {
	return len(p.conds) == 0 || p.conds[len(p.conds)-1].active
}

// file reads one file: runs of text between directives.
func (p *preprocessor) file(f *file) {
	if p.once[f] || f.guardBy != "" && p.isDefined(f.guardBy, pos{}).eval(p.guard.decide) == yes && len(p.macros[f.guardBy]) > 0 {
		return
	}
	if p.depth >= maxIncludeDepth {
		p.fail("includes nest more than %d deep", maxIncludeDepth)
		return
	}
	p.files = append(p.files, f)
	p.depth++
	defer func() { p.depth-- }()
	base := len(p.conds)
	active := map[string]int{}
	toks := f.lines
	if f.whole {
		toks = f.tokens
	}
	for i := 0; i < len(toks) && !p.failed(); {
		if opensDirective(toks[i]) {
			end := lineEnd(toks, i)
			p.last = toks[i].pos
			p.directive(f, toks[i+1:end], toks[i].pos)
			if !p.active() {
				p.drop(f, toks, i, end)
			}
			i = end
			continue
		}
		end := i + 1
		for end < len(toks) && !opensDirective(toks[end]) {
			end++
		}
		if p.active() {
			p.last = toks[i].pos
			p.out = p.expand(p.out, toks[i:end], active, 0)
		}
		i = end
	}
	for len(p.conds) > base { // an #if without its #endif ends with its file
		p.endif()
	}
}

// drop records that the text from a directive to the next one does not count.
func (p *preprocessor) drop(f *file, toks []token, from, i int) {
	for i < len(toks) && !opensDirective(toks[i]) {
		i++
	}
	to := int32(len(f.text))
	if i < len(toks) {
		to = toks[i].pos.offset
	}
	p.dropped = append(p.dropped, span{toks[from].pos, to})
}

func opensDirective(t token) bool { return t.first && t.is("#") }

// lineEnd returns the index behind the last token of the line that begins at i.
func lineEnd(toks []token, i int) int {
	for i++; i < len(toks) && !toks[i].first; i++ {
	}
	return i
}

func (p *preprocessor) include(f *file, rest []token, at pos) {
	if len(rest) > 0 && rest[0].kind == ident {
		rest = p.expand(nil, rest, map[string]int{}, 0)
	}
	if len(rest) == 0 {
		return
	}
	name, quoted := "", rest[0].kind == str
	switch {
	case quoted:
		name = strings.Trim(rest[0].text, `"`)
	case rest[0].is("<"):
		var b strings.Builder
		for _, t := range rest[1:] {
			if t.is(">") {
				break
			}
			b.WriteString(t.text)
		}
		name = b.String()
	}
	if name == "" {
		p.missing = append(p.missing, include{spell(rest), at})
		return
	}
	if p.includes++; p.includes > maxIncludes {
		p.fail("more than %d includes", maxIncludes)
		return
	}
	included := p.open(f, name, quoted)
	if included == nil {
		p.missing = append(p.missing, include{name, at})
		return
	}
	p.file(included)
	p.last = at
}

func (g *guard) length() int {
	n := 0
	for ; g != nil; g = g.parent {
		n++
	}
	return n
}
