package compare

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// hiddenCanonical is hidden12 and hidden13 without what the build made up.
const hiddenCanonical = "_ZN23_GLOBAL__N__9_basics_cu6hiddenEPf"

func entry(rule, kernel, arch, field string, value float64, reason string) rules.BaselineEntry {
	return rules.BaselineEntry{Rule: rule, Kernel: kernel, Arch: arch, Field: field, Value: value, Reason: reason}
}

const (
	saxpyFloat  = "_ZN3lin5saxpyIfEEviT_PKS1_PS1_"
	saxpyDouble = "_ZN3lin5saxpyIdEEviT_PKS1_PS1_"
)

func someEntries() []rules.BaselineEntry {
	remark := entry("compiler-remark", saxpyFloat, "sm_90", "", 0, "wgmma: \"later\", says Jürgen")
	remark.Detail = "C7510"
	return []rules.BaselineEntry{
		entry("spill-budget", saxpyDouble, "sm_90", "spill_stores", 16, "as of the first gate"),
		entry("spill-budget", saxpyDouble, "sm_90", "spill_loads", 24, "as of the first gate"),
		entry("spill-budget", saxpyDouble, "sm_100", "spill_stores", 8, "as of the first gate"),
		entry("spill-budget", saxpyFloat, "sm_90", "spill_stores", 4, "as of the first gate"),
		entry("min-blocks", saxpyFloat, "sm_90", "blocks", 9, "yes"),
		entry("min-occupancy", hiddenCanonical, "", "occupancy", 66.66666666666667, "as of the first gate"),
		remark,
	}
}

const someFile = `# Findings that are accepted as they were when this file was written:
# no worse passes, worse fails, and what got better or is gone is reported.
# "occlint baseline prune" takes out what is no longer needed.
version: 1
families:
  - family: "(anonymous namespace)::hidden"
    reason: as of the first gate
    kernels:
      _ZN23_GLOBAL__N__9_basics_cu6hiddenEPf:
        "? min-occupancy": {occupancy: 66.66666666666667}
  - family: "lin::saxpy"
    reason: as of the first gate
    kernels:
      _ZN3lin5saxpyIdEEviT_PKS1_PS1_:
        sm_90 spill-budget: {spill_stores: 16, spill_loads: 24}
        sm_100 spill-budget: {spill_stores: 8}
      _ZN3lin5saxpyIfEEviT_PKS1_PS1_:
        sm_90 spill-budget: {spill_stores: 4}
  - family: "lin::saxpy"
    reason: "wgmma: \"later\", says Jürgen"
    kernels:
      _ZN3lin5saxpyIfEEviT_PKS1_PS1_:
        sm_90 compiler-remark C7510: {present: true}
  - family: "lin::saxpy"
    reason: "yes"
    kernels:
      _ZN3lin5saxpyIfEEviT_PKS1_PS1_:
        sm_90 min-blocks: {blocks: 9}
`

func TestBaselineFile(t *testing.T) {
	entries := someEntries()
	for range 5 {
		rand.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		var b bytes.Buffer
		if err := WriteBaseline(&b, entries); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(someFile, b.String()); diff != "" {
			t.Fatalf("written (-want +got):\n%s", diff)
		}
	}
	got, err := ReadBaseline("b.yml", []byte(someFile))
	if err != nil {
		t.Fatal(err)
	}
	want := someEntries()
	sortEntries(want)
	if diff := cmp.Diff(want, got.Entries, cmpopts.IgnoreFields(rules.BaselineEntry{}, "Origin")); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	origin := rules.Origin{From: rules.FromBaseline, Place: parse.Place{File: "b.yml", Line: 28, Column: 9}}
	if e := got.Entries[len(got.Entries)-1]; e.Origin != origin {
		t.Errorf("the last entry comes from %v, want %v", e.Origin, origin)
	}
}

func TestEmptyBaseline(t *testing.T) {
	var b bytes.Buffer
	if err := WriteBaseline(&b, nil); err != nil {
		t.Fatal(err)
	}
	got, err := ReadBaseline("b.yml", b.Bytes())
	if err != nil || len(got.Entries) != 0 {
		t.Errorf("got %v, %v; want an empty baseline", got, err)
	}
}

// Names are the log's, and a log can say anything.
func TestBaselineHoldsHostileNames(t *testing.T) {
	for _, name := range []string{"a: b", "- x", "{", "\"", "\\", "no", "007", "a\nb", "\x1b[31m", "\u202eevil", "# c", "*a", "&a", "k<int [4]>", "~", "1e3"} {
		entries := []rules.BaselineEntry{entry("spill-budget", name, name, "spill_stores", 1, name)}
		if strings.Contains(name, " ") {
			entries[0].Arch = "sm_90"
		}
		if strings.TrimSpace(name) != name {
			t.Fatalf("%q: the reader trims reasons", name)
		}
		var b bytes.Buffer
		if err := WriteBaseline(&b, entries); err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		got, err := ReadBaseline("b.yml", b.Bytes())
		if err != nil {
			t.Errorf("%q: %v\n%s", name, err, b.String())
			continue
		}
		if diff := cmp.Diff(entries, got.Entries, cmpopts.IgnoreFields(rules.BaselineEntry{}, "Origin")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", name, diff)
		}
	}
	if err := WriteBaseline(&bytes.Buffer{}, []rules.BaselineEntry{entry("spill-budget", "k\xff", "sm_90", "", 0, "r")}); err == nil {
		t.Error("a name that is not UTF-8 was written, and would be read as another one")
	}
}

// A baseline that can't be read accepts nothing, and says everything that is
// wrong with it at once.
func TestBaselineFaults(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string // line:column: text
	}{
		{"empty", "", []string{"1:1: the baseline is empty; occlint baseline write writes one"}},
		{"comments only", "# nothing\n", []string{"1:1: the baseline is empty; occlint baseline write writes one"}},
		{"a list", "- a\n", []string{"1:1: the baseline is to be a mapping, and is a list"}},
		{"no version", "families: []\n", []string{"1:1: version is missing; write version: 1"}},
		{"no families", "version: 1\n", []string{"1:1: families is missing; write families: [] for an empty baseline"}},
		{"another version", "version: 2\nfamilies: []\n", []string{`1:10: version "2" is not known; this occlint reads version 1`}},
		{"unknown keys", "version: 1\nfamily: []\nfamilies: []\nx: 1\n", []string{
			`2:1: no key "family" here; did you mean "families"?`,
			`4:1: no key "x" here; there are version, families`,
		}},
		{"a second document", "version: 1\nfamilies: []\n---\nversion: 1\nfamilies: []\n", []string{"3:1: a second document begins here; a baseline is one"}},
		{"nothing but a family", "version: 1\nfamilies:\n  - family: a\n", []string{
			"3:5: reason is missing or empty; say why the findings are accepted", "3:5: kernels is missing or empty",
		}},
		{"no reason", "version: 1\nfamilies:\n  - reason: ' '\n    kernels: {a: {sm_90 spill-budget: {spill_stores: 1}}}\n", []string{
			"3:5: reason is missing or empty; say why the findings are accepted",
		}},
		{"no such rule", "version: 1\nfamilies:\n  - reason: r\n    kernels: {a: {sm_90 spil-budget: {spill_stores: 1}}}\n", []string{
			`4:19: there is no rule "spil-budget"; did you mean "spill-budget"?`,
		}},
		{"what can't be", "version: 1\nfamilies:\n  - reason: r\n    kernels:\n      a:\n        sm_90 untrusted-log: {present: true}\n        sm_x spill-budget: {spill_stores: 1}\n", []string{
			"6:9: untrusted-log can't be accepted: it speaks of the gate, not of a kernel; remove the entry",
			`7:9: "sm_x" is not the name of an architecture; write it as sm_90 spill-budget`,
		}},
		{"values", `version: 1
families:
  - reason: r
    kernels:
      a:
        sm_80 spill-budget: {}
        sm_86 spill-budget: {spill_store: 1}
        sm_87 spill-budget: {spill_stores: -1}
        sm_89 spill-budget: {spill_stores: many}
        sm_90 spill-budget: {present: false}
        sm_100 spill-budget: 16
        sm_120: {spill_stores: 1}
      b: [sm_90]
`, []string{
			"6:9: no value for sm_80 spill-budget; write what is accepted, such as {spill_stores: 16}",
			`7:30: no key "spill_store" here; did you mean "spill_stores"?`,
			"8:44: spill_stores is to be a number that is not negative",
			"9:44: spill_stores is to be a number that is not negative",
			"10:39: present can only be true",
			"11:30: a finding is to be a mapping, and is a single value",
			`12:9: "sm_120" is no architecture and rule; write it as sm_90 spill-budget`,
			"13:10: a kernel is to be a mapping, and is a list",
		}},
		{"twice", `version: 1
families:
  - reason: r
    kernels:
      a:
        sm_90 spill-budget: {spill_stores: 1}
      a:
        sm_80 spill-budget: {spill_stores: 1}
  - reason: r
    kernels:
      a:
        sm_90 spill-budget: {spill_stores: 2}
`, []string{
			`7:7: "a" is there twice; the first is in line 5`,
			"12:30: spill-budget of a on sm_90 is accepted twice; the first is in line 6",
		}},
		{"an alias", "version: 1\nfamilies: &f\n  - reason: r\n    kernels: *f\n", []string{
			"4:14: kernels is to be a mapping, and is an alias, which a baseline can't have",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, err := ReadBaseline("b.yml", []byte(test.text))
			if err == nil {
				t.Fatalf("read as %v, want an error", b.Entries)
			}
			var got []string
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if text, ok := strings.CutPrefix(line, "b.yml:"); ok {
					got = append(got, text)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestBaselineFaultExcerpt(t *testing.T) {
	_, err := ReadBaseline("b.yml", []byte("version: 1\nfamilies: []\nfoo: 1\n"))
	want := "the baseline has 1 problem\nb.yml:3:1: no key \"foo\" here; there are version, families\n  3 | foo: 1\n    | ^^^"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// A file in the middle of a merge must not be taken for a smaller one.
func TestBaselineWithConflictMarkers(t *testing.T) {
	text := strings.Replace(someFile, "  - family: \"lin::saxpy\"\n", "<<<<<<< HEAD\n  - family: \"lin::saxpy\"\n", 1)
	if b, err := ReadBaseline("b.yml", []byte(text)); err == nil {
		t.Errorf("read as %v", b.Entries)
	} else if !strings.Contains(err.Error(), "b.yml:11:1: a merge left its marks;") {
		t.Errorf("got %v", err)
	}
}
