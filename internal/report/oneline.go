package report

import (
	"bufio"
	"strings"
)

// writeOneline writes each finding on a line of its own, as compilers do:
// FILE:LINE:COLUMN: SEVERITY: MESSAGE [RULE]. Editors, grep and problem
// matchers read it.
func writeOneline(w *bufio.Writer, in *Input) error {
	style := in.style()
	for _, f := range in.shown() {
		at := place(anchor(f))
		if at == "" {
			at = "occlint"
		}
		word := look(style, f.Severity)(f.Severity.String())
		line := []string{style.Strong(style.Text(at) + ":"), " ", word, ": ", style.Text(in.message(f)), " ", style.Code("[" + f.Rule + "]"), "\n"}
		if _, err := w.WriteString(strings.Join(line, "")); err != nil {
			return err
		}
	}
	return nil
}
