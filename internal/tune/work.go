package tune

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Workspace is the temporary directory that everything is written into.
type Workspace struct{ dir string }

// NewWorkspace makes one. Whoever makes it closes it, whatever happens.
func NewWorkspace() (*Workspace, error) {
	dir, err := os.MkdirTemp("", "occlint-tune-")
	if err != nil {
		return nil, fmt.Errorf("cannot make a temporary directory: %w", err)
	}
	return &Workspace{dir}, nil
}

// Close removes the directory with all that is in it.
func (w *Workspace) Close() error { return os.RemoveAll(w.dir) }

// room makes a directory of its own for one compilation.
func (w *Workspace) room(name string) (string, error) {
	return os.MkdirTemp(w.dir, name+"-")
}

// env is env with the compiler's temporary files put into the workspace.
func (w *Workspace) env(env []string) []string {
	return append(slices.Clone(env), "TMPDIR="+w.dir, "TMP="+w.dir, "TEMP="+w.dir)
}

// NoToolError says that a program that compiles could not be started.
type NoToolError struct {
	Program string
	Err     error
}

func (e *NoToolError) Error() string {
	reason := e.Err.Error()
	var execErr *exec.Error
	var pathErr *fs.PathError
	switch {
	case errors.Is(e.Err, exec.ErrNotFound), errors.Is(e.Err, fs.ErrNotExist):
		reason = "there is no such program in PATH"
	case errors.As(e.Err, &execErr):
		reason = execErr.Err.Error()
	case errors.As(e.Err, &pathErr):
		reason = pathErr.Err.Error()
	}
	return fmt.Sprintf("cannot run %q: %s", e.Program, reason)
}

func (e *NoToolError) Unwrap() error { return e.Err }

// process is one program to run.
type process struct {
	args     []string
	dir      string
	env      []string
	combined bool // stdout is kept with stderr
}

// ended is what became of a process.
type ended struct {
	stdout, stderr string
	code           int // 128 + n after signal n
	took           time.Duration
}

// patience is how long a process may take to end once it was asked to.
const patience = 3 * time.Second

// run runs a process to its end. When ctx ends, the process and all that it
// started are ended too: nvcc runs four programs for one file. The error is a
// *NoToolError or ctx's.
func (p *process) run(ctx context.Context) (*ended, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	program, err := lookPath(p.args[0], p.dir)
	if err != nil {
		return nil, &NoToolError{p.args[0], err}
	}
	cmd := exec.CommandContext(ctx, program, p.args[1:]...)
	cmd.Args[0] = p.args[0]
	cmd.Dir, cmd.Env = p.dir, p.env
	stdout, stderr := &bounded{}, &bounded{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if p.combined {
		cmd.Stdout = stderr
	}
	cmd.WaitDelay = patience
	endTogether(cmd)
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, &NoToolError{p.args[0], err}
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		killGroup(cmd)
		return nil, ctx.Err()
	}
	e := &ended{stdout.String(), stderr.String(), exitCode(cmd.ProcessState), time.Since(began)}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("%s: %w", p.args[0], err)
	}
	return e, nil
}

// lookPath finds a program as a shell in dir would.
func lookPath(program, dir string) (string, error) {
	if strings.ContainsRune(program, filepath.Separator) && !filepath.IsAbs(program) {
		program = filepath.Join(dir, program)
	}
	return exec.LookPath(program)
}

// mostOutput bounds what is kept of a process's output: resource usage of
// thousands of kernels takes less, and an endless message must not fill the
// memory.
const mostOutput = 64 << 20

// bounded keeps the first mostOutput bytes.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	if room := mostOutput - b.Len(); room > 0 {
		b.Buffer.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
