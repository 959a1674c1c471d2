package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/capture"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/tune"
)

// newTuneCommand compiles a kernel under other bounds.
func newTuneCommand(a *app) *cobra.Command {
	t := &tuner{app: a}
	cmd := &cobra.Command{
		Use:   "tune --kernel PATTERN [FLAG ...] {-- NVCC ARG ... | FILE.ptx | JIT-CACHE | --record RECORD}",
		Short: "Show what other launch bounds would give a kernel",
		Long: `Compiles one kernel under every register cap that __launch_bounds__ can give
it, and shows for each the registers, the spills and the blocks per SM. The rows
that no other row beats in both blocks and spills are marked. Your files are
not touched: a header that is included before the source carries the bounds,
everything else goes into a temporary directory, and for each row the compiled
PTX proves that the bounds reached the kernel.

Occupancy is for --threads, else the config's block:, else the kernel's own
bounds, with the dynamic shared memory of --dynamic-shared or the config.

With --time the marked rows run through your own benchmark: CMD finds the row in
OCCLINT_VARIANT and its machine code in OCCLINT_CUBIN, and every nvcc that it
calls compiles the kernel with the row's bounds. Without a time no row is called
best.

Exit code 0; 2 when the question can't be asked so; 3 when the kernel is not
there, does not compile, or other bounds do not reach it.`,
		Example: `  occlint tune --kernel 'gemm<*>' -- nvcc -arch=sm_90 -Iinclude -c gemm.cu
  occlint tune --kernel gemm --threads 128,256 --output svg:gemm.svg --record .occlint
  occlint tune --kernel gemm --time './bench --ms' -- nvcc -arch=sm_90 -c gemm.cu
  occlint tune --kernel _attn_fwd ~/.triton/cache`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, command := args, []string(nil)
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				files, command = args[:at], args[at:]
			}
			catchBrokenPipes()
			return t.run(cmd, files, command)
		},
	}
	t.register(cmd, cmd.Flags())
	return cmd
}

// tuner is one occlint tune.
type tuner struct {
	kept *capture.Kept // the record of --record
	*app
	policy  policyFlags
	kernel  string
	threads string
	caps    string
	arch    string
	all     bool
	record  string
	dynamic size
	jobs    int
	ptxas   string
	timing  timingFlags
	outputs []string
	ascii   bool
	color   string
}

// timingFlags say how to measure.
type timingFlags struct {
	command, regex string
	wall           bool
	rounds         int
}

func (t *tuner) register(cmd *cobra.Command, f *pflag.FlagSet) {
	f.StringVar(&t.kernel, "kernel", "", "the kernels that `PATTERN` matches")
	f.StringVar(&t.threads, "threads", "", "threads per block to declare and to compute for (`T,...`)")
	f.StringVar(&t.caps, "caps", "all", "only the bounds with these register caps (`N,...`), or all")
	f.StringVar(&t.arch, "arch", "", "compile for `ARCH` alone, of those that the command names")
	f.BoolVar(&t.all, "all", false, "also where the pattern matches more than 8 kernels")
	f.StringVar(&t.record, "record", "", "take the command line that occlint wrap kept in `RECORD`, or of the kernel in a directory of records")
	f.Var(&t.dynamic, "dynamic-shared", "dynamic shared memory per block (`SIZE`)")
	f.IntVarP(&t.jobs, "jobs", "j", max(1, runtime.NumCPU()/2), "compile `N` variants at a time")
	f.StringVar(&t.ptxas, "ptxas", "", "the assembler for PTX: `PATH` (default: that of CUDA_HOME, else of PATH)")
	f.StringVar(&t.timing.command, "time", "", "run `CMD` for each marked row, and take the last number that it prints as milliseconds")
	f.StringVar(&t.timing.regex, "time-regex", "", "take the time from the first group of `REGEX` in what CMD prints")
	f.BoolVar(&t.timing.wall, "time-wall", false, "take CMD's own duration")
	f.IntVar(&t.timing.rounds, "time-rounds", 5, "run each row `N` times, the rows in turn")
	f.StringArrayVar(&t.outputs, "output", nil, "write `FORMAT[:PATH]` (repeatable; text, json, csv, markdown, svg, html); without a path to stdout")
	f.BoolVar(&t.ascii, "ascii", false, "draw curves with plain characters, as where stdout is no terminal")
	f.StringVar(&t.policy.config, "config", "", "use `FILE` as the config (default: .occlint.yml, found upward to the repository root)")
	f.BoolVar(&t.policy.noConfig, "no-config", false, "use no config")
	registerColor(cmd, &t.color)
}

func (t *tuner) run(cmd *cobra.Command, files, command []string) error {
	stdout, outputs, err := t.check(cmd, files, command)
	if err != nil {
		return err
	}
	request, err := t.request(cmd)
	if err != nil {
		return err
	}
	benchmark, err := t.benchmark()
	if err != nil {
		return err
	}
	units, err := t.units(files, command, request.Pattern)
	if err != nil {
		return err
	}
	result, err := t.work(request, units, benchmark)
	if err != nil {
		return err
	}
	if err := t.noteRecord(result); err != nil {
		return err
	}
	errs := []error{t.write(t.Stdout, stdout, result)}
	for _, o := range outputs {
		errs = append(errs, writeFile(t.path(o.path), func(w io.Writer) error { return t.write(w, o.format, result) }))
	}
	if err := errors.Join(errs...); err != nil {
		return &exitError{exitUsage, err}
	}
	return nil
}

// work compiles and measures in a temporary directory, which is gone after it
// whatever happens. A signal ends it.
func (t *tuner) work(request *tune.Request, units []tune.Unit, benchmark *tune.Benchmark) (result *tune.Result, err error) {
	ctx, stop, caught := untilSignal()
	defer stop()
	w, err := tune.NewWorkspace()
	if err != nil {
		return nil, usageError("%w", err)
	}
	defer func() {
		if closeErr := w.Close(); closeErr != nil && err == nil {
			err = usageError("cannot remove the temporary directory: %w", closeErr)
		}
	}()
	result, err = tuneAll(ctx, w, request, units, benchmark)
	if s := caught(); s != nil {
		return nil, &exitError{128 + int(s.(syscall.Signal)), fmt.Errorf("ended by %s; nothing is left behind", s)}
	}
	return result, tuneError(err)
}

// tuneAll tunes each unit.
func tuneAll(ctx context.Context, w *tune.Workspace, request *tune.Request, units []tune.Unit, benchmark *tune.Benchmark) (*tune.Result, error) {
	all := &tune.Result{}
	for _, unit := range units {
		request.Unit = unit
		result, err := tune.Run(ctx, w, request)
		if err != nil {
			return nil, err
		}
		for i := range result.Tables {
			if benchmark == nil {
				break
			}
			if err := tune.Time(ctx, w, unit, &result.Tables[i], benchmark); err != nil {
				return nil, err
			}
		}
		all.Method = result.Method
		all.Tables = append(all.Tables, result.Tables...)
	}
	return all, nil
}

// untilSignal is a context that ends when somebody asks this process to end.
func untilSignal() (ctx context.Context, stop func(), caught func() os.Signal) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	got := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		select {
		case s := <-signals:
			got <- s
			cancel()
		case <-ctx.Done():
		}
	}()
	stop = func() { signal.Stop(signals); cancel() }
	caught = func() os.Signal {
		select {
		case s := <-got:
			return s
		default:
			return nil
		}
	}
	return ctx, stop, caught
}

// tuneError gives an error of tuning its exit code.
func tuneError(err error) error {
	var (
		many    *tune.ManyError
		threads *tune.NoThreadsError
		caps    *tune.CapError
		tool    *tune.NoToolError
		unknown *arch.UnknownError
		exit    *exitError
		hook    *tune.HookError
	)
	switch {
	case err == nil, errors.As(err, &exit):
		return err
	case errors.As(err, &many), errors.As(err, &threads), errors.As(err, &unknown):
		return usageError("%w", err)
	case errors.As(err, &caps):
		return usageError("--caps: %w", err)
	case errors.As(err, &tool):
		return usageError("%w; tune compiles, so it needs the toolkit that the build uses", err)
	case errors.As(err, &hook):
		return &exitError{exitUntrusted, fmt.Errorf("%s: %w; %s", name.Qualified(hook.Kernel), err, hookReasons)}
	}
	return &exitError{exitUntrusted, err}
}

// hookReasons are why a header may not reach a kernel.
const hookReasons = "the included header works for nvcc with GCC or Clang as the host compiler, not where a source or header defines __global__ or __launch_bounds__ itself, nor for code that is compiled elsewhere (PTX, NVRTC, clang)"
