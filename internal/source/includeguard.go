package source

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
