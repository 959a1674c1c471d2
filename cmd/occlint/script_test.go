package main

import (
	"compress/gzip"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/occlint/occlint/internal/fakenvcc"
)

var update = flag.Bool("update", false, "write the expected output of the scripts anew")

// TestMain lets the scripts run this binary as occlint, and as an nvcc that
// replays recorded logs.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"occlint": main,
		"nvcc":    func() { os.Exit(fakenvcc.Main()) },
	})
}

// TestScript runs testdata/script. Beside the usual commands a script has
//
//	code N COMMAND …   run COMMAND and require the exit code N
//	log PATH FILE      copy a real log of testdata/ptxas to FILE
//	gzip FILE          compress FILE to FILE.gz
//
// Each script's working directory is the root of a repository of its own.
func TestScript(t *testing.T) {
	logs, err := filepath.Abs(filepath.Join("..", "..", "testdata", "ptxas"))
	if err != nil {
		t.Fatal(err)
	}
	tuned, err := filepath.Abs(filepath.Join("testdata", "tune"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PTXAS", logs)
			env.Setenv("JIT", filepath.Join(logs, "..", "jit"))
			env.Setenv("CUBIN", filepath.Join(logs, "..", "cubin"))
			env.Setenv("PROFILES", filepath.Join(logs, "..", "profile"))
			env.Setenv("KERNELS", filepath.Join(logs, "..", "kernels"))
			env.Setenv("TUNE", tuned)
			env.Setenv("FAKENVCC_LOGS", filepath.Join(env.WorkDir, "replay"))
			env.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector holds up each exit for a second
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"code": code, "log": copyLog, "gzip": compress},
	})
}

func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N COMMAND …")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func copyLog(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: log PATH FILE")
	}
	text := ts.ReadFile(filepath.Join(ts.Getenv("PTXAS"), filepath.FromSlash(args[0])))
	ts.Check(writeText(ts.MkAbs(args[1]), text))
}

func compress(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gzip FILE")
	}
	var b strings.Builder
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, ts.ReadFile(args[0]))
	ts.Check(errors.Join(err, w.Close(), writeText(ts.MkAbs(args[0]+".gz"), b.String())))
}

func writeText(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
