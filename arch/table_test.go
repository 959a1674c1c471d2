package arch_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/occlint/occlint/arch"
)

func TestLookup(t *testing.T) {
	for name, want := range map[string]string{
		"sm_90": "sm_90", "sm_90a": "sm_90", "compute_90": "sm_90", "compute_90a": "sm_90", "9.0": "sm_90",
		"lto_90": "sm_90", "90": "sm_90", "90a": "sm_90", "90-real": "sm_90", "90a-virtual": "sm_90", "9.0a": "sm_90",
		"sm_100f": "sm_100", "sm_103a": "sm_103", "compute_120f": "sm_120", "12.1": "sm_121", "10.0": "sm_100",
		"sm_101": "sm_110", "sm_101a": "sm_110", "compute_101": "sm_110", "10.1": "sm_110", "11.0": "sm_110",
		"sm_30": "sm_30", "3.7": "sm_37",
	} {
		sm, err := arch.Builtin().Lookup(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if sm.Name != want {
			t.Errorf("Lookup(%q) = %s, want %s", name, sm.Name, want)
		}
	}
}

func TestLookupUnknown(t *testing.T) {
	for name, nearest := range map[string]string{
		"sm_95": "", "sm_130a": "", "9.5": "", "": "", "gfx942": "", "sm_": "", "{sm_arch}": "",
		"sm90": "sm_90", "SM_90": "sm_90", "sm-120": "sm_120", "sm_9": "", "90.0": "", "sm_9.0": "sm_90",
	} {
		_, err := arch.Builtin().Lookup(name)
		var unknown *arch.UnknownError
		if !errors.As(err, &unknown) {
			t.Errorf("Lookup(%q): error = %v, want an UnknownError", name, err)
			continue
		}
		if unknown.Nearest != nearest {
			t.Errorf("Lookup(%q): nearest = %q, want %q", name, unknown.Nearest, nearest)
		}
		if !strings.Contains(err.Error(), "known: sm_30, ") {
			t.Errorf("Lookup(%q): %q does not list what is known", name, err)
		}
	}
}

func TestUnknownNewerSuggestsNothing(t *testing.T) {
	var unknown *arch.UnknownError
	if _, err := arch.Builtin().Lookup("sm_130"); !errors.As(err, &unknown) || unknown.Nearest != "" {
		t.Errorf("error = %v: an architecture that is newer than the table is no misspelling", err)
	}
}

func TestBase(t *testing.T) {
	for name, want := range map[string]string{
		"sm_90a": "sm_90", "compute_90": "sm_90", "sm_103f": "sm_103", "8.6": "sm_86", "sm_101": "sm_101",
		"": "", "gfx90a": "gfx90a", "sm_x": "sm_x", "sm_90ptx": "sm_90ptx", "sm_90aa": "sm_90aa", "sm_90fa": "sm_90fa", "sm_90ff": "sm_90ff", "-1.0": "-1.0",
	} {
		if got := arch.Base(name); got != want {
			t.Errorf("Base(%q) = %q, want %q", name, got, want)
		}
	}
}
