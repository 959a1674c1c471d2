package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/occlint/occlint/internal/binaries"
	"github.com/occlint/occlint/internal/capture"
	"github.com/occlint/occlint/internal/container"
	"github.com/occlint/occlint/parse"
)

// readBinary reads a compiled file.
func (a *app) readBinary(bin *binaries.Reader, path, shown string) error {
	_, entries, err := bin.File(path, shown)
	if err != nil {
		return usageError("cannot read the binary %q: %w", shown, err)
	}
	if entries == 0 {
		bin.Empty(shown)
	}
	return nil
}

// readDirs reads the binaries of each directory that has no records of builds,
// and returns those that have.
func (a *app) readDirs(bin *binaries.Reader, dirs []string, root string) (records []string, err error) {
	for _, dir := range dirs {
		if capture.HasRecords(dir) {
			records = append(records, dir)
			continue
		}
		files, err := bin.Dir(dir, func(path string) string { return rootRelative(root, path, path) })
		if err != nil {
			return nil, usageError("cannot read the directory %q: %w", dir, err)
		}
		if files > 0 {
			a.compiled = append(a.compiled, dir)
		}
		if files == 0 && !bin.Faulty() {
			records = append(records, dir) // whose reader says what a directory can hold
		}
	}
	return records, nil
}

// readObjects reads what the recorded calls made, where --binaries asks for it.
// What has no device code (a host object, a log kept elsewhere) is passed over.
func (a *app) readObjects(bin *binaries.Reader, dirs []string, root string) error {
	if !a.objects || len(dirs) == 0 {
		return nil
	}
	paths, err := capture.Objects(dirs, root)
	if err != nil {
		return usageError("%w", err)
	}
	for _, path := range paths {
		if _, _, err := bin.File(path, rootRelative(root, path, path)); err != nil {
			return usageError("cannot read the binary %q: %w", path, err)
		}
	}
	return nil
}

// addBinaries appends to the log what the binaries state, and says what a
// person should know of them.
func (a *app) addBinaries(log *parse.Log, bin *binaries.Reader) {
	bin.AddTo(log)
	a.embedded = append(a.embedded, bin.PTX...)
	for _, note := range bin.Notes {
		fmt.Fprintf(a.Stderr, "occlint: note: %s\n", escapeLines(note))
	}
}

// sniffStdin looks whether a binary comes through stdin. What it read of it
// comes again. A log is not kept waiting: its first byte tells it apart.
func (a *app) sniffStdin() (stdin io.Reader, isBinary bool) {
	head := make([]byte, container.SniffLength)
	n, err := a.Stdin.Read(head[:1])
	for n == 0 && err == nil {
		n, err = a.Stdin.Read(head[:1])
	}
	if n == 1 && err == nil && container.MayBeBinary(head[0]) {
		var more int
		more, _ = io.ReadFull(a.Stdin, head[1:]) // its reader meets the error again
		n += more
	}
	head = head[:n]
	if n == 0 {
		return a.Stdin, false // its reader meets the same end, or error
	}
	stdin, format := io.MultiReader(bytes.NewReader(head), a.Stdin), container.Sniff(head)
	if format != container.Gzip {
		return stdin, format != container.Unknown
	}
	// What is packed decides; a packed log is for its own reader.
	var read bytes.Buffer
	inner := make([]byte, container.SniffLength)
	n = 0
	if z, err := gzip.NewReader(io.TeeReader(stdin, &read)); err == nil {
		n, _ = io.ReadFull(z, inner)
	}
	return io.MultiReader(&read, a.Stdin), container.Sniff(inner[:n]) != container.Unknown
}

// readPipedBinary keeps a piped binary in a file for as long as it is read:
// what says where its parts are stands at its end.
func (a *app) readPipedBinary(bin *binaries.Reader, stdin io.Reader) error {
	dir, err := os.MkdirTemp("", "occlint-*")
	if err != nil {
		return usageError("no temporary file to keep the binary of stdin in: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // it is a temporary directory
	path := filepath.Join(dir, "stdin")
	err = writeFile(path, func(w io.Writer) error {
		_, err := io.Copy(w, io.LimitReader(stdin, container.MaxMember))
		return err
	})
	if err != nil {
		return usageError("cannot keep the binary of stdin: %w", err)
	}
	return a.readBinary(bin, path, stdinName)
}
