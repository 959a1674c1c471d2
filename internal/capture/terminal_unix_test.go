//go:build unix

package capture

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// TestTerminal: a command in front of a terminal has one too, of the same size,
// and its bytes arrive as they are.
func TestTerminal(t *testing.T) {
	reader, user, err := pty.Open()
	if err != nil {
		t.Skipf("no terminal: %v", err)
	}
	defer reader.Close()
	if err := pty.Setsize(user, &pty.Winsize{Rows: 20, Cols: 71}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TERM", "xterm")
	var shown strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&shown, reader)
	}()
	log := filepath.Join(t.TempDir(), "log")
	writeFile(t, log, scaleLog)
	script := `test -t 1 && test -t 2 && printf 'tty '; stty size <&1; printf '\033[1mbold\033[0m\r[1/2] one\r[2/2] two\n'; ` +
		"cat " + log + " >&2"
	s := &Session{Command: Command{Args: []string{"sh", "-c", script}}, Stdout: user, Stderr: user, Name: "log"}
	out, err := s.Run()
	if err != nil {
		t.Fatal(err)
	}
	if err := user.Close(); err != nil {
		t.Fatal(err)
	}
	<-read
	// The user's own terminal ends lines with CR LF, once.
	want := "tty 20 71\r\n\x1b[1mbold\x1b[0m\r[1/2] one\r[2/2] two\r\n" + strings.ReplaceAll(scaleLog, "\n", "\r\n")
	if shown.String() != want {
		t.Errorf("shown %q, want %q", shown.String(), want)
	}
	if kernelNames(out.Log) != "_Z5scalePf" || len(out.Log.Faults) != 0 || out.ExitCode() != 0 {
		t.Errorf("%s, %s, exit %d", kernelNames(out.Log), faults(out.Log), out.ExitCode())
	}
	// A pipe stays a pipe.
	var plain strings.Builder
	s = &Session{Command: Command{Args: []string{"sh", "-c", "test -t 2 || echo pipe"}}, Stdout: &plain, Stderr: os.Stderr}
	if _, err := s.Run(); err != nil || plain.String() != "pipe\n" {
		t.Errorf("%q, %v", plain.String(), err)
	}
}
