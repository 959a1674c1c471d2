package where

import "testing"

// TestOtherCallers: a kernel's own function is called where its section shows;
// one with a section of its own, as -rdc makes it, by whatever is linked.
func TestOtherCallers(t *testing.T) {
	kernels := read(t, "places-130-sm_90")
	if k := named(t, kernels, "_Z5apartfPKfi"); k.OtherCallers || k.CalledDepth != 1 {
		t.Errorf("apart: %+v", k)
	}
	if k := named(t, kernels, "inner"); k.OtherCallers || !k.DepthsKnown() {
		t.Errorf("inner: %+v", k)
	}
	functions := 0
	for _, k := range read(t, "separate-124-sm_90") {
		if k.Entry || k.Parent != "" {
			continue
		}
		functions++
		if !k.OtherCallers {
			t.Errorf("%s: %+v", k.Name, k)
		}
	}
	if functions == 0 {
		t.Error("no function with a section of its own")
	}
}
