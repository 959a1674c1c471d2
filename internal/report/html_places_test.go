package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/internal/where"
)

// A kernel's page shows its loops as nested bars and the worst lines, and the
// finding about its spills leads there. Paths come out of binaries and are
// only text.
func TestHTMLShowsPlaces(t *testing.T) {
	at := func(line int) where.Place { return where.Place{File: "src/<b>k.cu", Line: line} }
	kernel := &where.Kernel{
		Name: "_Z8lb_256_4PKfPfi", Entry: true, Arch: "sm_90", File: "k.cubin", Certainty: where.Exact, Instructions: 500,
		SpillStoreBytes: 100, SpillLoadBytes: 300,
		Loops: []where.Loop{
			{ID: 0, Parent: -1, Depth: 1, Instructions: 400, Place: at(10), LastLine: 30, SpillLoadBytes: 200, OwnSpillLoadBytes: 100},
			{ID: 1, Parent: 0, Depth: 2, Instructions: 100, Place: at(20), SpillLoadBytes: 100, OwnSpillLoadBytes: 100},
		},
		Sites: []where.Site{
			{Load: true, Bytes: 100, Spill: true, Told: true, Loop: 1, Depth: 2, DepthKnown: true, Place: at(21)},
			{Load: true, Bytes: 100, Spill: true, Told: true, Loop: 0, Depth: 1, DepthKnown: true, Place: at(12)},
			{Load: true, Bytes: 100, Spill: true, Told: true, Loop: -1, DepthKnown: true, Place: at(40)},
			{Bytes: 100, Spill: true, Told: true, Loop: -1, DepthKnown: true, Place: at(5)},
		},
	}
	in := fixture()
	in.Places = func(name, parent, arch string, _, _ int64) *where.Kernel {
		if name == kernel.Name && parent == "" && arch == "sm_90" {
			return kernel
		}
		return nil
	}
	b := newBrowser(t)
	b.open(page(t, in))
	b.eval(`location.hash = "#k1"`, new(string))
	var loops, lines []string
	b.eval(`[...document.querySelectorAll(".loops li")].map(li => li.style.marginLeft + " " + li.textContent + " " + li.querySelector(".spills").style.width)`, &loops)
	want := []string{
		"0em outside of loops 100 instructions, spills 100 + 100 50%",
		"0em loop at src/<b>k.cu:10-30 400 instructions, spills 0 + 200 50%",
		"1.4em loop at src/<b>k.cu:20 100 instructions, spills 0 + 100 25%",
	}
	if diff := cmp.Diff(want, loops); diff != "" {
		t.Errorf("loops (-want +got):\n%s", diff)
	}
	b.eval(`[...document.querySelectorAll("[aria-label='Lines with local memory'] tbody tr")].map(r => [...r.cells].map(c => c.textContent).join("|"))`, &lines)
	if len(lines) != 4 || lines[0] != "src/<b>k.cu:21|2|0 + 100|0" {
		t.Errorf("lines: %q", lines)
	}
	var button string
	b.eval(`document.querySelector(".toplaces").textContent`, &button)
	if !strings.Contains(button, "in which loops") {
		t.Errorf("the finding leads nowhere: %q", button)
	}
	b.eval(`location.hash = "#k0"`, new(string))
	var none int
	b.eval(`document.querySelectorAll(".loops, .toplaces").length`, &none)
	if none > 0 {
		t.Errorf("a kernel without places has %d parts of them", none)
	}
}
