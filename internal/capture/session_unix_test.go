//go:build unix

package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sh is a session of one shell script with both streams kept apart.
func sh(script string) (*Session, *bytes.Buffer, *bytes.Buffer) {
	var out, errs bytes.Buffer
	return &Session{
		Command: Command{Args: []string{"sh", "-c", script}, Stdin: strings.NewReader("")},
		Stdout:  &out,
		Stderr:  &errs,
		Name:    "build.log",
	}, &out, &errs
}

func TestSessionKeepsBytes(t *testing.T) {
	tests := []struct {
		name, script string
		out, err     string
		raw          string // "" where the order across the streams is open
	}{
		{"lines", `printf 'a\nb\n'; printf 'c\n' >&2`, "a\nb\n", "c\n", ""},
		{"no newline at the end", `printf 'a\nb'`, "a\nb", "", "a\nb"},
		{"both without a newline", `printf a; sleep 0.1; printf b >&2`, "a", "b", "a\nb"},
		{"carriage returns", `printf '10%%\r20%%\r\n'`, "10%\r20%\r\n", "", "10%\r20%\r\n"},
		{"zero bytes and bad UTF-8", `printf 'a\000\377\n'`, "a\x00\xff\n", "", "a\x00\xff\n"},
		{"nothing", `true`, "", "", ""},
		{
			"a line that starts before one of the other stream ends after it",
			`printf half; sleep 0.1; printf 'whole\n' >&2; sleep 0.1; printf ' full\n'`,
			"half full\n", "whole\n", "whole\nhalf full\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, out, errs := sh(tt.script)
			var raw bytes.Buffer
			s.Raw = &raw
			o, err := s.Run()
			if err != nil || o.ExitCode() != 0 {
				t.Fatalf("%+v, %v", o, err)
			}
			if out.String() != tt.out || errs.String() != tt.err {
				t.Errorf("stdout %q, stderr %q; want %q, %q", out, errs, tt.out, tt.err)
			}
			if tt.raw != "" && raw.String() != tt.raw {
				t.Errorf("log %q, want %q", &raw, tt.raw)
			}
		})
	}
}

// TestSessionUnendedLine: what the command's own end leaves open is no cut log,
// unless it is the compiler's.
func TestSessionUnendedLine(t *testing.T) {
	cut := strings.TrimSuffix(scaleLog, "\n")
	const inside = "the log ends inside a line"
	tests := []struct {
		name, script string
		fault        string
	}{
		{"a last word", `printf '%s' "$LOG"; printf Done`, ""},
		{"on the other stream", `printf '%s' "$LOG" >&2; printf Done`, ""},
		{"on both", `printf Done; printf '%s' "$LOG" >&2; printf Done >&2`, ""},
		{"a resource line", `printf '%s' "$CUT"`, inside},
		{"a resource line, and a word on the other stream", `printf '%s' "$CUT"; printf Done >&2`, inside},
		{"a word, and a resource line on the other stream", `printf Done; printf '%s' "$CUT" >&2`, inside},
		{"the beginning of one", `printf '%s' "$LOG"; printf 'ptxas info    : Comp'`, inside},
		{"killed", `printf '%s' "$LOG"; printf Done; kill -9 $$`, inside},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _, _ := sh(tt.script)
			s.Env = append(os.Environ(), "LOG="+scaleLog, "CUT="+cut)
			o, err := s.Run()
			if err != nil {
				t.Fatal(err)
			}
			if got := faults(o.Log); !strings.Contains(got, tt.fault) || (tt.fault == "") != (got == "") {
				t.Errorf("faults %q, want %q", got, tt.fault)
			}
			if !strings.HasPrefix(kernelNames(o.Log), "_Z5scalePf") {
				t.Errorf("kernels %+v", kernelNames(o.Log))
			}
		})
	}
}

// TestSessionIsPrompt: a question without a newline must reach the user before
// the answer.
func TestSessionIsPrompt(t *testing.T) {
	s, _, _ := sh(`printf 'go on? '; read answer; echo "$answer"`)
	questions, asked := io.Pipe()
	answer, answered, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer answered.Close()
	s.Stdout, s.Stdin = asked, answer
	go func() {
		_, _ = s.Run()
		_ = asked.Close()
	}()
	buf := make([]byte, 100)
	n, err := questions.Read(buf)
	if err != nil || string(buf[:n]) != "go on? " {
		t.Fatalf("read %q, %v before the answer", buf[:n], err)
	}
	fmt.Fprintln(answered, "yes")
	rest, err := io.ReadAll(questions)
	if err != nil || string(rest) != "yes\n" {
		t.Errorf("then %q, %v", rest, err)
	}
}

// TestSessionOnePipe: where both streams end in one file their order is kept.
func TestSessionOnePipe(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "both"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, _, _ := sh(`for i in 1 2 3 4 5 6 7 8 9; do echo out $i; echo err $i >&2; done`)
	s.Stdout, s.Stderr = f, f
	s.Args[2] += "; printf open"
	o, err := s.Run()
	if err != nil {
		t.Fatal(err)
	}
	if o.Unended != [2]bool{true, false} {
		t.Errorf("unended %v: one newline ends a line that is both streams'", o.Unended)
	}
	var want strings.Builder
	for i := 1; i <= 9; i++ {
		fmt.Fprintf(&want, "out %d\nerr %d\n", i, i)
	}
	if got := readFile(t, f.Name()); got != want.String()+"open" {
		t.Errorf("got %q", got)
	}
}

func TestSessionStatus(t *testing.T) {
	notExecutable := filepath.Join(t.TempDir(), "data")
	writeFile(t, notExecutable, "data")
	tests := []struct {
		name   string
		args   []string
		want   int
		status string
	}{
		{"success", []string{"true"}, 0, "exited with status 0"},
		{"failure", []string{"sh", "-c", "exit 5"}, 5, "exited with status 5"},
		{"killed", []string{"sh", "-c", "kill -9 $$"}, 137, "was ended by signal 9 (SIGKILL)"},
		{"terminated", []string{"sh", "-c", "kill -15 $$"}, 143, "was ended by signal 15 (SIGTERM)"},
		{"not there", []string{"no-such-program-at-all"}, 127, `cannot run "no-such-program-at-all": no such program in PATH`},
		{"no such path", []string{"./no/such"}, 127, `cannot run "./no/such": no such file or directory`},
		{"not executable", []string{notExecutable}, 126, "permission denied"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _, _ := sh("")
			s.Args = tt.args
			o, err := s.Run()
			var start *StartError
			switch {
			case errors.As(err, &start):
				if start.ExitCode() != tt.want || !strings.Contains(err.Error(), tt.status) {
					t.Errorf("exit %d, %v; want %d, %s", start.ExitCode(), err, tt.want, tt.status)
				}
			case err != nil:
				t.Fatal(err)
			case o.ExitCode() != tt.want || o.String() != tt.status:
				t.Errorf("exit %d, %s; want %d, %s", o.ExitCode(), o.Status, tt.want, tt.status)
			}
		})
	}
}

// TestSessionForwardsSignals: the command gets the signal, cleans up, and its
// last words are read.
func TestSessionForwardsSignals(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "QUIT": syscall.SIGQUIT} {
		t.Run(name, func(t *testing.T) {
			s, _, _ := sh(`trap 'echo cleaned up; exit 9' ` + name + `; echo ready; while :; do sleep 0.01; done`)
			r, w := io.Pipe()
			s.Stdout = w
			type result struct {
				o   *Outcome
				err error
			}
			done := make(chan result, 1)
			go func() {
				o, err := s.Run()
				done <- result{o, err}
				_ = w.Close()
			}()
			buf := make([]byte, 100)
			if n, err := r.Read(buf); err != nil || string(buf[:n]) != "ready\n" {
				t.Fatalf("%q, %v", buf[:n], err)
			}
			if err := syscall.Kill(os.Getpid(), sig); err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(r)
			got := <-done
			if got.err != nil || got.o.ExitCode() != 9 || string(rest) != "cleaned up\n" {
				t.Errorf("%+v, %v, last words %q", got.o, got.err, rest)
			}
		})
	}
}

// TestSessionSurvivesBrokenPipe: the reader of our output goes away, the build
// goes on to its end.
func TestSessionSurvivesBrokenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	marker := filepath.Join(t.TempDir(), "done")
	s, _, _ := sh(`i=0; while [ $i -lt 2000 ]; do echo "a line of a build that nobody reads any more"; i=$((i+1)); done; touch ` + marker)
	s.Stdout = w
	o, err := s.Run()
	if err != nil || o.ExitCode() != 0 {
		t.Fatalf("%+v, %v", o, err)
	}
	if !exists(marker) {
		t.Error("the build did not get to its end")
	}
}

// TestSessionLeavesOrphans: what the command leaves running does not hold it up.
func TestSessionLeavesOrphans(t *testing.T) {
	s, out, _ := sh(`echo done; sleep 60 & echo $! >&2`)
	start := time.Now()
	o, err := s.Run()
	if err != nil || !o.Orphaned || out.String() != "done\n" {
		t.Errorf("%+v, %v, %q", o, err, out)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("took %s", took)
	}
	var pid int
	if _, err := fmt.Sscan(s.Stderr.(*bytes.Buffer).String(), &pid); err == nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// TestSessionForwardsMessages: resource lines stay back, all others go out on
// the stream they came from.
func TestSessionForwardsMessages(t *testing.T) {
	s, out, errs := sh(`echo '[1/2] nvcc'; printf '%s' "$LOG" >&2; echo '[2/2] done'; echo 'a.cu(3): warning #177-D: unused' >&2; printf tail >&2`)
	s.Env = append(os.Environ(), "LOG="+scaleLog+"ptxas warning : Registers are spilled to local memory in function '_Z5scalePf', 8 bytes spill stores, 8 bytes spill loads\n")
	s.Forward = ForwardMessages
	o, err := s.Run()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "[1/2] nvcc\n[2/2] done\n"; got != want {
		t.Errorf("stdout %q, want %q", got, want)
	}
	want := "ptxas warning : Registers are spilled to local memory in function '_Z5scalePf', 8 bytes spill stores, 8 bytes spill loads\n" +
		"a.cu(3): warning #177-D: unused\ntail"
	if got := errs.String(); got != want {
		t.Errorf("stderr %q, want %q", got, want)
	}
	if o.Log.Len() != 1 || o.Log.Kernel(0).Name != "_Z5scalePf" {
		t.Errorf("kernels %+v", kernelNames(o.Log))
	}
}

// TestSessionLongLine: a line without an end costs bounded memory and keeps
// its bytes.
func TestSessionLongLine(t *testing.T) {
	const n = 5 << 20
	s, out, _ := sh(fmt.Sprintf(`head -c %d /dev/zero | tr '\0' x; echo; echo after`, n))
	raw := &bytes.Buffer{}
	s.Raw = raw
	if _, err := s.Run(); err != nil {
		t.Fatal(err)
	}
	want := strings.Repeat("x", n) + "\nafter\n"
	if out.String() != want || raw.String() != want {
		t.Errorf("got %d and %d bytes, want %d", out.Len(), raw.Len(), len(want))
	}
}

// TestSessionRawFails: a full disk under the log does not stop the build.
func TestSessionRawFails(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skipf("no /dev/full here: %v", err)
	}
	defer full.Close()
	s, out, _ := sh(`printf '%s' "$LOG"; exit 3`)
	s.Env = append(os.Environ(), "LOG="+scaleLog)
	s.Raw = full
	o, err := s.Run()
	if err != nil || o.ExitCode() != 3 || out.String() != scaleLog || o.Log.Len() != 1 {
		t.Fatalf("%+v, %v", o, err)
	}
	if !errors.Is(o.RawErr, syscall.ENOSPC) {
		t.Errorf("RawErr %v, want no space left", o.RawErr)
	}
}
