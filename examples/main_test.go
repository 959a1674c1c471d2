// Package examples holds recipes. Its tests run each of them: with the nvcc of
// this machine where there is one, and with the stand-in that replays what a
// real nvcc printed.
package examples

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// built holds occlint and, in fake, the stand-in nvcc.
var built string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "occlint-examples-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	built = dir
	for out, pkg := range map[string]string{"occlint": "../cmd/occlint", "fake/nvcc": "../internal/fakenvcc/nvcc"} {
		path := filepath.Join(dir, filepath.FromSlash(out))
		if runtime.GOOS == "windows" {
			path += ".exe"
		}
		if text, err := exec.Command("go", "build", "-o", path, pkg).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build %s: %v\n%s", pkg, err, text)
			return 1
		}
	}
	return m.Run()
}

// site is a copy of an example, in a repository of its own, with the commands
// that it needs in PATH.
type site struct {
	*testing.T
	dir string
	env []string
}

// compilers runs f once with the stand-in and once with the real nvcc.
func compilers(t *testing.T, example string, f func(s *site, isReal bool)) {
	t.Run("stand-in", func(t *testing.T) {
		f(newSite(t, example, filepath.Join(built, "fake")), false)
	})
	t.Run("real nvcc", func(t *testing.T) {
		if _, err := exec.LookPath("nvcc"); err != nil {
			t.Skip("nvcc is not installed: the stand-in alone was run")
		}
		f(newSite(t, example), true)
	})
}

func newSite(t *testing.T, example string, path ...string) *site {
	t.Helper()
	dir := filepath.Join(t.TempDir(), example)
	if err := os.CopyFS(dir, os.DirFS(example)); err != nil {
		t.Fatal(err)
	}
	for _, made := range []string{"build", ".occlint"} {
		if err := os.RemoveAll(filepath.Join(dir, made)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	path = append(path, built, os.Getenv("PATH"))
	return &site{t, dir, append(os.Environ(),
		"PATH="+strings.Join(path, string(filepath.ListSeparator)),
		"GITHUB_ACTIONS=", "MAKEFLAGS=", "NVCC_APPEND_FLAGS=", "OCCLINT_RECORDS=", "NO_COLOR=1",
	)}
}

// needs skips the test when a program is missing, and says so.
func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed", p)
		}
	}
}

// run runs a command line in the site and wants an exit code. It returns what
// the command printed.
func (s *site) run(want int, args ...string) string {
	s.Helper()
	program := args[0]
	if program == "occlint" { // not in this process's own PATH
		program = filepath.Join(built, program)
	}
	cmd := exec.Command(program, args[1:]...)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.Fatalf("%q: %v", args, err)
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		s.Fatalf("%q: exit %d, want %d\n%s", args, got, want, out)
	}
	return string(out)
}

// wants requires that text matches a pattern, line by line.
func (s *site) wants(text, pattern string) {
	s.Helper()
	if !regexp.MustCompile("(?m)" + pattern).MatchString(text) {
		s.Errorf("no match for %q in:\n%s", pattern, text)
	}
}

// wantsNot requires that text does not match a pattern.
func (s *site) wantsNot(text, pattern string) {
	s.Helper()
	if m := regexp.MustCompile("(?m)" + pattern).FindString(text); m != "" {
		s.Errorf("%q is in:\n%s", m, text)
	}
}

// edit appends a comment to a file, as an edit that changes no kernel.
func (s *site) edit(name string) {
	s.Helper()
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("// edited\n")
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		s.Fatal(err)
	}
}
