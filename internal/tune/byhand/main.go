// Command byhand holds occlint tune against a person with an editor: for each
// row of a kernel it changes the bounds in a copy of the source, compiles that
// with the same flags, and compares registers, stack, spills and machine code.
//
//	byhand -occlint ./occlint -nvcc nvcc -arch sm_90 -tree NAME=DIR [-tree …] CASES.json
//
// It prints a line for each row that differs, and the counts at the end; the
// exit code is 1 when something differs or a case can't be run.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// testCase is one kernel, and how a person would edit it.
type testCase struct {
	Tree    string   `json:"tree"`    // the name of a -tree
	Dir     string   `json:"dir"`     // where the command runs, in the tree
	Flags   []string `json:"flags"`   // of the compiler
	Source  string   `json:"source"`  // from Dir
	Kernel  string   `json:"kernel"`  // a pattern that matches one kernel
	Threads string   `json:"threads"` // where the kernel has no bounds
	Arch    string   `json:"arch"`    // in place of -arch: sm_90a
	File    string   `json:"file"`    // the file to edit, from Dir
	Find    string   `json:"find"`    // a text that it has once
	Replace string   `json:"replace"` // what to write; @BOUNDS@ stands for the bounds
}

// tuned is what occlint tune says.
type tuned struct {
	Kernels []struct {
		Name string `json:"name"`
		Rows []row  `json:"rows"`
	} `json:"kernels"`
}

type row struct {
	Variant      string `json:"variant"`
	LaunchBounds []int  `json:"launch_bounds"`
	Registers    *int   `json:"registers"`
	Stack        *int   `json:"stack_bytes"`
	Stores       *int   `json:"spill_store_bytes"`
	Loads        *int   `json:"spill_load_bytes"`
	Code         string `json:"code_sha256"`
	Error        string `json:"error"`
}

type trees map[string]string

func (t trees) String() string { return "" }

func (t trees) Set(s string) error {
	name, dir, ok := strings.Cut(s, "=")
	if !ok {
		return errors.New("want NAME=DIR")
	}
	t[name] = dir
	return nil
}

// checker runs cases.
type checker struct {
	occlint, nvcc, arch string
	trees               trees
	scratch             string

	kernels, rows, differ, failed int
}

func main() {
	c := &checker{trees: trees{}}
	flag.StringVar(&c.occlint, "occlint", "occlint", "the `program` to check")
	flag.StringVar(&c.nvcc, "nvcc", "nvcc", "the `compiler`")
	flag.StringVar(&c.arch, "arch", "sm_90", "the `architecture`")
	flag.Var(c.trees, "tree", "`NAME=DIR`: where the sources of cases are")
	flag.Parse()
	if err := c.run(flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "byhand:", err)
		os.Exit(1)
	}
	fmt.Printf("%d kernels, %d rows, %d differ, %d failed\n", c.kernels, c.rows, c.differ, c.failed)
	if c.differ+c.failed > 0 || c.rows == 0 {
		os.Exit(1)
	}
}

func (c *checker) run(path string) (err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var cases []testCase
	if err := json.Unmarshal(data, &cases); err != nil {
		return err
	}
	if c.scratch, err = os.MkdirTemp("", "byhand-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(c.scratch)) }()
	for i := range cases {
		if c.trees[cases[i].Tree] == "" {
			continue
		}
		if err := c.check(&cases[i], i); err != nil {
			c.failed++
			fmt.Printf("FAILED %s %s: %v\n", cases[i].Tree, cases[i].Kernel, err)
		}
	}
	return nil
}

func (c *checker) check(t *testCase, at int) error {
	from := c.trees[t.Tree]
	arch := c.arch
	if t.Arch != "" {
		arch = t.Arch
	}
	flags := append([]string{"-arch=" + arch}, t.Flags...)
	args := []string{"tune", "--no-config", "--kernel", t.Kernel, "--output", "json"}
	if t.Threads != "" {
		args = append(args, "--threads", t.Threads)
	}
	args = append(append(args, "--", c.nvcc), append(flags, "-c", t.Source)...)
	out, err := output(filepath.Join(from, t.Dir), c.occlint, args...)
	if err != nil {
		return err
	}
	var said tuned
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		return err
	}
	if len(said.Kernels) != 1 {
		return fmt.Errorf("the pattern matches %d kernels", len(said.Kernels))
	}
	copied := filepath.Join(c.scratch, strconv.Itoa(at))
	if err := os.CopyFS(copied, os.DirFS(from)); err != nil {
		return err
	}
	c.kernels++
	kernel := said.Kernels[0].Name
	for _, r := range said.Kernels[0].Rows {
		c.rows++
		want, err := c.edited(t, r, from, copied, kernel, flags)
		switch {
		case err != nil && r.Error == "":
			c.failed++
			fmt.Printf("FAILED %s %s: by hand: %v\n", kernel, r.Variant, err)
		case err == nil && want != summary(r):
			c.differ++
			fmt.Printf("DIFFER %s %s\n  tune:    %s\n  by hand: %s\n", kernel, r.Variant, summary(r), want)
		}
	}
	fmt.Printf("%-60s %d rows\n", kernel, len(said.Kernels[0].Rows))
	return os.RemoveAll(copied)
}

func summary(r row) string {
	if r.Registers == nil || r.Stack == nil || r.Stores == nil || r.Loads == nil {
		return "refused: " + r.Error
	}
	return fmt.Sprintf("%d registers, %d bytes stack, %d stored, %d loaded, code %.16s", *r.Registers, *r.Stack, *r.Stores, *r.Loads, r.Code)
}

// edited compiles the source as a person would change it.
func (c *checker) edited(t *testCase, r row, from, copied, kernel string, flags []string) (string, error) {
	text, err := os.ReadFile(filepath.Join(from, t.Dir, t.File))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), t.Find); n != 1 {
		return "", fmt.Errorf("%s has %q %d times", t.File, t.Find, n)
	}
	if r.Variant != "as-written" {
		bounds := ""
		switch len(r.LaunchBounds) {
		case 1:
			bounds = fmt.Sprintf("__launch_bounds__(%d)", r.LaunchBounds[0])
		case 2:
			bounds = fmt.Sprintf("__launch_bounds__(%d, %d)", r.LaunchBounds[0], r.LaunchBounds[1])
		}
		text = []byte(strings.Replace(string(text), t.Find, strings.ReplaceAll(t.Replace, "@BOUNDS@", bounds), 1))
	}
	dir := filepath.Join(copied, t.Dir)
	target := filepath.Join(dir, t.File)
	if err := os.Remove(target); err != nil { // it may be read-only
		return "", err
	}
	if err := os.WriteFile(target, text, 0o600); err != nil {
		return "", err
	}
	cubin := filepath.Join(c.scratch, "by-hand.cubin")
	log, err := output(dir, c.nvcc, append(append([]string{}, flags...), "-cubin", "-Xptxas", "-v", "-o", cubin, t.Source)...)
	if err != nil {
		return "", err
	}
	return read(log, cubin, kernel)
}

func output(dir, program string, args ...string) (string, error) {
	cmd := exec.Command(program, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", program, err, errs.String())
	}
	if out.Len() == 0 {
		return errs.String(), nil
	}
	return out.String(), nil
}

// read takes the numbers from the compiler's log with expressions, apart from
// the parser that is checked here.
//
// Names of internal linkage have a hash of the source's path in them, which is
// another for the copy.
func read(log, cubin, kernel string) (string, error) {
	hash := regexp.MustCompile(`(_GLOBAL__N__)[0-9a-f]{8}`)
	like := hash.ReplaceAllString(regexp.QuoteMeta(kernel), "${1}[0-9a-f]{8}")
	if kernel = regexp.MustCompile(like).FindString(log); kernel == "" {
		return "", errors.New("the log has no such kernel")
	}
	props := regexp.MustCompile(`Function properties for ` + regexp.QuoteMeta(kernel) + `\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads\n.*?Used (\d+) registers`)
	m := props.FindStringSubmatch(log)
	if m == nil {
		return "", errors.New("the log has no numbers of the kernel")
	}
	data, err := os.ReadFile(cubin)
	if err != nil {
		return "", err
	}
	binary.LittleEndian.PutUint32(data[20:], uint32(elf.EV_CURRENT))
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	section := f.Section(".text." + kernel)
	if section == nil {
		return "", errors.New("the cubin has no such kernel")
	}
	code, err := section.Data()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(code)
	return fmt.Sprintf("%s registers, %s bytes stack, %s stored, %s loaded, code %.16s", m[4], m[1], m[2], m[3], hex.EncodeToString(sum[:])), nil
}
