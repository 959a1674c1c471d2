package source

import "slices"

// templateHead strips template<…> clauses and returns the parameters of the
// last one, which are those of the declaration itself, after those of the
// classes around it.
func templateHead(toks []token) ([]token, []param) {
	var params []param
	for len(toks) > 1 && toks[0].isIdent("template") && toks[1].is("<") {
		end := angle(toks, 1)
		if end < 0 {
			return toks, params
		}
		params = append(params, templateParams(toks[2:end])...)
		toks = toks[end+1:]
		if len(toks) > 1 && toks[0].isIdent("requires") {
			toks = skipRequires(toks[1:])
		}
	}
	return toks, params
}

// skipRequires steps over a constraint: operands in brackets or names, joined
// by && and ||.
func skipRequires(toks []token) []token {
	for len(toks) > 0 {
		i := 0
		if toks[0].is("(") {
			if i = matching(toks, 0); i < 0 {
				return nil
			}
			i++
		} else {
			for i < len(toks) && (toks[i].kind == ident || toks[i].is("::")) {
				i++
				if i < len(toks) && toks[i].is("<") {
					if end := angle(toks, i); end > 0 {
						i = end + 1
						if i >= len(toks) || !toks[i].is("::") {
							break
						}
					}
				}
			}
		}
		if i >= len(toks) || !toks[i].is("&&") && !toks[i].is("||") {
			return toks[i:]
		}
		toks = toks[i+1:]
	}
	return nil
}

func templateParams(toks []token) []param {
	params := []param{}
	for _, p := range split(toks) {
		if len(p) == 0 {
			continue
		}
		var one param
		for i, t := range p {
			if t.is("=") {
				one.fallback = slices.Clone(p[i+1:])
				p = p[:i]
				break
			}
		}
		for i, t := range p {
			one.pack = one.pack || t.is("...")
			if i > 0 && t.kind == ident && i == len(p)-1 {
				one.name = t.text
			}
		}
		if len(p) > 0 {
			switch p[0].text {
			case "class", "typename", "template":
				// typename T::type N is a value, typename T a type.
				one.isType = p[0].text != "typename" || len(p) < 3 || one.pack && len(p) == 3
			default:
				// An enumeration and a name, or a concept and a name: only the
				// mangled name can tell, and it does.
				_, one.integral = integers[typeText(integerType(p[:max(1, len(p)-1)]))]
			}
		}
		params = append(params, one)
	}
	return params
}

// maxAngle is the longest template argument list that is read, in tokens.
const maxAngle = 2048

// angle returns the index of the > that closes the < at open, or -1.
func angle(toks []token, open int) int {
	depth := 0
	for i := open; i < min(len(toks), open+maxAngle); i++ {
		t := toks[i]
		if t.kind != punct {
			continue
		}
		switch t.text {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return i
			}
		case "(", "[", "{":
			end := matching(toks, i)
			if end < 0 {
				return -1
			}
			i = end
		case ";", ")", "]", "}":
			return -1
		case "<<":
			if depth == 0 {
				return -1
			}
		}
	}
	return -1
}

// split cuts tokens at the commas that stand in no bracket.
func split(toks []token) [][]token {
	var parts [][]token
	from := 0
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if t.kind != punct {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			end := matching(toks, i)
			if end < 0 {
				return append(parts, toks[from:])
			}
			i = end
		case "<":
			if end := angle(toks, i); end > 0 {
				i = end
			}
		case ",":
			parts = append(parts, toks[from:i])
			from = i + 1
		}
	}
	return append(parts, toks[from:])
}

// splitPlain cuts at commas outside of round, square and curly brackets.
func splitPlain(toks []token) [][]token {
	var parts [][]token
	from := 0
	for i := 0; i < len(toks); i++ {
		switch {
		case toks[i].is("(") || toks[i].is("[") || toks[i].is("{"):
			if end := matching(toks, i); end > 0 {
				i = end
			}
		case toks[i].is(","):
			parts = append(parts, toks[from:i])
			from = i + 1
		}
	}
	return append(parts, toks[from:])
}

// skipAttributes steps over attributes at the beginning of toks.
func skipAttributes(toks []token) []token {
	for len(toks) > 0 {
		n := attributeAt(toks, 0)
		if n == 0 {
			return toks
		}
		toks = toks[n:]
	}
	return toks
}

// attributeAt returns how many tokens the attribute at i has, 0 when there is
// none.
func attributeAt(toks []token, i int) int {
	t := toks[i]
	if t.is("[") && i+1 < len(toks) && toks[i+1].is("[") {
		if end := matching(toks, i); end > 0 {
			return end + 1 - i
		}
		return 0
	}
	if t.kind != ident {
		return 0
	}
	switch t.text {
	case "__attribute__", "__declspec", "alignas", "__align__", "decltype", "noexcept", "_Pragma", "__pragma", "explicit":
		if i+1 < len(toks) && toks[i+1].is("(") {
			if end := matching(toks, i+1); end > 0 {
				return end + 1 - i
			}
		}
		if t.text == "noexcept" || t.text == "explicit" {
			return 1
		}
	}
	return 0
}
