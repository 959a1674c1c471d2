// Package fakenvcc is a stand-in for nvcc in tests and examples. In goes an
// nvcc command line; out come the log that a real compiler once printed for
// that source, an output file that stands for the object, and nvcc's exit
// codes. It compiles nothing.
//
// The log of DIR/gemm.cu is DIR/replay/gemm.log, or gemm.log in one of the
// directories of FAKENVCC_LOGS (separated like PATH). A file gemm-sm_90.log is
// taken first when the command line names that architecture. Resource lines
// appear as from nvcc: only when -Xptxas -v, --resource-usage, or the same in
// NVCC_APPEND_FLAGS asks for them.
//
// Faults come from the environment: FAKENVCC_DELAY (a duration) waits before
// each message, FAKENVCC_NOISE=N prints N lines of a host compiler's warnings
// between them, FAKENVCC_HANG=NAME never ends while it compiles NAME.cu,
// FAKENVCC_DIE=NAME ends there by SIGKILL. A source with an #error line fails.
package fakenvcc

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Nvcc's exit codes.
const (
	exitOK       = 0
	exitUsage    = 1
	exitFrontEnd = 2 // an error in a source
)

// Version is what --version answers.
const Version = "13.0.88"

// nvcc is one call.
type nvcc struct {
	stdout, stderr io.Writer
	env            func(string) string

	output  string
	depFile string
	archs   []string
	inputs  []string
	mode    string // the option that says how far to go; "" links
	lang    string // of -x: what each input is, whatever its name
	verbose bool
	deps    bool
	keeping
}

// Main runs the process's own command line.
func Main() int {
	n := &nvcc{stdout: os.Stdout, stderr: os.Stderr, env: os.Getenv}
	words := slices.Concat(split(n.env("NVCC_PREPEND_FLAGS")), os.Args[1:], split(n.env("NVCC_APPEND_FLAGS")))
	if err := n.parse(words); err != nil {
		fmt.Fprintf(n.stderr, "nvcc fatal   : %v\n", err)
		return exitUsage
	}
	return n.run()
}

// parse reads the options that matter here; all others have their value
// attached or have none.
func (n *nvcc) parse(words []string) error {
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		name, value, has := strings.Cut(word, "=")
		takesValue := slices.Contains([]string{
			"-o", "-MF", "-MT", "-MQ", "-arch", "-code", "-gencode", "--generate-code", "-x", "-Xptxas", "-Xnvlink", "-Xcompiler",
			"-I", "-D", "-std", "-optf", "--options-file", "-maxrregcount", "--maxrregcount", "-ccbin", "-isystem", "-odir", "-rdc", "-t", "--threads",
			"--output-file", "--gpu-architecture", "--gpu-code", "--ptxas-options", "--nvlink-options", "--compiler-options", "--std", "-O", "-l", "-L",
			"--include-path", "--define-macro", "-include", "--keep-dir", "-split-compile", "--split-compile",
		}, name)
		if takesValue && !has {
			if len(words) == 0 {
				return fmt.Errorf("argument expected after '%s'", name)
			}
			value, words = words[0], words[1:]
		}
		if err := n.option(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (n *nvcc) option(name, value string) error {
	switch name {
	case "-o", "--output-file":
		n.output = value
	case "-x":
		n.lang = value
	case "-MF":
		n.depFile = value
	case "-include", "--keep-dir":
		n.keeping.option(name, value)
	case "-MD", "-MMD":
		n.deps = true
	case "-arch", "-code", "--gpu-architecture", "--gpu-code":
		n.archs = append(n.archs, value)
	case "-gencode", "--generate-code":
		_, code, _ := strings.Cut(value, "code=")
		n.archs = append(n.archs, strings.FieldsFunc(code, func(r rune) bool { return strings.ContainsRune("[],\"'", r) })...)
	case "-Xptxas", "--ptxas-options", "-Xnvlink", "--nvlink-options":
		n.verbose = n.verbose || slices.Contains(strings.Split(value, ","), "-v")
	case "-res-usage", "--resource-usage":
		n.verbose = true
	case "-optf", "--options-file":
		text, err := os.ReadFile(value)
		if err != nil {
			return fmt.Errorf("Could not open options file '%s'", value) //nolint:staticcheck // nvcc's words
		}
		return n.parse(split(string(text)))
	case "-c", "--compile", "-dc", "--device-c", "-dw", "-cubin", "-fatbin", "-ptx", "-E", "-M", "-MM", "-dlink", "--device-link", "-lib", "--version", "-V":
		n.mode = name
	default:
		if !strings.HasPrefix(name, "-") {
			n.inputs = append(n.inputs, name)
		}
	}
	return nil
}

func (n *nvcc) run() int {
	switch n.mode {
	case "--version", "-V":
		release := Version[:strings.LastIndex(Version, ".")]
		fmt.Fprintf(n.stdout, "nvcc: a stand-in that replays recorded logs\nCuda compilation tools, release %s, V%s\n", release, Version)
		return exitOK
	case "-E":
		return n.preprocess()
	}
	if len(n.inputs) == 0 {
		fmt.Fprintln(n.stderr, "nvcc fatal   : No input files specified; use option --help for more information")
		return exitUsage
	}
	if n.mode == "-M" || n.mode == "-MM" {
		fmt.Fprint(n.stdout, n.rule(strings.TrimSuffix(n.inputs[0], filepath.Ext(n.inputs[0]))+".o"))
		return exitOK
	}
	for _, in := range n.inputs {
		if code := n.compile(in); code != exitOK {
			return code
		}
	}
	return n.link()
}

// preprocess prints the sources with a line marker each, from which a compiler
// cache learns what was read.
func (n *nvcc) preprocess() int {
	var all bytes.Buffer
	for _, in := range n.inputs {
		text, err := os.ReadFile(in)
		if err != nil {
			fmt.Fprintf(n.stderr, "cc1plus: fatal error: %s: No such file or directory\ncompilation terminated.\n", in)
			return exitUsage
		}
		fmt.Fprintf(&all, "# 1 %q\n%s", in, text)
	}
	if n.output == "" {
		_, _ = all.WriteTo(n.stdout)
		return exitOK
	}
	if err := os.WriteFile(n.output, all.Bytes(), 0o644); err != nil {
		fmt.Fprintf(n.stderr, "nvcc fatal   : Could not open output file '%s'\n", n.output)
		return exitUsage
	}
	return exitOK
}

// compile handles one input: a source is replayed, an object is left to the link.
func (n *nvcc) compile(in string) int {
	text, err := os.ReadFile(in)
	if err != nil {
		fmt.Fprintf(n.stderr, "cc1plus: fatal error: %s: No such file or directory\ncompilation terminated.\n", in)
		return exitUsage
	}
	if filepath.Ext(in) != ".cu" && n.lang != "cu" {
		return exitOK
	}
	for i, line := range strings.Split(string(text), "\n") {
		if message, ok := strings.CutPrefix(strings.TrimSpace(line), "#error "); ok {
			fmt.Fprintf(n.stderr, "%s(%d): error: #error directive: %s\n\n1 error detected in the compilation of \"%s\".\n", in, i+1, message, in)
			return exitFrontEnd
		}
	}
	stem := strings.TrimSuffix(filepath.Base(in), filepath.Ext(in))
	n.misbehave(stem)
	if n.mode != "-ptx" {
		if code := n.replay(in, stem); code != exitOK {
			return code
		}
	}
	suffix := map[string]string{"-cubin": ".cubin", "-fatbin": ".fatbin", "-ptx": ".ptx", "": "", "-lib": ""}
	ext, ok := suffix[n.mode]
	if !ok {
		ext = ".o"
	}
	if ext == "" {
		return exitOK
	}
	out := n.output
	if out == "" {
		out = stem + ext
	}
	if code := n.write(out, text); code != exitOK {
		return code
	}
	if !n.keep(in, stem) {
		return exitUsage
	}
	return exitOK
}

// link makes the output of the modes that have one for all inputs.
func (n *nvcc) link() int {
	out := n.output
	switch n.mode {
	case "-dlink", "--device-link":
		if out == "" {
			out = "a_dlink.o"
		}
		stem := strings.TrimSuffix(filepath.Base(out), filepath.Ext(out))
		if code := n.replay(n.inputs[0], stem); code != exitOK {
			return code
		}
	case "":
		if out == "" {
			out = "a.out"
		}
	case "-lib":
		if out == "" {
			out = "a.a"
		}
	default:
		return exitOK
	}
	return n.write(out, []byte(strings.Join(n.inputs, "\n")))
}

// write makes the output: a text that changes with the source, so that its
// content tells one compilation from another as an object's does.
func (n *nvcc) write(out string, source []byte) int {
	text := fmt.Sprintf("fakenvcc %s\n%x\n%s\n", Version, sha256.Sum256(source), strings.Join(n.archs, " "))
	if err := os.WriteFile(out, []byte(text), 0o755); err != nil {
		fmt.Fprintf(n.stderr, "nvcc fatal   : Could not open output file '%s'\n", out)
		return exitUsage
	}
	if !n.deps {
		return exitOK
	}
	depFile := n.depFile
	if depFile == "" {
		depFile = strings.TrimSuffix(out, filepath.Ext(out)) + ".d"
	}
	if err := os.WriteFile(depFile, []byte(n.rule(out)), 0o644); err != nil {
		fmt.Fprintf(n.stderr, "nvcc fatal   : Could not open output file '%s'\n", depFile)
		return exitUsage
	}
	return exitOK
}

// rule is the dependency rule of the first input.
func (n *nvcc) rule(target string) string {
	in := n.inputs[0]
	var rule strings.Builder
	rule.WriteString(target + " : " + in)
	text, _ := os.ReadFile(in)
	for line := range bytes.Lines(text) {
		if name, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte(`#include "`)); ok {
			rule.WriteString(" \\\n    " + filepath.Join(filepath.Dir(in), string(bytes.TrimSuffix(name, []byte{'"'}))))
		}
	}
	return rule.String() + "\n"
}

// misbehave does what the environment asks for.
func (n *nvcc) misbehave(stem string) {
	if n.env("FAKENVCC_HANG") == stem {
		time.Sleep(time.Hour)
	}
	if n.env("FAKENVCC_DIE") == stem {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
			time.Sleep(time.Hour)
		}
	}
}

// pause is the wait before each message.
func (n *nvcc) pause() time.Duration {
	d, _ := time.ParseDuration(n.env("FAKENVCC_DELAY"))
	return d
}

// noise is how many lines of a host compiler's warnings come in between.
func (n *nvcc) noise() int {
	lines, _ := strconv.Atoi(n.env("FAKENVCC_NOISE"))
	return lines
}
