package starter

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/rules"
)

func TestElideArguments(t *testing.T) {
	for _, test := range []struct{ qualified, want string }{
		{"lin::saxpy", "lin::saxpy"},
		{"lin::saxpy<float>", "lin::saxpy<*>"},
		{"lin::gemm<float, (int)64>::run<true>", "lin::gemm<*>::run<*>"},
		{"k<(3 > 2), std::pair<int, float> >", "k<*>"},
		{"V::operator<", "V::operator<"},
		{"V::operator<<<int>", "V::operator<<<*>"},
		{"V::operator< <int>", "V::operator< <*>"},
		{"cooperator<int>", "cooperator<*>"},
		{"V::operator*", `V::operator\*`},
		{"(anonymous namespace)::hidden", "(anonymous namespace)::hidden"},
	} {
		if got := elideArguments(test.qualified); got != test.want {
			t.Errorf("%s: got %s, want %s", test.qualified, got, test.want)
		}
	}
}

// Each kernel's budget has to be that of its own entry: per field the later
// entry of a config wins.
func TestEntriesSelectTheirKernels(t *testing.T) {
	judged := []rules.Judgement{
		// k<T> and k<T>::run, whose pattern is matched by that of k as well.
		kernel("_Z1kIiEvv", "sm_90", 100, 0, 0),
		kernel("_ZN1kIiE3runIfEEvv", "sm_90", 40, 0, 0),
		kernel("_ZN1kIfE3runIfEEvv", "sm_90", 41, 0, 0),
		kernel(saxpyFloat, "sm_90", 12, 0, 0),
		kernel(saxpyDouble, "sm_90", 14, 0, 0),
		kernel(hidden13, "sm_90", 10, 0, 0),
		kernel("plain", "sm_90", 10, 0, 0),
		kernel("a*b", "sm_90", 10, 0, 0),
		kernel("aXb", "sm_90", 20, 0, 0),
	}
	families, _ := familiesOf(slices.All(judged))
	var matches []string
	for _, f := range families {
		matches = append(matches, f.match)
	}
	want := []string{
		"(anonymous namespace)::hidden", "aXb", `a\*b`, "k<*>", "k<*>::run<*>", "lin::saxpy<*>", "plain",
	}
	if diff := cmp.Diff(want, matches); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i := range judged {
		mangled := judged[i].Kernel.Name
		last := ""
		for _, f := range families {
			p, err := name.CompilePattern(f.match)
			if err != nil {
				t.Fatal(err)
			}
			if p.Match(mangled) {
				last = f.match
			}
		}
		if got := elideArguments(name.Qualified(mangled)); got != last {
			t.Errorf("%s is judged by %q, want %q", mangled, last, got)
		}
	}
}

// The config of a huge log stays readable, and what has no entry is not judged
// by the entry of another family.
func TestEntriesAreBounded(t *testing.T) {
	var judged []rules.Judgement
	for i := range mostEntries + 500 {
		judged = append(judged, kernel(fmt.Sprintf("k%04d", i), "sm_90", 100, 0, 0))
	}
	// Matched by the pattern of k<T>, and with too few registers for an entry
	// of its family.
	judged = append(judged, kernel("_Z1kIiEvv", "sm_90", 200, 0, 0), kernel("_ZN1kIiE3runIfEEvv", "sm_90", 8, 0, 0))
	families, left := familiesOf(slices.All(judged))
	if len(families) != mostEntries+1 || left != 501 {
		t.Errorf("%d entries and %d families left, want %d and 501", len(families), left, mostEntries+1)
	}
	if last := families[len(families)-1]; last.match != "_ZN1kIiE3runIfEEvv" {
		t.Errorf("the last entry is for %q, want the kernel that k<*> would take", last.match)
	}
}

func TestStarter(t *testing.T) {
	judged := []rules.Judgement{
		// 61 registers round up to 64, 255 stay: no thread can have 256.
		kernel("_Z11sgemm_tiledILi16EEviPKfS1_Pf", "sm_80", 33, 0, 0),
		kernel("_Z11sgemm_tiledILi32EEviPKfS1_Pf", "sm_80", 61, 16, 16),
		kernel("_Z11sgemm_tiledILi16EEviPKfS1_Pf", "sm_90a", 40, 0, 0),
		kernel("_Z11sgemm_tiledILi32EEviPKfS1_Pf", "sm_90a", 38, 0, 0),
		kernel("scale", "sm_80", 255, 0, 0, func(j *rules.Judgement) { j.SharedBytes = 1024 }),
		kernel("scale", "sm_90a", 255, 0, 0, func(j *rules.Judgement) { j.SharedBytes = 1024 }),
		kernel("_Z6calleev", "sm_80", 0, 8, 8, function("scale")),
	}
	finding := spills("_Z11sgemm_tiledILi32EEviPKfS1_Pf", "sm_80", 16, 16)
	finding.Message = "sgemm_tiled<32> spills 16 bytes on sm_80"
	s := &Config{
		Log:      "build.log",
		Result:   rules.ResultOf([]rules.Finding{finding}, judged...),
		Sources:  []string{"src/**/*.cu"},
		Baseline: ".occlint-baseline.yml",
	}
	s.Result.Archs, s.Result.Entries = []string{"sm_80", "sm_90a"}, 6 // three kernels on two architectures
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "starter.yml", b.Bytes())

	s.Result.Findings, s.Sources = nil, nil
	b.Reset()
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "starter-clean.yml", b.Bytes())
}

func TestSourceGlobs(t *testing.T) {
	file := &fstest.MapFile{}
	got := SourceGlobs(fstest.MapFS{
		"main.cu": file, "src/a/b.cu": file, "src/a/b.cuh": file, "src/c.cpp": file, "include/x.cuh": file,
		"build/gen.cu": file, ".git/x.cu": file, "third_party/cub/x.cu": file, "lib/vendor/y.cu": file,
	})
	want := []string{"*.cu", "include/**/*.cuh", "src/**/*.cu", "src/**/*.cuh"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
