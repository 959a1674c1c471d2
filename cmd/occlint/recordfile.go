package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/occlint/occlint/parse"
)

// isRecordFile reports whether r holds what --output json writes: an object
// whose first key is its schema. No compiler's log begins so.
func isRecordFile(r *bufio.Reader) bool {
	head, _ := r.Peek(64)
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(head), []byte{'{'})
	return ok && bytes.HasPrefix(bytes.TrimSpace(rest), []byte(`"schema"`))
}

// readRecordFile appends the records of a JSON file. Their places are those of
// the log that they were read from.
func readRecordFile(log *parse.Log, r io.Reader, arg string) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return usageError("cannot read the records %q: %w", arg, err)
	}
	var version struct {
		Schema int `json:"schema"`
	}
	var records parse.Log
	if err := json.Unmarshal(text, &version); err != nil {
		return usageError("the records %q are not whole: %w; write them again with --output json:FILE", arg, err)
	}
	if version.Schema != parse.SchemaVersion {
		return usageError("the records %q have schema %d; this occlint reads %d", arg, version.Schema, parse.SchemaVersion)
	}
	if err := json.Unmarshal(text, &records); err != nil {
		return usageError("the records %q can't be read: %w", arg, err)
	}
	return appendLog(log, &records, arg)
}

// appendLog appends other to log.
func appendLog(log *parse.Log, other *parse.Log, arg string) error {
	n := len(other.Compilations)
	check := func(index int) error {
		if index >= n {
			return usageError("the records %q are damaged: compilation %d of %d", arg, index, n)
		}
		return nil
	}
	for _, k := range other.Kernels() {
		if err := check(k.Compilation); err != nil {
			return err
		}
	}
	for i := range other.Remarks {
		if err := check(other.Remarks[i].Compilation); err != nil {
			return err
		}
	}
	log.Append(other)
	if other.Len() == 0 && len(other.Faults) == 0 {
		log.Faults = append(log.Faults, parse.Fault{Kind: parse.FaultEmpty, Text: fmt.Sprintf("the records %q state no kernel", arg)})
	}
	return nil
}
