package compare

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/occlint/occlint/rules"
)

// What reads without a fault can be written, and reads the same again.
func FuzzReadBaseline(f *testing.F) {
	f.Add([]byte(someFile))
	f.Add([]byte("version: 1\nfamilies: []\n"))
	f.Add([]byte("version: 1\nfamilies:\n  - {reason: r, kernels: {a: {sm_90 spill-budget: {spill_stores: 1e3}}}}\n"))
	f.Add([]byte("version: 1\nfamilies: &a [*a]\n"))
	f.Add([]byte("version: !!int \"1\"\nfamilies: {}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := ReadBaseline("b.yml", data)
		if err != nil {
			if first != nil {
				t.Errorf("a baseline beside the error %v", err)
			}
			if err.Error() == "" {
				t.Error("an error that says nothing")
			}
			return
		}
		var b bytes.Buffer
		if err := WriteBaseline(&b, first.Entries); err != nil {
			t.Fatalf("what was read can't be written: %v", err)
		}
		again, err := ReadBaseline("b.yml", b.Bytes())
		if err != nil {
			t.Fatalf("what was written can't be read: %v\n%s", err, b.Bytes())
		}
		sortEntries(first.Entries)
		if diff := cmp.Diff(first.Entries, again.Entries, cmpopts.IgnoreFields(rules.BaselineEntry{}, "Origin"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("read again (-first +again):\n%s", diff)
		}
	})
}

func FuzzParseThresholds(f *testing.F) {
	for _, s := range []string{"registers>+4,spills>+0,occupancy<-10%", "", ",", "stack > + 1KiB", "spills>+10%,x", "é>+4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseThresholds(text)
		if err != nil {
			_ = err.Error() // a caret outside of the text would panic
			return
		}
		for _, th := range list {
			if len(th.Fields) == 0 || th.Over < 0 || !th.Asked {
				t.Errorf("%q: read as %+v", text, th)
			}
			again, err := ParseThresholds(th.Text)
			if err != nil || len(again) != 1 || again[0].Over != th.Over {
				t.Errorf("%q: its text %q reads as %v, %v", text, th.Text, again, err)
			}
		}
	})
}
