package arch

import (
	"iter"
	"strings"
)

// Resource is what can stop one more block from being resident.
type Resource uint8

// The resources, in the order in which they are reported.
const (
	Warps Resource = iota
	Blocks
	Registers
	Shared
	Barriers
)

const resources = int(Barriers) + 1

// String names the resource as reports and JSON do.
func (r Resource) String() string {
	switch r {
	case Warps:
		return "warps"
	case Blocks:
		return "blocks"
	case Registers:
		return "registers"
	case Shared:
		return "shared"
	case Barriers:
		return "barriers"
	}
	return "unknown"
}

// MarshalText implements encoding.TextMarshaler with the words of String.
func (r Resource) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// AllResources yields every resource in the order of reports.
func AllResources() iter.Seq[Resource] {
	return func(yield func(Resource) bool) {
		for r := range Resource(resources) {
			if !yield(r) {
				return
			}
		}
	}
}

// Resources is a set of Resource.
type Resources uint8

// ResourcesOf is the set of the given resources.
func ResourcesOf(list ...Resource) Resources {
	var s Resources
	for _, r := range list {
		s |= 1 << r
	}
	return s
}

// Has tells whether r is in the set.
func (s Resources) Has(r Resource) bool { return s&(1<<r) != 0 }

// All yields the members in the order of reports.
func (s Resources) All() iter.Seq[Resource] {
	return func(yield func(Resource) bool) {
		for r := range Resource(resources) {
			if s.Has(r) && !yield(r) {
				return
			}
		}
	}
}

// Names lists the members' names in the order of reports; never nil, so that
// JSON shows an empty list.
func (s Resources) Names() []string {
	names := make([]string, 0, resources)
	for r := range s.All() {
		names = append(names, r.String())
	}
	return names
}

// String joins the members' names with commas: "registers, shared".
func (s Resources) String() string { return strings.Join(s.Names(), ", ") }
