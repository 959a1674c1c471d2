package report

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/parse"
)

const (
	profileSamples = "../../testdata/profile"
	profileDoc     = "../../docs/profile.md"
)

func openSample(t *testing.T, name string) io.Reader {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(profileSamples, name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return bytes.NewReader(data)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// profileOf judges a sample.
func profileOf(t *testing.T, reportFile, logFile string) *judge.Result {
	t.Helper()
	var log parse.Log
	if err := log.Read(openSample(t, logFile), logFile); err != nil {
		t.Fatal(err)
	}
	var records []judge.Record
	for _, k := range log.Kernels() {
		records = append(records, judge.Record{
			Name: k.Name, Arch: k.Arch, Registers: int(k.Registers.Or(arch.Unknown)), SharedBytes: int(k.SharedBytes.Or(0)),
			Barriers: int(k.Barriers.Or(arch.Unknown)), SpillStoreBytes: int(k.SpillStoreBytes.Or(arch.Unknown)),
			SpillLoadBytes: int(k.SpillLoadBytes.Or(arch.Unknown)), StackBytes: int(k.StackBytes.Or(arch.Unknown)), File: k.Place.File, Line: k.Place.Line,
		})
	}
	j := judge.New(records, judge.Options{Table: arch.Builtin(), Thresholds: judge.Defaults()})
	if _, err := profile.Read(openSample(t, reportFile), reportFile, j.Add, nil); err != nil {
		t.Fatal(err)
	}
	return j.Result()
}

// printedExample is what the text report has of a verdict's example.
func printedExample(t *testing.T, d judge.Doc) string {
	t.Helper()
	if d.Example.Report == "" {
		return "(none of the reports in testdata/profile has such a launch)"
	}
	r := profileOf(t, d.Example.Report, d.Example.Log)
	i := slices.IndexFunc(r.Kernels, func(k judge.Kernel) bool { return slices.Contains(k.IDs, d.Example.ID) })
	if i < 0 {
		t.Fatalf("%s has no launch %s", d.Example.Report, d.Example.ID)
	}
	if r.Kernels[i].Verdict != d.Verdict {
		t.Errorf("the example of %s is %s: %s", d.Verdict, r.Kernels[i].Verdict, r.Kernels[i].Message)
	}
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	p := &profileWriter{result: r, style: &term.Style{Unicode: true, Width: 120}}
	p.block(w, &r.Kernels[i])
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(b.String())
}

// The verdicts in docs/profile.md are their own text with what is printed of
// real launches.
func TestProfileDoc(t *testing.T) {
	text, err := os.ReadFile(profileDoc)
	if err != nil {
		t.Fatal(err)
	}
	const marker = ": from here -->\n"
	hand, have, ok := strings.Cut(string(text), marker)
	if !ok {
		t.Fatal("the marker before the verdicts is gone")
	}
	want := VerdictsMarkdown(judge.Docs(), func(d judge.Doc) string { return printedExample(t, d) })
	if *update {
		if err := os.WriteFile(profileDoc, []byte(hand+marker+want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("docs/profile.md (-want +got); go test ./internal/report -update writes it:\n%s", diff)
	}
}

// What a terminal shows of a verdict is in the document.
func TestExplainVerdictIsTheDoc(t *testing.T) {
	text, err := os.ReadFile(profileDoc)
	if err != nil {
		t.Fatal(err)
	}
	words := func(s string) string { return strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "")), " ") }
	doc := words(string(text))
	for _, d := range judge.Docs() {
		shown := words(ExplainVerdict(d, &term.Style{Unicode: true}))
		for _, part := range []string{d.Title, d.When, d.Why, d.Do, d.Example.Change} {
			if !strings.Contains(doc, words(part)) || !strings.Contains(shown, words(part)) {
				t.Errorf("%s: %q is not in both", d.Verdict, part)
			}
		}
	}
}
