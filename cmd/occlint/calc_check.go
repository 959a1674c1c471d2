package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
)

// refuseEmpty refuses flags that are given without a value, as a script does
// whose variable is not set: it asked for something.
func refuseEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			empty = slices.ContainsFunc(list.GetSlice(), func(item string) bool { return strings.Trim(item, " ,") == "" })
		}
		if empty && err == nil {
			err = usageError("--%s is empty: is the variable in it set?", f.Name)
		}
	})
	return err
}

// check finds flags that contradict each other or make no sense, before any
// file is read. outputs are all there are, that to stdout with them.
func (c *calculator) check(cmd *cobra.Command, args []string, outputs []output) error {
	given := func(flag string) bool { return cmd.Flags().Changed(flag) }
	switch {
	case c.kernel == "" && len(args) > 0:
		return usageError("%q: a log is read only with --kernel PATTERN", args[0])
	case given("threads") && c.threads < 1:
		return usageError("--threads %d: a block has 1 thread or more", c.threads)
	case given("registers") && c.registers < 1:
		return usageError("--registers %d: a thread has 1 register or more; leave the flag out where the number is not known", c.registers)
	case c.barriers < arch.Unknown:
		return usageError("--barriers %d: want 0 or more, or -1 for unknown", c.barriers)
	case given("blocks") && (!c.suggest || c.blocks < 1):
		return usageError("--blocks %d: want 1 or more, with --suggest", c.blocks)
	case given("grid") && c.grid < 1:
		return usageError("--grid %d: a grid has 1 block or more", c.grid)
	case given("bytes-in-flight") && c.inLoads.bytes < 1:
		return usageError("--bytes-in-flight %d: want 1 or more", c.inLoads.bytes)
	case c.gpu != "" && given("arch"):
		return usageError("--gpu says the architecture: leave --arch out")
	}
	for _, n := range []struct {
		flag  string
		value int
	}{
		{"threads", c.threads}, {"registers", c.registers}, {"barriers", c.barriers}, {"blocks", c.blocks},
		{"shared", c.shared.bytes}, {"dynamic-shared", c.dynamic.bytes}, {"bytes-in-flight", c.inLoads.bytes},
	} {
		if n.value > calc.MostNumber {
			return usageError("--%s %d: want %d at most, which is far above what any SM has", n.flag, n.value, calc.MostNumber)
		}
	}
	onlyCurves := !slices.ContainsFunc(outputs, func(o output) bool { return o.format != "svg" })
	if onlyCurves && (c.suggest || given("bytes-in-flight") || given("grid")) {
		return usageError("svg has curves and no place for block sizes, bytes in flight or waves: ask for them as text, json or csv")
	}
	return nil
}

// parseSweeps reads what to sweep over.
func (c *calculator) parseSweeps() ([]arch.Resource, error) {
	var out []arch.Resource
	for _, word := range splitCommas(c.sweeps) {
		of, ok := map[string]arch.Resource{"registers": arch.Registers, "threads": arch.Warps, "shared": arch.Shared}[word]
		if !ok {
			return nil, usageError("--sweep %q: there are registers, threads and shared", word)
		}
		if !slices.Contains(out, of) {
			out = append(out, of)
		}
	}
	return out, nil
}

// parseBounds reads T,B or T.
func (c *calculator) parseBounds() (*calc.Bounds, error) {
	if c.bounds == "" {
		return nil, nil
	}
	t, b, both := strings.Cut(c.bounds, ",")
	bounds := &calc.Bounds{}
	ok := number(t, 1, &bounds.Threads) && (!both || number(b, 0, &bounds.MinBlocks))
	if !ok {
		return nil, usageError("--launch-bounds %q: want threads per block and blocks per SM, as 256,4, or threads alone; each %d at most",
			c.bounds, calc.MostNumber)
	}
	return bounds, nil
}

// number reads a whole number, not below least, and nothing else.
func number(text string, least int, to *int) bool {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	*to = n
	return err == nil && n >= least && n <= calc.MostNumber
}

func splitCommas(list []string) []string {
	var out []string
	for _, item := range list {
		for word := range strings.SplitSeq(item, ",") {
			if word = strings.TrimSpace(word); word != "" {
				out = append(out, word)
			}
		}
	}
	return out
}
