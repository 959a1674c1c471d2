package main

import (
	"compress/gzip"
	"errors"
	"io"
	"os"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/where"
)

// open opens a file, or the one with .gz behind its name.
func open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if !errors.Is(err, os.ErrNotExist) {
		return f, err
	}
	packed, packedErr := os.Open(path + ".gz")
	if packedErr != nil {
		return nil, err // of the name that was asked for
	}
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, errors.Join(err, packed.Close())
	}
	return z, nil
}

// units reads a cubin's text sections.
func units(path string) ([]*where.Unit, error) {
	r, err := open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // nothing was written
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	f, err := cubin.Parse(data)
	if err != nil {
		return nil, err
	}
	return where.Units(f, path)
}
