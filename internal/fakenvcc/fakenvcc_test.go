package fakenvcc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// call runs the stand-in in dir on a source k.cu with a recorded log.
func call(t *testing.T, env map[string]string, args string) (code int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for path, text := range map[string]string{
		"k.cu":               "#include \"k.cuh\"\n",
		"bad.cu":             "int a;\n#error no\n",
		"k.txt":              "\n",
		"objects.rsp":        "-c k.cu",
		"quoted.rsp":         "-c k.cu -o \"a b.o\"",
		"replay/k.log":       "ptxas warning : kept\nptxas info    : 0 bytes gmem\nptxas info    : Function properties for k\n    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n",
		"replay/big.log":     "ptxas error   : Entry function 'k' uses too much shared data\n",
		"big.cu":             "\n",
		"replay/k-sm_80.log": "ptxas info    : sm_80\n",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs strings.Builder
	n := &nvcc{stdout: &out, stderr: &errs, env: func(name string) string { return env[name] }}
	if err := n.parse(append(strings.Fields(args), split(env["NVCC_APPEND_FLAGS"])...)); err != nil {
		t.Fatal(err)
	}
	return n.run(), out.String(), errs.String()
}

func TestCalls(t *testing.T) {
	tests := []struct {
		args         string
		env          map[string]string
		code         int
		out, err     string // parts
		not          string // no part of stderr
		made, absent string // files
	}{
		{args: "-c k.cu", err: "ptxas warning : kept", not: "gmem", made: "k.o"},
		{args: "-c k.cu -Xptxas -v -o x.o", err: "8 bytes stack frame", made: "x.o", absent: "k.o"},
		{args: "-c k.cu --resource-usage", err: "0 bytes gmem"},
		{args: "-c k.cu", env: map[string]string{"NVCC_APPEND_FLAGS": "-Xptxas=-v"}, err: "0 bytes gmem"},
		{args: "-arch=sm_80 -Xptxas=-v -c k.cu", err: "ptxas info    : sm_80", not: "gmem"},
		{args: "-optf objects.rsp", made: "k.o"},
		{args: "-c k.cu --threads 4 -o x.o", made: "x.o"},
		{args: "-c k.cu -t 4", made: "k.o"},
		{args: "-c k.cu", env: map[string]string{"NVCC_APPEND_FLAGS": `-D "A=1 k" -o 'x y.o'`}, made: "x y.o"},
		{args: "-optf quoted.rsp", made: "a b.o"},
		{args: "-x cu -c k.txt -Xptxas=-v", err: "0 bytes gmem", made: "k.o"},
		{args: "-cubin k.cu", made: "k.cubin"},
		{args: "-ptx k.cu", not: "ptxas", made: "k.ptx"},
		{args: "-MD -c k.cu -o k.o", made: "k.d"},
		{args: "-M k.cu", out: "k.o : k.cu \\\n    k.cuh\n"},
		{args: "-E k.cu", out: "# 1 \"k.cu\"\n#include"},
		{args: "-c bad.cu", code: 2, err: "bad.cu(2): error: #error directive: no", absent: "bad.o"},
		{args: "-c big.cu", code: 255, err: "too much shared data", absent: "big.o"},
		{args: "-c none.cu", code: 1, err: "none.cu: No such file"},
		{args: "k.cu -o app", made: "app"},
		{args: "--version", out: "release 13.0, V13.0.88"},
		{args: "-c k.cu", env: map[string]string{"FAKENVCC_NOISE": "1"}, err: "k.cu:1:7: warning: unused variable"},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			code, stdout, stderr := call(t, tt.env, tt.args)
			if code != tt.code || !strings.Contains(stdout, tt.out) || !strings.Contains(stderr, tt.err) {
				t.Errorf("exit %d, stdout %q, stderr %q", code, stdout, stderr)
			}
			if tt.not != "" && strings.Contains(stderr, tt.not) {
				t.Errorf("stderr %q has %q", stderr, tt.not)
			}
			if _, err := os.Stat(tt.made); tt.made != "" && err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(tt.absent); tt.absent != "" && err == nil {
				t.Errorf("%s was made", tt.absent)
			}
		})
	}
}
