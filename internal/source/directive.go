package source

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
		p.pragma(rest)
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
		kind, c.entered, c.at = markEnter, true, len(p.out)
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
		if c.entered && onlyMarks(p.out[c.at:]) {
			p.out = p.out[:c.at] // the condition is about other files
		} else if c.entered {
			p.out = p.emit(p.out, token{kind: markExit, guard: c.outer, pos: p.last})
		}
		p.guard = c.outer
	}
	p.conds = p.conds[:len(p.conds)-1]
}

func onlyMarks(toks []token) bool {
	for _, t := range toks {
		if !t.isMark() {
			return false
		}
	}
	return true
}
