package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
	"github.com/occlint/occlint/internal/term"
)

// runBatch computes the rows of a CSV file. Output is CSV, to stdout or to the
// one path of --output csv:PATH.
func (c *calculator) runBatch(cmd *cobra.Command, args []string) error {
	path, err := c.checkBatch(cmd, args)
	if err != nil {
		return err
	}
	table, err := c.table()
	if err != nil {
		return err
	}
	in, file := c.Stdin, stdinName
	if c.batch != "-" {
		f, err := os.Open(c.path(c.batch))
		if err != nil {
			return usageError("--batch: cannot read %q: %w", c.batch, reason(err))
		}
		defer func() { _ = f.Close() }() // it was only read
		in, file = f, c.batch
	} else if c.stdinIsTerminal() {
		return usageError("--batch -: stdin is a terminal; pipe CSV with the header %s into occlint", calc.BatchHeader())
	}
	b := &batchErrors{app: c.app}
	batch := calc.Batch{Table: table, File: file, OnError: b.report}
	var rows, bad int64
	run := func(w io.Writer) error {
		rows, bad, err = batch.Run(w, in)
		return err
	}
	if path != "" {
		err = writeFile(c.path(path), run)
	} else {
		err = run(c.Stdout)
	}
	if err != nil {
		return &exitError{exitUsage, fmt.Errorf("--batch: %w", err)}
	}
	if bad > 0 {
		return &exitError{exitUntrusted, fmt.Errorf("%d of %d rows could not be computed", bad, rows)}
	}
	return nil
}

// checkBatch refuses what a batch would ignore, and finds where to write.
func (c *calculator) checkBatch(cmd *cobra.Command, args []string) (path string, err error) {
	if len(args) > 0 {
		return "", usageError("%q: --batch reads one CSV file and no log", args[0])
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "batch", "output", "config", "no-config", "color", "ascii":
		default:
			if err == nil {
				err = usageError("--%s has no part in a batch: each row says its own launch", f.Name)
			}
		}
	})
	if err != nil {
		return "", err
	}
	stdout, files, err := parseOutputs(c.outputs, []string{"csv"})
	if err != nil {
		return "", err
	}
	switch {
	case len(files) > 1 || len(files) == 1 && stdout == "csv":
		return "", usageError("--batch writes one CSV file: give one --output csv:PATH, or none for stdout")
	case len(files) == 1:
		path = files[0].path
	}
	return path, nil
}

// table is the architectures and GPUs that the config knows.
func (c *calculator) table() (*arch.Table, error) {
	_, policy, err := c.readPolicy(nil)
	if err != nil {
		return nil, err
	}
	if policy.Table == nil {
		return arch.Builtin(), nil
	}
	return policy.Table, nil
}

// batchErrors prints the first bad rows one by one; a file of another kind
// would have a million of them.
type batchErrors struct {
	app     *app
	printed int
}

const mostBatchErrors = 100

func (b *batchErrors) report(err error) {
	switch {
	case b.printed < mostBatchErrors:
		fmt.Fprintf(b.app.Stderr, "occlint: %s\n", escapeLines(err.Error()))
	case b.printed == mostBatchErrors:
		fmt.Fprintf(b.app.Stderr, "occlint: more rows can't be computed; they are counted and not listed\n")
	}
	b.printed++
}

func reason(err error) error {
	var pathErr *os.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// listGPUs shows the GPUs that --gpu knows.
func (c *calculator) listGPUs() error {
	table, err := c.table()
	if err != nil {
		return err
	}
	t := calc.GPUTable(table)
	if err := t.WriteText(c.Stdout, term.New(c.Stdout, c.color, c.Env)); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}
