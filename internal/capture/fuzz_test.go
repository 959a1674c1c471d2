package capture

import (
	"strings"
	"testing"
)

// FuzzUnderstand: any command line is understood or left alone, and what runs
// is what was given with nothing but the flags added.
func FuzzUnderstand(f *testing.F) {
	for _, line := range []string{
		"nvcc -arch=sm_90 -c a.cu -o a.o", "ccache nvcc -dlink -optf objects -o dl.o", "nvcc -Xptxas", "nvcc -o", "nvcc -", "nvcc --", "nvcc =",
		"nvcc -gencode arch=compute_90,code=[sm_90,compute_90] -x cu a.cpp -lib", "nvcc -I -D -c", "ar qc a.a", "nvcc -c -MD .cu",
		"clang++-18 -x cuda --offload-arch=sm_90 -Xcuda-ptxas -c a.cpp", "nvcc_wrapper -c a.cpp -o a.o", "clang -o", "ccache clang++ a.cu",
	} {
		f.Add(strings.ReplaceAll(line, " ", "\n"))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\n")
		c, ok := understand(args, dir, nil)
		if !ok {
			return
		}
		if c.action != stopsEarly && len(c.outputs()) == 0 {
			t.Errorf("%q makes nothing", args)
		}
		c.depFile()
		c.flags()
		c.expectsRecords()
		run := c.injected()
		added := len(run) - len(args)
		if added < 0 || added > 2*len(resourceFlags) {
			t.Fatalf("%q becomes %q", args, run)
		}
		at := len(c.launcher) + 1
		rest := append(append([]string{}, run[:at]...), run[at+added:]...)
		if strings.Join(rest, "\n") != line {
			t.Errorf("%q becomes %q", args, run)
		}
	})
}

// FuzzResponseWords: no text of a response file or dependency file is too odd.
func FuzzResponseWords(f *testing.F) {
	f.Add(`a "b c" 'd' \"e\" C:\f`)
	f.Add("a.o: b.cu \\\n c\\ d.h $$x\n")
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		for _, w := range responseWords(text) {
			n += len(w)
		}
		for _, d := range dependencies(text) {
			if strings.ContainsAny(d, "\n") && !strings.Contains(text, "\n") {
				t.Errorf("%q out of %q", d, text)
			}
		}
		if n > len(text) {
			t.Errorf("%d bytes out of %d", n, len(text))
		}
	})
}
