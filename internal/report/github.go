package report

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/occlint/occlint/rules"
)

// githubPerStep is how many annotations of each kind GitHub shows of one step;
// it drops the others without a word.
const githubPerStep = 10

// writeGitHub writes workflow commands that annotate a pull request, worst
// first. Info is never annotated.
func writeGitHub(w *bufio.Writer, in *Input) error {
	left := map[rules.Severity]int{rules.Error: githubPerStep, rules.Warning: githubPerStep}
	hidden := 0
	for _, b := range in.messages(in.open()) {
		f := b.worst
		if f.Severity < rules.Warning {
			continue
		}
		if left[f.Severity] == 0 {
			hidden++
			continue
		}
		left[f.Severity]--
		if err := in.annotate(w, b); err != nil {
			return err
		}
	}
	if hidden > 0 {
		_, err := fmt.Fprintf(w, "%s not annotated: GitHub shows %d errors and %d warnings of a step; the text report has all\n",
			plural(hidden, "more message"), githubPerStep, githubPerStep)
		return err
	}
	return nil
}

func (in *Input) annotate(w *bufio.Writer, b *block) error {
	f := b.worst
	at := anchor(f)
	var properties []string
	if isFile(at.File) {
		properties = append(properties, "file="+commandProperty(escaped(at.File)))
		if at.Line > 0 {
			properties = append(properties, "line="+itoa(at.Line))
			if at.Column > 0 {
				properties = append(properties, "col="+itoa(at.Column))
			}
		}
	}
	properties = append(properties, "title="+commandProperty("occlint: "+f.Rule))
	lines := []string{in.message(f)}
	if log := place(f.Log); log != "" && f.LogText != "" {
		lines = append(lines, log+": "+brief(f.LogText))
	}
	lines = append(lines, in.facts(b)...)
	for _, help := range b.helps() {
		lines = append(lines, "help: "+help)
	}
	_, err := fmt.Fprintf(w, "::%s %s::%s\n", f.Severity, strings.Join(properties, ","), commandData(strings.Join(lines, "\n")))
	return err
}

// isFile tells a file's name from what stands for a stream: "<stdin>", or
// "<make>" for a build's output.
func isFile(name string) bool {
	return name != "" && (!strings.HasPrefix(name, "<") || !strings.HasSuffix(name, ">"))
}

// commandData escapes the text of a workflow command.
func commandData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// commandProperty escapes a property's value, which also ends at : and ,.
func commandProperty(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
