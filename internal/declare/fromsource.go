package declare

import (
	"slices"
	"strings"

	"github.com/occlint/occlint/internal/config"
	"github.com/occlint/occlint/internal/source"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// sources reads the CUDA sources and joins them with the log.
func (m *merger) sources() {
	all := m.globs(m.in.Config.Sources, m.in.Sources)
	opts := m.defines()
	if len(all) == 0 {
		return
	}
	t := m.treeFor(all)
	files := m.files(t, all, "the source glob")
	if len(files) == 0 {
		return
	}
	if m.in.Log != nil {
		opts.Kernels = m.names()
	}
	project, err := source.Scan(t.fsys, files, opts)
	if err != nil {
		m.faults.add(parse.Place{}, "the sources can't be read: %v", err)
		return
	}
	m.project, m.defined = project, opts.Defines
	j := &joiner{merger: m, tree: t, groups: map[groupKey]int{}}
	for _, f := range project.Faults() {
		m.faults.add(j.place(f.Place), "%s", f.Text)
	}
	j.readComments(project)
	if m.in.Log != nil {
		j.join(project)
	}
	j.declare()
	if m.in.Log != nil {
		j.unmatched()
	}
	j.ignore()
}

// names lists the kernels of the log once each.
func (m *merger) names() []string {
	names := []string{}
	seen := map[string]bool{}
	for name := range m.in.Log.Entries() {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// defines merges the config's definitions with those of the flags.
func (m *merger) defines() source.Options {
	opts := source.Options{Defines: map[string]string{}}
	for _, e := range m.in.Config.Defines {
		if e.Value.Value == config.NotPassed {
			opts.Undefined = append(opts.Undefined, e.Key)
			continue
		}
		opts.Defines[e.Key] = string(e.Value.Value)
	}
	for _, d := range m.in.Defines {
		d = strings.TrimPrefix(d, "-D")
		name, value, found := strings.Cut(d, "=")
		if !found {
			value = "1"
		}
		name, absent := strings.CutPrefix(name, "!")
		if name == "" || strings.ContainsAny(name, " \t") || absent && found {
			m.faults.add(parse.Place{}, "--define %q: want NAME=VALUE, NAME, or !NAME for what the build does not pass", d)
			continue
		}
		delete(opts.Defines, name)
		opts.Undefined = slices.DeleteFunc(opts.Undefined, func(s string) bool { return s == name })
		if absent {
			opts.Undefined = append(opts.Undefined, name)
		} else {
			opts.Defines[name] = value
		}
	}
	return opts
}

// groupKey is what one kernel of the source declares: kernels of the log for
// which it is the same share one declaration.
type groupKey struct {
	name                          string
	place, bounds, maxreg, reason parse.Place
	text, maxregText, reasonText  string
	threads, minBlocks            int
	maxRegisters                  int
	dynamic                       bool
	unresolved                    string
	comments                      string // where they stand
}

// group is a groupKey with the kernels of the log that it is for.
type group struct {
	answer source.Answer
	names  []string            // on all architectures of the log
	byArch map[string][]string // on some
}

// joiner finds the log's kernels in the sources.
type joiner struct {
	*merger
	tree     tree
	groups   map[groupKey]int
	list     []*group
	ignored  []*ignored
	budgeted []budgeted
}

func (j *joiner) place(p parse.Place) parse.Place {
	p.File = j.named(j.tree, p.File)
	return p // a place that is not known stays so
}

// join asks for each kernel of the log once. Most kernels declare the same on
// every architecture.
func (j *joiner) join(project *source.Project) {
	names := map[string]int{}
	var archs [][]string // of each name
	var order []string
	for name, arch := range j.in.Log.Entries() {
		n, known := names[name]
		if !known {
			n = len(order)
			names[name] = n
			order = append(order, name)
			archs = append(archs, nil)
		}
		if !slices.Contains(archs[n], arch) {
			archs[n] = append(archs[n], arch)
		}
	}
	var on []int
	for n, name := range order {
		// One name after the other: its template arguments are read once.
		on = on[:0]
		for _, arch := range archs[n] {
			on = append(on, j.groupOf(project.Find(name, arch)))
		}
		if first := on[0]; !slices.ContainsFunc(on, func(g int) bool { return g != first }) {
			if first >= 0 {
				j.list[first].names = append(j.list[first].names, name)
			}
			continue
		}
		for i, g := range on {
			if g >= 0 {
				own := j.list[g].byArch
				own[archs[n][i]] = append(own[archs[n][i]], name)
			}
		}
	}
}

// groupOf returns the index of the group that an answer belongs to, -1 for a
// kernel that the sources do not have.
func (j *joiner) groupOf(a source.Answer) int {
	if a.Name == "" {
		return -1
	}
	key := groupKey{
		name: a.Name, place: a.Place, bounds: a.Bounds, maxreg: a.MaxRegPlace, reason: a.UnresolvedAt,
		text: a.BoundsText, maxregText: a.MaxRegText, reasonText: a.UnresolvedText,
		threads: a.Threads, minBlocks: a.MinBlocks, maxRegisters: a.MaxRegisters,
		dynamic: a.DynamicShared, unresolved: a.Unresolved,
	}
	if len(a.Comments) > 0 {
		key.comments = commentPlaces(a.Comments)
	}
	i, ok := j.groups[key]
	if !ok {
		i = len(j.list)
		j.groups[key] = i
		j.list = append(j.list, &group{answer: a, byArch: map[string][]string{}})
	}
	return i
}

// declare turns the groups into declarations.
func (j *joiner) declare() {
	for _, g := range j.list {
		d := j.declaration(g.answer)
		if len(g.names) > 0 {
			d.Names = g.names
			j.policy.Declarations = append(j.policy.Declarations, d)
		}
		for _, a := range sortedKeys(g.byArch) {
			d.Names, d.Archs = g.byArch[a], []string{a}
			j.policy.Declarations = append(j.policy.Declarations, d)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys) // sm_90 before sm_90a, which it covers: the later one wins
	return keys
}

func (j *joiner) origin(p parse.Place, text string) rules.Origin {
	return rules.Origin{From: rules.FromSource, Place: j.place(p), Text: text}
}

func (j *joiner) declaration(a source.Answer) rules.Declaration {
	here := j.origin(a.Place, a.Name)
	d := rules.Declaration{Match: a.Name, Origin: here}
	if a.Place.Line > 0 {
		d.Source = rules.Field[parse.Place]{Value: here.Place, Origin: here, Set: true}
	}
	if a.Threads > 0 {
		d.LaunchBounds = rules.Field[rules.Bounds]{
			Value: rules.Bounds{Threads: a.Threads, MinBlocks: a.MinBlocks}, Origin: j.origin(a.Bounds, a.BoundsText), Set: true,
		}
	}
	if a.MaxRegisters > 0 {
		d.MaxRegisters = rules.Field[int]{Value: a.MaxRegisters, Origin: j.origin(a.MaxRegPlace, a.MaxRegText), Set: true}
	}
	if a.DynamicShared {
		d.DynamicSharedUsed = rules.Field[bool]{Value: true, Origin: here, Set: true}
	}
	if a.Unresolved != "" {
		d.Unresolved = rules.Field[string]{Value: a.Unresolved, Origin: j.origin(a.UnresolvedAt, a.UnresolvedText), Set: true}
	}
	j.budgets(&d, a)
	return d
}
