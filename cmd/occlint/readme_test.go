package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/rules"
)

// TestReadmeRules keeps the table of rules in README.md equal to the registry;
// -update-docs rewrites it.
func TestReadmeRules(t *testing.T) {
	const start, end = "-update-docs -->\n", "<!-- end of rules -->"
	path := filepath.Join("..", "..", "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), start)
	shown, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatal("README.md has no place for the table of rules")
	}
	var table strings.Builder
	table.WriteString("\n| rule | severity | finds |\n|---|---|---|\n")
	for _, r := range rules.Registry() {
		fmt.Fprintf(&table, "| [%s](docs/rules/%s.md) | %s | %s |\n", r.ID, r.ID, r.Default, r.Title)
	}
	table.WriteString("\n")
	if *updateDocs {
		if err := os.WriteFile(path, []byte(before+start+table.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(shown, table.String()); diff != "" {
		t.Errorf("the table of rules (-shown +registry):\n%s", diff)
	}
}
