package source

import (
	"strconv"
	"strings"
)

// macro is one #define.
type macro struct {
	name     string
	function bool
	params   []string
	variadic bool // the last parameter takes all that is left
	body     []token
	pos      pos
	// external marks a macro that only the build can know.
	external bool
}

// entry is what one #define or #undef left behind.
type entry struct {
	guard *guard
	macro *macro // nil: undefined
}

// alternative is one thing that a name can mean at a place, and when.
type alternative struct {
	when  *formula
	macro *macro // nil: no macro, the name itself
}

// define records a #define (or with a nil m an #undef) at the present place.
func (p *preprocessor) define(name string, m *macro) {
	entries := p.macros[name]
	if p.guard == nil {
		entries = entries[:0:0]
	}
	if len(entries) >= maxMacroEntries {
		p.fail("%s is defined more than %d times under conditions", name, maxMacroEntries)
		return
	}
	p.macros[name] = append(entries, entry{p.guard, m})
	p.versions[name]++
}

// plain returns what name means when that is one macro whatever the conditions
// are, as for most names. A nil macro with true: the name is none.
func (p *preprocessor) plain(name string) (*macro, bool) {
	entries := p.macros[name]
	switch {
	case len(entries) == 0:
		return p.given[name], true
	case len(entries) == 1 && entries[0].guard == nil:
		return entries[0].macro, true
	}
	return nil, false
}

// meanings lists what name can mean at the present place. Nil: it is no macro.
func (p *preprocessor) meanings(name string) []alternative {
	if m, ok := p.plain(name); ok {
		if m == nil && len(p.macros[name]) == 0 {
			return nil
		}
		return []alternative{{always, m}}
	}
	entries := p.macros[name]
	var found []alternative
	rest := always
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		switch p.guard.implies(e.guard) {
		case no:
			continue
		case yes:
			return append(found, alternative{rest, e.macro})
		default:
		}
		when := e.guard.formula(p.formulas, p.guard)
		if both := p.formulas.and(rest, when); both != never {
			found = append(found, alternative{both, e.macro})
		}
		rest = p.formulas.and(rest, p.formulas.not(when))
		if rest == never {
			return found
		}
	}
	return append(found, p.outside(name, rest)...)
}

// outside lists what name means when no #define of the project decides.
func (p *preprocessor) outside(name string, rest *formula) []alternative {
	if m, ok := p.given[name]; ok {
		return []alternative{{rest, m}}
	}
	passed := p.passed(name, pos{})
	var found []alternative
	for _, a := range []alternative{
		{p.formulas.and(rest, passed), &macro{name: name, external: true}},
		{p.formulas.and(rest, p.formulas.not(passed)), nil},
	} {
		if a.when.eval(p.guard.decide) != no {
			found = append(found, a)
		}
	}
	return found
}

// passed is the condition that the build passes name with -D, or that a
// header that is not there defines it.
func (p *preprocessor) passed(name string, at pos) *formula {
	if v := predefined(name); v != unknown {
		return constant(v == yes)
	}
	if p.absent[name] {
		return never
	}
	if arch := archMacro(name); arch {
		return p.formulas.atomOf("defined "+name, "defined("+name+")", at, []token{{kind: ident, text: name}})
	}
	f := p.formulas.atomOf("defined "+name, "defined("+name+")", at, nil)
	p.asked[name] = f
	return f
}

// isDefined is the condition that name is a macro at the present place.
func (p *preprocessor) isDefined(name string, at pos) *formula {
	alternatives := p.meanings(name)
	if alternatives == nil {
		return p.passed(name, at)
	}
	f := never
	for _, a := range alternatives {
		if a.macro != nil {
			f = p.formulas.or(f, a.when)
		}
	}
	return f
}

// parseDefine reads what follows #define.
func parseDefine(line []token) (*macro, bool) {
	if len(line) == 0 || line[0].kind != ident {
		return nil, false
	}
	m := &macro{name: line[0].text, pos: line[0].pos, body: line[1:]}
	if len(line) < 2 || !line[1].is("(") || line[1].space {
		return m, true
	}
	m.function = true
	for i := 2; i < len(line); i++ {
		switch t := line[i]; {
		case t.is(")"):
			m.body = line[i+1:]
			return m, true
		case t.is("..."):
			m.variadic = true
			if line[i-1].kind != ident { // not the named form, args...
				m.params = append(m.params, "__VA_ARGS__")
			}
		case t.kind == ident:
			m.params = append(m.params, t.text)
		}
	}
	return nil, false
}

// param returns the index of the parameter that t names, or -1.
func (m *macro) param(t token) int {
	if t.kind == ident {
		for i, name := range m.params {
			if name == t.text {
				return i
			}
		}
	}
	return -1
}

// substitute returns m's body with the arguments in place of the parameters:
// raw beside # and ##, expanded elsewhere.
func (m *macro) substitute(p *preprocessor, at token, raw [][]token, expanded func(int) []token) []token {
	out := make([]token, 0, len(m.body))
	paste := false // the next operand is joined to the last token of out
	add := func(toks []token) {
		if paste && len(out) > 0 && len(toks) > 0 {
			joined := pasteTokens(out[len(out)-1], toks[0])
			out = append(out[:len(out)-1], joined...)
			toks = toks[1:]
		}
		paste = false
		out = append(out, toks...)
		if len(out) > maxExpansion {
			p.fail("the macro %s expands to more than %d tokens", m.name, maxExpansion)
			out = out[:0]
		}
	}
	for i := 0; i < len(m.body); i++ {
		t := m.body[i]
		if p.failed() {
			return nil
		}
		if t.is("##") {
			paste = true
			continue
		}
		if m.function && t.is("#") && i+1 < len(m.body) {
			if n := m.param(m.body[i+1]); n >= 0 {
				add([]token{{kind: str, text: strconv.Quote(spell(raw[n])), space: t.space}})
				i++
				continue
			}
		}
		if m.variadic && t.isIdent("__VA_OPT__") && i+1 < len(m.body) && m.body[i+1].is("(") {
			end := matching(m.body, i+1)
			if len(raw[len(raw)-1]) > 0 && end > i+1 {
				inner := *m
				inner.body = m.body[i+2 : end]
				add(inner.substitute(p, at, raw, expanded))
			}
			i = max(end, i+1)
			continue
		}
		if n := m.param(t); n >= 0 {
			if paste || i+1 < len(m.body) && m.body[i+1].is("##") {
				// GNU: a comma pasted to an empty variable argument goes away.
				if paste && len(raw[n]) == 0 && len(out) > 0 && out[len(out)-1].is(",") {
					out = out[:len(out)-1]
				}
				if paste && len(out) > 0 && out[len(out)-1].is(",") {
					paste = false // , ## __VA_ARGS__ joins nothing
				}
				add(raw[n])
				paste = false
			} else {
				add(expanded(n))
			}
			continue
		}
		add([]token{t})
	}
	for i := range out {
		out[i].pos, out[i].made, out[i].first = at.pos, true, false
	}
	return out
}

// pasteTokens joins two tokens into one, or leaves them apart when together
// they are none.
func pasteTokens(a, b token) []token {
	text := a.text + b.text
	f := lex("", text)
	if len(f.tokens) != 1 || len(f.comments) > 0 {
		return []token{a, b}
	}
	a.text, a.kind, a.blue = text, f.tokens[0].kind, false
	return []token{a}
}

// spell writes tokens as text, with single blanks where white space was.
func spell(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if t.isMark() {
			continue
		}
		if i > 0 && t.space {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// matching returns the index of the bracket that closes the one at open, or -1.
func matching(toks []token, open int) int {
	depth := 0
	for i := open; i < len(toks); i++ {
		if toks[i].kind != punct {
			continue
		}
		switch toks[i].text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}
