package parse_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLogFormsDoc keeps docs/log-forms.md equal to the tables that the tests
// in this package run. -update writes it anew.
func TestLogFormsDoc(t *testing.T) {
	file := filepath.FromSlash("../docs/log-forms.md")
	want := logFormsDoc(t)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("docs/log-forms.md is not what the tests say; run go test ./parse -run LogFormsDoc -update\n(-tests +doc)\n%s", d)
	}
}

func logFormsDoc(t *testing.T) string {
	var b strings.Builder
	b.WriteString(docHead)
	b.WriteString("\n## Real logs\n\n")
	b.WriteString("Every log under `testdata/ptxas` is read by `TestJSON`, with the command that made it beside it where it is known.\n\n")
	b.WriteString("| claim | test |\n|---|---|\n")
	for _, row := range claims {
		fmt.Fprintf(&b, "| %s | `%s` |\n", row.claim, row.test)
	}
	for _, section := range []struct {
		title, test string
		forms       []form
	}{
		{"Line forms by toolkit", "TestToolkits", toolkits},
		{"Remarks", "TestRemarks", remarks},
		{"Lines that mislead", "TestTraps", traps},
		{"Broken lines", "TestBrokenLines", brokenLines},
		{"Other programs that print the same messages", "TestOtherReaders", otherReaders},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n| form | a line of it | test |\n|---|---|---|\n", section.title)
		for _, f := range section.forms {
			line, _, _ := strings.Cut(strings.TrimPrefix(f.log, "\n"), "\n")
			fmt.Fprintf(&b, "| %s | %s | `%s/%s` |\n", f.name, code(line), section.test, testName(f.name))
		}
	}
	b.WriteString(docWrappers)
	b.WriteString("\n| wrapper | a line in it | test |\n|---|---|---|\n")
	sample := readLines(t, "nvcc11.8/rdc-link.log")[:3]
	for _, w := range wrappers {
		fmt.Fprintf(&b, "| %s | %s | `TestWrappers/%s` |\n", w.name, code(wrappedLine(w, sample)), testName(w.name))
	}
	b.WriteString(docCost)
	return b.String()
}

// claims are the promises that are about logs as a whole.
var claims = []struct{ claim, test string }{
	{"Registers, stack, shared and constant bytes are those that `cuobjdump -res-usage` reads back from the binary", "TestLogsAgreeWithBinaries"},
	{"A parallel build that writes in bursts is read like its logs apart", "TestParallelBuildInBursts"},
	{"In a build whose jobs write between each other's lines, what is certain is right and the rest is marked", "TestMixedBuilds"},
	{"A `Used` line that came while one entry waited for it is that entry's, by the recorded truth of who wrote it", "TestMixedBuildOwners"},
	{"The cumulative stack size is what the pairing takes it for", "TestCumulativeStack"},
	{"Lines of several jobs that a wrapper tells apart are told apart by it", "TestTaggedJobs"},
	{"A log cut anywhere states nothing wrong, and is not taken for complete when the cut is inside a line or a record", "TestCutLogs"},
	{"A log whose beginning is missing states nothing wrong", "TestCutHeads"},
	{"A log that lost any one line states nothing wrong of any entry", "TestLostLines"},
	{"A log of any kind that lost one line or two together is not taken for complete with a wrong number", "TestLostPairs"},
	{"A wrapper hides no loss", "TestWrappedLosses"},
	{"No remark takes a line for its rest that says that the build failed", "TestFailureBehindRemark"},
	{"The ways in which a build says that it failed are seen", "TestFailures"},
	{"A service that says that it did not keep the whole log is believed", "TestClippedLogs"},
	{"A log whose last line is the beginning of a message is cut, whatever stands behind it", "TestLastLine"},
	{"Messages that a C library tore are joined where one can take the rest, and no record is pieced together from two", "TestTornLogs"},
	{"Small logs that are easily taken for whole ones, or for worse than they are, state what they say", "TestFaultLogs"},
	{"Text that can't be decoded is a fault", "TestEncodingFaults"},
	{"Lines come through as they arrive, every byte of them", "TestOnLineAtOnce"},
	{"A line of any length takes bounded memory", "TestLongLines"},
	{"What a record takes in memory", "TestBytesPerRecord"},
	{"A function belongs to the kernel that it was compiled for, with -rdc and -G to none", "TestParents"},
	{"Time is linear in the number of records, whatever they are", "TestLinearTime"},
	{"Any bytes: no panic, no number or name that the text does not have", "FuzzRead"},
	{"Any text in front of each line: the same records", "FuzzWrap"},
}

const docHead = `# Log forms

What the reader in ` + "`parse`" + ` understands, and the test that proves each claim. This file is written by
` + "`go test ./parse -run LogFormsDoc -update`" + ` from the tables that the tests run.

A message is ` + "`TOOL SEVERITY : TEXT`" + ` and is found anywhere in a line; whatever stands before it is a wrapper's, so no
wrapper needs to be known by name. The tool is any name with ptxas or nvlink in it, or nvcc. A stack line has no tool
word: it belongs to the properties line above it and must stand behind the same wrapper.

In a log of several jobs a line without a name (` + "`Used`" + `, stack) belongs to one of the records that wait for such a line
when it comes. With one waiting that is certain. With several, as many lines are gathered as records wait, and a record
gets its numbers when every way of pairing the group off gives it the same ones. Content narrows the ways: a cumulative
stack size is never less than the entry's frame, and is just the frame where no function of the log has one. All others
are marked ` + "`interleaved`" + ` and state nothing of that line. An entry whose ` + "`Used`" + ` line is certain waits for no stack line any more.

From glibc 2.37 on messages of more than 128 bytes are written in pieces, between which other jobs write. The rest of one
is given to the only head that it makes a whole message; where several can take it, the properties line says which name is
right; else the message counts as cut.
`

const docCost = `
## Cost

Time is linear in the size of the log and in the number of records, whatever order they are in. A kernel takes about
160 bytes and its name once; a remark about 160 bytes and its text. A line is read up to 4 MiB; longer ones take no more
memory, and are a fault where the compiler wrote behind that. Groups of up to 64 records of a mixed build are paired
off; larger ones keep only what all their lines agree on.
`

const docWrappers = `
## Wrappers and encodings

Ten real logs are read in each, and must give the records that they give without it.
`

// testName is how the testing package writes the name of a subtest.
func testName(s string) string { return strings.ReplaceAll(s, " ", "_") }

// wrappedLine shows the line of a resource message in a wrapper, escaped
// where it is not plain text.
func wrappedLine(w wrapper, lines []string) string {
	text := w.wrap(lines)
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "gmem") {
			return line
		}
	}
	return text[:min(len(text), 24)]
}

// code writes s as code in a cell of a table.
func code(s string) string {
	if q := strconv.QuoteToASCII(s); q[1:len(q)-1] != s && !strings.ContainsAny(s, "\"\\") || strings.ContainsAny(s, "\x00\x1b\t\r") {
		s = q[1 : len(q)-1]
	}
	const longest = 110
	if len(s) > longest {
		s = s[:longest] + "…"
	}
	s = strings.ReplaceAll(s, "|", "\\|")
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}
