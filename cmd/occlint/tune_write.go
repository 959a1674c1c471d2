package main

import (
	"io"

	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/internal/tune"
)

func (t *tuner) write(w io.Writer, format string, r *tune.Result) error {
	switch format {
	case "json":
		return r.File().WriteJSON(w)
	case "csv":
		return r.File().WriteCSV(w)
	case "markdown":
		return r.File().WriteMarkdown(w)
	case "svg":
		return r.File().WriteSVG(w)
	case "html":
		return r.File().WriteHTML(w)
	}
	style := term.Plain()
	if w == t.Stdout {
		style = term.New(w, t.color, t.Env)
	}
	return r.WriteText(w, style, t.ascii || !isTerminal(w))
}
