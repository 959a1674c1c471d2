package main

import (
	"bytes"
	"fmt"

	"github.com/occlint/occlint/internal/capture"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/tune"
	"github.com/occlint/occlint/parse"
)

// recorded takes the command line of the kernel from what occlint wrap kept.
func (t *tuner) recorded(pattern *name.Pattern) (command []string, dir string, err error) {
	calls, err := capture.KeptCalls(t.path(t.record))
	if err != nil {
		return nil, "", usageError("--record: %w", err)
	}
	var found []capture.Kept
	for _, k := range calls {
		log, err := parse.Read(bytes.NewReader(k.Log), k.File)
		if err != nil {
			return nil, "", usageError("--record: %w", err)
		}
		for kernel := range log.Entries() {
			if pattern.Match(kernel) {
				found = append(found, k)
				break
			}
		}
	}
	switch {
	case len(found) == 0:
		return nil, "", &exitError{exitUntrusted, fmt.Errorf("no record in %s has a kernel that matches --kernel %q", t.record, t.kernel)}
	case len(found) > 1:
		return nil, "", usageError("%d records have kernels that match --kernel %q (%s, %s): name one of them with --record", len(found), t.kernel, found[0].File, found[1].File)
	case len(found[0].Command) == 0:
		return nil, "", usageError("the record %s keeps no command line: compile once more with this version of occlint wrap", found[0].File)
	}
	t.kept = &found[0]
	return found[0].Command, found[0].Dir, nil
}

// noteRecord says where the kernel as written is not what the record has of it.
// A record keeps the command line, but neither the environment's flags nor the
// sources nor the compiler: without a word, the rows would be of another build.
func (t *tuner) noteRecord(result *tune.Result) error {
	if t.kept == nil {
		return nil
	}
	log, err := parse.Read(bytes.NewReader(t.kept.Log), t.kept.File)
	if err != nil {
		return usageError("--record: %w", err)
	}
	for i := range result.Tables {
		table := &result.Tables[i]
		today := &table.Rows[0]
		for _, k := range log.Kernels() {
			if k.Name != table.Name || k.Arch != table.Arch || k.Defect != 0 || k.Kind == parse.Function {
				continue
			}
			was := [...]int64{countOf(k.Registers), countOf(k.SpillStoreBytes), countOf(k.SpillLoadBytes)}
			is := [...]int64{int64(today.Registers), int64(today.SpillStoreBytes), int64(today.SpillLoadBytes)}
			if was != is {
				table.Notes = append(table.Notes, fmt.Sprintf(
					"the record has %d registers and %d + %d bytes of spills as written, its command gives %d and %d + %d today: the source, the compiler or NVCC_APPEND_FLAGS is another",
					was[0], was[1], was[2], is[0], is[1], is[2]))
			}
		}
	}
	return nil
}

// countOf is -1 for what the compiler did not say.
func countOf(c parse.Count) int64 {
	if n, ok := c.Value(); ok {
		return n
	}
	return -1
}
