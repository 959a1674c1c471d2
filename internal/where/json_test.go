package where

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestJSONUntold: of code compiled with -G no access is told to be a spill or an
// array's, and each byte of it stands on a line all the same.
func TestJSONUntold(t *testing.T) {
	kernels := read(t, "places-G-130-sm_90")
	var stores, loads int64
	for _, k := range kernels {
		for i := range k.Sites {
			switch s := &k.Sites[i]; {
			case s.Place.Line == 0 || s.Told:
			case s.Load:
				loads += int64(s.Bytes)
			default:
				stores += int64(s.Bytes)
			}
		}
	}
	var out bytes.Buffer
	if err := WriteJSON(&out, &Report{Kernels: kernels, Lines: Lines(kernels)}); err != nil {
		t.Fatal(err)
	}
	var report struct {
		Lines []struct {
			Stores int64 `json:"local_store_bytes"`
			Loads  int64 `json:"local_load_bytes"`
		} `json:"lines"`
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatal(err)
	}
	if stores+loads == 0 {
		t.Fatal("everything is told")
	}
	for _, l := range report.Lines {
		stores, loads = stores-l.Stores, loads-l.Loads
	}
	if stores != 0 || loads != 0 || len(report.Lines) == 0 {
		t.Errorf("%d bytes of stores and %d of loads are on none of %d lines", stores, loads, len(report.Lines))
	}
}
