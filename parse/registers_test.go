package parse

import (
	"fmt"
	"strings"
	"testing"
)

// TestRegistersOfNoThread: no architecture since sm_35 gives a thread more than
// 255 registers, and no kernel has none: such a line lost digits or has those
// of another, so its record is cut and its number absent.
func TestRegistersOfNoThread(t *testing.T) {
	for _, tc := range []struct {
		number string
		want   Count // the zero Count: absent
	}{{"1", Some(1)}, {"255", Some(255)}, {"0", Count(0)}, {"256", Count(0)}, {"2424", Count(0)}, {"18446744073709551640", Count(0)}} {
		log, err := Read(strings.NewReader(fmt.Sprintf(`ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used %s registers, 360 bytes cmem[0]
`, tc.number)), "build.log")
		if err != nil {
			t.Fatal(err)
		}
		k := log.Kernel(0)
		if k.Registers != tc.want || tc.want.Stated() == k.Defect.Has(Truncated) {
			t.Errorf("%s registers: %v, defects %v", tc.number, k.Registers, k.Defect)
		}
	}
}
