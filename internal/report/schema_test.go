package report

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// schemas compiles the schemas of show's and check's JSON.
func schemas(t *testing.T) (records, check *jsonschema.Schema) {
	t.Helper()
	c := jsonschema.NewCompiler()
	for url, file := range map[string]string{
		"https://raw.githubusercontent.com/occlint/occlint/main/parse/schema.json":      "../../parse/schema.json",
		"https://raw.githubusercontent.com/occlint/occlint/main/docs/check.schema.json": "../../docs/check.schema.json",
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource(url, doc); err != nil {
			t.Fatal(err)
		}
	}
	return c.MustCompile("https://raw.githubusercontent.com/occlint/occlint/main/parse/schema.json"),
		c.MustCompile("https://raw.githubusercontent.com/occlint/occlint/main/docs/check.schema.json")
}

func conform(t *testing.T, s *jsonschema.Schema, document string) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		t.Fatalf("not JSON: %v", err)
	}
	if err := s.Validate(v); err != nil {
		t.Error(err)
	}
}

// The JSON of every real log, with and without kernels, is what the schemas say.
func TestJSONConformsToItsSchema(t *testing.T) {
	records, check := schemas(t)
	conform(t, check, write(t, "json", fixture()))
	logs := 0
	err := filepath.WalkDir("../../testdata/ptxas", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".log" {
			return err
		}
		logs++
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			log := &parse.Log{}
			if err := log.Read(bytes.NewReader(text), "build.log"); err != nil {
				t.Fatal(err)
			}
			r, err := rules.Judge(log, &rules.Policy{})
			if err != nil {
				t.Fatal(err)
			}
			r.AssumeThreads(256)
			in := &Input{Log: log, Result: r}
			conform(t, check, write(t, "json", in))
			var b bytes.Buffer
			if err := Show(&b, "json", in, ShowOptions{}); err != nil {
				t.Fatal(err)
			}
			conform(t, records, b.String())
		})
		return nil
	})
	if err != nil || logs < 50 {
		t.Fatalf("%d logs, error %v", logs, err)
	}
}
