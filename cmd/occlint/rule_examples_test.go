package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/rules"
)

// The example of each rule, with its config and files on disk, prints what the
// documentation of the rule shows: go test -update-docs writes it, and then
// go test ./internal/report -update the pages.
func TestRuleExamples(t *testing.T) {
	for _, r := range rules.Registry() {
		t.Run(r.ID, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, ".git/HEAD", "") // the root of the repository
			write(t, dir, "build.log", r.Example.Log)
			if r.Example.Config != "" {
				write(t, dir, ".occlint.yml", r.Example.Config)
			}
			for _, f := range r.Example.Files {
				write(t, dir, f.Path, f.Text)
			}
			if b := r.Example.Binary; b != "" {
				image, err := os.ReadFile(filepath.Join("..", "..", "testdata", "cubin", b))
				if err != nil {
					t.Fatal(err)
				}
				write(t, dir, b, string(image))
			}
			var stdout, stderr bytes.Buffer
			a := &app{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Env: func(string) string { return "" }, Dir: dir}
			if code := a.Run(report.ExampleArgs(r)); code == exitUsage || stderr.Len() > 0 {
				t.Fatalf("exit %d: %s", code, &stderr)
			}
			// How to start without a config stands behind the summary, in each.
			printed, _, _ := strings.Cut(stdout.String(), "\nWithout a config")
			file := filepath.Join("..", "..", "internal", "report", filepath.FromSlash(report.ExampleFile(r.ID)))
			if *updateDocs {
				if err := os.WriteFile(file, []byte(printed), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			shown, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%v (go test -update-docs writes it)", err)
			}
			if diff := cmp.Diff(string(shown), printed); diff != "" {
				t.Errorf("%s is not what is printed (go test -update-docs writes it; -shown +printed):\n%s", file, diff)
			}
		})
	}
}

func write(t *testing.T, dir, path, text string) {
	t.Helper()
	path = filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
