package report

import (
	"embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/rules"
)

// What the program prints for each rule's example, with the example's config
// and files on disk. The program's own test runs them and writes the files
// (go test ./cmd/occlint -update-docs): it alone reads configs and sources, and
// a page can't state what the program does not print.
//
//go:embed examples/*.txt
var examples embed.FS

// ExampleFile is where the output of a rule's example is kept, from this
// package's directory.
func ExampleFile(rule string) string { return "examples/" + rule + ".txt" }

// ExampleArgs are the arguments that a rule's example is run with.
func ExampleArgs(r *rules.Rule) []string {
	args := slices.Clone(r.Example.Args)
	if r.Default <= rules.Info {
		args = append(args, "--show-info")
	}
	if r.Example.Binary != "" {
		args = append(args, "--binary", r.Example.Binary)
	}
	return append(args, exampleLog)
}

// exampleLog is what the example's log is called in its output.
const exampleLog = "build.log"

// exampleCommand is what a reader types to see a rule's example.
func exampleCommand(r *rules.Rule) string { return "occlint " + strings.Join(ExampleArgs(r), " ") }

// exampleOutput is what the program prints for a rule's example, without a
// line break at its end.
func exampleOutput(r *rules.Rule) string {
	text, err := examples.ReadFile(ExampleFile(r.ID))
	if err != nil {
		return r.Example.Finding // a rule that is being written
	}
	return strings.TrimRight(string(text), "\n")
}

// Compiled when explain asks: a gate needs neither.
var (
	exampleHeadline = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(error|warning|info)(: .*?)(\[[a-z-]+\])$`)
	})
	exampleMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^  (--> | \|  | = )(.*)$`) })
)

// paintExample gives the lines of an output their looks, and wraps them as a
// terminal of so many columns would have them.
func paintExample(text string, style *term.Style, columns int) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		lines = append(lines, paintExampleLine(line, style, columns)...)
	}
	return lines
}

func paintExampleLine(line string, style *term.Style, columns int) []string {
	if m := exampleHeadline().FindStringSubmatch(line); m != nil {
		word, rest, rule := m[1], m[2], m[3]
		severity, _ := rules.ParseSeverity(word) // one of the pattern's
		wrapped := hang(word+rest+rule, style, columns, len(word)+2)
		for i, l := range wrapped {
			head, tail := "", ""
			if i == 0 {
				head, l = look(style, severity)(word), strings.TrimPrefix(l, word)
			}
			if text, ok := strings.CutSuffix(l, rule); ok && i == len(wrapped)-1 {
				l, tail = text, style.Code(rule)
			}
			wrapped[i] = head + style.Strong(l) + tail
		}
		return wrapped
	}
	m := exampleMark().FindStringSubmatch(line)
	if m == nil {
		return hang(line, style, columns, 0)
	}
	mark, rest := m[1], m[2]
	wrapped := term.Wrap(style.Text(rest), columns-len(indent)-len(mark))
	for i, l := range wrapped {
		switch {
		case mark == "--> ":
			l = style.Place(l)
		case mark == " |  ":
			l = style.Faint(l)
		case i == 0 && strings.HasPrefix(l, "help:"):
			l = style.Good("help:") + strings.TrimPrefix(l, "help:")
		}
		if i == 0 {
			wrapped[i] = indent + style.Place(mark) + l
		} else {
			wrapped[i] = strings.Repeat(" ", len(indent)+len(mark)) + l
		}
	}
	return wrapped
}

// hang wraps a line, its other lines so many columns further in.
func hang(line string, style *term.Style, columns, by int) []string {
	wrapped := term.Wrap(style.Text(line), columns-by)
	for i := 1; i < len(wrapped); i++ {
		wrapped[i] = strings.Repeat(" ", by) + wrapped[i]
	}
	return wrapped
}
