package source

// kind classifies a token.
type kind uint8

const (
	eof kind = iota
	ident
	number
	char    // character literal, quotes included
	str     // string literal, quotes included
	punct   // operator or bracket, digraphs spelled out
	raised  // an identifier that the build may define as a macro: its value is unknown
	decided // in a condition, stands for a formula: that of its guard

	// The marks stand where a condition that can't be decided begins, where
	// its next branch begins, and where it ends.
	markEnter
	markBranch
	markExit
)

// pos is a position in a file of the project. Lines and columns count from 1,
// columns in characters.
type pos struct {
	file      *file
	line, col int32
	offset    int32 // of the first byte, in the file's text
}

// token is one lexical unit. A token that a macro made has the position of the
// outermost invocation, so that every place is one that people can open.
type token struct {
	kind  kind
	text  string
	pos   pos
	space bool // white space or a comment stands before it
	first bool // first of its line
	blue  bool // a macro's own name inside its expansion: never expanded again
	made  bool // made by a macro

	guard *guard // of marks: what holds from here on
}

func (t token) is(text string) bool { return t.kind == punct && t.text == text }

func (t token) isIdent(text string) bool { return t.kind == ident && t.text == text }

func (t token) isMark() bool { return t.kind >= markEnter }

// comment is one comment's text without its slashes, at the place where its
// text begins.
type comment struct {
	text string
	pos  pos
	// alone says that nothing but white space stands before it on its line.
	alone bool
	// last is the line that it ends on.
	last int32
}
