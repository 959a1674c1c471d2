package report

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// lineHostile is what of an attack can stand in one line of a log.
const lineHostile = "evil%0A::error::pwned<script>alert(1)</script>`code`|pipe|[x](http://evil)\x1b[31m\u009b31m\u0085\u202ertl\u200f]]>&\"{0}"

// realRun judges a real log of five kinds of finding, with a kernel of a
// hostile name behind it.
func realRun(t *testing.T) *Input {
	t.Helper()
	text, err := os.ReadFile("../../testdata/ptxas/nvcc13.0/bounds-sm_90.log")
	if err != nil {
		t.Fatal(err)
	}
	evil := "ptxas info    : 0 bytes gmem\n" +
		"ptxas info    : Compiling entry function '" + lineHostile + "' for 'sm_90'\n" +
		"ptxas info    : Function properties for " + lineHostile + "\n" +
		"    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads\n" +
		"ptxas info    : Used 40 registers, used 0 barriers, 16 bytes cumulative stack size\n"
	log := &parse.Log{}
	if err := log.Read(strings.NewReader(string(text)+evil), "build.log"); err != nil {
		t.Fatal(err)
	}
	at := func(line int) rules.Origin {
		return rules.Origin{From: rules.FromConfig, Place: parse.Place{File: ".occlint.yml", Line: line, Column: 5}}
	}
	bounds := func(match string, threads, blocks int) rules.Declaration {
		return rules.Declaration{Match: match, Origin: at(9), LaunchBounds: rules.Field[rules.Bounds]{
			Value: rules.Bounds{Threads: threads, MinBlocks: blocks}, Set: true, Origin: at(9)}}
	}
	zero := rules.Field[int64]{Set: true, Origin: at(5)}
	r, err := rules.Judge(log, &rules.Policy{Declarations: []rules.Declaration{
		{Origin: at(5), SpillStoreBytes: zero, SpillLoadBytes: zero},
		bounds("lb_256_4", 256, 4), bounds("lb_1024_4", 1024, 4), bounds("smem_bound", 128, 12), bounds("gone", 64, 1),
		{Match: "reduce_b", Origin: at(20), Registers: rules.Field[int64]{Value: 20, Set: true, Origin: at(20)}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	evilFound := false
	for _, f := range r.Findings {
		kinds[f.Rule] = true
		evilFound = evilFound || strings.HasPrefix(f.Kernel, "evil%0A::error") // the parser drops colour
	}
	if len(kinds) < 5 || !evilFound {
		t.Fatalf("the run has %v, the hostile kernel among them: %v", kinds, evilFound)
	}
	return &Input{Log: log, Result: r, Version: "1.2.3", ConfigFile: ".occlint.yml", Color: "never"}
}

// Each format of one and the same run is what its reader takes.
func TestRealRunInEveryFormat(t *testing.T) {
	in := realRun(t)
	out := map[string]string{}
	for _, name := range FormatNames() {
		out[name] = write(t, name, in)
		if strings.ContainsAny(out[name], "\x1b\u202e\u200f\u009b\u0085") {
			t.Errorf("%s: a control character of a name gets through", name)
		}
	}
	validate(t, "sarif-schema-2.1.0.json", out["sarif"])
	validate(t, "gitlab-codequality.schema.json", out["gitlab"])
	wellFormed(t, out["junit"])
	xsd(t, "junit.xsd", out["junit"])
	wellFormed(t, out["checkstyle"])
	for _, line := range strings.Split(strings.TrimSuffix(out["github"], "\n"), "\n") {
		if !strings.Contains(line, "more messages not annotated") && workflowCommand.FindString(line) == "" {
			t.Errorf("github: %q", line)
		}
	}
	for _, name := range []string{"text", "oneline", "markdown"} {
		for _, line := range strings.Split(out[name], "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "::") {
				t.Errorf("%s: a workflow command: %q", name, line)
			}
		}
	}
	for _, name := range []string{"markdown", "html"} {
		if strings.Contains(out[name], "<script>alert") {
			t.Errorf("%s: markup of a name gets through", name)
		}
	}
	var doc map[string]json.RawMessage
	if err := json.Unmarshal([]byte(out["json"]), &doc); err != nil {
		t.Errorf("json: %v", err)
	}
	for _, line := range strings.Split(strings.TrimSuffix(out["jsonl"], "\n"), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("jsonl: %q", line)
		}
	}
}

// JSON holds the same findings whatever the wishes of the text report are.
func TestJSONKeepsAll(t *testing.T) {
	in := realRun(t)
	want := write(t, "json", in)
	in.Quiet, in.NoGroup, in.Color = true, true, "always"
	if write(t, "json", in) != want {
		t.Error("a wish of the text report changes the JSON")
	}
}
