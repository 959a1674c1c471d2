package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/capture"
	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/internal/tune"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

var tuneFormats = []string{"text", "json", "csv", "markdown", "svg", "html"}

// check finds flags that contradict each other, before anything runs.
func (t *tuner) check(cmd *cobra.Command, files, command []string) (stdout string, outputs []output, err error) {
	if err := refuseEmpty(cmd); err != nil {
		return "", nil, err
	}
	if t.kernel == "" {
		return "", nil, usageError("no kernel: name it with --kernel")
	}
	given := 0
	for _, b := range []bool{len(files) > 0, len(command) > 0, t.record != ""} {
		if b {
			given++
		}
	}
	switch {
	case given == 0:
		return "", nil, usageError("nothing to compile: write the compiler's command after --, as in occlint tune --kernel k -- nvcc -arch=sm_90 -c k.cu, or name a PTX file, or --record")
	case given > 1, len(files) > 1:
		return "", nil, usageError("one thing at a time: a command after --, or one PTX file or JIT cache, or --record")
	case t.jobs < 1:
		return "", nil, usageError("--jobs %d: want 1 or more", t.jobs)
	}
	return parseOutputs(t.outputs, tuneFormats)
}

// request turns the flags into a question, all but what is compiled.
func (t *tuner) request(cmd *cobra.Command) (*tune.Request, error) {
	pattern, err := name.CompilePattern(t.kernel)
	if err != nil {
		return nil, usageError("--kernel: %w", err)
	}
	threads, err := numbers("threads", t.threads, 1, 1024)
	if err != nil {
		return nil, err
	}
	caps := t.caps
	if caps == "all" {
		caps = ""
	}
	capList, err := numbers("caps", caps, 1, 255)
	if err != nil {
		return nil, err
	}
	root, err := t.repositoryRoot("")
	if err != nil {
		return nil, err
	}
	t.policy.noBaseline = true
	loaded, err := t.loadConfig(&t.policy, root)
	if err != nil {
		return nil, err
	}
	bare, err := loaded.policyFor(&parse.Log{})
	if err != nil {
		return nil, err
	}
	table := bare.Table
	if table == nil {
		table = arch.Builtin()
	}
	return &tune.Request{
		Pattern: pattern, All: t.all, Caps: capList, Jobs: t.jobs, Table: table,
		Launch: func(log, kernel, on string) (tune.Launch, error) {
			l, err := declaredLaunch(loaded, log, kernel, on)
			if len(threads) > 0 {
				l.Threads, l.From = threads, "--threads"
			}
			if cmd.Flags().Changed("dynamic-shared") {
				l.DynamicBytes, l.DynamicKnown = t.dynamic.bytes, true
			}
			return l, err
		},
	}, nil
}

// declaredLaunch is what config and sources say of a kernel's launch.
func declaredLaunch(loaded *loadedConfig, text, kernel, on string) (l tune.Launch, err error) {
	log, err := parse.Read(strings.NewReader(text), "<compiler>")
	if err != nil {
		return l, err
	}
	policy, err := loaded.policyFor(log)
	if err != nil {
		return l, err
	}
	policy.Archs = nil
	result, err := rules.Judge(log, policy)
	if err != nil {
		return l, usageError("%w", err)
	}
	for _, j := range result.Kernels() {
		if j.Kernel.Name != kernel || j.Kernel.Arch != on {
			continue
		}
		if j.Declared.Block.Set {
			l.Threads, l.From = []int{j.Declared.Block.Value}, "declared"
		}
		if j.Declared.DynamicShared.Set {
			l.DynamicBytes, l.DynamicKnown = bounded(j.Declared.DynamicShared.Value), true
		}
	}
	return l, nil
}

// numbers reads a list of numbers with commas.
func numbers(flag, text string, least, most int) ([]int, error) {
	var list []int
	for _, word := range splitCommas([]string{text}) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, usageError("--%s %q: %q is not a whole number", flag, text, word)
		}
		if n < least || n > most {
			return nil, usageError("--%s: %d is out of range: want %d to %d", flag, n, least, most)
		}
		if !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list, nil
}

// benchmark is what --time asks for; nil for nothing.
func (t *tuner) benchmark() (*tune.Benchmark, error) {
	f := &t.timing
	if f.command == "" {
		if f.regex != "" || f.wall {
			return nil, usageError("--time-regex and --time-wall belong to --time")
		}
		return nil, nil
	}
	b := &tune.Benchmark{Command: f.command, Wall: f.wall, Rounds: f.rounds, Dir: t.Dir, Env: os.Environ()}
	switch {
	case f.regex != "" && f.wall:
		return nil, usageError("--time-regex and --time-wall exclude each other")
	case f.rounds < tune.LeastRounds:
		return nil, usageError("--time-rounds %d: want %d or more, since fewer show no spread", f.rounds, tune.LeastRounds)
	}
	if f.regex != "" {
		var err error
		if b.Regex, err = regexp.Compile(f.regex); err != nil {
			return nil, usageError("--time-regex: %w", err)
		}
	}
	return b, nil
}

// units are what is compiled: one, but for caches.
func (t *tuner) units(files, command []string, pattern *name.Pattern) ([]tune.Unit, error) {
	dir := t.Dir
	if t.record != "" {
		var err error
		if command, dir, err = t.recorded(pattern); err != nil {
			return nil, err
		}
	}
	if len(command) == 0 {
		return t.ptxUnits(files[0], pattern)
	}
	unit, err := t.sourceUnit(command, dir, os.Environ())
	if err != nil {
		return nil, err
	}
	return []tune.Unit{unit}, nil
}

func (t *tuner) sourceUnit(command []string, dir string, env []string) (tune.Unit, error) {
	v, ok := capture.NewInvocation(command, dir, env)
	if !ok {
		return nil, usageError("%q is no nvcc: clang and others have no such header to include before a source; give nvcc's command line, or PTX", command[0])
	}
	sources := v.Sources()
	switch {
	case v.Unread() != "":
		return nil, usageError("the response file %q can't be read ahead of the compiler", v.Unread())
	case v.Relocatable():
		return nil, usageError("the command compiles relocatable device code (-dc, -rdc=true): its registers are settled by the linker, so no bound can be judged from one unit")
	case v.LinkTime():
		return nil, usageError("the command leaves code generation to the linker (-dlto), so no bound can be judged from one unit")
	case len(sources) == 0:
		return nil, usageError("the command compiles no device source")
	case len(sources) > 1:
		return nil, usageError("the command compiles %d sources (%s): give the command of the one with the kernel", len(sources), strings.Join(sources, ", "))
	case strings.EqualFold(filepath.Ext(sources[0]), ".ptx"):
		return nil, usageError("%s is PTX, which no header reaches: occlint tune --kernel %s %s", sources[0], t.kernel, sources[0])
	}
	target, err := t.target(v.Targets())
	if err != nil {
		return nil, err
	}
	return &tune.Source{Invocation: v, File: sources[0], Target: target, Dir: dir, Env: env}, nil
}

// target picks the architecture to compile for.
func (t *tuner) target(targets []capture.Target) (capture.Target, error) {
	var names []string
	several := false
	for _, target := range targets {
		names = append(names, target.Real)
		switch target.Real {
		case "sm_native", "sm_all", "sm_all-major":
			several = true
		}
	}
	if t.arch == "" {
		switch {
		case several:
			return capture.Target{}, usageError("the command compiles for whatever -arch=%s finds: name one architecture with --arch", strings.TrimPrefix(names[0], "sm_"))
		case len(targets) > 1:
			return capture.Target{}, usageError("the command compiles for %s: name one of them with --arch", strings.Join(names, ", "))
		case len(targets) == 0:
			return capture.Target{}, nil
		}
		return targets[0], nil
	}
	asked := "sm_" + strings.TrimPrefix(strings.TrimPrefix(t.arch, "compute_"), "sm_")
	if at := slices.IndexFunc(targets, func(o capture.Target) bool { return o.Real == asked }); at >= 0 {
		return targets[at], nil
	}
	if len(targets) > 0 && !several {
		return capture.Target{}, usageError("--arch %s: the command compiles for %s", t.arch, strings.Join(names, ", "))
	}
	return capture.Target{Virtual: "compute_" + strings.TrimPrefix(asked, "sm_"), Real: asked}, nil
}

// assembler finds ptxas.
func (t *tuner) assembler() (string, error) {
	if t.ptxas != "" {
		return t.path(t.ptxas), nil
	}
	for _, variable := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if home := t.Env(variable); home != "" {
			if path := filepath.Join(home, "bin", "ptxas"); executable(path) {
				return path, nil
			}
		}
	}
	path, err := exec.LookPath("ptxas")
	if err != nil {
		return "", usageError("there is no ptxas in CUDA_HOME or PATH: name the one that the program uses with --ptxas")
	}
	return path, nil
}

func executable(path string) bool {
	_, err := exec.LookPath(path)
	return err == nil
}

// ptxUnits are the PTX files at a path that have the kernel.
func (t *tuner) ptxUnits(path string, pattern *name.Pattern) ([]tune.Unit, error) {
	modules, err := tune.FindPTX(t.path(path), pattern.Match)
	if err != nil {
		return nil, usageError("%w", err)
	}
	switch {
	case len(modules) == 0:
		return nil, &exitError{exitUntrusted, fmt.Errorf("no PTX file in %s has a kernel that matches --kernel %q", path, t.kernel)}
	case len(modules) > tune.MostKernels && !t.all:
		return nil, usageError("%d PTX files in %s have kernels that match --kernel %q: name a narrower directory, or say --all", len(modules), path, t.kernel)
	}
	assembler, err := t.assembler()
	if err != nil {
		return nil, err
	}
	var units []tune.Unit
	for _, m := range modules {
		if rel, err := filepath.Rel(t.Dir, m.Path); err == nil && len(rel) < len(m.Path) {
			m.Path = filepath.ToSlash(rel) // for messages; it is read already
		}
		on := m.Arch
		if t.arch != "" {
			on = "sm_" + strings.TrimPrefix(strings.TrimPrefix(t.arch, "compute_"), "sm_")
		}
		units = append(units, &tune.PTX{Module: m, On: on, Assembler: assembler, Dir: t.Dir, Env: os.Environ()})
	}
	return units, nil
}
