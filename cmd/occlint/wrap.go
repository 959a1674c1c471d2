package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/internal/capture"
)

// newWrapCommand is the compiler launcher.
func newWrapCommand(a *app) *cobra.Command {
	w := &capture.Wrap{}
	forward := forwardMessages
	cmd := &cobra.Command{
		Use:   "wrap [--records DIR] -- NVCC [ARG ...]",
		Short: "Run one compiler call and keep a record of its kernels",
		Long: `Stands in front of nvcc: runs it as it is, with the compiler's resource usage
switched on, and keeps what it says about the kernels in a file of its own, one
for each output. So parallel builds don't mix and incremental builds stay
whole: judge the records with occlint check DIR.

Records go to --records (or OCCLINT_RECORDS), else to .occlint in the nearest
parent directory with a CMakeCache.txt, else to .occlint here. The exit code,
the outputs and the messages are the compiler's. Calls with nothing to record
(--version, -E, -M, -ptx) and other programs (ar, ranlib, c++) run untouched.`,
		Example: `  cmake -S . -B build -DCMAKE_CUDA_COMPILER_LAUNCHER="occlint;wrap;--"
  cmake -S . -B build -DCMAKE_CUDA_COMPILER_LAUNCHER="occlint;wrap;--;ccache"
  make NVCC="occlint wrap -- nvcc"
  occlint check build`,
		// A slip in a variable must not stop the compiler; check and run refuse it.
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.flagsFromEnv(cmd); err != nil {
				fmt.Fprintf(a.Stderr, "occlint: warning: %s\n", escapeLines(err.Error()))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("no compiler: write it after --, as in occlint wrap -- nvcc -c a.cu -o a.o")
			}
			catchBrokenPipes()
			w.Args, w.Dir, w.Env = args, a.Dir, os.Environ()
			w.Stdin, w.Stdout, w.Stderr = a.Stdin, a.Stdout, a.Stderr
			w.ShowResources = forward == forwardAll
			if code := w.Run(); code != exitClean {
				return &exitError{code: code}
			}
			return nil
		},
	}
	cmd.Flags().SetInterspersed(false)
	cmd.Flags().StringVar(&w.Records, "records", "", "keep the records in `DIR`")
	cmd.Flags().Var(&forward, "forward", "of the compiler's output, pass on messages (all but resource lines) or all (`WHAT`)")
	return cmd
}
