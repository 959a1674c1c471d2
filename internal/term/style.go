// Package term decides how one output stream is written for people. In go the
// stream, the wish of --color and the environment; out come colour or none,
// the width to wrap at, and the signs that the stream's charset has. It is
// decided once per stream, so stdout and stderr can differ.
package term

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/fatih/color"
	xterm "golang.org/x/term"
)

// Style is how one stream is written. Use New; the zero Style writes plain,
// unwrapped ASCII.
type Style struct {
	Color   bool
	Unicode bool // false: signs outside ASCII are spelt with ASCII
	Width   int  // columns to wrap at; 0 never wraps
}

// Plain returns the style of a file: no colour, no wrapping, UTF-8.
func Plain() *Style { return &Style{Unicode: true} }

// New decides the style of w. mode is auto, always or never; anything else
// counts as auto. env looks up an environment variable and may be nil.
//
// In auto, NO_COLOR wins over CLICOLOR_FORCE and FORCE_COLOR, and those win
// over what w is; a terminal gets colour unless TERM is dumb or CLICOLOR is 0.
// The width is the terminal's, else COLUMNS, else none: a pipe or a file keeps
// each message on its line, which is what grep and a log viewer want.
func New(w io.Writer, mode string, env func(string) string) *Style {
	if env == nil {
		env = func(string) string { return "" }
	}
	fd, isTerminal := terminal(w)
	s := &Style{Unicode: utf8Locale(env)}
	switch mode {
	case "always":
		s.Color = true
	case "never":
	default:
		s.Color = autoColor(isTerminal, env)
	}
	if s.Color && isTerminal && !escapes(fd) && mode != "always" {
		s.Color = false
	}
	if isTerminal {
		if width, _, err := xterm.GetSize(fd); err == nil {
			s.Width = width
		}
	}
	if s.Width == 0 {
		if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n > 0 {
			s.Width = n
		}
	}
	return s
}

// terminal returns w's descriptor when w is a terminal.
func terminal(w io.Writer) (fd int, ok bool) {
	f, ok := w.(*os.File)
	if !ok || f == nil {
		return 0, false
	}
	fd = int(f.Fd())
	return fd, xterm.IsTerminal(fd)
}

func autoColor(isTerminal bool, env func(string) string) bool {
	if env("NO_COLOR") != "" {
		return false
	}
	if v := env("CLICOLOR_FORCE"); v != "" && v != "0" {
		return true
	}
	// FORCE_COLOR holds a level in some tools and a truth value in others.
	if v := strings.ToLower(env("FORCE_COLOR")); v != "" {
		return v != "0" && v != "false"
	}
	return isTerminal && env("TERM") != "dumb" && env("CLICOLOR") != "0"
}

// utf8Locale reads the charset as C programs do: the first of LC_ALL,
// LC_CTYPE and LANG that is set. None set is usual in containers and CI, whose
// log viewers read UTF-8.
func utf8Locale(env func(string) string) bool {
	for _, key := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		v := strings.ToLower(env(key))
		if v == "" {
			continue
		}
		if _, charset, ok := strings.Cut(v, "."); ok {
			return strings.HasPrefix(charset, "utf-8") || strings.HasPrefix(charset, "utf8")
		}
		return v != "c" && v != "posix"
	}
	return true
}

// A role is what a piece of text means. Meaning never rests on colour alone:
// each role is also told by a word, a sign or a place.
type role []color.Attribute

var (
	roleError   = role{color.FgRed, color.Bold}
	roleWarning = role{color.FgYellow, color.Bold}
	roleInfo    = role{color.FgCyan, color.Bold}
	roleGood    = role{color.FgGreen, color.Bold}
	roleStrong  = role{color.Bold}
	rolePlace   = role{color.FgBlue, color.Bold}
	roleFaint   = role{color.Faint}
	roleCode    = role{color.FgMagenta}
)

// Error returns text in the look of an error.
func (s *Style) Error(text string) string { return s.paint(roleError, text) }

// Warning returns text in the look of a warning.
func (s *Style) Warning(text string) string { return s.paint(roleWarning, text) }

// Info returns text in the look of a remark.
func (s *Style) Info(text string) string { return s.paint(roleInfo, text) }

// Good returns text in the look of what is well or helps.
func (s *Style) Good(text string) string { return s.paint(roleGood, text) }

// Strong returns text in the look of a heading.
func (s *Style) Strong(text string) string { return s.paint(roleStrong, text) }

// Place returns text in the look of a place in a file.
func (s *Style) Place(text string) string { return s.paint(rolePlace, text) }

// Faint returns text in the look of what matters less.
func (s *Style) Faint(text string) string { return s.paint(roleFaint, text) }

// Code returns text in the look of a word of the program: a rule, a key.
func (s *Style) Code(text string) string { return s.paint(roleCode, text) }

// paint colours line by line, so that no escape sequence spans a line end.
func (s *Style) paint(r role, text string) string {
	if !s.Color || text == "" {
		return text
	}
	// The library looks at the process's stdout and environment; this stream's
	// own decision has to be set on each value.
	c := color.New(r...)
	c.EnableColor()
	if !strings.Contains(text, "\n") {
		return c.Sprint(text)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = c.Sprint(line)
		}
	}
	return strings.Join(lines, "\n")
}

// signs spells with ASCII what our own messages use beyond it.
var signs = strings.NewReplacer(
	"×", "x", "÷", "/", "·", "-", "•", "*", "…", "...", "–", "-", "—", "-", "−", "-",
	"≤", "<=", "≥", ">=", "≈", "~", "→", "->", "←", "<-", "⌈", "ceil(", "⌉", ")", "⌊", "floor(", "⌋", ")",
	"’", "'", "‘", "'", "“", `"`, "”", `"`, "µ", "u", "\u00a0", " ", "\u202f", " ",
)

// Text returns text in signs that the stream's charset has: unchanged in
// UTF-8, else with our signs spelt out and any other rune as \u{hex}.
func (s *Style) Text(text string) string {
	if s.Unicode || isASCII(text) {
		return text
	}
	text = signs.Replace(text)
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteString(`\u{` + strconv.FormatInt(int64(r), 16) + `}`)
		}
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
