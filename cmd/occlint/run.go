package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/occlint/occlint/internal/capture"
	"github.com/occlint/occlint/parse"
)

// newRunCommand runs a build and judges what it compiled.
func newRunCommand(a *app) *cobra.Command {
	r := &runner{gate: gate{app: a}, forward: forwardAll}
	cmd := &cobra.Command{
		Use:   "run [FLAG ...] -- CMD [ARG ...]",
		Short: "Run a build, pass its output on, and judge the kernels it compiled",
		Long: `Runs any command that compiles CUDA: nvcc itself, make, ninja, cmake --build,
bazel, a Python build. Its output flows on as it comes; what ptxas and nvlink
print in it is judged when the command is done.

NVCC_APPEND_FLAGS gets -Xptxas=-v -Xnvlink=-v, so that every nvcc of the build
prints resource usage (--no-inject leaves the environment alone). No build
system compiles anything again because of it: after an incremental build, judge
the whole with occlint wrap (--records DIR judges the records of earlier builds
with this one, which may then compile nothing), or say --partial. What ccache
and sccache stored without resource usage is compiled once more.

When the command fails its exit code is passed on (128 + n after signal n).`,
		Example: `  occlint run -- make -j8 -O
  occlint run --log build.log -- cmake --build build
  //go:generate occlint run -- nvcc -arch=sm_90 -cubin -o scale.cubin scale.cu`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("no command to run: write it after --, as in occlint run -- make -j8")
			}
			catchBrokenPipes()
			return r.run(args)
		},
	}
	cmd.Flags().SetInterspersed(false)
	r.policy.register(cmd.Flags())
	r.output.register(cmd)
	r.policy.registerBinary(cmd.Flags())
	cmd.Flags().StringVar(&r.logPath, "log", "", "keep the command's whole output in `FILE`")
	cmd.Flags().StringArrayVar(&r.recordDirs, "records", nil, "judge the records of occlint wrap in `DIR` too, also those of earlier builds (repeatable)")
	cmd.Flags().BoolVar(&r.noInject, "no-inject", false, "leave NVCC_APPEND_FLAGS alone")
	cmd.Flags().Var(&r.forward, "forward", "of the command's output, pass on all, messages (all but resource lines) or none (`WHAT`)")
	return cmd
}

// runner is one occlint run.
type runner struct {
	gate
	logPath    string
	recordDirs []string
	noInject   bool
	forward    forwarding
}

func (r *runner) run(args []string) error {
	if err := r.prepare(); err != nil {
		return err
	}
	log, closeLog, err := r.openLog()
	if err != nil {
		return err
	}
	env := r.env()
	notes, err := capture.NewNotes()
	if err != nil {
		// The build is more than the word that its compiler calls may leave.
		fmt.Fprintf(r.Stderr, "occlint: warning: cannot make a temporary directory, so records of occlint wrap in this build are not judged with it: %s\n", escapeLines(err.Error()))
	} else {
		defer notes.Close() //nolint:errcheck // what is left of a temporary directory is no verdict
		env = notes.Env(env)
	}

	out, err := r.session(args, env, log).Run()
	closeErr := closeLog()
	if err != nil {
		var start *capture.StartError
		if errors.As(err, &start) {
			return &exitError{start.ExitCode(), err}
		}
		return usageError("%w", err)
	}
	r.endLines(out.Unended)
	if out.Orphaned {
		fmt.Fprintf(r.Stderr, "occlint: note: %s has ended, and something that it started still holds its output open; not waiting for that\n", args[0])
	}
	records := r.allRecords(notes.Dirs())
	if len(records) == 0 && out.Log.Len() == 0 && out.ExitCode() == 0 {
		r.adviseCheck()
	}
	return r.conclude(args[0], out, records, errors.Join(out.RawErr, closeErr))
}

// allRecords adds the directories of --records to those that the build's own
// calls wrote to, each once: what lies in another that is read need not be
// read again.
func (r *runner) allRecords(noted []string) []string {
	dirs := make([]string, 0, len(noted)+len(r.recordDirs))
	for _, d := range r.recordDirs {
		dirs = append(dirs, r.path(d))
	}
	for _, d := range noted {
		inside := func(outer string) bool {
			outer, err := filepath.EvalSymlinks(outer)
			if err != nil {
				return false
			}
			inner, err := filepath.EvalSymlinks(d)
			if err != nil {
				return false
			}
			rel, err := filepath.Rel(outer, inner)
			return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
		}
		if !slices.ContainsFunc(dirs, inside) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// adviseCheck names the records of earlier builds to who ran one that had
// nothing to do, where they are easily found.
func (r *runner) adviseCheck() {
	for _, pattern := range []string{capture.DirName, filepath.Join("*", capture.DirName)} {
		found, err := filepath.Glob(filepath.Join(r.Dir, pattern))
		if err != nil || len(found) == 0 {
			continue
		}
		dir, err := filepath.Rel(r.Dir, filepath.Dir(found[0]))
		if err == nil {
			fmt.Fprintf(r.Stderr, "occlint: note: no kernel in the output of this build; the records of earlier builds are judged by: occlint check %s, or with the build by: occlint run --records %s -- …\n", escapeLines(dir), escapeLines(dir))
			return
		}
	}
}

// endLines ends what the command left without a newline, so that a report
// (and on GitHub an annotation) starts its own line.
func (r *runner) endLines(unended [2]bool) {
	stdout, stderr := r.Stdout, r.Stderr
	if r.stdout != "text" {
		stdout = stderr // where the command's own stdout went
	}
	if unended[0] {
		fmt.Fprintln(stdout)
	}
	if unended[1] && (!unended[0] || stdout != stderr) {
		fmt.Fprintln(stderr)
	}
}

// session sets up the command between its streams.
func (r *runner) session(args, env []string, log io.Writer) *capture.Session {
	s := &capture.Session{
		Command: capture.Command{Args: args, Dir: r.Dir, Env: env, Stdin: r.Stdin},
		Stdout:  r.Stdout,
		Stderr:  r.Stderr,
		Name:    "<" + filepath.Base(args[0]) + ">",
		Raw:     log,
	}
	if r.logPath != "" {
		s.Name = rootRelative(r.root, r.path(r.logPath), r.logPath)
	}
	// A machine format has stdout for itself.
	if r.stdout != "text" {
		s.Stdout = r.Stderr
	}
	switch r.forward {
	case forwardAll:
	case forwardMessages:
		s.Forward = capture.ForwardMessages
	case forwardNone:
		s.Forward = capture.ForwardNone
	}
	if f, ok := r.Stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) && r.Env("TERM") != "dumb" {
		s.Live = capture.NewLive(f, func() int {
			width, _, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 0
			}
			return width
		})
	}
	return s
}

func (r *runner) env() []string {
	env := os.Environ()
	if r.noInject {
		return slices.Clone(env)
	}
	return capture.InjectEnv(env)
}

// openLog creates the file of --log before the build starts: a wrong path must
// not cost a build.
func (r *runner) openLog() (io.Writer, func() error, error) {
	if r.logPath == "" {
		return nil, func() error { return nil }, nil
	}
	f, err := os.Create(r.path(r.logPath))
	if err != nil {
		return nil, nil, usageError("--log: %w", err)
	}
	return f, f.Close, nil
}

// conclude judges what the command printed, or the records that occlint wrap
// kept inside it, and decides the exit code: the command's own when it failed.
func (r *runner) conclude(program string, out *capture.Outcome, records []string, logErr error) error {
	log := out.Log
	if len(records) > 0 {
		// What wrap captured is not in the output; that the output is empty says nothing then.
		log.Faults = slices.DeleteFunc(log.Faults, func(f parse.Fault) bool { return f.Kind == parse.FaultEmpty })
		if err := r.readRecords(log, records, r.root); err != nil {
			log.Faults = append(log.Faults, parse.Fault{Kind: parse.FaultStale, Text: err.Error()})
		}
	}
	if out.ReadErr != nil {
		log.Faults = append(log.Faults, parse.Fault{Kind: parse.FaultTruncated, Text: "reading stopped: " + out.ReadErr.Error()})
	}
	code := out.ExitCode()
	if code != 0 && !slices.ContainsFunc(log.Faults, func(f parse.Fault) bool { return f.Kind == parse.FaultBuildFailed }) {
		log.Faults = append(log.Faults, parse.Fault{Kind: parse.FaultBuildFailed, Text: fmt.Sprintf("%s %s", program, out.Status)})
	}
	err := r.check(log)
	if logErr != nil {
		logErr = fmt.Errorf("--log %s is not complete: %w", r.logPath, logErr)
		fmt.Fprintf(r.Stderr, "occlint: %v\n", logErr)
		if err == nil {
			err = &exitError{code: exitUsage}
		}
	}
	if code == 0 {
		return err
	}
	var exit *exitError
	if errors.As(err, &exit) {
		return &exitError{code, exit.err}
	}
	return &exitError{code, err}
}
