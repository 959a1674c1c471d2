package arch

import (
	"fmt"
	"slices"
	"strings"
)

// Table is a set of architectures and GPUs, found by any of their names. It
// does not change once made.
type Table struct {
	sms    []*SM // as listed: oldest first, custom ones last
	byName map[string]*SM
	gpus   []*GPU
}

// Builtin is the table of the architectures and GPUs that are known without
// any configuration. Each call builds a table of its own: call it once and
// keep it.
func Builtin() *Table {
	t := &Table{byName: make(map[string]*SM)}
	for _, s := range builtinSMs() {
		t.add(&s)
	}
	for alias, name := range aliases() {
		t.byName[alias] = t.byName[name]
	}
	t.gpus = builtinGPUs()
	return t
}

func (t *Table) add(s *SM) {
	if old, ok := t.byName[s.Name]; ok {
		s.Name = old.Name // sm_101 replaces sm_110, of which it is an alias
		i := slices.Index(t.sms, old)
		t.sms[i] = s
		for name, sm := range t.byName { // aliases of the replaced entry
			if sm == old {
				t.byName[name] = s
			}
		}
		return
	}
	t.sms = append(t.sms, s)
	t.byName[s.Name] = s
}

// All lists the architectures, oldest first and custom ones last.
func (t *Table) All() []*SM { return slices.Clone(t.sms) }

// Lookup finds an architecture by any of its names: "sm_90", "sm_90a",
// "compute_90", "lto_90", "90" (as CMake writes it), "9.0", and older names
// ("sm_101" for sm_110). The error is an *UnknownError.
func (t *Table) Lookup(name string) (*SM, error) {
	if s, ok := t.byName[name]; ok {
		return s, nil
	}
	if s, ok := t.byName[Base(name)]; ok {
		return s, nil
	}
	return nil, t.unknown(name)
}

// Base is the plain name of an architecture: "sm_90" for "sm_90a",
// "compute_90", "lto_90f", "90-real" and "9.0". What doesn't look like an
// architecture comes back unchanged. Older names stay as they are: only a
// Table knows that sm_101 is sm_110.
func Base(name string) string {
	digits := strings.TrimSpace(name)
	prefixed := false
	for _, prefix := range []string{"sm_", "compute_", "lto_"} {
		if rest, ok := strings.CutPrefix(digits, prefix); ok {
			digits, prefixed = rest, true
			break
		}
	}
	if !prefixed {
		digits = strings.TrimSuffix(strings.TrimSuffix(digits, "-real"), "-virtual")
	}
	if n := len(digits); n > 0 && (digits[n-1] == 'a' || digits[n-1] == 'f') {
		digits = digits[:n-1]
	}
	if major, minor, ok := strings.Cut(digits, "."); ok && !prefixed && len(minor) == 1 {
		digits = major + minor
	}
	if len(digits) < 2 || len(digits) > 4 || strings.Trim(digits, "0123456789") != "" {
		return name
	}
	return "sm_" + digits
}

// UnknownError says that a name is not in the table.
type UnknownError struct {
	Kind    string   // "architecture" or "GPU"
	Name    string   // as asked for
	Known   []string // what the table has
	Nearest string   // the entry that was probably meant; empty when none is near
}

// Error says what is unknown, what is known and what to do.
func (e *UnknownError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "unknown %s %q", e.Kind, e.Name)
	if e.Nearest != "" {
		fmt.Fprintf(&b, " (did you mean %s?)", e.Nearest)
	}
	fmt.Fprintf(&b, "; known: %s", strings.Join(e.Known, ", "))
	return b.String()
}

func (t *Table) unknown(name string) *UnknownError {
	e := &UnknownError{Kind: "architecture", Name: name}
	for _, s := range t.sms {
		e.Known = append(e.Known, s.Name)
	}
	if base := Base(name); !strings.HasPrefix(base, "sm_") || strings.Trim(base[3:], "0123456789") != "" {
		// A well-formed name that isn't known is a newer architecture, not a
		// slip of the pen: its nearest neighbour would mislead.
		e.Nearest = nearest(name, e.Known)
	}
	return e
}
