package report

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/rules"
)

func environment(pairs ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return func(key string) string { return m[key] }
}

func TestTextGoldens(t *testing.T) {
	tests := []struct {
		file string
		set  func(*Input)
	}{
		{"text.txt", func(*Input) {}},
		{"text-80.txt", func(in *Input) { in.Env = environment("COLUMNS", "80") }},
		{"text-no-group.txt", func(in *Input) { in.NoGroup = true }},
		{"text-show-info.txt", func(in *Input) { in.ShowInfo = true }},
		{"text-quiet.txt", func(in *Input) { in.Quiet = true }},
		{"text-no-config.txt", func(in *Input) { in.ConfigFile, in.Result.Findings = "", nil }},
		{"text-color.txt", func(in *Input) { in.Color = "always" }},
		{"text-ascii.txt", func(in *Input) { in.Env = environment("LC_ALL", "C") }},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			in := fixture()
			tt.set(in)
			golden(t, tt.file, write(t, "text", in))
		})
	}
}

// A line wider than the terminal breaks in the middle of a word, and a control
// character does whatever its sender wants.
func TestTextIsSafeAndFits(t *testing.T) {
	for _, columns := range []int{40, 80, 140} {
		in := fixture()
		in.Color, in.ShowInfo, in.NoGroup = "always", true, true
		in.Env = environment("COLUMNS", itoa(columns))
		for i, line := range strings.Split(write(t, "text", in), "\n") {
			if w := term.Width(line); w > columns {
				t.Errorf("%d columns: line %d has %d: %q", columns, i+1, w, line)
			}
			plain := regexp.MustCompile("\x1b\\[[0-9;]*m").ReplaceAllString(line, "")
			for _, r := range plain {
				if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
					t.Errorf("line %d holds %U: %q", i+1, r, line)
				}
			}
			if strings.HasPrefix(strings.TrimSpace(plain), "::") {
				t.Errorf("line %d starts a workflow command: %q", i+1, line)
			}
		}
	}
}

// 8,000 kernels of which 35 spill give at most 35 messages, and those of one
// template give one.
func TestGroupsFamilies(t *testing.T) {
	in := fixture()
	in.Result.Findings = nil
	for i := range 35 {
		k := fmt.Sprintf("_Z4tileILi%dEEvPf", i) // tile<i>
		f := rules.Finding{Rule: "spill-budget", Severity: rules.Warning, Subject: fmt.Sprintf("tile<%d>", i), Kernel: k, Arch: "sm_90",
			Message: fmt.Sprintf("tile<%d> spills", i), Value: float64(i), Unit: "bytes", Field: rules.FieldSpillStores}
		in.Result.Findings = append(in.Result.Findings, f)
	}
	out := write(t, "text", in)
	if n := strings.Count(out, "warning: "); n != 1 {
		t.Errorf("%d messages for one template:\n%s", n, out)
	}
	for _, want := range []string{"tile<34> spills", "35 kernels of this family", "0 to 34 bytes", "35 warnings"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	in.NoGroup = true
	if n := strings.Count(write(t, "text", in), "warning: "); n != 35 {
		t.Errorf("--no-group: %d messages, want 35", n)
	}
}

func TestOneline(t *testing.T) {
	in := fixture()
	in.ShowInfo = true
	out := write(t, "oneline", in)
	golden(t, "oneline.txt", out)
	line := regexp.MustCompile(`^[^:\n]+:\d+(:\d+)?: (error|warning|info): .+ \[[a-z-]+\]$`)
	for _, l := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		if !line.MatchString(l) {
			t.Errorf("not FILE:LINE: SEVERITY: MESSAGE [RULE]: %q", l)
		}
	}
}

// TestTextShared writes so many messages that the processors share them: the
// text must be that of one after the other.
func TestTextShared(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 3 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	}
	in := fixture()
	few := in.Result.Findings
	in.Result.Findings = nil
	for i := range 4000 {
		f := few[i%len(few)]
		if f.Kernel != "" {
			f.Kernel = fmt.Sprintf("_Z%d%s", i, f.Kernel)
			f.Subject = strings.Repeat("long_", i%40) + f.Subject
			f.Message = strings.Repeat("long_", i%40) + f.Message
		}
		f.Help = fmt.Sprint("advice ", i%700)
		in.Result.Findings = append(in.Result.Findings, f)
	}
	in.NoGroup = true
	list := blocks(in.shown(), true)
	advise(list)
	if len(list) < 1600 {
		t.Fatalf("%d messages are too few to be shared", len(list))
	}
	var want, got bytes.Buffer
	for _, b := range list {
		one := &textWriter{Writer: bufio.NewWriter(&want), in: in, style: in.style()}
		one.block(b)
		if err := one.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	all := &textWriter{Writer: bufio.NewWriter(&got), in: in, style: in.style()}
	all.blocks(list)
	if err := all.Flush(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want.Bytes(), got.Bytes()) {
		t.Error("messages that the processors share differ from those of one")
	}
}
