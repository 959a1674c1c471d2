package parse

// Place is a position in a file. Line and Column count from 1; 0 is unknown.
type Place struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// Kind tells an entry function from a device function.
type Kind uint8

// The kinds. KindUnknown is what cuobjdump's list leaves open.
const (
	KindUnknown Kind = iota
	Entry
	Function
)

// Stage is the tool that settled the numbers of a record.
type Stage uint8

// The stages. The driver's linker, which prints no tool word, counts as
// StageNvlink.
const (
	StageUnknown Stage = iota
	StagePtxas
	StageNvlink
	StageCuobjdump
	// StageBinary marks what was read out of a compiled file.
	StageBinary
)

// Defects is the set of what is wrong with a record. A record with defects is
// kept and shown, and never judged as clean.
type Defects uint8

// The defects.
const (
	// Unnamed marks numbers whose owner is not in the log.
	Unnamed Defects = 1 << iota
	// Interleaved marks a record that other jobs' lines ran through, so that
	// some of its numbers could not be told from theirs.
	Interleaved
	// Truncated marks a record that the log ends inside, or a line that is cut.
	Truncated
	// Conflicting marks records of one key whose numbers contradict each other.
	Conflicting
)

// Class is all that the tools say of a kernel or function but who it is and
// where that stands: records with the same numbers have one Class, and two
// Classes of one Log are the same exactly when their pointers are. It is shared:
// don't change it. Numbers are per thread (registers, stack, spills, local) or
// per block (shared, barriers).
//
// A new number is a field here, with its key; all else follows from that: the
// JSON, what makes two records differ, what contradicts.
type Class struct {
	Arch   string  `json:"arch,omitempty"` // as printed: "sm_90a"
	Kind   Kind    `json:"kind,omitzero"`
	Stage  Stage   `json:"stage,omitzero"`
	Defect Defects `json:"defects,omitzero"`

	Registers            Count `json:"registers,omitzero"`
	Barriers             Count `json:"barriers,omitzero"`     // named barriers; printed by late 12.x and 13.x only
	SharedBytes          Count `json:"shared_bytes,omitzero"` // static; a+b forms summed; nvlink's includes the reserved 1 KiB from sm_90 on
	StackBytes           Count `json:"stack_bytes,omitzero"`
	SpillStoreBytes      Count `json:"spill_store_bytes,omitzero"`
	SpillLoadBytes       Count `json:"spill_load_bytes,omitzero"`
	CumulativeStackBytes Count `json:"cumulative_stack_bytes,omitzero"`
	LocalBytes           Count `json:"local_bytes,omitzero"` // lmem
	Textures             Count `json:"textures,omitzero"`
	Surfaces             Count `json:"surfaces,omitzero"`
	Samplers             Count `json:"samplers,omitzero"`
	ConstBytes           Banks `json:"const_bytes,omitzero"`

	// What only a binary knows.
	MaxThreads      Count `json:"max_threads,omitzero"`      // of launch bounds or .maxntid, its dimensions multiplied
	RequiredThreads Count `json:"required_threads,omitzero"` // of .reqntid, multiplied: the block can have no other size
	RegisterCap     Count `json:"register_cap,omitzero"`     // the cap in force; 255: none
	// What only a cache of a just-in-time compiler knows.
	BlockThreads       Count `json:"block_threads,omitzero"` // that are launched
	DynamicSharedBytes Count `json:"dynamic_shared_bytes,omitzero"`
	// Variant tells one configuration of a kernel from another of its name:
	// "num_warps=4 num_stages=3 e1db6a88".
	Variant string `json:"variant,omitempty"`
}

// Kernel is one entry or device function as one stage of one compilation for
// one architecture settled it. It is a small view of what a Log stores.
type Kernel struct {
	*Class
	Name          string // byte for byte as printed; empty when the log does not say
	Parent        string // the kernel that a function was compiled for
	CompileMicros Micros // microseconds; JSON says milliseconds
	Compilation   int    // index of the Compilation in the log; -1 when the log does not say
	Place         Place
}

// Compilation is one run of ptxas or of a linker for one architecture: its
// module line and what it compiled.
type Compilation struct {
	Index       int    `json:"-"` // position among the log's compilations
	GlobalBytes Size   `json:"global_bytes,omitzero"`
	ConstBytes  Banks  `json:"const_bytes,omitzero"`
	Arch        string `json:"arch,omitempty"` // absent where neither the module line nor an entry names one
	Stage       Stage  `json:"stage,omitzero"`
	Tool        string `json:"tool,omitempty"` // as printed: "ptxas", "nvlink", "ptxas-blackwell"
	// Source is the file that was compiled. A log does not say; whoever
	// captured one compiler call apart from all others knows.
	Source string `json:"source,omitempty"`
	// Unlinked says that the unit was compiled apart (-rdc) and that no device
	// link that took it was captured: the registers and the stack of its
	// kernels lack those of functions in other units.
	Unlinked bool  `json:"unlinked,omitempty"`
	Place    Place `json:"place"`
}

// Severity is what a compiler message calls itself.
type Severity uint8

// The severities, as printed.
const (
	Info Severity = iota + 1
	Warning
	Error
	Fatal
)

// Remark is a message of ptxas, nvlink or nvcc that is not a resource line.
type Remark struct {
	Severity    Severity `json:"severity"`
	Code        string   `json:"code,omitempty"`   // "C7510"
	Text        string   `json:"text"`             // without tool, severity and code
	Kernel      string   `json:"kernel,omitempty"` // the entry or function that the message names
	Arch        string   `json:"arch,omitempty"`
	Tool        string   `json:"tool,omitempty"`
	Input       Place    `json:"input,omitzero"` // the PTX line that a line-level message is about
	Place       Place    `json:"place"`
	Compilation int      `json:"compilation"` // -1 when the log does not say
}

// FaultKind says in which way a log can't be trusted as a whole.
type FaultKind uint8

// The kinds of fault.
const (
	// FaultEmpty: the log states no kernel, function or module at all.
	FaultEmpty FaultKind = iota + 1
	// FaultTruncated: the log begins or ends inside a record or a line.
	FaultTruncated
	// FaultBuildFailed: a compiler or the build stopped with an error
	// upstream (`FILE(N): error`, `make: *** … Error`, `ninja: build
	// stopped`, ptxas and nvlink errors).
	FaultBuildFailed
	// FaultInterleaved: lines of several jobs ran together so that some
	// numbers have no certain owner.
	FaultInterleaved
	// FaultUnnamed: numbers without a name.
	FaultUnnamed
	// FaultConflict: one key, different numbers.
	FaultConflict
	// FaultEncoding: bytes that could not be read as text (corrupt UTF-16 or gzip).
	FaultEncoding
	// FaultStale: of a set of captured records, one is missing, unreadable or
	// older than what it describes.
	FaultStale
	// FaultBinary: a compiled file is damaged, cut, or has no code.
	FaultBinary
	// FaultMismatch: a log and a binary state different numbers of one kernel.
	FaultMismatch
)

// Fault is a reason not to trust the log, or a part of it.
type Fault struct {
	Kind   FaultKind `json:"kind"`
	Text   string    `json:"text"`             // what was seen and what it means, without advice
	Kernel string    `json:"kernel,omitempty"` // the record it concerns, where it is one
	Place  Place     `json:"place"`
}
