package main

import (
	"html/template"
	"io"
	"os"

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

// tunedSection is what the results of --tuned show in the HTML report.
func (g *gate) tunedSection() (section template.HTML, err error) {
	for _, path := range g.output.tuned {
		file, err := os.Open(g.path(path))
		if err != nil {
			return "", usageError("--tuned: %w", err)
		}
		f, err := tune.ReadJSON(file)
		_ = file.Close() // read only
		if err != nil {
			return "", usageError("--tuned %s: %w", path, err)
		}
		part, err := f.Section()
		if err != nil {
			return "", usageError("--tuned %s: %w", path, err)
		}
		section += part
	}
	return section, nil
}
