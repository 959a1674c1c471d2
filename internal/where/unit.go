package where

import (
	"github.com/occlint/occlint/internal/code"
	"github.com/occlint/occlint/internal/lines"
)

// Unit is one text section: a kernel, with the functions that were compiled
// into its section, or a function that has a section of its own.
type Unit struct {
	File   string // the binary, as reports name it
	Arch   string // with its suffix: sm_90a
	SM     int    // the number alone
	Kernel string // the mangled name of what the section is for
	Entry  bool   // it can be launched
	// Unlinked is set for code that a linker has yet to finish (-rdc): where a
	// file has the kernel linked too, that one counts.
	Unlinked bool
	Toolkit  string // "13.0"; "" where the file doesn't tell

	Text      []byte
	Functions []code.Function // by symbol; offsets in Text
	Tables    []code.Table

	// Spills are the offsets of the instructions that the compiler lists as
	// spills. Listed says that this compiler writes such lists: then an empty
	// one means that there are none.
	Spills []uint32
	Listed bool
	// Debug is set for code compiled with -G, which lists no spills and keeps
	// every variable in memory.
	Debug bool
	// Proven says that the rule that tells spills from arrays without a list
	// was checked for this compiler.
	Proven bool

	Lines   *lines.Table
	Section string // what Lines knows the section by
	// Path names the files of Lines for reports; nil leaves them as they are.
	Path func(string) string
}
