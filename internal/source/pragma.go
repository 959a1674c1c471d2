package source

import "strconv"

// saved is what a name meant where #pragma push_macro kept it.
type saved struct {
	entries []entry
	sure    bool // no condition was open
}

// pragma follows push_macro("X") and pop_macro("X").
func (p *preprocessor) pragma(toks []token) {
	if len(toks) < 4 || !toks[1].is("(") || toks[2].kind != str {
		return
	}
	name, err := strconv.Unquote(toks[2].text)
	if err != nil {
		return
	}
	switch toks[0].text {
	case "push_macro":
		p.pushed[name] = append(p.pushed[name], saved{append([]entry(nil), p.macros[name]...), p.guard == nil})
	case "pop_macro":
		stack := p.pushed[name]
		if len(stack) == 0 {
			return
		}
		top := stack[len(stack)-1]
		p.pushed[name] = stack[:len(stack)-1]
		if top.sure && p.guard == nil {
			p.macros[name] = top.entries
			p.versions[name]++
			return
		}
		// Under a condition the name may or may not have its old meaning.
		p.define(name, &macro{name: name, external: true})
	}
}

// pragmaOperator follows _Pragma("push_macro(\"X\")"), whose brackets are next
// in x. They stay for those who read attributes.
func (x *expansion) pragmaOperator() {
	f := &x.frames[len(x.frames)-1]
	if f.i+1 >= len(f.toks) || !f.toks[f.i].is("(") || f.toks[f.i+1].kind != str {
		return
	}
	if text, err := strconv.Unquote(f.toks[f.i+1].text); err == nil {
		x.p.pragma(lex("", text).tokens)
	}
}
