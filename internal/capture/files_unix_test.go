//go:build unix

package capture

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"
)

// bash runs a script with wrap and nvcc in PATH.
func bash(t *testing.T, dir, script string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	c := Command{Args: []string{"bash", "-c", script}, Dir: dir}
	status, err := c.direct(&out, &errs)
	if err != nil {
		t.Skipf("no bash: %v", err)
	}
	return status.ExitCode(), out.String(), errs.String()
}

// TestWrapLeavesPipesToTheCompiler: what can be read once is the compiler's.
// Each call makes with wrap in front what it makes alone.
func TestWrapLeavesPipesToTheCompiler(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		recorded     bool
		stderr       string
	}{
		{"standard input", "cat scale.cu | W nvcc -arch=sm_90 -x cu -cubin /dev/stdin -o out", true, ""},
		{"standard input from a file", "W nvcc -arch=sm_90 -x cu -cubin /dev/stdin -o out < scale.cu", true, ""},
		{"process substitution", "W nvcc -arch=sm_90 -x cu -cubin <(cat scale.cu) -o out", true, ""},
		{"a FIFO", "rm -f p.cu; mkfifo p.cu; cat scale.cu > p.cu & W nvcc -arch=sm_90 -cubin p.cu -o out", true, ""},
		{"options from a pipe", "W nvcc -arch=sm_90 -optf <(echo -cubin scale.cu) -o out", false, "can't be read ahead of the compiler"},
		{"dependencies to a FIFO", "rm -f p.d; mkfifo p.d; cat p.d >/dev/null & W nvcc -arch=sm_90 -MD -MF p.d -cubin scale.cu -o out", true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := project(t)
			// What the stand-in takes from a pipe it can find no log for but this.
			for _, stem := range []string{"stdin", "p"} {
				writeFile(t, filepath.Join(dir, "replay", stem+".log"), scaleLog)
			}
			t.Setenv("FAKENVCC_LOGS", filepath.Join(dir, "replay"))
			build := func(prefix string) string {
				t.Helper()
				code, _, stderr := bash(t, dir, strings.ReplaceAll(tt.script, "W ", prefix))
				want := tt.stderr
				if prefix == "" {
					want = ""
				}
				if code != 0 || !strings.Contains(stderr, want) || (want == "") != (stderr == "") && !strings.Contains(stderr, "has no record") {
					t.Fatalf("exit %d, stderr %q", code, stderr)
				}
				object := readFile(t, filepath.Join(dir, "out"))
				remove(t, filepath.Join(dir, "out"))
				return object
			}
			alone := build("")
			if diff := cmp.Diff(alone, build("wrap ")); diff != "" {
				t.Errorf("the output (-alone +wrapped):\n%s", diff)
			}
			if got := exists(filepath.Join(dir, DirName)); got != tt.recorded {
				t.Errorf("recorded: %v, want %v", got, tt.recorded)
			}
			if tt.recorded && !strings.Contains(tt.script, "scale.cu -o") {
				if r := onlyRecord(t, filepath.Join(dir, DirName)); r.Sources != nil {
					t.Errorf("sources %q are no files", r.Sources)
				}
			}
		})
	}
}

// TestReadWhole: nothing but a regular file of a bounded size is opened.
func TestReadWhole(t *testing.T) {
	dir := t.TempDir()
	fifo, big := filepath.Join(dir, "fifo"), filepath.Join(dir, "big")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	writeFile(t, big, "12345")
	for _, path := range []string{fifo, "/dev/zero", "/dev/stdin"} {
		if data, err := readWhole(path, 4); !errors.Is(err, errNotRegular) {
			t.Errorf("%s: %q, %v", path, data, err)
		}
	}
	if _, err := readWhole(big, 4); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("a file above the limit: %v", err)
	}
	if data, err := readWhole(big, 5); err != nil || string(data) != "12345" {
		t.Errorf("a file at the limit: %q, %v", data, err)
	}
}

// TestRecordThatIsNoFile: a FIFO among the records must not hold up the judge.
func TestRecordThatIsNoFile(t *testing.T) {
	dir := project(t)
	wrapped(dir, compileScale...)
	if err := syscall.Mkfifo(filepath.Join(dir, DirName, "odd.record"), 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan *parse.Log, 1)
	go func() {
		log := &parse.Log{}
		_, _ = Load(log, []string{dir}, dir)
		done <- log
	}()
	select {
	case log := <-done:
		if got := faults(log); !strings.Contains(got, "the record can't be used: not a regular file") {
			t.Errorf("faults %q", got)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it waits for a writer")
	}
}

// TestLinkedDirectories: links in the place of the build or the records change
// nothing: the records are found, and compared with the files.
func TestLinkedDirectories(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(t *testing.T, dir string) (told, records string) // what check is told, and wrap
	}{
		{"the build is a link", func(t *testing.T, dir string) (string, string) {
			link := filepath.Join(t.TempDir(), "build")
			symlink(t, dir, link)
			return link, ""
		}},
		{"the records are a link", func(t *testing.T, dir string) (string, string) {
			symlink(t, t.TempDir(), filepath.Join(dir, DirName))
			return dir, ""
		}},
		{"the records are a link, read past it", func(t *testing.T, dir string) (string, string) {
			target := t.TempDir()
			symlink(t, target, filepath.Join(dir, DirName))
			return target, ""
		}},
		{"below a link, and not there yet", func(t *testing.T, _ string) (string, string) {
			target, link := t.TempDir(), filepath.Join(t.TempDir(), "link")
			symlink(t, target, link)
			return filepath.Join(target, "new", "records"), filepath.Join(link, "new", "records")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := project(t)
			told, records := tt.make(t, dir)
			var errs strings.Builder
			w := &Wrap{Args: compileScale, Dir: dir, Env: os.Environ(), Records: records, Stdin: strings.NewReader(""), Stdout: &errs, Stderr: &errs}
			if code := w.Run(); code != 0 || errs.String() != "" {
				t.Fatalf("exit %d, %s", code, errs.String())
			}
			log, notes := load(t, dir, told)
			if kernelNames(log) != "_Z5scalePf" || len(log.Faults) != 0 || len(notes) != 0 {
				t.Fatalf("%q, faults %q, notes %q", kernelNames(log), faults(log), notes)
			}
			writeFile(t, filepath.Join(dir, "scale.cu"), "// edited\n")
			if log, _ := load(t, dir, told); !strings.Contains(faults(log), "scale.cu changed since") {
				t.Errorf("an edit is not noticed: %q", faults(log))
			}
		})
	}
}

func symlink(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		t.Skip(err)
	}
}
