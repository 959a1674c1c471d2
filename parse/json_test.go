package parse_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/occlint/occlint/parse"
)

var update = flag.Bool("update", false, "write the golden files anew")

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(parse.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestJSON writes every log of the corpus as JSON: it is as the schema says,
// and reading it back gives the same records.
func TestJSON(t *testing.T) {
	schema := compiledSchema(t)
	for _, file := range logFiles(t) {
		l := readLog(t, file)
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		var back parse.Log
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if d := cmp.Diff(parse.Listed(l), parse.Listed(&back), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: (-written +read back)\n%s", file, d)
		}
	}
}

// TestJSONKeys has the record that the documentation shows, written by
// hand from lines 58 to 62 of the real log.
func TestJSONKeys(t *testing.T) {
	l := readLog(t, "nvcc13.0/basics-sm_90.log")
	var doc struct {
		Kernels      []map[string]any
		Compilations []map[string]any
	}
	text, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	for _, k := range doc.Kernels {
		if k["name"] == "_Z11sgemm_tiledILi32EEviPKfS1_Pf" {
			got = k
		}
	}
	want := map[string]any{
		"name": "_Z11sgemm_tiledILi32EEviPKfS1_Pf", "kind": "entry", "arch": "sm_90", "stage": "ptxas",
		"registers": 29.0, "barriers": 1.0, "shared_bytes": 8448.0,
		"stack_bytes": 0.0, "spill_store_bytes": 0.0, "spill_load_bytes": 0.0, "compile_ms": 10.259,
		"place": map[string]any{"file": "nvcc13.0/basics-sm_90.log", "line": 58.0}, "compilation": 0.0,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	wantModule := map[string]any{
		"global_bytes": 4374.0, "arch": "sm_90", "stage": "ptxas", "tool": "ptxas",
		"place": map[string]any{"file": "nvcc13.0/basics-sm_90.log", "line": 1.0},
	}
	if d := cmp.Diff(wantModule, doc.Compilations[0]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestJSONGolden pins the JSON of logs of each kind.
func TestJSONGolden(t *testing.T) {
	for _, file := range []string{
		"nvcc13.0/rdc-b.log", "nvcc13.0/wgmma.log", "nvcc13.0/werror.log", "nvcc11.8/toobig.log",
		"linked/cloned-callee-11.8.log", "linked/rdc-multiarch-link-11.8.log", "linked/rdc-link-xptxas-only-12.4.log",
	} {
		var b bytes.Buffer
		if err := readLog(t, file).WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", "json", strings.ReplaceAll(strings.TrimSuffix(file, ".log"), "/", "_")+".json")
		if *update {
			if err := os.WriteFile(golden, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), b.String()); d != "" {
			t.Errorf("%s: (-golden +got; -update writes it anew)\n%s", file, d)
		}
	}
}
