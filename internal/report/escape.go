package report

import (
	"html"
	"strconv"

	"github.com/occlint/occlint/internal/name"
)

// escaped makes text from outside visible and safe on one line.
func escaped(s string) string { return name.Escape(s) }

// How much of a text the formats for people show, in characters. Real names of
// template libraries have some thousands at most; a log can have any. The
// formats for machines have them whole.
const (
	mostOfName = 1000
	mostOfText = 4000
)

// brief is escaped for a text that a person reads.
func brief(s string) string { return name.Brief(s, mostOfText) }

// briefName is brief for a kernel's name. Two names stay two.
func briefName(s string) string { return name.Brief(s, mostOfName) }

// escapeHTML escapes s for text and for quoted attributes.
func escapeHTML(s string) string { return html.EscapeString(s) }

// seconds shows microseconds in seconds, as XML reports state time.
func seconds(us int64) string { return strconv.FormatFloat(float64(us)/1e6, 'f', 6, 64) }
