package name

import "github.com/ianlancetaylor/demangle"

// Tree reads a C++ name into the demangler's tree and returns the part that
// is its name, without parameters, and the types of the parameters. It
// reports false for a name that is not mangled, is malformed, or would cost
// too much to look at.
func Tree(mangled string) (tree demangle.AST, parameters []demangle.AST, ok bool) {
	ast, ok := parse(mangled)
	if !ok {
		return nil, nil, false
	}
	if typed, isTyped := ast.(*demangle.Typed); isTyped {
		if f, isFunction := typed.Type.(*demangle.FunctionType); isFunction {
			parameters = f.Args
		}
	}
	return declared(ast), parameters, true
}
