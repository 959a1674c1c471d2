package name

import (
	"os"
	"strings"
	"testing"
)

// realName is a name of a real log with what c++filt makes of it.
type realName struct{ mangled, demangled string }

func realNames(tb testing.TB) []realName {
	tb.Helper()
	text, err := os.ReadFile("testdata/cppfilt.tsv")
	if err != nil {
		tb.Fatal(err)
	}
	var names []realName
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		mangled, demangled, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			tb.Fatalf("testdata/cppfilt.tsv: no tab in %q", line)
		}
		names = append(names, realName{mangled, demangled})
	}
	return names
}
