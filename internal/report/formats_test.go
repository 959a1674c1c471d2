package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

func validate(t *testing.T, schemaFile, document string) {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	schema, err := c.Compile(filepath.Join("testdata", schemaFile))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		t.Fatalf("not JSON: %v\n%s", err, document)
	}
	if err := schema.Validate(v); err != nil {
		t.Errorf("%s: %v", schemaFile, err)
	}
}

type sarifRead struct {
	Runs []struct {
		Tool struct {
			Driver struct{ Rules []struct{ ID string } }
		}
		Invocations []struct {
			Notifications []struct{ Message struct{ Text string } } `json:"toolExecutionNotifications"`
		}
		Results []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI, URIBaseID string }
				}
			}
			PartialFingerprints map[string]string
			Suppressions        []struct{ Kind, Justification string }
		}
	}
}

func TestSARIFIsValid(t *testing.T) {
	in := fixture()
	out := write(t, "sarif", in)
	validate(t, "sarif-schema-2.1.0.json", out)
	var log sarifRead
	if err := json.Unmarshal([]byte(out), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	// Ten findings but the one of severity info, and the two that are suppressed.
	if len(run.Results) != 11 {
		t.Fatalf("%d results, want 11", len(run.Results))
	}
	for _, r := range run.Results {
		if rule := run.Tool.Driver.Rules[r.RuleIndex].ID; rule != r.RuleID {
			t.Errorf("rule index of %s leads to %s", r.RuleID, rule)
		}
		if len(r.Locations) == 0 || strings.HasPrefix(r.Locations[0].PhysicalLocation.ArtifactLocation.URI, "/") {
			t.Errorf("%s has no relative location", r.Message.Text)
		}
		if strings.Contains(r.Message.Text, "](") {
			t.Errorf("a message holds a link: %s", r.Message.Text)
		}
		if r.PartialFingerprints["primaryLocationLineHash"] == "" {
			t.Errorf("%s has no fingerprint", r.Message.Text)
		}
	}
	last := run.Results[len(run.Results)-2:]
	for i, want := range []struct{ kind, why string }{{"external", "as of the first run"}, {"inSource", "cold path, 2 % of runtime"}} {
		if s := last[i].Suppressions; len(s) != 1 || s[0].Kind != want.kind || s[0].Justification != want.why {
			t.Errorf("suppression %d = %v, want %v", i, s, want)
		}
	}
}

func TestSARIFKeepsTheWorst(t *testing.T) {
	in := fixture()
	worst := in.Result.Findings[0]
	mild := in.Result.Findings[6]
	in.Result.Findings = nil
	for range 5010 {
		in.Result.Findings = append(in.Result.Findings, mild)
	}
	in.Result.Findings = append(in.Result.Findings, worst)
	var log sarifRead
	if err := json.Unmarshal([]byte(write(t, "sarif", in)), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results) != 5000 || run.Results[0].Level != "error" {
		t.Errorf("%d results, the first is %s", len(run.Results), run.Results[0].Level)
	}
	if n := run.Invocations[0].Notifications; len(n) != 1 || !strings.Contains(n[0].Message.Text, "11 results") {
		t.Errorf("what was left out is not said: %v", n)
	}
}

func TestFileURI(t *testing.T) {
	tests := []struct{ file, want, base string }{
		{"src/a b.cu", "src/a%20b.cu", srcRoot},
		{"src/100%.cu", "src/100%25.cu", srcRoot},
		{"src/名.cu", "src/%E5%90%8D.cu", srcRoot},
		{"./src//a.cu", "src/a.cu", srcRoot},
		{`src\win.cu`, "src/win.cu", srcRoot},
		{"/abs/a.cu", "file:///abs/a.cu", ""},
		{"C:/x/a.cu", "file:///C%3A/x/a.cu", ""},
		{"a:b.cu", "a%3Ab.cu", srcRoot},
	}
	for _, tt := range tests {
		l := sarifPhysicalOf(parse.Place{File: tt.file, Line: 1})
		if l.Artifact.URI != tt.want || l.Artifact.BaseID != tt.base {
			t.Errorf("%s: %+v, want %s in %q", tt.file, l.Artifact, tt.want, tt.base)
		}
	}
	if sarifPhysicalOf(parse.Place{File: "<stdin>", Line: 3}) != nil {
		t.Error("a pipe is no file")
	}
}

// workflowCommand is how the Actions runner reads a command's line.
var workflowCommand = regexp.MustCompile(`^::([a-z]+) ([^:]*)::(.*)$`)

func TestGitHubAnnotations(t *testing.T) {
	out := write(t, "github", fixture())
	golden(t, "github.txt", out)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	// Five blocks of errors and warnings, and one of a stale exception; info never.
	if len(lines) != 6 {
		t.Errorf("%d lines, want 6", len(lines))
	}
	for _, line := range lines {
		m := workflowCommand.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("not a workflow command: %q", line)
		}
		if m[1] != "error" && m[1] != "warning" {
			t.Errorf("command %q", m[1])
		}
		for _, p := range strings.Split(m[2], ",") {
			if key, _, ok := strings.Cut(p, "="); !ok || !slices.Contains([]string{"file", "line", "col", "title"}, key) {
				t.Errorf("property %q", p)
			}
		}
	}
}

func TestGitHubSaysWhatItLeavesOut(t *testing.T) {
	in := fixture()
	f := in.Result.Findings[0]
	in.Result.Findings = nil
	for i := range 12 {
		f.Kernel = fmt.Sprintf("_Z3k%02dv", i)
		in.Result.Findings = append(in.Result.Findings, f)
	}
	out := write(t, "github", in)
	if n := strings.Count(out, "::error "); n != 10 {
		t.Errorf("%d annotations, want 10", n)
	}
	if !strings.Contains(out, "2 more messages not annotated") {
		t.Errorf("the rest is not said:\n%s", out)
	}
}

func TestGitLab(t *testing.T) {
	in := fixture()
	in.Result.Findings = append(in.Result.Findings, in.Result.Findings[0]) // the same again
	out := write(t, "gitlab", in)
	validate(t, "gitlab-codequality.schema.json", out)
	var issues []gitlabIssue
	if err := json.Unmarshal([]byte(out), &issues); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, i := range issues {
		if seen[i.Fingerprint] {
			t.Errorf("fingerprint %s occurs twice", i.Fingerprint)
		}
		seen[i.Fingerprint] = true
		if strings.HasPrefix(i.Location.Path, "./") || strings.HasPrefix(i.Location.Path, "/") {
			t.Errorf("path %q is not relative", i.Location.Path)
		}
	}
	if len(issues) != 10 {
		t.Errorf("%d issues, want 10", len(issues))
	}
	in.Result.Findings = nil
	if got := write(t, "gitlab", in); got != "[]\n" {
		t.Errorf("no finding gives %q", got)
	}
}

// wellFormed reads a document to its end.
func wellFormed(t *testing.T, document string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(document))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v\n%s", err, document)
		}
	}
}

func TestJUnit(t *testing.T) {
	out := write(t, "junit", fixture())
	golden(t, "junit.xml", out)
	wellFormed(t, out)
	xsd(t, "junit.xsd", out)
	var r junitSuites
	if err := xml.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	// Six kernels and the log; the log, smem_bound, three sgemm and the hostile one fail.
	if r.Tests != 7 || r.Failures != 6 || r.Errors != 0 {
		t.Errorf("tests %d, failures %d, errors %d", r.Tests, r.Failures, r.Errors)
	}
}

func TestJUnitErrorsForAnUntrustedLog(t *testing.T) {
	in := fixture()
	in.Result.Findings = []rules.Finding{{Rule: "untrusted-log", Severity: rules.Error, Message: "the log ends inside a record",
		Place: parse.Place{File: "build.log", Line: 9}}}
	var r junitSuites
	if err := xml.Unmarshal([]byte(write(t, "junit", in)), &r); err != nil {
		t.Fatal(err)
	}
	if r.Errors != 1 || r.Failures != 0 {
		t.Errorf("errors %d, failures %d", r.Errors, r.Failures)
	}
}

func TestCheckstyle(t *testing.T) {
	out := write(t, "checkstyle", fixture())
	golden(t, "checkstyle.xml", out)
	wellFormed(t, out)
	var r checkstyleReport
	if err := xml.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range r.Files {
		for _, e := range f.Errors {
			n++
			if e.Line < 1 {
				t.Errorf("line %d", e.Line)
			}
			if strings.Contains(e.Message, "evil") && !strings.Contains(e.Message, "<script>alert(1)</script>") {
				t.Errorf("the reader does not get the name back: %q", e.Message)
			}
		}
	}
	if n != 9 {
		t.Errorf("%d errors, want 9", n)
	}
}

// xsd validates with xmllint where there is one.
func xsd(t *testing.T, schema, document string) {
	t.Helper()
	lint, err := exec.LookPath("xmllint")
	if err != nil {
		t.Log("no xmllint on this machine: the schema is not checked")
		return
	}
	file := filepath.Join(t.TempDir(), "document.xml")
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(lint, "--noout", "--schema", filepath.Join("testdata", schema), file).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestJSON(t *testing.T) {
	in := fixture()
	out := write(t, "json", in)
	var doc struct {
		Schema  int
		Kernels []struct {
			Name, Demangled string
			Registers       int
			Occupancy       *struct{ Blocks, Threads int }
		}
		Findings []struct {
			Rule, Severity, Kernel string
			Limit                  *float64
			Log                    struct {
				File, Text string
				Line       int
			}
			Suppressed *struct{ Reason, From string }
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if doc.Schema != 1 || len(doc.Kernels) != 7 || len(doc.Findings) != 12 {
		t.Errorf("schema %d, %d kernels, %d findings", doc.Schema, len(doc.Kernels), len(doc.Findings))
	}
	k := doc.Kernels[0]
	if k.Demangled != "smem_bound(float const*, float*)" || k.Registers != 12 || k.Occupancy == nil ||
		k.Occupancy.Blocks != 9 || k.Occupancy.Threads != 128 {
		t.Errorf("kernel %+v", k)
	}
	if doc.Kernels[2].Occupancy != nil {
		t.Error("an occupancy that nobody computed")
	}
	f := doc.Findings[0]
	if f.Rule != "min-blocks" || *f.Limit != 12 || f.Log.Line != 17 || !strings.HasPrefix(f.Log.Text, "Used 12") {
		t.Errorf("finding %+v", f)
	}
	// A name's bytes are kept but for those that JSON can't hold.
	if got, want := doc.Findings[4].Kernel, strings.ToValidUTF8(hostile, "\ufffd"); got != want {
		t.Errorf("hostile name %q, want %q", got, want)
	}
	if s := doc.Findings[11].Suppressed; s == nil || s.From != "baseline" {
		t.Errorf("suppressed = %+v", s)
	}
}

func TestJSONLines(t *testing.T) {
	out := write(t, "jsonl", fixture())
	count := map[string]int{}
	for _, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		var o struct{ Type string }
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		count[o.Type]++
	}
	if count["kernel"] != 7 || count["finding"] != 12 || count["summary"] != 1 {
		t.Errorf("lines by type: %v", count)
	}
}

func TestMarkdown(t *testing.T) {
	out := write(t, "markdown", fixture())
	golden(t, "markdown.md", out)
	for _, line := range strings.Split(out, "\n") {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		// Four cells: a pipe that is not escaped would make a fifth.
		if n := len(regexp.MustCompile(`(^|[^\\])\|`).FindAllString(line, -1)); n != 5 {
			t.Errorf("%d pipes in the row %q", n, line)
		}
	}
	if strings.Contains(out, "<script") {
		t.Error("markup of a name gets through")
	}
	if !utf8.ValidString(out) {
		t.Error("not UTF-8")
	}
}

func TestShow(t *testing.T) {
	tests := []struct {
		file, format string
		o            ShowOptions
		env          []string
	}{
		{"show.txt", "text", ShowOptions{}, nil},
		{"show-80.txt", "text", ShowOptions{}, []string{"COLUMNS", "80"}},
		{"show-top.txt", "text", ShowOptions{Sort: "spills", Top: 3, Archs: []string{"sm_90"}}, nil},
		{"show.csv", "csv", ShowOptions{Sort: "name"}, nil},
		{"show.md", "markdown", ShowOptions{Sort: "occupancy"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			in := fixture()
			in.Env = environment(tt.env...)
			var b bytes.Buffer
			if err := Show(&b, tt.format, in, tt.o); err != nil {
				t.Fatal(err)
			}
			golden(t, tt.file, b.String())
		})
	}
}

func TestShowCSVReadsBack(t *testing.T) {
	var b bytes.Buffer
	if err := Show(&b, "csv", fixture(), ShowOptions{}); err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != 8 { // a heading and seven records
		t.Errorf("%d lines", len(records))
	}
}

func TestShowJSONFilters(t *testing.T) {
	var b bytes.Buffer
	o := ShowOptions{Match: func(m string) bool { return strings.Contains(m, "lb_256") }}
	if err := Show(&b, "json", fixture(), o); err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Kernels []struct {
			Name      string
			Occupancy *struct{ Threads int }
		}
		Findings []any
	}
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Kernels) != 1 || doc.Kernels[0].Occupancy.Threads != 256 || doc.Findings != nil {
		t.Errorf("%+v", doc)
	}
}

func TestUnknownFormat(t *testing.T) {
	if err := Write(io.Discard, "texte", fixture()); err == nil || !strings.Contains(err.Error(), "oneline") {
		t.Errorf("error %v", err)
	}
	if Known("texte") || !Known("sarif") {
		t.Error("Known")
	}
}

// A reader that goes away must not look like a report that was written.
func TestWriteErrors(t *testing.T) {
	for _, name := range FormatNames() {
		in := fixture()
		for range 2000 {
			in.Result.Findings = append(in.Result.Findings, in.Result.Findings[0])
		}
		if err := Write(brokenPipe{}, name, in); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
