//go:build unix

package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// scripts makes the programs of a directory that is in PATH by a relative
// entry: one that names its interpreter and one that does not.
func scripts(t *testing.T) (dir string) {
	t.Helper()
	tools(t)
	dir = t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"named": "#!/bin/sh\necho named $1; exit 4\n", "bare": "echo bare $1; exit 5\n"} {
		writeFile(t, filepath.Join("bin", name), text)
		if err := os.Chmod(filepath.Join("bin", name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", "bin"+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return dir
}

// TestStartLikeShell: what a shell finds and runs is found and run, as a child
// and in place of this process.
func TestStartLikeShell(t *testing.T) {
	dir := scripts(t)
	for _, tt := range []struct {
		name string
		code int
	}{{"named", 4}, {"bare", 5}} {
		if code, want, stderr := bash(t, dir, tt.name+" x"); code != tt.code || want != tt.name+" x\n" {
			t.Fatalf("the shell itself: exit %d, %q, %q", code, want, stderr)
		}
		for _, through := range []string{"session ", "wrap "} {
			code, stdout, stderr := bash(t, dir, through+tt.name+" x")
			if code != tt.code || stdout != tt.name+" x\n" || stderr != "" {
				t.Errorf("%s%s: exit %d, %q, %q; want %d as from the shell", through, tt.name, code, stdout, stderr, tt.code)
			}
		}
		if code, stdout, stderr := plain(t, dir, tt.name+" x"); code != tt.code || stdout != tt.name+" x\n" || stderr != "" {
			t.Errorf("%s: exit %d, %q, %q", tt.name, code, stdout, stderr)
		}
	}
}

// TestIgnoredSignalsStayIgnored: under nohup, and in the background of a shell,
// the command ignores what it would ignore without occlint.
func TestIgnoredSignalsStayIgnored(t *testing.T) {
	tools(t)
	dir := t.TempDir()
	for _, signal := range []string{"HUP", "INT"} {
		const survive = `sh -c 'kill -%s $$; echo survived'`
		script := "trap '' " + signal + "; session " + strings.Replace(survive, "%s", signal, 1)
		if code, stdout, stderr := bash(t, dir, script); code != 0 || stdout != "survived\n" {
			t.Errorf("%s ignored: exit %d, %q, %q", signal, code, stdout, stderr)
		}
		// The control: not ignored, it ends the command.
		if code, stdout, _ := bash(t, dir, "session "+strings.Replace(survive, "%s", signal, 1)); code <= 128 || stdout != "" {
			t.Errorf("%s not ignored: exit %d, %q", signal, code, stdout)
		}
	}
}
