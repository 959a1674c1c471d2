package source

import (
	"strconv"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"github.com/occlint/occlint/internal/name"
)

// instance is what a mangled name says beyond the qualified name.
type instance struct {
	args  []demangle.AST // template arguments
	arity int            // parameters of the function; -1: not known
	types []demangle.AST // of the parameters
}

// readInstance reads a mangled name's template arguments. It is costly beside
// readSymbol, so it is only asked for where the answer depends on it.
func readInstance(mangled string) (instance, bool) {
	if i := strings.Index(mangled, "_Z"); i > 0 && strings.HasPrefix(mangled, "__nv_static_") {
		mangled = mangled[i:]
	}
	tree, parameters, ok := name.Tree(mangled)
	if !ok {
		return instance{}, false
	}
	in := instance{arity: len(parameters), types: parameters}
	if len(parameters) == 1 {
		if t, isBuiltin := parameters[0].(*demangle.BuiltinType); isBuiltin && t.Name == "void" {
			in.arity, in.types = 0, nil
		}
	}
	for _, p := range parameters {
		if _, isPack := p.(*demangle.PackExpansion); isPack {
			in.arity = -1
		}
	}
	for {
		switch t := tree.(type) {
		case *demangle.Template:
			in.args = t.Args
			return in, true
		case *demangle.Qualified:
			tree = t.Name
		default:
			return in, true
		}
	}
}

// bind gives a kernel's template parameters the values that the mangled name
// says. It reports false when the arguments can't be those of k.
func bind(k *Kernel, in instance) ([]bound, bool) {
	vars := make([]bound, 0, len(k.params))
	for i, p := range k.params {
		if i >= len(in.args) {
			return nil, false
		}
		_, isPack := in.args[i].(*demangle.ArgumentPack) // nvcc writes a pack as one argument
		if p.pack != isPack {
			return nil, false
		}
		b := fromTree(in.args[i])
		if _, isNumber := in.args[i].(*demangle.Literal); p.isType && isNumber || p.integral && b.typ != "" {
			return nil, false
		}
		b.name = p.name
		vars = append(vars, b)
	}
	return vars, len(in.args) == len(k.params)
}

// fromTree reads one template argument: a number, or a type that has one name
// everywhere.
func fromTree(a demangle.AST) bound {
	switch t := a.(type) {
	case *demangle.Literal:
		return literalArgument(t)
	case *demangle.ArgumentPack:
		return bound{why: "a parameter pack is not understood"}
	case *demangle.BuiltinType:
		return bound{typ: t.Name}
	case *demangle.Name:
		if _, known := sizes[t.Name]; known {
			return bound{typ: t.Name}
		}
	}
	return bound{why: "the type " + shortText(printed(a)) + " is not worked out"}
}

// printed writes a tree, however odd it is.
func printed(a demangle.AST) (text string) {
	defer func() {
		if recover() != nil {
			text = "?"
		}
	}()
	return demangle.ASTToString(a, demangle.MaxLength(8))
}

func literalArgument(a *demangle.Literal) bound {
	n, err := strconv.ParseInt(a.Val, 10, 64)
	if err != nil {
		return bound{why: "the template argument " + shortText(a.Val) + " is not a number"}
	}
	if a.Neg {
		n = -n
	}
	v := value{n: n}
	if t, ok := a.Type.(*demangle.BuiltinType); ok {
		v.unsigned = strings.HasPrefix(t.Name, "unsigned")
		v.wide = strings.Contains(t.Name, "long")
	}
	return bound{value: v}
}

// isFor says whether a specialization is the one for template arguments. Of
// types it knows the built-in ones and pointers to them.
func (s *site) isFor(spec []token, args []demangle.AST) (verdict, *failure) {
	written := split(spec)
	result := verdictOf(len(written) == len(args))
	if len(written) < len(args) {
		result = unknown // the rest may be deduced
	}
	for i, toks := range written[:min(len(written), len(args))] {
		v, f := s.sameArgument(toks, args[i])
		if f != nil || v == no {
			return v, f
		}
		if v == unknown {
			result = unknown
		}
	}
	return result, nil
}

func (s *site) sameArgument(toks []token, arg demangle.AST) (verdict, *failure) {
	if n, isNumber := arg.(*demangle.Literal); isNumber {
		b := literalArgument(n)
		v, f := evaluateDeep(toks, s, toks[0].pos, 0)
		switch {
		case f != nil && f.need != nil:
			return unknown, f
		case f != nil || b.why != "":
			return unknown, nil
		}
		return verdictOf(v.n == b.value.n), nil
	}
	own, ok := plainType(typeText(integerType(toks)))
	other, known := plainTree(arg)
	switch arg.(type) {
	case *demangle.Name, *demangle.Template, *demangle.Qualified:
		if ok { // a class is no built-in type
			return no, nil
		}
	case *demangle.TypeWithQualifiers:
		known = false
	}
	for _, t := range toks {
		if t.isIdent("const") || t.isIdent("volatile") {
			return unknown, nil
		}
	}
	if !ok || !known {
		return unknown, nil
	}
	return verdictOf(own == other), nil
}
