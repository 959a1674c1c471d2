package name

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The longest patterns that are accepted, in bytes. A pattern can be a whole
// mangled name.
const (
	maxPatternBytes = 64 << 10
	maxRegexpBytes  = 4 << 10
	// maxRegexpSteps bounds the compiled form: short expressions with counts
	// ("(a{100}){100}") can be very large, and each character of a name
	// costs up to as many steps.
	maxRegexpSteps = 10_000
)

// Pattern selects kernels by name. It is one of
//
//   - a mangled name: _ZN3lin5saxpyIfEEviT_PKS1_PS1_
//   - a whole qualified name, without return type and parameters: lin::saxpy<float>
//   - either with wildcards: "*" is any text, also none and also across "::",
//     "<" and blanks; "?" is one character; a backslash before "*", "?" or a
//     backslash makes it plain
//   - "re:" and a regular expression (RE2 syntax), which must match the whole
//     name as if written between ^ and $
//
// Outside of regular expressions blanks count only between two words, so
// "k<int,(bool)1>" and "k<int, true>" are the same, as are the casts of
// cu++filt and the suffixes of c++filt ("(unsigned int)4", "4u"), and the ways
// to write an unnamed namespace. Names with ids of internal linkage are
// compared in their canonical form, so a mangled name from an older build
// matches today's.
type Pattern struct {
	text string

	// Of a pattern without "re:".
	raw    glob // against mangled names, with canonical ids
	asIs   glob // the same as written, when ids made a difference
	differ bool // raw and asIs differ
	tidy   glob // against normalized qualified names

	re    *regexp.Regexp
	holds string // occurs in each text that re matches: much cheaper to look for

	start    start
	hasStart bool   // names that begin otherwise don't match, see firstIdentifier
	needle   needle // occurs in each mangled name that can match; empty when unknown
}

// CompilePattern reads a pattern. The error says what is wrong in words that
// follow the pattern itself.
func CompilePattern(text string) (*Pattern, error) {
	switch {
	case text == "":
		return nil, errors.New("the pattern is empty; \"*\" matches every kernel")
	case len(text) > maxPatternBytes:
		return nil, fmt.Errorf("the pattern has %d bytes; at most %d are accepted", len(text), maxPatternBytes)
	case !utf8.ValidString(text):
		return nil, errors.New("the pattern is not valid UTF-8")
	case strings.ContainsRune(text, 0):
		return nil, errors.New("the pattern holds a NUL byte")
	}
	if expr, ok := strings.CutPrefix(text, "re:"); ok {
		return compileRegexp(text, expr)
	}
	wild, err := readWildcards(text)
	if err != nil {
		return nil, err
	}
	p := &Pattern{text: text}
	stable := Canonical(wild)
	p.raw, p.asIs, p.differ = newGlob(stable), newGlob(wild), stable != wild
	p.tidy = newGlob(normalize(stable))
	p.needle = globNeedle(wild)
	p.start, p.hasStart = p.globStart()
	return p, nil
}

func compileRegexp(text, expr string) (*Pattern, error) {
	if expr == "" {
		return nil, errors.New("nothing follows \"re:\"; write a regular expression that matches the whole name")
	}
	if len(expr) > maxRegexpBytes {
		return nil, fmt.Errorf("the regular expression has %d bytes; at most %d are accepted", len(expr), maxRegexpBytes)
	}
	// Compile alone first: the error then quotes what the user wrote, and a
	// stray parenthesis can't close ours.
	alone, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile("^(?:" + expr + ")$")
	if err != nil {
		return nil, err
	}
	if n := regexpSteps(expr); n > maxRegexpSteps {
		return nil, fmt.Errorf("the regular expression is too large: %d steps, at most %d are accepted; use smaller counts", n, maxRegexpSteps)
	}
	p := &Pattern{text: text, re: re}
	p.needle, p.holds = regexpTexts(expr)
	p.start, p.hasStart = regexpStart(alone.LiteralPrefix())
	return p, nil
}

// readWildcards turns "*" and "?" into marks and takes the backslashes off.
func readWildcards(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", errors.New("the pattern is blank; \"*\" matches every kernel")
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '*':
			b.WriteByte(wildAny)
		case '?':
			b.WriteByte(wildOne)
		case '\\':
			i++
			if i == len(text) || !strings.ContainsRune(`*?\`, rune(text[i])) {
				return "", errors.New(`a backslash stands before something else than "*", "?" or a backslash`)
			}
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}

// String returns the pattern as written.
func (p *Pattern) String() string { return p.text }

// Match reports whether the pattern selects the kernel of this mangled name.
func (p *Pattern) Match(mangled string) bool {
	c := candidate{mangled: mangled}
	return p.matchName(&c)
}

// candidate holds the spellings of one name, made when they are asked for.
type candidate struct {
	mangled string

	stable    string // canonical
	first     string // the identifier that shown begins with; empty when unknown
	shown     string // qualified, of the canonical name
	tidy      string // shown, normalized
	hasStable bool
	hasFirst  bool
	hasShown  bool
}

func (c *candidate) canonical() string {
	if !c.hasStable {
		c.stable, c.hasStable = Canonical(c.mangled), true
	}
	return c.stable
}

func (c *candidate) firstIdentifier() string {
	if !c.hasFirst {
		c.first, _ = firstIdentifier(c.mangled)
		c.hasFirst = true
	}
	return c.first
}

func (c *candidate) qualified() (shown, tidy string) {
	if !c.hasShown {
		c.shown, c.hasShown = Qualified(c.canonical()), true
		c.tidy = c.shown
		if c.shown != c.firstIdentifier() {
			c.tidy = normalize(c.shown)
		}
	}
	return c.shown, c.tidy
}

// matchName tries the spellings that cost nothing first.
func (p *Pattern) matchName(c *candidate) bool {
	if p.hasStart && c.firstIdentifier() != "" {
		// As a pattern with a start does not match what begins with "_Z".
		return p.start.fits(c.first) && p.matchShown(c)
	}
	if p.matchText(c.mangled) || p.differ && p.asIs.match(c.mangled) {
		return true
	}
	if stable := c.canonical(); stable != c.mangled && p.matchText(stable) {
		return true
	}
	return p.matchShown(c)
}

// matchText compares with a name that is not demangled.
func (p *Pattern) matchText(name string) bool {
	if p.re != nil {
		return p.matchRegexp(name)
	}
	return p.raw.match(name)
}

func (p *Pattern) matchRegexp(text string) bool {
	return strings.Contains(text, p.holds) && p.re.MatchString(text)
}

// matchShown compares with the qualified name; what is not mangled has none.
func (p *Pattern) matchShown(c *candidate) bool {
	shown, tidy := c.qualified()
	switch {
	case shown == c.stable:
		return false
	case p.re != nil:
		return p.matchRegexp(shown)
	default:
		return p.tidy.match(tidy)
	}
}
