package report

import (
	"html"
	"strconv"

	"github.com/occlint/occlint/internal/name"
)

// escaped makes text from outside visible and safe on one line.
func escaped(s string) string { return name.Escape(s) }

// escapeHTML escapes s for text and for quoted attributes.
func escapeHTML(s string) string { return html.EscapeString(s) }

// seconds shows microseconds in seconds, as XML reports state time.
func seconds(us int64) string { return strconv.FormatFloat(float64(us)/1e6, 'f', 6, 64) }
