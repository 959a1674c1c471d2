package parse_test

import (
	"strings"
	"testing"
)

// clippings are lines by which services say that a part of the log is missing,
// as they print them.
var clippings = []string{
	"[output clipped, log limit 2MiB reached]",
	"#12 310.3 [output clipped, log limit 200KiB/s reached]",
	"Job's log exceeded limit of 4194304 bytes.",
	"\x1b[33;1mJob's log exceeded limit of 4194304 bytes.",
	"2025-11-02T10:00:00.123456Z 01O Job's log exceeded limit of 4194304 bytes.",
	"The job exceeded the maximum log length, and has been terminated.",
	"The log length has exceeded the limit of 4 MB (this usually means that the test suite is raising the same exception over and over).",
	"This step has been truncated due to its large size. Download the full logs from the menu once the workflow run has completed.",
	"The last 2,000 lines of the build log are shown. Display or download complete log.",
	"[...truncated 12.34 MB...]",
	"Skipping 2,345 KB.. Full Log",
	"Streaming output truncated to the last 5000 lines.",
	"INFO: From Compiling k.cu: stdout (/w/out) 2345678 bytes exceeds maximum size of --experimental_ui_max_stdouterr_bytes=1048576 bytes; skipping",
}

// notClippings hold the same words and say nothing of this log.
var notClippings = []string{
	"BUILDKIT_STEP_LOG_MAX_SIZE=-1 avoids [output clipped, log limit 2MiB reached]",
	"[output] clipped to the viewport",
	"// Job's log exceeded limit of what?",
	"The job exceeded its time",
	"Skipping 2 tests",
	"Output written to out.log",
	"The last 3 targets were rebuilt",
}

// TestClippedLogs: what a service did not keep can be anything, so the log is
// cut where it says so.
func TestClippedLogs(t *testing.T) {
	const whole = "ptxas info    : 0 bytes gmem\n"
	for _, line := range clippings {
		if got := render(parseText(t, whole+line+"\n#12 DONE 2210.4s\n")); !strings.HasSuffix(got, "fault truncated line 2\n") {
			t.Errorf("%q is not seen as a clipped log:\n%s", line, got)
		}
	}
	for _, line := range notClippings {
		if got := render(parseText(t, whole+line+"\n")); strings.Contains(got, "fault") {
			t.Errorf("%q is taken for a clipped log:\n%s", line, got)
		}
	}
}

// TestLastLine ends a whole log with what can be the beginning of another
// message, with a newline and without, and with lines that can't.
func TestLastLine(t *testing.T) {
	const whole = "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'k' for 'sm_90'\n" +
		"ptxas info    : Function properties for k\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n" +
		"ptxas info    : Used 8 registers, used 0 barriers\n"
	const next = "ptxas info    : Compiling entry function 'second' for 'sm_90'"
	for n := 2; n < len(next); n++ {
		for _, end := range []string{"", "\n"} {
			if got := render(parseText(t, whole+next[:n]+end)); !strings.Contains(got, "fault truncated line 6") {
				t.Errorf("the log ends with %q and is taken for whole:\n%s", next[:n]+end, got)
			}
		}
	}
	for _, last := range []string{"[2/3] ptxas inf", "#12 310.2 ptxas info    : Us", "ptxas info    : 0 by", "ptxas info    : Compile time = 3", "    0 bytes sta", "nvlink inf"} {
		if got := render(parseText(t, whole+last+"\n")); !strings.Contains(got, "fault truncated line 6") {
			t.Errorf("the log ends with %q and is taken for whole:\n%s", last, got)
		}
	}
	for _, last := range []string{"ptxas is fine", "done: nvcc, ptxas", "0", "ptxas information is above", "    0 tests failed"} {
		if got := render(parseText(t, whole+last+"\n")); strings.Contains(got, "fault") {
			t.Errorf("the log ends with %q and is taken for cut:\n%s", last, got)
		}
	}
}
