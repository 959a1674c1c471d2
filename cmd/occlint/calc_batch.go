package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
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
	if path != "" {
		if err := c.sparesInputs([]output{{"csv", path}}, []string{c.batch}); err != nil {
			return err
		}
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
	var failed error
	run := func(w io.Writer) error {
		rows, bad, failed = batch.Run(w, in)
		return failed
	}
	if path != "" {
		err = writeFile(c.path(path), run)
		var pathErr *os.PathError
		if failed != nil && (!errors.As(failed, &pathErr) || pathErr.Op != "write") {
			err = failed // it is the input that is wrong, not the output
		}
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
	if other := otherFlag(cmd, "batch", "output", "config", "no-config", "color", "ascii"); other != "" {
		return "", usageError("--%s has no part in a batch: each row says its own launch", other)
	}
	stdout, files, err := c.outputsOf(c.outputs, []string{"csv"})
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

// otherFlag is the first flag on the command line that is none of names; empty
// when there is none.
func otherFlag(cmd *cobra.Command, names ...string) (other string) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if other == "" && !slices.Contains(names, f.Name) {
			other = f.Name
		}
	})
	return other
}

// listGPUs shows the GPUs that --gpu knows.
func (c *calculator) listGPUs(cmd *cobra.Command, args []string) error {
	stdout, files, err := c.outputsOf(c.outputs, []string{"text", "json", "csv"})
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return usageError("%q: --gpu list reads no log", args[0])
	}
	if other := otherFlag(cmd, "gpu", "output", "config", "no-config", "color"); other != "" {
		return usageError("--%s has no part in --gpu list, which shows what is known", other)
	}
	table, err := c.table()
	if err != nil {
		return err
	}
	return c.writeAll(stdout, files, func(w io.Writer, format string) error {
		switch format {
		case "json":
			return calc.WriteGPUs(w, table)
		case "csv":
			return calc.GPUTable(table).WriteCSV(w)
		}
		return calc.GPUTable(table).WriteText(w, c.style(w))
	})
}
