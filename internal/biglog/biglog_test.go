package biglog

import (
	"bytes"
	"regexp"
	"testing"
)

const ptxas = "../../testdata/ptxas"

func TestShapes(t *testing.T) {
	entry := regexp.MustCompile(`Compiling entry function '([^']+)'`)
	for _, shape := range Shapes {
		var log bytes.Buffer
		const size = 6 << 20 // more than RepeatedKernels records
		kernels, err := Write(&log, ptxas, shape, size)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]int{}
		for _, m := range entry.FindAllSubmatch(log.Bytes(), -1) {
			names[string(m[1])]++
		}
		want := kernels
		if shape == Repeated {
			want = RepeatedKernels
		}
		if len(names) != want {
			t.Errorf("%s: %d names for %d kernels, want %d", shape, len(names), kernels, want)
		}
		if got := bytes.Count(log.Bytes(), []byte("Used ")); got != kernels {
			t.Errorf("%s: %d Used lines for %d kernels", shape, got, kernels)
		}
		if log.Len() < size {
			t.Errorf("%s: %d bytes, want at least %d", shape, log.Len(), size)
		}
	}
}

func TestNamesStayWellFormed(t *testing.T) {
	// The length in front of an identifier counts its letters: hidden_0000042
	// has 14, saxpy is left alone behind lin_0000042 with its 11.
	for _, c := range []struct{ line, want string }{
		{"ptxas info    : Function properties for _ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c6hiddenEPf",
			"ptxas info    : Function properties for _ZN40_GLOBAL__N__1251166d_9_basics_cu_scale_c14hidden_0000042EPf"},
		{"ptxas info    : Compiling entry function '_ZN3lin5saxpyIdEEviT_PKS1_PS1_' for 'sm_90'",
			"ptxas info    : Compiling entry function '_ZN11lin_00000425saxpyIdEEviT_PKS1_PS1_' for 'sm_90'"},
		{"ptxas info    : Compiling entry function 'plain' for 'sm_80'",
			"ptxas info    : Compiling entry function 'plain_0000042' for 'sm_80'"},
	} {
		if got := string(cut([]byte(c.line)).named(42)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
