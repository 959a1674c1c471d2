package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/term"

	"github.com/occlint/occlint/internal/binaries"
	"github.com/occlint/occlint/internal/capture"
	"github.com/occlint/occlint/internal/container"
	"github.com/occlint/occlint/parse"
)

// stdinName is what reports call a log that came through a pipe.
const stdinName = "<stdin>"

// forwarding says which lines of a piped log flow on to stderr.
type forwarding string

const (
	forwardMessages forwarding = "messages" // all but the resource lines
	forwardAll      forwarding = "all"
	forwardNone     forwarding = "none"
)

func (f *forwarding) Set(s string) error {
	switch v := forwarding(s); v {
	case forwardMessages, forwardAll, forwardNone:
		*f = v
		return nil
	}
	return errors.New("want messages, all or none")
}

func (f *forwarding) String() string { return string(*f) }

// Type implements pflag.Value.
func (f *forwarding) Type() string { return "what" }

// readLogs reads the logs, record files and record directories that args
// name, or stdin when it is piped and args are empty.
func (a *app) readLogs(args []string, forward forwarding, root string) (*parse.Log, error) {
	if len(args) == 0 {
		if a.stdinIsTerminal() {
			return nil, usageError("no log: name a file, or pipe a build into occlint (nvcc -Xptxas -v … 2>&1 | occlint); occlint --help shows more")
		}
		args = []string{"-"}
	}
	// What is read is kept: the collector would look through all of it again
	// and again, and find nothing.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	log, bin := &parse.Log{}, &binaries.Reader{CodeOnly: a.codeOnly}
	a.embedded = nil
	dirs, files, err := a.splitDirs(args)
	if err != nil {
		return nil, err
	}
	if dirs, err = a.readDirs(bin, dirs, root); err != nil {
		return nil, err
	}
	stdinRead := false
	for _, file := range files {
		if file == "-" {
			if stdinRead {
				return nil, usageError("- is named twice: stdin can be read once")
			}
			stdinRead = true
			if err := a.readPiped(log, bin, forward); err != nil {
				return nil, err
			}
			continue
		}
		if err := a.readPath(log, bin, file, root); err != nil {
			return nil, err
		}
	}
	if err := a.readRecords(log, dirs, root); err != nil {
		return nil, err
	}
	if err := a.readObjects(bin, dirs, root); err != nil {
		return nil, err
	}
	a.addBinaries(log, bin)
	return log, nil
}

// splitDirs tells the record directories among args from the logs, and finds
// what can't be read before any of it is.
func (a *app) splitDirs(args []string) (dirs, files []string, err error) {
	for _, arg := range args {
		switch arg {
		case "":
			return nil, nil, usageError("a log's name is empty: is the variable in it set?")
		case "-":
			files = append(files, arg)
			continue
		}
		info, err := os.Stat(a.path(arg))
		switch {
		case err != nil:
			return nil, nil, a.cannotOpen(arg, err)
		case info.IsDir():
			dirs = append(dirs, a.path(arg))
		default:
			files = append(files, arg)
		}
	}
	return dirs, files, nil
}

// readRecords reads all record directories in one go, since of two records of
// one object the later counts, wherever it lies.
func (a *app) readRecords(log *parse.Log, dirs []string, root string) error {
	if len(dirs) == 0 {
		return nil
	}
	var records parse.Log
	loaded, err := capture.Load(&records, dirs, root)
	if err != nil {
		return usageError("%w", err)
	}
	log.Append(&records)
	a.embedded = append(a.embedded, loaded.PTX...)
	for _, note := range loaded.Notes {
		fmt.Fprintf(a.Stderr, "occlint: note: %s\n", escapeLines(note))
	}
	return nil
}

func (a *app) readPath(log *parse.Log, bin *binaries.Reader, arg, root string) error {
	path := a.path(arg)
	f, err := os.Open(path)
	if err != nil {
		return a.cannotOpen(arg, err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if container.IsBinary(f) {
		a.compiled = append(a.compiled, path)
		return a.readBinary(bin, path, rootRelative(root, path, arg))
	}
	r := bufio.NewReader(f)
	if isRecordFile(r) {
		return readRecordFile(log, r, arg)
	}
	a.readStream(log, r, rootRelative(root, path, arg))
	return nil
}

// readStream appends one log. What was read before an error stays, and the
// error becomes a fault, so that the verdict is never better than the input.
func (a *app) readStream(log *parse.Log, r io.Reader, file string, opts ...parse.Option) {
	if err := log.Read(r, file, opts...); err != nil {
		log.Faults = append(log.Faults, parse.Fault{
			Kind:  parse.FaultTruncated,
			Text:  "reading stopped: " + err.Error(),
			Place: parse.Place{File: file},
		})
	}
}

// cannotOpen explains a log that can't be opened. A word that is a slip for a
// command gets its suggestion, since the root command takes any word as a log.
func (a *app) cannotOpen(arg string, err error) error {
	reason := err
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		reason = pathErr.Err
	}
	if errors.Is(err, fs.ErrNotExist) && !strings.ContainsAny(arg, "./\\") {
		if near := a.rootCommand().SuggestionsFor(arg); len(near) > 0 {
			return usageError("%q is neither a log nor a command; did you mean occlint %s?", arg, near[0])
		}
	}
	return usageError("cannot read the log %q: %w", arg, reason)
}

// readPiped appends the log that comes through stdin, and passes it on to
// stderr line by line, byte for byte. A write that fails (the reader of stderr
// went away) ends the forwarding and not the verdict.
func (a *app) readPiped(log *parse.Log, bin *binaries.Reader, forward forwarding) error {
	widenPipe(a.Stdin)
	stdin, isBinary := a.sniffStdin()
	if isBinary {
		return a.readPipedBinary(bin, stdin)
	}
	var opts []parse.Option
	broken, last := false, byte('\n')
	if forward != forwardNone {
		on := parse.OnText
		if forward == forwardAll {
			on = parse.OnLine
		}
		opts = append(opts, on(func(l parse.Line) {
			if broken || len(l.Raw) == 0 {
				return
			}
			_, err := a.Stderr.Write(l.Raw)
			broken, last = err != nil, l.Raw[len(l.Raw)-1]
		}))
	}
	a.readStream(log, stdin, stdinName, opts...)
	if !broken && last != '\n' {
		// What follows is ours and starts on a line of its own: on a terminal
		// to be read, on GitHub Actions to be a command at all.
		fmt.Fprintln(a.Stderr)
	}
	return nil
}

func (a *app) stdinIsTerminal() bool {
	f, ok := a.Stdin.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// repositoryRoot is the directory that reports name files from: told, else the
// nearest parent with a .git, else the working directory.
func (a *app) repositoryRoot(told string) (string, error) {
	if told != "" {
		root := a.path(told)
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			return "", usageError("--root %q is not a directory", told)
		}
		return root, nil
	}
	for dir := a.Dir; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return a.Dir, nil
		}
	}
}

// rootRelative names path from root with slashes, or as the user wrote it when
// it lies outside.
func rootRelative(root, path, asWritten string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(asWritten)
	}
	return filepath.ToSlash(rel)
}
