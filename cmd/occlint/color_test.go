//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestColorOnTerminal runs the gate with a pseudo terminal for stdout: colour
// appears there by itself, goes away when asked, and leaves the words alone.
func TestColorOnTerminal(t *testing.T) {
	log, err := filepath.Abs(filepath.Join("..", "..", "testdata", "ptxas", "nvcc13.0", "bounds-sm_90.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		env    map[string]string
		args   []string
		colour bool
	}{
		{"terminal", map[string]string{"TERM": "xterm-256color"}, nil, true},
		{"NO_COLOR", map[string]string{"TERM": "xterm-256color", "NO_COLOR": "1"}, nil, false},
		{"never", map[string]string{"TERM": "xterm-256color"}, []string{"--color", "never"}, false},
		{"dumb terminal", map[string]string{"TERM": "dumb"}, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			printed, code := onTerminal(t, c.env, append(c.args, "--no-config", log))
			if code != exitFindings {
				t.Errorf("exit code %d, want %d", code, exitFindings)
			}
			if got := strings.Contains(printed, "\x1b["); got != c.colour {
				t.Errorf("colour %v, want %v:\n%q", got, c.colour, printed)
			}
			if !strings.Contains(printed, "[bounds-ignored]") {
				t.Errorf("no finding in %q", printed)
			}
		})
	}
}

// onTerminal runs occlint in-process with a terminal of 100 columns for
// stdout, and returns what was printed there.
func onTerminal(t *testing.T, env map[string]string, args []string) (printed string, code int) {
	t.Helper()
	screen, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	defer screen.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 40, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		// Reading ends with an error when the last writer is gone.
		text, _ := io.ReadAll(screen)
		read <- string(text)
	}()
	a := &app{
		Stdin: strings.NewReader(""), Stdout: tty, Stderr: io.Discard,
		Env: func(k string) string { return env[k] }, Dir: os.TempDir(),
	}
	code = a.Run(args)
	if err := tty.Close(); err != nil {
		t.Fatal(err)
	}
	return <-read, code
}
