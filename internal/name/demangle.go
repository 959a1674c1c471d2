package name

import (
	"strings"

	"github.com/ianlancetaylor/demangle"
)

// maxShownLog2 bounds a demangled name to 64 KiB. A name of 100 bytes can
// stand for gigabytes of text, because a substitution repeats what it names.
const maxShownLog2 = 16

// Demangle returns the whole declaration that a mangled name stands for, as
// c++filt prints it: return type of a template, qualified name, parameters.
// A name that is not mangled, or that is too costly to demangle, is returned
// unchanged.
//
// A kernel that an older nvcc made static by renaming it
// ("__nv_static_52__39_tmpxft_…__Z6kernelv"), which c++filt leaves alone, is
// shown as the declaration inside.
func Demangle(mangled string) string {
	name := innerStatic(mangled)
	if isRust(name) {
		return rust(name, mangled)
	}
	ast, ok := parse(name)
	if !ok {
		return plain(name, mangled)
	}
	return show(ast, mangled)
}

// Qualified returns the name with its namespaces and template arguments, and
// without return type and parameters: "lin::saxpy<float>". A name that is not
// mangled is returned unchanged. What follows the name in a mangled one is not
// looked at, so a name that is cut among its parameters still has one.
func Qualified(mangled string) string {
	if simple, ok := simpleName(mangled, true); ok {
		return simple
	}
	return qualified(mangled)
}

// Family returns the qualified name without template arguments, which all
// instantiations of one template share: "lin::saxpy".
func Family(mangled string) string {
	if simple, ok := simpleName(mangled, false); ok {
		return simple
	}
	return family(mangled)
}

func family(mangled string) string {
	return qualified(mangled, demangle.NoTemplateParams, demangle.NoEnclosingParams)
}

func qualified(mangled string, options ...demangle.Option) string {
	name := innerStatic(mangled)
	if isRust(name) {
		return rust(name, mangled)
	}
	ast, ok := parse(name, demangle.NoParams)
	if !ok {
		return plain(name, mangled)
	}
	return show(declared(ast), mangled, options...)
}

// plain chooses what to show for a name that does not demangle: the part
// inside a static wrapper only when that is a plain name itself.
func plain(inner, mangled string) string {
	if strings.HasPrefix(inner, "_Z") {
		return mangled
	}
	return inner
}

// parse reads a C++ name. It reports false for a name that is not mangled,
// is malformed, or would cost too much.
func parse(name string, options ...demangle.Option) (ast demangle.AST, ok bool) {
	if !strings.HasPrefix(name, "_Z") && !strings.HasPrefix(name, "___Z") {
		return nil, false
	}
	if !affordable(name) {
		return nil, false
	}
	// The demangler signals some malformed input by a panic of its own; one
	// hostile name must not end the run.
	defer func() {
		if recover() != nil {
			ast, ok = nil, false
		}
	}()
	ast, err := demangle.ToAST(name, options...)
	if err != nil || ast == nil {
		return nil, false
	}
	if len(name) > shortName && !shallow(ast) {
		return nil, false
	}
	return ast, true
}

// show prints a tree, or returns mangled when the text would be too long.
func show(ast demangle.AST, mangled string, options ...demangle.Option) (text string) {
	defer func() {
		if recover() != nil {
			text = mangled
		}
	}()
	options = append(options, demangle.MaxLength(maxShownLog2))
	text = demangle.ASTToString(ast, options...)
	if text == "" || len(text) >= 1<<maxShownLog2 {
		return mangled
	}
	return text
}

// declared returns the part of a declaration that is its name.
func declared(ast demangle.AST) demangle.AST {
	for {
		switch a := ast.(type) {
		case *demangle.Clone:
			ast = a.Base
		case *demangle.Constraint:
			ast = a.Name
		case *demangle.EnableIf:
			ast = a.Type
		case *demangle.Typed:
			ast = a.Name
		case *demangle.MethodWithQualifiers:
			ast = a.Method
		default:
			return ast
		}
	}
}

// isRust reports a name of either Rust mangling. The older one looks like C++
// and ends in "17h", 16 hex digits and "E". A name with an id of internal
// linkage is of nvcc, whatever its canonical form ends in.
func isRust(name string) bool {
	if strings.HasPrefix(name, "_R") {
		return true
	}
	const hash = len("17h0123456789abcdefE")
	if !strings.HasPrefix(name, "_ZN") || len(name) < len("_ZN")+hash {
		return false
	}
	tail := name
	if strings.IndexByte(name, '.') >= 0 { // a suffix that a linker has added
		if end := strings.LastIndex(name, "E."); end > 0 {
			tail = name[:end+1]
		}
	}
	tail = tail[max(0, len(tail)-hash):]
	return tail[len(tail)-1] == 'E' && strings.HasPrefix(tail, "17h") && isHex(tail[3:len(tail)-1]) && nextMark(name, 0) < 0
}

// rust demangles a name that may be a Rust one.
func rust(name, mangled string) (text string) {
	defer func() {
		if recover() != nil {
			text = mangled
		}
	}()
	if !affordable(name) {
		return mangled
	}
	text, err := demangle.ToString(name, demangle.MaxLength(maxShownLog2))
	if err != nil || len(text) >= 1<<maxShownLog2 {
		return mangled
	}
	return text
}
