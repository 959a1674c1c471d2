package ptx

import "github.com/occlint/occlint/parse"

// Entry is what PTX says about one kernel. Numbers are 0 where PTX does not
// have the directive.
type Entry struct {
	Name   string      // mangled
	Target string      // "sm_90a", as the .target directive has it
	Place  parse.Place // of the name

	// For names the architectures whose code is known to be made from this;
	// nil where nothing is known of that.
	For []string

	MaxThreads   int         // .maxntid, its dimensions multiplied
	Threads      int         // .reqntid, multiplied: the block can have no other size
	MinBlocks    int         // .minnctapersm
	MaxRegisters int         // .maxnreg
	Bounds       parse.Place // of .maxntid or .reqntid, else of .minnctapersm
	BoundsText   string      // ".maxntid 256, 1, 1 .minnctapersm 4", as far as it is there
	MaxRegPlace  parse.Place

	Cluster          [3]int // .reqnctapercluster: blocks of a cluster in x, y and z; those not written are 1
	MaxClusterBlocks int    // .maxclusterrank

	// DynamicShared is the array of dynamic shared memory that the kernel
	// uses, itself or through functions and tables of functions that it
	// names; empty for none. An array without a size is what a launch sizes.
	DynamicShared   string
	DynamicSharedAt parse.Place // of its declaration

	// Outside is what the kernel calls and this module does not have: a
	// function whose body another module has (-rdc=true), or one behind a
	// pointer. Empty for none: then a kernel without DynamicShared uses none.
	Outside string
}
