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
	versions map[string]int    // how often a name was defined so far
	given    map[string]*macro // passed by the build with -D
	absent   map[string]bool   // known not to be passed
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
	sawElse bool
}

func newPreprocessor(given map[string]*macro, absent map[string]bool) *preprocessor {
	return &preprocessor{
		formulas: formulas{}, macros: map[string][]entry{}, versions: map[string]int{},
		given: maps.Clone(given), absent: absent, once: map[*file]bool{},
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
	f.load()
	p.files = append(p.files, f)
	p.depth++
	defer func() { p.depth-- }()
	base := len(p.conds)
	active := map[string]int{}
	toks := f.tokens
	for i := 0; i < len(toks) && !p.failed(); {
		if toks[i].first && toks[i].is("#") {
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
		for end < len(toks) && !(toks[end].first && toks[end].is("#")) {
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
	for i < len(toks) && !(toks[i].first && toks[i].is("#")) {
		i++
	}
	to := int32(len(f.text))
	if i < len(toks) {
		to = toks[i].pos.offset
	}
	p.dropped = append(p.dropped, span{toks[from].pos, to})
}

// lineEnd returns the index behind the last token of the line that begins at i.
func lineEnd(toks []token, i int) int {
	for i++; i < len(toks) && !toks[i].first; i++ {
	}
	return i
}

func (p *preprocessor) directive(f *file, line []token, at pos) {
	if len(line) == 0 || line[0].kind != ident {
		return
	}
	rest := line[1:]
	switch line[0].text {
	case "if":
		if f.guardBy != "" && len(p.macros[f.guardBy]) == 0 && guardName(line) == f.guardBy {
			p.ifCondition(func() *formula { return always })
			return
		}
		p.ifCondition(func() *formula { return p.condition(rest, at) })
	case "ifdef", "ifndef":
		p.ifCondition(func() *formula { return p.ifdef(f, rest, at, line[0].text == "ifndef") })
	case "elif":
		p.elif(func() *formula { return p.condition(rest, at) })
	case "elifdef", "elifndef":
		p.elif(func() *formula { return p.ifdef(nil, rest, at, line[0].text == "elifndef") })
	case "else":
		p.elif(nil)
	case "endif":
		p.endif()
	}
	if !p.active() {
		return
	}
	switch line[0].text {
	case "define":
		if m, ok := parseDefine(rest); ok {
			p.define(m.name, m)
		}
	case "undef":
		if len(rest) > 0 && rest[0].kind == ident {
			p.define(rest[0].text, nil)
		}
	case "include", "include_next", "import":
		p.include(f, rest, at)
	case "pragma":
		if len(rest) > 0 && rest[0].isIdent("once") {
			p.once[f] = true
		}
	}
}

func (p *preprocessor) ifdef(f *file, rest []token, at pos, negate bool) *formula {
	if len(rest) == 0 || rest[0].kind != ident {
		return never
	}
	name := rest[0].text
	if f != nil && negate && name == f.guardBy && len(p.macros[name]) == 0 {
		return always // an include guard, met for the first time
	}
	d := p.isDefined(name, at)
	if negate {
		return p.formulas.not(d)
	}
	return d
}

func (p *preprocessor) ifCondition(read func() *formula) {
	if !p.active() {
		p.conds = append(p.conds, condition{dead: true})
		return
	}
	p.conds = append(p.conds, condition{outer: p.guard, rest: p.guard})
	p.branch(read())
}

// branch begins a branch whose condition is f.
func (p *preprocessor) branch(f *formula) {
	c := &p.conds[len(p.conds)-1]
	c.active = false
	if c.taken {
		return
	}
	v := f.eval(c.rest.decide)
	if v == no {
		return
	}
	if v == yes {
		f = always
		c.taken = true
	}
	c.active = true
	p.guard = c.rest.under(f, true)
	c.rest = c.rest.under(f, false)
	if p.guard.length() > maxConditions {
		p.fail("more than %d conditions hold at one place", maxConditions)
		return
	}
	if c.taken && !c.entered {
		return // the only branch there is
	}
	kind := markBranch
	if !c.entered {
		kind, c.entered = markEnter, true
	}
	p.out = p.emit(p.out, token{kind: kind, guard: p.guard, pos: p.last})
}

// elif begins the next branch; a nil read is #else.
func (p *preprocessor) elif(read func() *formula) {
	if len(p.conds) == 0 {
		return
	}
	c := &p.conds[len(p.conds)-1]
	if c.dead || c.sawElse {
		c.active = false
		return
	}
	p.guard = c.rest
	if read == nil {
		c.sawElse = true
		p.branch(always)
		return
	}
	if c.taken {
		c.active = false
		return
	}
	p.branch(read())
}

func (p *preprocessor) endif() {
	if len(p.conds) == 0 {
		return
	}
	c := p.conds[len(p.conds)-1]
	if !c.dead {
		if c.entered && !c.taken { // the branch in which none of the conditions holds
			p.out = p.emit(p.out, token{kind: markBranch, guard: c.rest, pos: p.last})
		}
		if c.entered {
			p.out = p.emit(p.out, token{kind: markExit, guard: c.outer, pos: p.last})
		}
		p.guard = c.outer
	}
	p.conds = p.conds[:len(p.conds)-1]
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
		for _, t := range rest[1:] {
			if t.is(">") {
				break
			}
			name += t.text
		}
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

// includeGuard returns the macro that keeps a file from being read twice: the
// file's first directive asks for it, the second defines it, and the #endif
// that belongs to the first is the last thing in the file.
func includeGuard(toks []token) string {
	if len(toks) < 3 || !toks[0].is("#") {
		return ""
	}
	i := 0
	for i < len(toks) && toks[i].is("#") && i+1 < len(toks) && toks[i+1].isIdent("pragma") {
		i = lineEnd(toks, i)
	}
	end := lineEnd(toks, min(i, len(toks)-1))
	name := guardName(toks[min(i+1, end):end])
	if name == "" || end+2 >= len(toks) || !toks[end].is("#") || !toks[end+1].isIdent("define") || toks[end+2].text != name {
		return ""
	}
	if lineEnd(toks, end) > end+4 { // it has a value: a default, not a guard
		return ""
	}
	depth := 0
	for j := i; j < len(toks); j++ {
		if !toks[j].first || !toks[j].is("#") || j+1 >= len(toks) {
			continue
		}
		switch toks[j+1].text {
		case "if", "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
			if depth == 0 {
				if lineEnd(toks, j) == len(toks) {
					return name
				}
				return ""
			}
		case "else", "elif":
			if depth == 1 {
				return ""
			}
		}
	}
	return ""
}

// guardName returns the macro that a directive asks not to be defined: of
// #ifndef X, #if !defined(X) and #if !defined X.
func guardName(line []token) string {
	switch {
	case len(line) == 2 && line[0].isIdent("ifndef") && line[1].kind == ident:
		return line[1].text
	case len(line) < 4 || !line[0].isIdent("if") || !line[1].is("!") || !line[2].isIdent("defined"):
		return ""
	case len(line) == 4 && line[3].kind == ident:
		return line[3].text
	case len(line) == 6 && line[3].is("(") && line[4].kind == ident && line[5].is(")"):
		return line[4].text
	}
	return ""
}

func (g *guard) length() int {
	n := 0
	for ; g != nil; g = g.parent {
		n++
	}
	return n
}
