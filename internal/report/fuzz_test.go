package report

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// FuzzHostileText puts one text wherever a log, a source or a config can bring
// text into a report, and reads every format back as its reader would.
func FuzzHostileText(f *testing.F) {
	for _, s := range []string{hostile, lineHostile, "_Z4tileILi3EEvPf", "", "a|b`c", "</details>", "]]>", "::error::", "=1+1",
		"\u2028\u2029\u0085", "\xf0\x28\x8c\x28", strings.Repeat("k<", 200), "operator[](int)", "\ufeff", "名前", "##[error]x", "::error file=x::pwn", " ::error::pwn", "a\u202e\u009b31m\x7f\U000e0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4096 {
			t.Skip("long names are bounded elsewhere")
		}
		in := hostileRun(s)
		out := map[string]string{}
		for _, name := range FormatNames() {
			out[name] = write(t, name, in)
			if !utf8.ValidString(out[name]) {
				t.Errorf("%s is not UTF-8", name)
			}
		}
		for _, table := range []string{"text", "csv", "markdown"} {
			var b bytes.Buffer
			if err := Show(&b, table, in, ShowOptions{}); err != nil {
				t.Fatal(err)
			}
			readLines(t, "show as "+table, b.String())
		}
		var b bytes.Buffer
		if err := Declared(&b, "text", in); err != nil {
			t.Fatal(err)
		}
		readLines(t, "declared", b.String())
		narrow := &textWriter{Writer: bufio.NewWriter(name.LineWriter(&b)), in: in, style: &term.Style{Width: 20}}
		list := blocks(in.shown(), true)
		advise(list)
		narrow.blocks(list)
		if err := narrow.Flush(); err != nil {
			t.Fatal(err)
		}
		readLines(t, "wrapped text", b.String())
		for _, name := range []string{"text", "oneline", "markdown", "github", "junit", "checkstyle"} {
			readLines(t, name, out[name])
		}
		for _, name := range []string{"junit", "checkstyle"} {
			readXML(t, name, out[name])
		}
		for format, show := range map[string]func(io.Writer, string, *Input) error{
			"show": func(w io.Writer, f string, in *Input) error { return Show(w, f, in, ShowOptions{}) }, "declared": Declared,
		} {
			var b bytes.Buffer
			if err := show(&b, "json", in); err != nil {
				t.Fatal(err)
			}
			out[format] = b.String()
		}
		for _, name := range []string{"json", "jsonl", "sarif", "gitlab", "show", "declared"} {
			if name != "jsonl" && !json.Valid([]byte(out[name])) {
				t.Errorf("%s is not JSON", name)
			}
			if strings.Contains(out[name], "##[") {
				t.Errorf("%s holds a command: %q", name, s)
			}
			if s := strings.ReplaceAll(out[name], "\n", ""); escaped(s) != s {
				t.Errorf("%s is not safe to show: %q", name, s)
			}
		}
		if n := strings.Count(strings.ToLower(out["html"]), "<script"); n != 2 {
			t.Errorf("html has %d scripts", n)
		}
		if n := strings.Count(strings.ToLower(out["html"]), "</script"); n != 2 {
			t.Errorf("html ends %d scripts", n)
		}
		b.Reset()
		if err := Show(&b, "csv", in, ShowOptions{}); err != nil {
			t.Fatal(err)
		}
		if records, err := csv.NewReader(&b).ReadAll(); err != nil || len(records) != 2 {
			t.Errorf("csv: %d records, %v", len(records), err)
		}
	})
}

// hostileRun is a run of one kernel and two findings that say s everywhere.
func hostileRun(s string) *Input {
	at := parse.Place{File: "dir/" + s, Line: 3, Column: 4}
	log := &parse.Log{
		Remarks: []parse.Remark{{Severity: parse.Warning, Text: s, Kernel: s, Place: at}},
		Faults:  []parse.Fault{{Kind: parse.FaultBuildFailed, Text: s, Place: at}},
	}
	log.Add(parse.Kernel{Name: s, Parent: s, Place: at, Class: &parse.Class{Arch: s, Kind: parse.Entry, Stage: parse.StagePtxas, Registers: parse.Some(8)}})
	origin := rules.Origin{From: rules.FromSource, Place: parse.Place{File: s, Line: 1}, Text: s}
	finding := rules.Finding{Rule: "spill-budget", Severity: rules.Error, Subject: s, Kernel: s, Parent: s, Arch: s, Message: s + " spills " + s,
		Value: 1, Unit: "bytes", Field: rules.FieldSpillStores, Place: at, Log: at, LogText: s, Declared: origin, Notes: []string{s, "note " + s}, Help: s}
	ofLog := finding
	ofLog.Rule, ofLog.Kernel, ofLog.Subject = "untrusted-log", "", ""
	suppressed := finding
	suppressed.Suppressed, suppressed.SuppressedBy = "because "+s, origin
	declared := &rules.Declaration{Message: rules.Field[string]{Value: s, Set: true, Origin: origin}}
	result := rules.ResultOf([]rules.Finding{ofLog, finding, suppressed},
		rules.Judgement{Kernel: log.Kernel(0), Record: log.Kernel(0), Compiled: -1, Declared: declared})
	result.Archs, result.Entries = []string{s}, 1
	return &Input{Log: log, Version: s, ConfigFile: s, Color: "never", Result: result}
}

// readLines looks at text as a terminal and a CI runner do.
func readLines(t *testing.T, name, out string) {
	t.Helper()
	for _, r := range out {
		if r != '\n' && r != '\u2060' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029') {
			t.Fatalf("%s holds %U", name, r)
		}
	}
	for _, line := range strings.Split(out, "\n") {
		command := strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[")
		if command && (name != "github" || workflowCommand.FindString(line) == "") {
			t.Errorf("%s: a line starts a command: %q", name, line)
		}
	}
}

func readXML(t *testing.T, name, out string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(out))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}
