package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Kept is a compiler call that a record keeps, to be run again.
type Kept struct {
	File    string   // the record
	Dir     string   // the compiler's working directory
	Command []string // as it was given; empty in records of versions that kept none
	Log     []byte   // what the compiler said
}

// KeptCalls reads the calls of the records at path: a record, or a directory
// with records in it or in the .occlint directories below it. Calls that failed
// are left out.
func KeptCalls(path string) ([]Kept, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the record: %w", err)
	}
	if !info.IsDir() {
		k, _, err := keptCall(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return []Kept{k}, nil
	}
	dirs, err := recordDirs(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the record directory: %w", err)
	}
	var calls []Kept
	for _, dir := range dirs {
		files, err := os.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("cannot read the record directory: %w", err)
		}
		for _, f := range files {
			if !strings.HasSuffix(f.Name(), recordExt) {
				continue
			}
			k, s, err := keptCall(filepath.Join(dir, f.Name()))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Join(dir, f.Name()), err)
			}
			if s != stateFailed && s != stateStarted {
				calls = append(calls, k)
			}
		}
	}
	return calls, nil
}

func keptCall(path string) (Kept, state, error) {
	data, err := readWhole(path, maxRecordBytes)
	if err != nil {
		return Kept{}, "", err
	}
	r, err := decode(data)
	if err != nil {
		return Kept{}, "", err
	}
	return Kept{File: path, Dir: r.Dir, Command: r.Command, Log: r.Log}, r.State, nil
}
