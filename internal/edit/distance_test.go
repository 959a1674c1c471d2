package edit

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"registers", "registers", 0},
		{"register", "registers", 1}, // insert
		{"regsters", "registers", 1}, // insert in the middle
		{"spils", "spills", 1},
		{"sm_09", "sm_90", 1},          // swap
		{"spill", "stall", 2},          // change twice
		{"kitten", "sitting", 3},       // change twice, insert
		{"ca", "abc", 3},               // a letter that was swapped stays where it is
		{"stack", "launch_bounds", 12}, // one letter of either is of use
		{strings.Repeat("x", 1<<20), strings.Repeat("x", 1<<19), 1 << 19}, // the first 128 are the same, half of the rest is too much
	} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := Distance(pair[0], pair[1]); got != tt.want {
				t.Errorf("Distance(%.20q, %.20q) = %d, want %d", pair[0], pair[1], got, tt.want)
			}
		}
	}
}
