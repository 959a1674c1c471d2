package main

import (
	"errors"
	"io"
	"os"
	"strconv"

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

Exit code 0; 2 for a question that can't be answered, or not for every kernel; 3
when rows of a batch, or the log, can't be trusted. What can be computed is
printed all the same.`,
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
	f.BoolVar(&c.suggest, "suggest", false, "find the block sizes, in whole warps of 32 threads, with the most warps, and those for each number of blocks")
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
	if err := refuseEmpty(cmd); err != nil {
		return err
	}
	if c.gpu == "list" {
		return c.listGPUs(cmd, args)
	}
	if c.batch != "" {
		return c.runBatch(cmd, args)
	}
	stdout, files, err := c.outputsOf(c.outputs, []string{"text", "json", "csv", "svg"})
	if err != nil {
		return err
	}
	if err := c.check(cmd, args, append(files, output{format: stdout})); err != nil {
		return err
	}
	if err := c.sparesInputs(files, args); err != nil {
		return err
	}
	request, incomplete, err := c.request(cmd, args)
	if err != nil {
		return err
	}
	answers := request.Answers()
	if err := c.writeAll(stdout, files, func(w io.Writer, format string) error { return c.write(w, format, answers) }); err != nil {
		return err
	}
	return incomplete
}

// writeAll sends each format where it was asked to go. All are tried.
func (c *calculator) writeAll(stdout string, files []output, write func(w io.Writer, format string) error) error {
	errs := []error{write(c.Stdout, stdout)}
	for _, o := range files {
		errs = append(errs, writeFile(c.path(o.path), func(w io.Writer) error { return write(w, o.format) }))
	}
	if err := errors.Join(errs...); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

func (c *calculator) write(w io.Writer, format string, answers []calc.Answer) error {
	switch format {
	case "json":
		return calc.WriteJSON(w, answers)
	case "csv":
		return calc.WriteCSV(w, answers)
	case "svg":
		return report.WriteSVG(w, figures(answers))
	}
	return calc.WriteText(w, c.style(w), c.ascii || !isTerminal(w), answers)
}

func (c *calculator) style(w io.Writer) *term.Style {
	if w == c.Stdout {
		return term.New(w, c.color, c.Env)
	}
	return term.Plain()
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}
