package capture

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/occlint/occlint/internal/fakenvcc"
)

// TestMain lets the test binary stand for the programs of a build: under the
// names wrap and nvcc it is a compiler launcher and a compiler, under the name
// session it runs a command.
func TestMain(m *testing.M) {
	switch programName(os.Args[0]) {
	case "nvcc":
		os.Exit(fakenvcc.Main())
	case "wrap":
		dir, _ := os.Getwd()
		w := &Wrap{
			Args: os.Args[1:], Dir: dir, Env: os.Environ(), Records: os.Getenv("OCCLINT_RECORDS"),
			Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		}
		os.Exit(w.Run())
	case "session":
		s := &Session{Command: Command{Args: os.Args[1:], Stdin: os.Stdin}, Stdout: os.Stdout, Stderr: os.Stderr}
		o, err := s.Run()
		if err != nil {
			os.Exit(exitNotFound)
		}
		os.Exit(o.ExitCode())
	}
	os.Exit(m.Run())
}

// tools makes a directory with wrap and nvcc in it and puts it first in PATH.
func tools(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"wrap", "nvcc", "session"} {
		if err := os.Symlink(self, filepath.Join(dir, name)); err != nil {
			t.Skipf("no symbolic links: %v", err)
		}
	}
	// The race detector holds up each exit for a second.
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return dir
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// wrapped runs one compiler call in-process and returns the exit code and what
// the user saw.
func wrapped(dir string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	w := &Wrap{Args: args, Dir: dir, Env: os.Environ(), Stdin: bytes.NewReader(nil), Stdout: &out, Stderr: &errs}
	code = w.Run()
	return code, out.String(), errs.String()
}
