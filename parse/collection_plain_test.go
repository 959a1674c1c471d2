package parse_test

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/occlint/occlint/parse"
)

var plain = struct{ entry, properties, stack, used, linked, linkedUsed *regexp.Regexp }{
	entry:      regexp.MustCompile(`^ptxas info    : Compiling entry function '(.*)' for '(sm_\w+)'$`),
	properties: regexp.MustCompile(`^ptxas info    : Function properties for (.*)$`),
	stack:      regexp.MustCompile(`^(?:ptxas         \. )?    (\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads$`),
	used:       regexp.MustCompile(`^ptxas info    : Used (.*)$`),
	linked:     regexp.MustCompile(`^(?:nvlink )?info    : Function properties for '(.*)':(?: \(target: (sm_\w+)\))?$`),
	linkedUsed: regexp.MustCompile(`^(?:nvlink )?info    : used (.* bytes lmem)(?: \(target: sm_\w+\))?$`),
}

// readPlainly is a second reading of a log in which no job writes between the
// lines of another's record: nothing but regular expressions, one line after
// the other. It returns the records as numbersOf states them.
func readPlainly(text string) []string {
	var all []*parse.Kernel
	var entry, last *parse.Kernel
	arch := ""                // of the entries of this compilation
	var early []*parse.Kernel // functions before the first entry
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "ptxas info    : ") && strings.Contains(line, " bytes gmem") {
			entry, last, arch, early = nil, nil, "", nil
		} else if m := plain.entry.FindStringSubmatch(line); m != nil {
			entry = &parse.Kernel{Name: m[1], Class: &parse.Class{Arch: m[2], Kind: parse.Entry, Stage: parse.StagePtxas}}
			all = append(all, entry)
			arch = m[2]
			for _, f := range early {
				f.Arch = arch
			}
		} else if m := plain.properties.FindStringSubmatch(line); m != nil {
			last = entry
			if entry == nil || entry.Name != m[1] {
				last = &parse.Kernel{Name: m[1], Class: &parse.Class{Arch: arch, Kind: parse.Function, Stage: parse.StagePtxas}}
				all = append(all, last)
				if arch == "" {
					early = append(early, last)
				}
			}
		} else if m := plain.stack.FindStringSubmatch(line); m != nil {
			last.StackBytes, last.SpillStoreBytes, last.SpillLoadBytes = number(m[1]), number(m[2]), number(m[3])
		} else if m := plain.used.FindStringSubmatch(line); m != nil {
			fields(entry, m[1])
		} else if m := plain.linked.FindStringSubmatch(line); m != nil {
			last = &parse.Kernel{Name: m[1], Class: &parse.Class{Arch: m[2], Kind: parse.Entry, Stage: parse.StageNvlink}}
			all = append(all, last)
		} else if m := plain.linkedUsed.FindStringSubmatch(line); m != nil {
			fields(last, m[1])
		}
	}
	if last != nil && strings.Contains(text, "lmemerror") { // the driver's error log begins on the record's line
		last.Defect = parse.Truncated
	}
	var out []string
	for _, k := range all {
		out = append(out, numbersOf(k))
	}
	return out
}

func number(digits string) parse.Count {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	return parse.Some(n)
}

var fieldForms = []struct {
	form *regexp.Regexp
	of   func(*parse.Kernel) *parse.Count
}{
	{regexp.MustCompile(`^(\d+) registers$`), func(k *parse.Kernel) *parse.Count { return &k.Registers }},
	{regexp.MustCompile(`^used (\d+) barriers$`), func(k *parse.Kernel) *parse.Count { return &k.Barriers }},
	{regexp.MustCompile(`^(\d+) bytes smem$`), func(k *parse.Kernel) *parse.Count { return &k.SharedBytes }},
	{regexp.MustCompile(`^(\d+) bytes cumulative stack size$`), func(k *parse.Kernel) *parse.Count { return &k.CumulativeStackBytes }},
	{regexp.MustCompile(`^(\d+) stack$`), func(k *parse.Kernel) *parse.Count { return &k.StackBytes }},
	{regexp.MustCompile(`^(\d+) bytes lmem$`), func(k *parse.Kernel) *parse.Count { return &k.LocalBytes }},
	{regexp.MustCompile(`^(\d+) textures$`), func(k *parse.Kernel) *parse.Count { return &k.Textures }},
	{regexp.MustCompile(`^(\d+) surfaces$`), func(k *parse.Kernel) *parse.Count { return &k.Surfaces }},
}

var cmemForm = regexp.MustCompile(`^(\d+) bytes cmem\[(\d+)\]$`)

// fields reads the fields of a Used line.
func fields(k *parse.Kernel, text string) {
	banks := map[int]int64{}
	defer func() { k.ConstBytes = parse.BanksOf(banks) }()
	for _, field := range strings.Split(text, ", ") {
		for _, f := range fieldForms {
			if m := f.form.FindStringSubmatch(field); m != nil {
				*f.of(k) = number(m[1])
			}
		}
		if m := cmemForm.FindStringSubmatch(field); m != nil {
			bytes, _ := number(m[1]).Value()
			bank, _ := number(m[2]).Value()
			banks[int(bank)] = bytes
		}
	}
}
