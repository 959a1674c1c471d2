package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/internal/biglog"
)

// project is a repository with a build log in it.
type project struct {
	t              *testing.T
	dir            string
	stdout, stderr bytes.Buffer
}

func newProject(t *testing.T) *project {
	p := &project{t: t, dir: t.TempDir()}
	if err := os.Mkdir(filepath.Join(p.dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// log writes build.log with so many spilling kernels.
func (p *project) log(spilling int) {
	p.t.Helper()
	text, err := biglog.Project(filepath.Join("..", "..", "testdata", "ptxas"), spilling)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "build.log"), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// run runs occlint and requires its exit code.
func (p *project) run(want int, args ...string) {
	p.t.Helper()
	p.stdout.Reset()
	p.stderr.Reset()
	a := &app{Stdin: strings.NewReader(""), Stdout: &p.stdout, Stderr: &p.stderr, Env: func(string) string { return "" }, Dir: p.dir}
	if got := a.Run(args); got != want {
		p.t.Fatalf("occlint %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, want, &p.stdout, &p.stderr)
	}
}

func (p *project) read(file string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, file))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// A code base with 800 kernels of which 35 spill is green after two commands,
// and red for the 36th.
func TestAdoptionInTwoCommands(t *testing.T) {
	p := newProject(t)
	p.log(35)
	p.run(exitClean, "init", "build.log")
	p.run(exitClean, "baseline", "write", "--reason", "as of today", "build.log")
	p.run(exitClean, "build.log")
	if n := strings.Count(p.stdout.String(), "\n"); n > 2 {
		t.Errorf("%d lines for a build with nothing new to say:\n%s", n, &p.stdout)
	}
	if n := strings.Count(p.read(".occlint.yml"), "- match: "); n != biglog.ProjectTemplates {
		t.Errorf("%d entries in the config, want one for each of %d families", n, biglog.ProjectTemplates)
	}
	if n := strings.Count(p.read(".occlint-baseline.yml"), " spill-budget: "); n != 35 {
		t.Errorf("%d spills in the baseline, want 35", n)
	}

	p.log(36)
	p.run(exitFindings, "build.log")
	// Kernel 35 is instantiation 0 of template 35.
	if out := p.stdout.String(); !strings.Contains(out, "lin::kernel35<0>") || strings.Count(out, "error: ") != 1 {
		t.Errorf("want one error about lin::kernel35<0>:\n%s", out)
	}

	// Fewer spill: green, and the file can only shrink.
	p.log(10)
	p.run(exitClean, "build.log")
	before := p.read(".occlint-baseline.yml")
	p.run(exitClean, "baseline", "prune", "build.log")
	after := p.read(".occlint-baseline.yml")
	if n := strings.Count(after, " spill-budget: "); n != 10 {
		t.Errorf("%d spills left in the baseline, want 10", n)
	}
	for line := range strings.Lines(after) {
		if !strings.Contains(before, line) {
			t.Errorf("prune added the line %q", line)
		}
	}
	p.log(35)
	p.run(exitFindings, "build.log")
}

// Half of a log is no code base: nothing of it becomes a rule.
func TestAdoptionNeedsAWholeLog(t *testing.T) {
	p := newProject(t)
	p.log(35)
	text := p.read("build.log")
	if err := os.WriteFile(filepath.Join(p.dir, "build.log"), []byte(text[:len(text)-100]), 0o644); err != nil {
		t.Fatal(err)
	}
	p.run(exitUntrusted, "init", "build.log")
	if entries, err := os.ReadDir(p.dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v: want .git and build.log alone", entries, err)
	}
}
