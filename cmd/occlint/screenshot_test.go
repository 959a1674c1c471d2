package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestScreenshot keeps docs/occlint.svg, the picture in the README, equal to
// what occlint prints in a terminal of 100 columns; -update-docs rewrites it.
func TestScreenshot(t *testing.T) {
	root := mustAbs(t, filepath.Join("..", ".."))
	dir := t.TempDir()
	for from, to := range map[string]string{
		"testdata/kernels/bounds.cu":               "bounds.cu",
		"testdata/ptxas/nvcc13.0/bounds-sm_90.log": "build.log",
	} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(from)))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, to), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{"COLUMNS": "100", "OCCLINT_COLOR": "always"}
	var out bytes.Buffer
	a := &app{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Dir: dir, Env: func(key string) string { return env[key] }}
	args := []string{"--source", "bounds.cu", "build.log"}
	if code := a.Run(args); code != exitFindings {
		t.Fatalf("exit code %d:\n%s", code, out.String())
	}
	// The beginning and the verdict: what fits into a picture.
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	shown := append([]string{"$ occlint " + strings.Join(args, " ")}, firstMessages(lines, 3)...)
	for _, line := range lines {
		if strings.Contains(line, "kernels on") {
			shown = append(shown, "\x1b[2m…\x1b[0m", "", line)
		}
	}
	got := terminalSVG(shown, 100)
	path := filepath.Join(root, "docs", "occlint.svg")
	if *updateDocs {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update-docs writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("docs/occlint.svg is not what occlint prints (go test -update-docs; -shown +printed):\n%s", diff)
	}
}

// firstMessages are the lines of the first n messages, which blank lines end.
func firstMessages(lines []string, n int) []string {
	for i, line := range lines {
		if line == "" {
			if n--; n == 0 {
				return lines[:i+1]
			}
		}
	}
	return lines
}

var (
	ansiSequence = regexp.MustCompile("\x1b\\[([0-9;]*)m")
	// A dark terminal's colours by their codes.
	ansiLook = map[string]string{"1": "font-weight:700", "2": "opacity:.65", "31": "fill:#ff7b72", "32": "fill:#56d364",
		"33": "fill:#e3b341", "34": "fill:#79c0ff", "35": "fill:#d2a8ff", "36": "fill:#76e3ea"}
)

// terminalSVG draws coloured lines as a terminal shows them.
func terminalSVG(lines []string, columns int) string {
	const advance, leading, margin = 8.0, 19, 16
	width, height := int(advance*float64(columns))+2*margin, leading*len(lines)+2*margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="occlint in a terminal">`+"\n", width, height, width, height)
	b.WriteString(`<rect width="100%" height="100%" rx="8" fill="#0d1117"/>` + "\n" +
		`<g fill="#e6edf3" font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13">` + "\n")
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", margin, margin+leading*i+14, terminalSpans(line))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

func terminalSpans(line string) string {
	var b strings.Builder
	look := ""
	write := func(text string) {
		text = strings.ReplaceAll(text, " ", "\u00a0") // SVG draws a run of blanks as one
		switch {
		case text == "":
		case look == "":
			b.WriteString(html.EscapeString(text))
		default:
			fmt.Fprintf(&b, `<tspan style="%s">%s</tspan>`, look, html.EscapeString(text))
		}
	}
	at := 0
	for _, m := range ansiSequence.FindAllStringSubmatchIndex(line, -1) {
		write(line[at:m[0]])
		at = m[1]
		var looks []string
		for _, code := range strings.Split(line[m[2]:m[3]], ";") {
			if l, ok := ansiLook[code]; ok {
				looks = append(looks, l)
			}
		}
		look = strings.Join(looks, ";") // a sequence that ends a look names none
	}
	write(line[at:])
	return b.String()
}
