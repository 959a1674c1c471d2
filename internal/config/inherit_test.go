package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree writes files below a new directory that is a repository's root.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	files[".git/HEAD"] = ""
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestNested: a nested file says what differs; lists of entries are joined,
// what speaks of the whole build stays with the file that says it.
func TestNested(t *testing.T) {
	root := tree(t, map[string]string{
		".occlint.yml": `version: 1
archs: [sm_80]
expect: {kernels: 780}
baseline: all.yml
sources: ["src/*.cu"]
gpu: mine
defaults: {spills: 0, registers: 128, by_arch: {sm_80: {registers: 96, stack: 0}}}
kernels: [{match: "a", registers: 40}]
rules: {stack-frame: error, register-cliff: warning}
ignore: [{rule: spill-budget, match: "b", reason: "cold"}]
custom_gpus: {mine: {like: H100-SXM}}
`,
		"lib/deep/.occlint.yml": `version: 1
archs: [sm_90]
sources: ["*.cu"]
gpu: mine
defaults: {registers: 64, by_arch: {sm_80: {registers: 80}}}
kernels: [{match: "a", stack: 0}]
rules: {stack-frame: off}
`,
	})
	path := filepath.Join(root, "lib", "deep", ".occlint.yml")
	c, err := Load(path, Known{GPUs: []string{"H100-SXM"}})
	if err != nil {
		t.Fatal(err)
	}
	above := filepath.Join(root, ".occlint.yml")
	if len(c.Chain) != 2 || c.Chain[0] != path || c.Chain[1] != above || c.File != path {
		t.Errorf("chain %q of %q", c.Chain, c.File)
	}
	if c.Expect.Kernels.Set || c.Baseline.Set {
		t.Error("expect or baseline is inherited")
	}
	if len(c.Archs) != 1 || c.Archs[0].Value != "sm_90" {
		t.Errorf("archs %v", c.Archs)
	}
	if len(c.Sources) != 2 || c.Sources[0].Pos.File != above || c.Sources[1].Pos.File != path {
		t.Errorf("sources %+v", c.Sources)
	}
	if d := c.Defaults; d.Registers.Value != 64 || d.Registers.Pos.File != path || !d.Spills.Stores.Set || d.Spills.Stores.Pos.File != above {
		t.Errorf("defaults %+v", d)
	}
	if by := c.Defaults.ByArch; len(by) != 1 || by[0].Value.Registers.Value != 80 || !by[0].Value.Stack.Set {
		t.Errorf("by_arch %+v", by)
	}
	if k := c.Kernels; len(k) != 2 || !k[0].Inherited || k[0].Registers.Value != 40 || k[1].Inherited || !k[1].Stack.Set {
		t.Errorf("kernels %+v", k)
	}
	if len(c.Ignore) != 1 || !c.Ignore[0].Inherited || c.Ignore[0].Pos.File != above {
		t.Errorf("ignore %+v", c.Ignore)
	}
	if len(c.Rules) != 2 || c.Rules[0].Value.Value != Off || c.Rules[1].Value.Value != Warning {
		t.Errorf("rules %+v", c.Rules)
	}
}

// TestChain: which file extends which, and what can't be.
func TestChain(t *testing.T) {
	const plain = "version: 1\n"
	for _, tc := range []struct {
		reason string
		files  map[string]string
		load   string
		chain  string // names, or
		err    string
	}{
		{"the nearest above", map[string]string{".occlint.yml": plain, "a/.occlint.yaml": plain, "a/b/c/.occlint.yml": plain}, "a/b/c/.occlint.yml", "a/b/c/.occlint.yml a/.occlint.yaml .occlint.yml", ""},
		{"root: true ends it", map[string]string{".occlint.yml": plain, "a/.occlint.yml": "version: 1\nroot: true\n"}, "a/.occlint.yml", "a/.occlint.yml", ""},
		{"root: false does not", map[string]string{".occlint.yml": plain, "a/.occlint.yml": "version: 1\nroot: false\n"}, "a/.occlint.yml", "a/.occlint.yml .occlint.yml", ""},
		{"a repository in a repository", map[string]string{".occlint.yml": plain, "a/.git/HEAD": "", "a/.occlint.yml": plain}, "a/.occlint.yml", "a/.occlint.yml", ""},
		{"another name extends nothing by itself", map[string]string{".occlint.yml": plain, "a/ci.yml": plain}, "a/ci.yml", "a/ci.yml", ""},
		{"extends in place of the one above", map[string]string{".occlint.yml": plain, "a/.occlint.yml": "version: 1\nextends: ../shared/base.yml\n", "shared/base.yml": plain}, "a/.occlint.yml", "a/.occlint.yml shared/base.yml", ""},
		{"a file that is not there", map[string]string{".occlint.yml": "version: 1\nextends: base.yml\n"}, ".occlint.yml", "", ".occlint.yml:2:10: extends: there is no such config file"},
		{"a circle", map[string]string{"a.yml": "version: 1\nextends: b.yml\n", "b.yml": "version: 1\nextends: a.yml\n"}, "a.yml", "", "b.yml:2:10: extends: the file extends itself"},
		{"itself", map[string]string{"a.yml": "version: 1\nextends: a.yml\n"}, "a.yml", "", "a.yml:2:10: extends: the file extends itself"},
		{"the fault of the other file is its own", map[string]string{"a.yml": "version: 1\nextends: b.yml\n", "b.yml": "version: 1\nspils: 0\n"}, "a.yml", "", "b.yml:2:1: unknown key \"spils\""},
		{"no truth value", map[string]string{"a.yml": "version: 1\nroot: 1\n"}, "a.yml", "", `a.yml:2:7: root: "1" is neither true nor false`},
	} {
		root := tree(t, tc.files)
		c, err := Load(filepath.Join(root, filepath.FromSlash(tc.load)), Known{})
		if tc.err != "" {
			if err == nil || !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: %v, want %s", tc.reason, err, tc.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.reason, err)
			continue
		}
		var names []string
		for _, path := range c.Chain {
			rel, _ := filepath.Rel(root, path)
			names = append(names, filepath.ToSlash(rel))
		}
		if got := strings.Join(names, " "); got != tc.chain {
			t.Errorf("%s: %s, want %s", tc.reason, got, tc.chain)
		}
	}
}

// TestLongChain: a chain has an end.
func TestLongChain(t *testing.T) {
	files := map[string]string{}
	for i := range 40 {
		files[strings.Repeat("x", i+1)+".yml"] = "version: 1\nextends: " + strings.Repeat("x", i+2) + ".yml\n"
	}
	root := tree(t, files)
	_, err := Load(filepath.Join(root, "x.yml"), Known{})
	if err == nil || !strings.Contains(err.Error(), "more than 16 files extend each other") {
		t.Error(err)
	}
}
