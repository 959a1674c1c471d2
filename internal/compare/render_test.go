package compare

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/term"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; -update rewrites it):\n%s", path, diff)
	}
}

func at(line int) func(*rules.Judgement) {
	return func(j *rules.Judgement) { j.Kernel.Place = parse.Place{File: "new.log", Line: line} }
}

func source(line int) func(*rules.Judgement) {
	return func(j *rules.Judgement) {
		place := parse.Place{File: "src/sgemm.cu", Line: line, Column: 1}
		j.Declared = &rules.Declaration{Source: rules.Field[parse.Place]{Value: place, Set: true}}
	}
}

func function(parent string) func(*rules.Judgement) {
	return func(j *rules.Judgement) {
		j.Kernel.Kind, j.Kernel.Parent, j.Kernel.Registers = parse.Function, parent, parse.Some(-1)
	}
}

func linked(j *rules.Judgement) { j.Kernel.Stage = parse.StageNvlink }

// mixed has something for every section.
func mixed(t *testing.T) *Diff {
	before := []rules.Judgement{
		kernel("_Z11sgemm_tiledILi16EEviPKfS1_Pf", "sm_80", 40, 0, 0, warps(48)),
		kernel("_Z11sgemm_tiledILi32EEviPKfS1_Pf", "sm_80", 40, 0, 0, warps(48)),
		kernel("_Z11sgemm_tiledILi32EEviPKfS1_Pf", "sm_90", 40, 0, 0, warps(48)),
		kernel(saxpyFloat, "sm_90", 30, 0, 0),
		kernel(saxpyDouble, "sm_90", 30, 16, 32),
		kernel(hidden12, "sm_90", 10, 0, 0),
		kernel("barriers", "sm_90", 10, 0, 0),
		kernel("gone", "sm_90", 10, 8, 8),
		kernel("linked", "sm_90", 24, 0, 0),
		kernel("_Z6calleev", "sm_90", 0, 0, 0, function("linked")),
		kernel("same", "sm_90", 24, 0, 0),
	}
	after := []rules.Judgement{
		kernel("_Z11sgemm_tiledILi16EEviPKfS1_Pf", "sm_80", 48, 16, 16, warps(40), at(3), source(12)),
		kernel("_Z11sgemm_tiledILi32EEviPKfS1_Pf", "sm_80", 48, 16, 16, warps(40), at(7), source(12)),
		kernel("_Z11sgemm_tiledILi32EEviPKfS1_Pf", "sm_90", 48, 16, 16, warps(40), at(11), source(12)),
		kernel(saxpyFloat, "sm_90", 32, 0, 0, at(15)),
		kernel(saxpyDouble, "sm_90", 30, 0, 0, at(19)),
		kernel(hidden13, "sm_90", 40, 0, 0, at(23)),
		kernel("barriers", "sm_90", 10, 0, 0, barriers(1), at(27)),
		kernel("added", "sm_90", 90, 4, 4, at(31)),
		kernel("linked", "sm_90", 171, 0, 0, linked, at(35)),
		kernel("_Z6calleev", "sm_90", 0, 8, 8, function("linked"), at(39)),
		kernel("same", "sm_90", 24, 0, 0, at(43)),
	}
	return Logs(slices.All(before), slices.All(after), thresholds(t, "registers>+4,spills>+0,occupancy<-10%"))
}

func TestRender(t *testing.T) {
	d := mixed(t)
	view := View{Old: "old.log", New: "new.log", Limit: 50}
	var b bytes.Buffer
	if err := d.Text(&b, term.Plain(), view); err != nil {
		t.Fatal(err)
	}
	golden(t, "mixed.txt", b.Bytes())
	b.Reset()
	if err := d.Text(&b, &term.Style{Color: true}, View{Old: "old.log", New: "new.log", Limit: 1}); err != nil {
		t.Fatal(err)
	}
	golden(t, "mixed-color-limit.txt", b.Bytes())
	b.Reset()
	if err := d.Markdown(&b, view); err != nil {
		t.Fatal(err)
	}
	golden(t, "mixed.md", b.Bytes())
	b.Reset()
	if err := d.JSON(&b, view, true); err != nil {
		t.Fatal(err)
	}
	golden(t, "mixed.json", b.Bytes())
	if !json.Valid(b.Bytes()) {
		t.Error("not JSON")
	}
}

// A name can hold anything. In a comment it must not mention people, close a
// table or open an element; on a terminal it must not move the cursor.
func TestRenderHostile(t *testing.T) {
	hostile := "k|<img src=x>`@team` [x](http://e) *b* \x1b[2J\u202e\u009b31m\n| y |"
	d := Logs(
		slices.All([]rules.Judgement{kernel(hostile, "sm_90", 10, 0, 0)}),
		slices.All([]rules.Judgement{kernel(hostile, "sm_90", 20, 0, 0)}),
		thresholds(t, "registers>+0"))
	var md, text bytes.Buffer
	if err := d.Markdown(&md, View{Old: "a|b", New: "c` <c>"}); err != nil {
		t.Fatal(err)
	}
	if err := d.Text(&text, term.Plain(), View{}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<img", "@team", "](", "*b*", "k|", "<c>", "\x1b", "\u202e"} {
		if strings.Contains(md.String(), bad) {
			t.Errorf("Markdown has %q:\n%s", bad, md.String())
		}
	}
	for _, bad := range []string{"\x1b", "\u202e", "\n| y"} {
		if strings.Contains(text.String(), bad) {
			t.Errorf("text has %q:\n%s", bad, text.String())
		}
	}
	// JSON has the name as it is, and nothing that moves a cursor.
	var j bytes.Buffer
	if err := d.JSON(&j, View{}, true); err != nil {
		t.Fatal(err)
	}
	var doc struct{ Kernels []struct{ Name string } }
	if err := json.Unmarshal(j.Bytes(), &doc); err != nil || doc.Kernels[0].Name != hostile {
		t.Errorf("JSON has %+v (%v)", doc, err)
	}
	if strings.ContainsAny(j.String(), "\x1b\u202e\u009b") {
		t.Errorf("JSON has a control character:\n%s", j.String())
	}
}

// Nobody reads a name of a megabyte.
func TestVeryLongNames(t *testing.T) {
	long := strings.Repeat("k", 1<<20)
	d := Logs(
		slices.All([]rules.Judgement{kernel(long, "sm_90", 10, 0, 0)}),
		slices.All([]rules.Judgement{kernel(long, "sm_90", 20, 0, 0)}),
		thresholds(t, "registers>+0"))
	var text, j bytes.Buffer
	if err := d.Text(&text, term.Plain(), View{}); err != nil || text.Len() > 4096 {
		t.Errorf("%d bytes of text (%v)", text.Len(), err)
	}
	if err := d.JSON(&j, View{}, true); err != nil || !bytes.Contains(j.Bytes(), []byte(long)) {
		t.Errorf("JSON has not all of the name (%v)", err)
	}
}

// A comment of GitHub holds 65,536 characters; a diff of thousands of kernels
// with long names has to stay below and say what is missing.
func TestMarkdownIsBounded(t *testing.T) {
	var before, after []rules.Judgement
	for i := range 3000 {
		// Each has its own family and its own change, so no two share a row.
		name := fmt.Sprintf("_Z1000%s%04dv", strings.Repeat("k", 996), i)
		before = append(before, kernel(name, "sm_90", int64(10+i), 0, 0))
		after = append(after, kernel(name, "sm_90", int64(11+2*i), int64(i), 0))
	}
	var b bytes.Buffer
	if err := Logs(slices.All(before), slices.All(after), thresholds(t, "registers>+0")).Markdown(&b, View{Old: "a", New: "b", Limit: 50}); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 65536 {
		t.Errorf("%d bytes", b.Len())
	}
	if !strings.Contains(b.String(), "2950 kernels left out") {
		t.Errorf("does not say how many are left out:\n%s", b.String()[:400])
	}
}
