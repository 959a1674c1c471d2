package judge

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/occlint/occlint/internal/name"
)

// short writes a number with as many digits as people read: 59, 8.9, 0.13.
func short(x float64) string {
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "?"
	case a >= 10 || a == math.Trunc(a):
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	case a >= 1:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// factor writes a bound of a gain.
func factor(x float64) string {
	if math.IsNaN(x) {
		return "?"
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// words is a reason to wait as words: "long scoreboard".
func words(reason string) string { return name.Brief(strings.ReplaceAll(reason, "_", " "), 60) }

func plural(n float64, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

func blocks(n float64) string {
	if math.IsNaN(n) {
		return "an unknown number of blocks"
	}
	return fmt.Sprintf("%.0f %s", n, plural(n, "block"))
}

// whereLine and tuneLine are commands that are ready to run but for what only
// the user knows.
func (f *facts) whereLine() string {
	binary := "BINARY"
	if r := f.match.record; r != nil && r.Binary && !r.Inside {
		binary = quoteShell(r.File)
	}
	return "occlint where " + binary + " --kernel " + quoteShell(f.pattern())
}

func (f *facts) tuneLine() string {
	line := "occlint tune --kernel " + quoteShell(f.pattern())
	if f.shape.Threads > 0 {
		line += fmt.Sprintf(" --threads %d", f.shape.Threads)
	}
	return line + " -- nvcc ... -c KERNEL.cu"
}

// pattern selects the kernel in other commands.
func (f *facts) pattern() string {
	if r := f.match.record; r != nil {
		return name.Qualified(r.Name)
	}
	return f.launch.Names.Shown()
}

// functionName is the kernel's name as the profiler's own filter takes it.
func (f *facts) functionName() string {
	if n := f.launch.Names.Function; n != "" {
		return n
	}
	return spell(name.Demangle(f.launch.Names.Shown())).function
}

// quoteShell quotes a word for a POSIX shell. What can't be shown on one line
// is shown escaped, and then is no command that can be pasted.
func quoteShell(s string) string {
	s = name.Brief(s, 300)
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("_-./:@%+=,", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
