package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/rules"
)

// The example of each rule, with its config and files on disk, gives the
// finding that the documentation shows: the config in a page is one that works,
// and says the same as the policy beside it.
func TestRuleExamplesByConfig(t *testing.T) {
	for _, r := range rules.Registry() {
		t.Run(r.ID, func(t *testing.T) {
			dir := t.TempDir()
			write(t, dir, "build.log", r.Example.Log)
			args := []string{"--output", "json", "--show-info", "--root", dir, "build.log"}
			if r.Example.Config == "" {
				args = append(args, "--no-config")
			} else {
				write(t, dir, ".occlint.yml", r.Example.Config)
				args = append(args, "--config", ".occlint.yml")
			}
			for _, f := range r.Example.Files {
				write(t, dir, f.Path, f.Text)
			}
			var stdout, stderr bytes.Buffer
			a := &app{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Env: func(string) string { return "" }, Dir: dir}
			code := a.Run(args)
			if code == exitUsage {
				t.Fatalf("exit %d: %s", code, &stderr)
			}
			var report struct {
				Findings []struct{ Rule, Message string }
			}
			if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
				t.Fatalf("%v\n%s", err, &stdout)
			}
			for _, f := range report.Findings {
				if f.Rule == r.ID && f.Message == r.Example.Finding {
					return
				}
			}
			t.Errorf("no %q of %s in\n%v", r.Example.Finding, r.ID, report.Findings)
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
