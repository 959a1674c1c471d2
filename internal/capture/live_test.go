//go:build linux || darwin

package capture

import (
	"bytes"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/occlint/occlint/parse"
)

// screen is what a terminal shows after it got text, for the two controls that
// the live line uses: carriage return, and erase the line.
func screen(text string) []string {
	lines := []string{""}
	for text != "" {
		last := len(lines) - 1
		switch {
		case strings.HasPrefix(text, "\x1b[2K"):
			lines[last] = ""
			text = text[len("\x1b[2K"):]
		case text[0] == '\n':
			lines = append(lines, "")
			text = text[1:]
		case text[0] == '\r':
			text = text[1:] // what follows erases the line, or ends it
		default:
			lines[last] += text[:1]
			text = text[1:]
		}
	}
	return lines
}

// TestLiveLine runs a build on a terminal: the line appears while it runs and
// leaves no trace.
func TestLiveLine(t *testing.T) {
	master, terminal, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	defer master.Close()
	var got bytes.Buffer
	read := make(chan struct{})
	go func() {
		_, _ = io.Copy(&got, master) // ends with an error when the terminal closes
		close(read)
	}()
	s, _, _ := sh(`sleep 0.9; echo one; printf '%s' "$LOG"; sleep 0.5; printf half; sleep 0.5; echo ' full'; sleep 0.5`)
	s.Env = []string{"PATH=/usr/bin:/bin", "LOG=" + scaleLog}
	s.Stdout, s.Stderr = terminal, terminal
	s.Live = NewLive(terminal, func() int { return 40 })
	o, err := s.Run()
	_ = terminal.Close()
	<-read
	if err != nil || o.ExitCode() != 0 {
		t.Fatalf("%+v, %v", o, err)
	}
	text := got.String()
	if !regexp.MustCompile(`occlint: 0 compilations, 0 kernels, wor`).MatchString(text) || !strings.Contains(text, "occlint: 1 compilation, 1 kernel") {
		t.Errorf("no live line in %q", text)
	}
	if m := regexp.MustCompile(`occlint: [^\r\n\x1b]{40,}`).FindString(text); m != "" {
		t.Errorf("%q would wrap in 40 columns", m)
	}
	if m := regexp.MustCompile(`half[^\r\n]*\x1b|half.*occlint.* full`).FindString(text); m != "" {
		t.Errorf("drawn inside a line of the build: %q", m)
	}
	want := strings.Split("one\n"+scaleLog+"half full\n", "\n")
	if lines := screen(text); strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("the screen shows at last\n%q, want\n%q", lines, want)
	}
}

// TestInterruptFromTerminal: Ctrl-C reaches the command through the terminal,
// and only so, since a second one would cut its cleanup short.
func TestInterruptFromTerminal(t *testing.T) {
	dir := tools(t)
	cmd := exec.Command(filepath.Join(dir, "session"), "sh", "-c",
		`trap 'n=x$n; echo "interrupt $n"' INT; echo ready; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.05; done; exit 4`)
	terminal, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pseudo terminal: %v", err)
	}
	defer terminal.Close()
	var got strings.Builder
	buf := make([]byte, 1024)
	sent := false
	for {
		n, err := terminal.Read(buf)
		got.Write(buf[:n])
		if !sent && strings.Contains(got.String(), "ready") {
			sent = true
			if _, err := terminal.Write([]byte{3}); err != nil {
				t.Fatal(err)
			}
		}
		if err != nil {
			break // the terminal ends with its last process
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 4 || strings.Count(got.String(), "interrupt x\r") != 1 || strings.Contains(got.String(), "interrupt xx") {
		t.Errorf("exit %d, want 4; the terminal shows %q", code, got.String())
	}
}

func TestLiveCounts(t *testing.T) {
	l := NewLive(io.Discard, nil)
	log := scaleLog + "ptxas info    : Function properties for f\n    8 bytes stack frame, 120 bytes spill stores, 96 bytes spill loads\n"
	if err := (&parse.Log{}).Read(strings.NewReader(log), "", parse.OnLine(l.see)); err != nil {
		t.Fatal(err)
	}
	if got, want := l.text(65*time.Second+time.Millisecond), "occlint: 1 compilation, 1 kernel, worst spill 120 bytes, 1m5s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
