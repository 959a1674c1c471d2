package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Exit codes of a shell for a command that never ran, which build systems know.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

// orphanQuiet is how long an output may stay silent after the command itself
// has ended. What still holds it open then is a background process (a compiler
// cache's server, say), and waiting for its end could take days.
const orphanQuiet = 3 * time.Second

// Command is a program to run with both its output streams read.
type Command struct {
	Args  []string // the program and its arguments; at least one
	Dir   string   // working directory
	Env   []string // as os.Environ; nil takes this process's
	Stdin io.Reader
}

// StartError says that a command never ran.
type StartError struct {
	Program string
	Err     error
}

func (e *StartError) Error() string {
	reason := e.Err
	var execErr *exec.Error
	var pathErr *fs.PathError
	switch {
	case errors.Is(e.Err, exec.ErrNotFound):
		return fmt.Sprintf("cannot run %q: no such program in PATH", e.Program)
	case errors.As(e.Err, &execErr):
		reason = execErr.Err
	case errors.As(e.Err, &pathErr):
		reason = pathErr.Err
	}
	return fmt.Sprintf("cannot run %q: %v", e.Program, reason)
}

func (e *StartError) Unwrap() error { return e.Err }

// ExitCode is what a shell would exit with: 127 for a program that is not
// there, 126 for one that can't be executed.
func (e *StartError) ExitCode() int {
	if errors.Is(e.Err, exec.ErrNotFound) || errors.Is(e.Err, fs.ErrNotExist) {
		return exitNotFound
	}
	return exitNotExecutable
}

// Status is how a command ended.
type Status struct {
	Code   int // exit code; 0 when a signal ended it
	Signal int // number of the signal that ended it; 0 for none
	// Orphaned says that something the command started still held its output
	// open, and that reading stopped before the end of it.
	Orphaned bool
}

// ExitCode is the code to pass on: the command's own, or 128 plus the signal.
func (s Status) ExitCode() int {
	if s.Signal != 0 {
		return 128 + s.Signal
	}
	return s.Code
}

func (s Status) String() string {
	if s.Signal != 0 {
		return fmt.Sprintf("was ended by signal %d (%s)", s.Signal, signalName(s.Signal))
	}
	return fmt.Sprintf("exited with status %d", s.Code)
}

// stream tells a command's two outputs apart.
type stream uint8

const (
	stdout stream = iota
	stderr
	streams
)

// run starts the command, hands each chunk of its output to output as it
// arrives, and waits for it. With onePipe both streams are one pipe, which
// keeps their order and makes everything stderr. output is called from two
// goroutines.
// to has where the streams flow on to: one that is a terminal gives the command
// a terminal too.
func (c *Command) run(onePipe bool, to [streams]io.Writer, output func(stream, []byte)) (Status, error) {
	pipes, err := newPipes(onePipe, to)
	if err != nil {
		return Status{}, err
	}
	relay := newRelay()
	defer relay.stop()
	cmd, err := c.start(pipes.write[stdout], pipes.write[stderr])
	pipes.closeWriters()
	if err != nil {
		pipes.closeReaders()
		return Status{}, err
	}
	relay.to(cmd.Process)
	drained := pipes.read(output)
	err = cmd.Wait()
	relay.stop()
	status := statusOf(cmd.ProcessState)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && cmd.ProcessState == nil {
		return Status{}, err
	}
	status.Orphaned = !pipes.wait(drained)
	return status, nil
}

// direct runs the command with its output left alone.
func (c *Command) direct(stdout, stderr io.Writer) (Status, error) {
	relay := newRelay()
	defer relay.stop()
	cmd, err := c.start(stdout, stderr)
	if err != nil {
		return Status{}, err
	}
	relay.to(cmd.Process)
	if err := cmd.Wait(); cmd.ProcessState == nil {
		return Status{}, err
	}
	return statusOf(cmd.ProcessState), nil
}

// start starts the command as a shell would: the program by PATH, and a script
// that names no interpreter by the shell itself.
func (c *Command) start(stdout, stderr io.Writer) (*exec.Cmd, error) {
	command := func(program string, args ...string) *exec.Cmd {
		return &exec.Cmd{Path: program, Args: args, Dir: c.Dir, Env: c.Env, Stdin: c.Stdin, Stdout: stdout, Stderr: stderr}
	}
	program, err := lookPath(c.Args[0])
	if err != nil {
		return nil, &StartError{c.Args[0], err}
	}
	cmd := command(program, c.Args...)
	err = cmd.Start()
	if isScript(err) {
		cmd = command(shell, slices.Concat([]string{shell, program}, c.Args[1:])...)
		err = cmd.Start()
	}
	if err != nil {
		return nil, &StartError{c.Args[0], err}
	}
	return cmd, nil
}

// pipes are the reading and writing ends of a command's outputs.
type pipes struct {
	reader   []*os.File
	write    [streams]*os.File
	of       []stream // which stream a reader is
	activity atomic.Int64
	// left says that nobody wants the rest. Closing the readers instead would
	// block on Windows while one reads.
	left atomic.Bool
}

func newPipes(onePipe bool, to [streams]io.Writer) (*pipes, error) {
	p := &pipes{}
	first := stdout
	if onePipe {
		first = stderr
	}
	for s := first; s < streams; s++ {
		r, w := terminalFor(to[s])
		var err error
		if r == nil {
			r, w, err = os.Pipe()
		}
		if err != nil {
			p.closeReaders()
			p.closeWriters()
			return nil, fmt.Errorf("cannot make a pipe: %w", err)
		}
		p.reader = append(p.reader, r)
		p.of = append(p.of, s)
		p.write[s] = w
	}
	if onePipe {
		p.write[stdout] = p.write[stderr]
	}
	return p, nil
}

func (p *pipes) closeWriters() {
	for i, w := range p.write {
		if w != nil && (i == 0 || w != p.write[0]) {
			_ = w.Close()
		}
	}
}

func (p *pipes) closeReaders() {
	for _, r := range p.reader {
		_ = r.Close()
	}
}

// read starts one reading goroutine for each pipe; the channel closes when all
// have met the end.
func (p *pipes) read(output func(stream, []byte)) <-chan struct{} {
	var wg sync.WaitGroup
	for i, r := range p.reader {
		wg.Go(func() {
			buf := make([]byte, 32<<10)
			for {
				n, err := r.Read(buf)
				p.activity.Store(time.Now().UnixNano())
				if n > 0 && !p.left.Load() {
					output(p.of[i], buf[:n])
				}
				if err != nil {
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	return done
}

// wait returns true once everything is read, and false when a process that
// outlives the command keeps an output open in silence.
func (p *pipes) wait(drained <-chan struct{}) bool {
	p.activity.Store(time.Now().UnixNano())
	for {
		quiet := time.Since(time.Unix(0, p.activity.Load()))
		select {
		case <-drained:
			p.closeReaders()
			return true
		case <-time.After(max(orphanQuiet-quiet, time.Millisecond)):
			if time.Since(time.Unix(0, p.activity.Load())) >= orphanQuiet {
				p.left.Store(true)
				return false
			}
		}
	}
}
