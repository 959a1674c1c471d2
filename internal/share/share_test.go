package share

import (
	"runtime"
	"sync/atomic"
	"testing"
)

func TestParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	for _, tt := range []struct{ n, least, want int }{
		{0, 10, 1}, {9, 10, 1}, {19, 10, 1}, {20, 10, 2}, {39, 10, 3}, {40, 10, 4}, {4000, 10, 4},
	} {
		if got := Parts(tt.n, tt.least); got != tt.want {
			t.Errorf("Parts(%d, %d) = %d, want %d", tt.n, tt.least, got, tt.want)
		}
	}
}

// Each thing is in one part and in no other.
func TestDo(t *testing.T) {
	for _, n := range []int{0, 1, 7, 1000} {
		for parts := 1; parts <= 9; parts++ {
			seen := make([]atomic.Int32, n)
			called := make([]atomic.Int32, parts)
			Do(n, parts, func(part, from, to int) {
				called[part].Add(1)
				for i := from; i < to; i++ {
					seen[i].Add(1)
				}
			})
			for i := range seen {
				if c := seen[i].Load(); c != 1 {
					t.Errorf("%d in %d parts: thing %d was done %d times", n, parts, i, c)
				}
			}
			for p := range called {
				if c := called[p].Load(); c != 1 {
					t.Errorf("%d in %d parts: part %d was done %d times", n, parts, p, c)
				}
			}
		}
	}
}
