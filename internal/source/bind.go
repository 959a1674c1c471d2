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
func (s *site) bind(k *Kernel, in instance) ([]bound, bool) {
	vars := make([]bound, 0, len(k.params))
	args := in.args
	for i, p := range k.params {
		b := bound{name: p.name, kernel: true}
		switch {
		case p.pack:
			// nvcc writes a pack as one argument.
			b.why = "the parameter pack " + p.name + " is not understood"
			if i < len(args) {
				if _, ok := args[i].(*demangle.ArgumentPack); !ok {
					return nil, false
				}
			}
		case i >= len(args):
			return nil, false
		default:
			v := s.fromTree(args[i])
			if v.why == "" && (p.isType && v.typ == nil || p.integral && v.typ != nil) {
				return nil, false
			}
			v.name, v.kernel = p.name, true
			b = v
		}
		vars = append(vars, b)
	}
	return vars, len(args) == len(k.params)
}

// fromTree reads one template argument.
func (s *site) fromTree(a demangle.AST) bound {
	switch a := a.(type) {
	case *demangle.Literal:
		return literalArgument(a)
	case *demangle.BuiltinType:
		return bound{typ: &typeRef{name: a.Name}}
	case *demangle.PointerType:
		return bound{typ: &typeRef{name: "void*"}}
	case *demangle.TypeWithQualifiers:
		b := s.fromTree(a.Base)
		if b.typ == nil {
			return b
		}
		whole := *b.typ
		if q, ok := a.Qualifiers.(*demangle.Qualifiers); ok {
			for _, one := range q.Qualifiers {
				switch one, _ := one.(*demangle.Qualifier); {
				case one == nil:
					return bound{why: "the template argument " + shortText(printed(a)) + " is not understood"}
				case one.Name == "const":
					whole.constant = true
				case one.Name == "volatile":
					whole.volatile = true
				}
			}
		}
		b.typ = &whole
		return b
	case *demangle.ArgumentPack:
		return bound{why: "a parameter pack is not understood"}
	case *demangle.Template, *demangle.Qualified, *demangle.Name:
		return s.typeFromTree(a)
	}
	return bound{why: "the template argument " + shortText(printed(a)) + " is not understood"}
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

// typeFromTree finds the class of the project that a type's name means. A type
// that is not in the project keeps its name, and can still be compared.
func (s *site) typeFromTree(a demangle.AST) bound {
	var path []string
	var args []demangle.AST
	last := a
	if t, ok := a.(*demangle.Template); ok {
		args, last = t.Args, t.Name
	}
	for last != nil {
		switch t := last.(type) {
		case *demangle.Qualified:
			n, ok := t.Name.(*demangle.Name)
			if !ok {
				if inner, isTemplate := t.Name.(*demangle.Template); isTemplate && args == nil {
					if plain, isName := inner.Name.(*demangle.Name); isName {
						args, path, last = inner.Args, append([]string{plain.Name}, path...), t.Scope
						continue
					}
				}
				return bound{typ: &typeRef{name: printed(a)}}
			}
			path, last = append([]string{n.Name}, path...), t.Scope
			continue
		case *demangle.Name:
			path = append([]string{t.Name}, path...)
		default:
			return bound{typ: &typeRef{name: printed(a)}}
		}
		break
	}
	opaque := bound{typ: &typeRef{name: printed(a)}}
	scope := s.r.unit.root
	for _, n := range path[:len(path)-1] {
		if strings.HasPrefix(n, "_GLOBAL__N_") || n == anonymousNamespace {
			n = ""
		}
		if scope = innerNamespace(scope, n); scope == nil {
			return opaque
		}
	}
	at := &site{r: s.r, scope: scope, depth: s.depth + 1}
	name := path[len(path)-1]
	all, f := at.within(scope, nil, name, 0)
	if f != nil {
		return bound{why: f.reason}
	}
	classes := all[:0:0]
	for _, m := range all {
		if m.m.kind == classMember {
			classes = append(classes, m)
		}
	}
	if len(classes) == 0 {
		return opaque
	}
	var vars []bound
	if s.depth > maxDepth {
		return opaque
	}
	inner := &site{r: s.r, scope: s.scope, depth: s.depth + 1}
	for _, arg := range args {
		vars = append(vars, inner.fromTree(arg))
	}
	return at.instantiate(classes, vars, name)
}

// instantiate gives a class template's parameters the arguments of a mangled
// name, which has them all, defaults too.
func (s *site) instantiate(classes []found, vars []bound, name string) bound {
	var primary *found
	for i := range classes {
		if classes[i].m.inner.spec == nil {
			if primary != nil {
				return bound{why: name + " is defined more than once"}
			}
			primary = &classes[i]
		}
	}
	if primary != nil {
		params := primary.m.inner.params
		if len(params) != len(vars) {
			return bound{why: "the template arguments of " + name + " do not fit its definition"}
		}
		for i := range vars {
			vars[i].name = params[i].name
			if params[i].pack {
				vars[i] = bound{name: params[i].name, why: "a parameter pack is not understood"}
			}
		}
	}
	t, f := s.specialized(classes, vars, primary, step{tok: token{kind: ident, text: name}})
	if f != nil {
		return bound{why: f.reason}
	}
	return bound{typ: t}
}
