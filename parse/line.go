package parse

// LineClass says what a line of the log is to occlint.
type LineClass uint8

// The classes of lines.
const (
	// LineOther is anything that is not a message of ptxas, nvlink or nvcc:
	// progress, the host compiler, the build tool.
	LineOther LineClass = iota
	// LineResource is a resource line of ptxas, nvlink or cuobjdump, or the
	// continuation of one.
	LineResource
	// LineMessage is a remark of ptxas, nvlink or nvcc.
	LineMessage
)
