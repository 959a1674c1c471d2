package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/ptx"
)

// The exit codes. exitUntrusted wins over exitFindings: a verdict on a log
// that can't be judged is worth nothing.
const (
	exitClean     = 0 // nothing at or above --fail-on
	exitFindings  = 1 // findings at or above --fail-on
	exitUsage     = 2 // flags, arguments, config, files that can't be read or written
	exitUntrusted = 3 // the input can't be judged

	exitBrokenPipe = 128 + 13 // what a shell says of SIGPIPE; never of the gate itself
)

// app is the command as a value: all that it takes from the world is here, so
// that tests run it in-process.
type app struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Env            func(string) string
	Environ        func() []string // all of the environment; nil: empty
	Dir            string          // working directory; relative paths start here

	embedded []ptx.Entry // PTX of the binaries that were read last
	compiled []string    // the binaries among the inputs, and directories of them; absolute
	codeOnly bool        // of binaries, leave the PTX: nothing is asked that only it declares
	objects  bool        // with records, read what the recorded calls made too
}

// exitError ends a command with an exit code. A nil err has nothing more to
// say: the report is printed already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usageError is an error of the caller: exit 2.
func usageError(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// Run runs occlint with the arguments that follow its name and returns the
// exit code.
func (a *app) Run(args []string) int { return a.execute(a.commandFor(args), args) }

func (a *app) execute(cmd *cobra.Command, args []string) int {
	cmd.SetArgs(args)
	help := &watchedWriter{w: a.Stdout}
	cmd.SetOut(help)
	err := cmd.Execute()
	if err == nil && help.err != nil {
		err = fmt.Errorf("cannot write the help: %w", help.err)
	}
	if err == nil {
		return exitClean
	}
	var exit *exitError
	if errors.Is(err, syscall.EPIPE) {
		return exitBrokenPipe
	}
	if !errors.As(err, &exit) {
		// What cobra finds: unknown flags, missing arguments.
		exit = &exitError{exitUsage, err}
	}
	if exit.err != nil {
		fmt.Fprintf(a.Stderr, "occlint: %s\n", escapeLines(exit.err.Error()))
	}
	return exit.code
}

// watchedWriter keeps the first error of writing, since what prints help looks
// at none.
type watchedWriter struct {
	w   io.Writer
	err error
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	n, err := w.w.Write(p)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// flagError is an error of a flag in our words.
func flagError(err error) error {
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		return usageError("--%s %q: %w", invalid.GetFlag().Name, invalid.GetValue(), valueError(err))
	}
	return usageError("%w", err)
}

// valueError is why a flag's value can't be used, without the words that the
// packages below have for it.
func valueError(err error) error {
	var number *strconv.NumError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &number) && number.Func == "ParseBool":
		return errors.New("want true or false")
	case errors.As(err, &number) && errors.Is(number, strconv.ErrRange):
		return errors.New("the number is out of range")
	case errors.As(err, &number):
		return errors.New("not a whole number")
	case errors.As(err, &invalid):
		return invalid.Unwrap()
	}
	return err
}

// path makes a path absolute against the app's working directory.
func (a *app) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(a.Dir, p)
}

// escapeLines escapes text from outside that stands in an error message, and
// keeps its line breaks.
func escapeLines(s string) string { return name.EscapeLines(s) }
