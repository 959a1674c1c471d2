package name

import (
	"reflect"
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// The demangler is exact, and some of its steps cost more than the length of
// a name suggests: an ambiguous conversion operator is read twice at each
// level (time doubles), each encoding inside an encoding is simplified again,
// and printing looks through all open levels at each node. The limits below
// lie far above what compilers print (the largest names of template libraries
// have a few thousand bytes, three conversions and nesting below 40) and keep
// the worst name found so far under half a second.
const (
	maxNameBytes   = 16 << 10
	maxConversions = 12  // "cv": conversion operators
	maxEncodings   = 64  // "Z": names local to a function, and function arguments
	maxDepth       = 200 // levels of the tree
	nodesPerByte   = 64  // printed nodes per byte of the name

	// shortName is the length below which no tree can be deep or wide enough
	// to cost anything, so that looking at it costs more than it saves.
	shortName = 512
)

// affordable reports whether a name is cheap enough to demangle, judged by
// its text alone.
func affordable(name string) bool {
	if len(name) > maxNameBytes {
		return false
	}
	if len(name) <= 2*maxConversions {
		return true
	}
	return (len(name) <= maxEncodings || strings.Count(name, "Z") <= maxEncodings) && strings.Count(name, "cv") <= maxConversions
}

// shallow reports whether a tree is cheap to print: neither deep nor, with
// its shared branches written out, large.
func shallow(ast demangle.AST) bool {
	w := walk{nodes: nodesPerByte * maxNameBytes}
	return w.visit(reflect.ValueOf(ast), 0)
}

// walk visits a tree of the demangler through its exported fields. The
// package's own Traverse does not tell the depth.
type walk struct{ nodes int }

var astType = reflect.TypeFor[demangle.AST]()

func (w *walk) visit(v reflect.Value, depth int) bool {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	w.nodes--
	if depth > maxDepth || w.nodes < 0 {
		return false
	}
	if v.Kind() != reflect.Struct {
		return true
	}
	for i := range v.NumField() {
		field := v.Field(i)
		switch {
		case field.Type() == astType:
			if !w.visit(field, depth+1) {
				return false
			}
		case field.Kind() == reflect.Slice && field.Type().Elem() == astType:
			for j := range field.Len() {
				if !w.visit(field.Index(j), depth+1) {
					return false
				}
			}
		}
	}
	return true
}
