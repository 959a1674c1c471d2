package main

import (
	"strings"
	"testing"

	"github.com/occlint/occlint/parse"
)

// The kernel's own line has no spills, and the function that was compiled for
// it has 220 and 248 bytes (ptxas 12.4, sm_80).
func TestRecordsHaveSpillsOfCallees(t *testing.T) {
	const text = `ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'calls_lb64' for 'sm_80'
ptxas info    : Function properties for calls_lb64
    104 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 64 registers, 372 bytes cmem[0]
ptxas info    : Function properties for _Z5heavyPKfPfi
    0 bytes stack frame, 220 bytes spill stores, 248 bytes spill loads
`
	log, err := parse.Read(strings.NewReader(text), "log")
	if err != nil {
		t.Fatal(err)
	}
	records := logRecords(log)
	if len(records) != 1 {
		t.Fatalf("%d records, want that of the kernel: %+v", len(records), records)
	}
	if r := &records[0]; r.Name != "calls_lb64" || r.SpillStoreBytes != 0 || r.CalleeStoreBytes != 220 || r.CalleeLoadBytes != 248 || !r.Spills() {
		t.Errorf("%+v", *r)
	}
}
