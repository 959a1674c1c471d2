package name

import (
	"os"
	"strings"
	"testing"
)

// realName is a name of a real log with what c++filt makes of it.
type realName struct{ mangled, demangled string }

// realNames are the names of real logs and of a program that g++ compiled.
func realNames(tb testing.TB) []realName {
	tb.Helper()
	var names []realName
	for _, file := range []string{"testdata/cppfilt.tsv", "testdata/gcc.tsv"} {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			mangled, demangled, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if !ok {
				tb.Fatalf("%s: no tab in %q", file, line)
			}
			names = append(names, realName{mangled, demangled})
		}
	}
	return names
}
