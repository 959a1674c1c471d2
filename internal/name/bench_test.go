package name

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/occlint/occlint/internal/biglog"
)

// benchNames are distinct names made from the real ones, as a large log has
// them.
func benchNames(b *testing.B, n int) []string {
	b.Helper()
	known := realNames(b)
	names := make([]string, n)
	for i := range names {
		mangled := known[i%len(known)].mangled
		if len(mangled) > 2 && mangled[:2] == "_Z" {
			// Inside a namespace of its own: _Z1fv and _ZN1a1fEv.
			scope := fmt.Sprintf("unit%d", i/len(known))
			if mangled[2] == 'N' {
				names[i] = fmt.Sprintf("_ZN%d%s%s", len(scope), scope, mangled[3:])
				continue
			}
		}
		names[i] = fmt.Sprintf("%s_%d", mangled, i/len(known))
	}
	return names
}

// benchPatterns are the 20 patterns of a config that declares some families.
func benchPatterns(b *testing.B) []*Pattern {
	texts := []string{
		"*::saxpy<*>", "*free_300*", "lb_256_4*", "re:.*::reduce_(a|b)<.*>", "gemm<*>", "attention::*", "flash_fwd_kernel<*>",
		"*::layernorm_backward<*>", "void_kernel", "_Z5scalePf", "softmax_online<float, *>", "*adamw_update*", "moe::permute<*>",
		"moe::unpermute<*>", "*conv_depthwise2d*", "*::topk<*>", "(anonymous namespace)::histogram", "scan_tiles<*, 256>", "rope_inplace", "legacy::*",
	}
	return compileAll(b, texts)
}

func BenchmarkSetMatch(b *testing.B) {
	benchSet(b, NewSet(benchPatterns(b)), benchNames(b, 20_000))
}

func benchSet(b *testing.B, set *Set, names []string) {
	bytes := 0
	for _, n := range names {
		bytes += len(n)
	}
	b.SetBytes(int64(bytes))
	b.ReportAllocs()
	found := 0
	for b.Loop() {
		found = 0
		var dst []int
		for _, n := range names {
			dst = set.Match(n, dst[:0])
			found += len(dst)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(names)), "ns/name")
	b.ReportMetric(float64(found), "matches")
}

// BenchmarkSetMatchLog matches the names and patterns of the logs that the
// whole program is measured with: by what they match.
func BenchmarkSetMatchLog(b *testing.B) {
	var log strings.Builder
	if _, err := biglog.Write(&log, "../../testdata/ptxas", biglog.Distinct, 8<<20); err != nil {
		b.Fatal(err)
	}
	var texts []string
	for _, m := range regexp.MustCompile(`match: "(.*?)"`).FindAllStringSubmatch(biglog.Config(), -1) {
		texts = append(texts, m[1])
	}
	set := NewSet(compileAll(b, texts))
	byMatches := map[string][]string{}
	for _, m := range regexp.MustCompile("Compiling entry function '(.*?)'").FindAllStringSubmatch(log.String(), -1) {
		group := "nothing"
		if len(set.Match(m[1], nil)) > 0 {
			group = "matching"
		}
		byMatches[group] = append(byMatches[group], m[1])
		byMatches["all"] = append(byMatches["all"], m[1])
	}
	for _, group := range []string{"all", "nothing", "matching"} {
		b.Run(group, func(b *testing.B) { benchSet(b, set, byMatches[group]) })
	}
}

// BenchmarkDemangleAll is what BenchmarkSetMatch saves.
func BenchmarkDemangleAll(b *testing.B) {
	names := benchNames(b, 2_000)
	patterns := benchPatterns(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, n := range names {
			matchAll(patterns, n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(names)), "ns/name")
}

func benchEach(b *testing.B, f func(string) string) {
	names := benchNames(b, 2_000)
	b.ReportAllocs()
	for b.Loop() {
		for _, n := range names {
			f(n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(names)), "ns/name")
}

func BenchmarkDemangle(b *testing.B)  { benchEach(b, Demangle) }
func BenchmarkQualified(b *testing.B) { benchEach(b, Qualified) }
func BenchmarkFamily(b *testing.B)    { benchEach(b, Family) }
func BenchmarkCanonical(b *testing.B) { benchEach(b, Canonical) }
func BenchmarkEscape(b *testing.B)    { benchEach(b, Escape) }

func BenchmarkShorten(b *testing.B) {
	names := benchNames(b, 2_000)
	b.ReportAllocs()
	for b.Loop() {
		Shorten(names)
	}
}
