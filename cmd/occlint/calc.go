package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	xterm "golang.org/x/term"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/calc"
	"github.com/occlint/occlint/internal/report"
	"github.com/occlint/occlint/internal/term"
)

// newCalcCommand is the occupancy calculator.
func newCalcCommand(a *app) *cobra.Command {
	c := &calculator{app: a, barriers: arch.Unknown}
	cmd := &cobra.Command{
		Use:   "calc [LOG ...]",
		Short: "Compute occupancy: what fits on an SM, what limits it, and the nearest steps",
		Long: `Computes how many blocks of a launch are resident on an SM: by warps, block
slots, registers, shared memory and named barriers, with what limits it, what
is allocated and wasted, and the nearest steps: how many registers or bytes
fewer gain a block, how many more are free.

The launch is given in numbers, or --kernel takes it from a log. Several
architectures or kernels give one table; --arch all takes every architecture.
What is not given and may be unknown (registers, barriers) leaves its limit out.

--sweep draws the curve over registers, threads or shared memory, and --output
svg:FILE all three as a picture; --suggest finds block sizes; --launch-bounds
tells what the compiler makes of bounds; --gpu with --bytes-in-flight or --grid
tells what the launch means to a GPU's memory and how the grid fills it. --batch
computes rows of a CSV file.

Exit code 0; 2 for a question that can't be answered; 3 when rows of a batch,
or the log, can't be trusted.`,
		Example: `  occlint calc --arch sm_90 --threads 256 --registers 40 --shared 16KiB
  occlint calc --arch sm_80,sm_90 --threads 128 --registers 168 --shared 96KiB
  occlint calc --kernel 'lin::sgemm<*>' --threads 256 build.log
  occlint calc --arch sm_90 --threads 256 --registers 40 --sweep registers
  occlint calc --arch sm_90 --launch-bounds 256,4 --registers 80
  occlint calc --gpu H100 --threads 256 --registers 64 --bytes-in-flight 32 --grid 4000
  occlint calc --batch launches.csv > occupancy.csv`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd, args) },
	}
	c.register(cmd)
	return cmd
}

// calculator is one occlint calc.
type calculator struct {
	*app
	archs, sweeps, outputs   []string
	threads, registers       int
	barriers, blocks         int
	shared, dynamic, inLoads size
	kernel, bounds, batch    string
	gpu, color               string
	grid                     int64
	suggest, ascii           bool
	policy                   policyFlags
}

func (c *calculator) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&c.archs, "arch", nil, "compute for `ARCH`: sm_90, 9.0, several with commas, or all (repeatable)")
	f.IntVar(&c.threads, "threads", 0, "threads per block (`N`)")
	f.IntVar(&c.registers, "registers", 0, "registers per thread (`N`)")
	f.Var(&c.shared, "shared", "shared memory per block: bytes or a `SIZE` as 16KiB; static, or static and dynamic together")
	f.Var(&c.dynamic, "dynamic-shared", "dynamic shared memory per block, added to --shared (`SIZE`)")
	f.IntVar(&c.barriers, "barriers", arch.Unknown, "named barriers per block (`N`); -1 is unknown")
	f.StringVar(&c.kernel, "kernel", "", "take registers, static shared memory and barriers of the kernels that `PATTERN` matches from LOG")
	f.StringArrayVar(&c.sweeps, "sweep", nil, "compute and draw over `WHAT`: registers, threads or shared (repeatable)")
	f.BoolVar(&c.suggest, "suggest", false, "find the block sizes with the most warps, and those for each number of blocks")
	f.IntVar(&c.blocks, "blocks", 0, "with --suggest: the block sizes for exactly `N` blocks per SM")
	f.StringVar(&c.bounds, "launch-bounds", "", "tell what the compiler makes of __launch_bounds__(`T,B`)")
	f.StringVar(&c.gpu, "gpu", "", "compute for a GPU: `NAME`, or list to see them")
	f.Var(&c.inLoads, "bytes-in-flight", "bytes that each thread keeps in flight (`SIZE`); needs a GPU: --gpu, or the config's")
	f.Int64Var(&c.grid, "grid", 0, "blocks of the whole grid (`N`); needs a GPU: --gpu, or the config's")
	f.StringVar(&c.batch, "batch", "", "compute each row of a CSV `FILE` (- is stdin) with the header "+calc.BatchHeader())
	f.StringArrayVar(&c.outputs, "output", nil, "write `FORMAT[:PATH]` (repeatable; text, json, csv, svg); without a path to stdout")
	f.BoolVar(&c.ascii, "ascii", false, "draw curves with plain characters, as where stdout is no terminal")
	f.StringVar(&c.policy.config, "config", "", "use `FILE` as the config (default: .occlint.yml, found upward to the repository root)")
	f.BoolVar(&c.policy.noConfig, "no-config", false, "use no config")
	registerColor(cmd, &c.color)
}

// size is a flag in bytes.
type size struct{ bytes int }

func (s *size) Set(text string) (err error) {
	s.bytes, err = calc.ParseBytes(text)
	return err
}

func (s *size) String() string { return strconv.Itoa(s.bytes) }

// Type implements pflag.Value.
func (s *size) Type() string { return "size" }

func (c *calculator) run(cmd *cobra.Command, args []string) error {
	stdout, files, err := parseOutputs(c.outputs, []string{"text", "json", "csv", "svg"})
	if err != nil {
		return err
	}
	if c.gpu == "list" {
		return c.listGPUs()
	}
	if c.batch != "" {
		return c.runBatch(cmd, args)
	}
	if err := c.check(cmd, args); err != nil {
		return err
	}
	request, untrusted, err := c.request(cmd, args)
	if err != nil {
		return err
	}
	answers := request.Answers()
	errs := []error{c.write(c.Stdout, stdout, answers)}
	for _, o := range files {
		errs = append(errs, writeFile(c.path(o.path), func(w io.Writer) error { return c.write(w, o.format, answers) }))
	}
	if err := errors.Join(errs...); err != nil {
		return &exitError{exitUsage, err}
	}
	return untrusted
}

func (c *calculator) write(w io.Writer, format string, answers []calc.Answer) error {
	switch format {
	case "json":
		return calc.WriteJSON(w, answers)
	case "csv":
		return calc.WriteCSV(w, answers)
	case "svg":
		bounds, err := c.parseBounds()
		if err != nil {
			return err
		}
		return report.WriteSVG(w, figures(answers, bounds))
	}
	style := term.Plain()
	if w == c.Stdout {
		style = term.New(w, c.color, c.Env)
	}
	return calc.WriteText(w, style, c.ascii || !isTerminal(w), answers)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// check finds flags that contradict each other or make no sense, before any
// file is read.
func (c *calculator) check(cmd *cobra.Command, args []string) error {
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
	case c.gpu != "" && given("arch"):
		return usageError("--gpu says the architecture: leave --arch out")
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
	const want = "want threads per block and blocks per SM, as 256,4, or threads alone"
	t, b, both := strings.Cut(c.bounds, ",")
	bounds := &calc.Bounds{}
	if _, err := fmt.Sscanf(strings.TrimSpace(t)+" ", "%d ", &bounds.Threads); err != nil || bounds.Threads < 1 {
		return nil, usageError("--launch-bounds %q: %s", c.bounds, want)
	}
	if both {
		if _, err := fmt.Sscanf(strings.TrimSpace(b)+" ", "%d ", &bounds.MinBlocks); err != nil || bounds.MinBlocks < 0 {
			return nil, usageError("--launch-bounds %q: %s", c.bounds, want)
		}
	}
	return bounds, nil
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
