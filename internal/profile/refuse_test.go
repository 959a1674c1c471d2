package profile

import (
	"errors"
	"strings"
	"testing"
)

// detailsOf is a details page with one launch whose duration is written as
// given, and no other number that shows the format.
func detailsOf(duration string) string {
	return "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n" +
		`"0","1","app","127.0.0.1","k(int)","1","7","(256, 1, 1)","(8, 1, 1)","0","9.0","GPU Speed Of Light Throughput","Duration","ns","` + duration + `"` + "\n"
}

// What can't be used is refused with what to do about it.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		reason, text, what, help string
	}{
		{"a decimal sign that can't be told", detailsOf("117,344"), `"117,344" has a decimal sign or a separator`, "LC_ALL=C ncu -i REPORT.ncu-rep --csv --page raw --print-units base"},
		{"two formats in one file", detailsOf("117.34") + strings.Replace(detailsOf("117,34"), `"0"`, `"1"`, 1), "written in two ways", "LC_ALL=C ncu"},
		{"counters are not allowed", "==PROF== Connected to process 1 (/app)\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission\n", "the profiler says: ERR_NVGPUCTRPERM", "NVreg_RestrictProfilingToAdminUsers=0"},
		{"nothing ran", "==PROF== Connected to process 1 (/app)\n==WARNING== No kernels were profiled.\n", "No kernels were profiled", "ncu --set full"},
		{"a summary without averages", "\"Process ID\",\"Process Name\",\"Kernel Name\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\"\n", `neither "Metric Value" nor "Average"`, "--page raw"},
		{"AMD", "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\"\n0,k,0,0\n", "rocprof", "NVIDIA device"},
		{"AMD, newer", "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Id\",\"Kernel_Name\"\n", "rocprof", "NVIDIA device"},
		{"SQLite", "SQLite format 3\x00....", "SQLite database", "nsys stats -r cuda_gpu_trace:mangled -f csv"},
		{"nvprof", "==123== NVPROF is profiling process 123, command: ./a\n", "nvprof", "ncu --set full"},
		{"a sum over launches", "Time (%),Total Time (ns),Instances,Avg (ns),Name\n", "neither registers nor blocks", "cuda_gpu_trace"},
		{"no report", "ptxas info    : Used 12 registers\n", "not a profiler's report", "ncu -i"},
		{"an empty file", "", "not a profiler's report", "ncu -i"},
		{"no kernel in a trace", `{"traceEvents":[]}`, "the trace has no kernel", "ProfilerActivity.CUDA"},
		{"no JSON", `{"traceEvents":[{"ph"]}`, "can't be read", "export_chrome_trace"},
		{"a cut gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00", "", ""},
	} {
		_, list, err := launchesOf(strings.NewReader(c.text), "report")
		var known *Error
		if !errors.As(err, &known) {
			t.Errorf("%s: the error is %v, with %d launches", c.reason, err, len(list))
			continue
		}
		if !strings.Contains(known.What, c.what) || !strings.Contains(known.Help, c.help) || known.Place.File != "report" {
			t.Errorf("%s: %v", c.reason, err)
		}
		if strings.HasPrefix(err.Error(), ": ") {
			t.Errorf("%s: %q has no place", c.reason, err)
		}
	}
}

// A result of a whole range has no one kernel: the binary report says so in its
// own words, before any launch.
func TestReportOfRanges(t *testing.T) {
	// FileHeader{1: 7}, then BlockHeader{7: 1 range result}.
	text := repMagic + "\x02\x00\x00\x00\x08\x07" + "\x02\x00\x00\x00\x38\x01"
	_, _, err := launchesOf(strings.NewReader(text), "r")
	if err == nil || !strings.Contains(err.Error(), "whole ranges or graphs") {
		t.Error(err)
	}
}

// Bad rows are told by their line, and the rest is used.
func TestBadRows(t *testing.T) {
	good := detailsOf("117.34")
	header, row, _ := strings.Cut(good, "\n")
	text := "the program prints, \"things\"\n" + header + "\n" + row +
		strings.Replace(row, `"117.34"`, `"much"`, 1) + // line 4
		"the program prints again\n" +
		"\"0\",\"1\",\"app\n" + // line 6
		strings.Replace(strings.Replace(row, `"0","1"`, `"1","1"`, 1), `"ns"`, `"furlong"`, 1) + // line 7
		strings.Replace(row, `"0","1"`, `"2","1"`, 1)
	r, list, err := launchesOf(strings.NewReader(text), "f")
	if err != nil || len(list) != 3 {
		t.Fatal(err, len(list))
	}
	var lines []int
	for _, p := range r.Problems {
		lines = append(lines, p.Place.Line)
	}
	if len(lines) != 3 || lines[0] != 6 || lines[1] != 4 || lines[2] != 7 {
		t.Errorf("problems: %v", r.Problems)
	}
	if list[0].Values.Or(DurationNanos, 0) != 117.34 || list[1].Values.Has(DurationNanos) || list[2].Values.Or(DurationNanos, 0) != 117.34 {
		t.Errorf("%+v", list)
	}
}

// A trace that ends in the middle counts as far as it goes, and says so.
func TestCutTrace(t *testing.T) {
	const event = `{"ph":"X","cat":"kernel","name":"k","dur":2.5,"args":{"grid":[2,1,1],"block":[32,1,1]}},`
	r, list, err := launchesOf(strings.NewReader(`{"traceEvents":[`+event+event+`{"ph":"X","ca`), "t")
	if err != nil || len(list) != 2 || len(r.Problems) != 1 || !strings.Contains(r.Problems[0].Text, "ends in the middle") {
		t.Error(err, len(list), r.Problems)
	}
}
