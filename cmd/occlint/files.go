package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// outputsOf reads the values of --output, of a command with these formats, and
// makes sure that each can be written before any work is done for it: its
// directory is made, and no two go to one file, whatever they call it.
func (a *app) outputsOf(specs, formats []string) (stdout string, files []output, err error) {
	stdout, files, err = parseOutputs(specs, formats)
	if err != nil {
		return "", nil, err
	}
	for i, o := range files {
		dir := filepath.Dir(a.path(o.path))
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return "", nil, usageError("--output %s:%s: %w", o.format, o.path, cannotWrite(a.path(o.path), err))
		}
		if info, err := os.Stat(a.path(o.path)); err == nil && info.IsDir() {
			return "", nil, usageError("--output %s:%s: this is a directory", o.format, o.path)
		}
		for _, other := range files[:i] {
			if sameFile(a.path(o.path), a.path(other.path)) {
				return "", nil, usageError("--output %q: another output goes to the same file", o.format+":"+o.path)
			}
		}
	}
	return stdout, files, nil
}

// sameFile reports whether two paths lead to one regular file, that is there
// or is about to be made.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		inA, errA := os.Stat(filepath.Dir(a))
		inB, errB := os.Stat(filepath.Dir(b))
		return errA == nil && errB == nil && os.SameFile(inA, inB) && filepath.Base(a) == filepath.Base(b)
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other) && one.Mode().IsRegular()
}

// writeFile replaces a file in one step, so that nobody reads half a report.
// What is there and is no regular file (a pipe, a device) is written to as it
// is, and a link keeps pointing to what it points to.
func writeFile(path string, write func(io.Writer) error) error {
	target := path
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return cannotWrite(path, writeInPlace(path, write))
		}
		if target, err = filepath.EvalSymlinks(path); err != nil {
			return cannotWrite(path, err)
		}
	}
	return cannotWrite(path, replace(target, write))
}

// replace writes beside path and renames. The mode is what the user's umask
// makes of a new file.
func replace(path string, write func(io.Writer) error) (err error) {
	temp := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp)
		}
	}()
	if err = errors.Join(write(f), f.Close()); err != nil {
		return err
	}
	return os.Rename(temp, path)
}

func writeInPlace(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// cannotWrite says which file could not be written and why, without the name
// of the temporary one.
func cannotWrite(path string, err error) error {
	if err == nil {
		return nil
	}
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		err = pathErr.Err
	case errors.As(err, &linkErr):
		err = linkErr.Err
	}
	return fmt.Errorf("cannot write %q: %w", path, err)
}

// sparesInputs makes sure that no output replaces a log that is to be read.
func (a *app) sparesInputs(outputs []output, logs []string) error {
	for _, o := range outputs {
		out, err := os.Stat(a.path(o.path))
		if err != nil {
			continue
		}
		for _, log := range logs {
			if in, err := os.Stat(a.path(log)); err == nil && log != "-" && os.SameFile(out, in) && in.Mode().IsRegular() {
				return usageError("--output %s:%s would replace the log %q", o.format, o.path, log)
			}
		}
	}
	return nil
}
