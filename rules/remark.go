package rules

import (
	"slices"
	"strconv"
	"strings"

	"github.com/occlint/occlint/parse"
)

// remarkKind is what a compiler message means to the rules.
type remarkKind uint8

const (
	otherRemark     remarkKind = iota
	minimumDropped             // ".minnctapersm will be ignored", both wordings
	capOverridden              // "Overriding maximum register limit 256 for 'K' with 32 of maxrregcount option"
	globalCap                  // "Overriding global maxrregcount 32 with entry-specific value …"
	capRaised                  // "For entry K adjusting per thread register count of 8 to lower bound of 24"
	globalCapRaised            // "For profile sm_90 adjusting …": the same for maxrregcount
	spillRepeated              // says what the stack line says
	lossOfSpeed                // C75xx: wgmma serialised, setmaxnreg ignored
	stackUnknown
	demoted
	capIgnored // "Too many maxnreg specified for entry K, will be ignored"
)

// remark is a compiler message with what it means.
type remark struct {
	*parse.Remark
	kind  remarkKind
	value int // of a register cap
	used  bool
}

// remarkForms lists the texts that mean something; ptxas of 11.2 to 13.0
// prints them. number is the text that the register count follows.
var remarkForms = [...]struct {
	kind         remarkKind
	text, number string
}{
	{minimumDropped, "minnctapersm will be ignored", ""},
	{capOverridden, "Overriding maximum register limit", " with "},
	{globalCap, "Overriding global maxrregcount", "maxrregcount "},
	{capRaised, "For entry ", "to lower bound of "},
	{globalCapRaised, "For profile ", "to lower bound of "},
	{spillRepeated, "Registers are spilled to local memory", ""},
	{spillRepeated, "Local memory used for function", ""},
	{lossOfSpeed, "Potential Performance Loss", ""},
	{stackUnknown, "cannot be statically determined", ""},
	{demoted, "Demoting ", ""},
	{capIgnored, "Too many maxnreg specified", ""},
	{capIgnored, "Too big maxrregcount value", ""},
}

func readRemark(r *parse.Remark) remark {
	if strings.HasPrefix(r.Code, "C75") {
		return remark{Remark: r, kind: lossOfSpeed}
	}
	for _, form := range remarkForms {
		if !strings.Contains(r.Text, form.text) {
			continue
		}
		if form.number == "" {
			return remark{Remark: r, kind: form.kind}
		}
		if n, ok := numberBehind(r.Text, form.number); ok {
			return remark{Remark: r, kind: form.kind, value: n}
		}
	}
	return remark{Remark: r}
}

// numberBehind reads the number that follows a text; the compiler pads some
// with blanks.
func numberBehind(s, text string) (int, bool) {
	_, rest, found := strings.Cut(s, text)
	if !found {
		return 0, false
	}
	rest = strings.TrimLeft(rest, " ")
	end := 0
	for end < len(rest) && isDigit(rest[end]) {
		end++
	}
	n, err := strconv.Atoi(rest[:end])
	return n, err == nil
}

// remarks holds a log's messages by what they are about.
type remarks struct {
	all    []remark
	byName map[remarkKey][]*remark
	global map[int]int // maxrregcount by compilation
}

// remarkKey is what a message says of the record that it is about. A log can
// repeat a name very often, so that messages are found by all that is known.
type remarkKey struct {
	kernel, arch string // of arch and compilation at most one is set
	compilation  int    // -1: not known
}

// mostRemarks is how many different messages about one record are kept.
const mostRemarks = 64

func (j *judge) readRemarks() *remarks {
	rs := &remarks{
		all:    make([]remark, len(j.log.Remarks)),
		byName: map[remarkKey][]*remark{},
		global: map[int]int{},
	}
	for i := range j.log.Remarks {
		rs.all[i] = readRemark(&j.log.Remarks[i])
		r := &rs.all[i]
		if (r.kind == globalCap || r.kind == globalCapRaised) && r.Compilation >= 0 {
			rs.global[r.Compilation] = r.value
		}
		if r.Kernel == "" {
			continue
		}
		if r.Compilation >= 0 {
			rs.add(r, remarkKey{r.Kernel, "", r.Compilation})
		}
		if r.Arch != "" || r.Compilation < 0 {
			rs.add(r, remarkKey{r.Kernel, r.Arch, -1})
		}
	}
	return rs
}

// add keeps a message unless the same was said already.
func (rs *remarks) add(r *remark, key remarkKey) {
	list := rs.byName[key]
	for _, have := range list {
		if have.kind == r.kind && have.Code == r.Code && have.Text == r.Text && have.Compilation == r.Compilation {
			r.used = true // it stands for this one
			return
		}
	}
	if len(list) < mostRemarks {
		rs.byName[key] = append(list, r)
	}
}

// globalOf is the maxrregcount of a compilation, where a remark about any of
// its kernels tells it, -1 elsewhere.
func (rs *remarks) globalOf(compilation int) int32 {
	if n, known := rs.global[compilation]; known {
		return int32(min(n, 1<<30))
	}
	return -1
}

// of lists the messages about a record. One that names its architecture or its
// compilation is about that one; one that names neither may be about any.
func (rs *remarks) of(j *judge, k *parse.Kernel, u *Subject) []*remark {
	var list []*remark
	take := func(arch string, compilation int, keep func(*remark) bool) {
		for _, r := range rs.byName[remarkKey{k.Name, arch, compilation}] {
			if keep(r) && !slices.Contains(list, r) {
				r.used = true
				list = append(list, r)
			}
		}
	}
	compilation := k.Compilation // of the compiler's run
	if c := u.compiled(); c >= 0 {
		compilation = j.log.Kernel(c).Compilation
	}
	all := func(*remark) bool { return true }
	take("", -1, all)
	for _, c := range []int{compilation, k.Compilation} {
		if c >= 0 {
			take("", c, all)
		}
	}
	if u.arch.name != "" {
		// Which of several compilations the linker took, no log says.
		anyCompilation := u.compiled() >= 0 || compilation < 0
		take(u.arch.name, -1, func(r *remark) bool { return anyCompilation || r.Compilation < 0 })
	}
	return list
}
