package parse_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/occlint/occlint/parse"

	"github.com/klauspost/compress/zstd"
)

// A wrapper does to a log what some tool on its way does. wrap gets the lines
// without their newlines and returns the bytes of the wrapped log.
type wrapper struct {
	name string
	wrap func(lines []string) string
	// moved says that records are on other lines afterwards.
	moved bool
}

// each returns a wrapper function that rewrites lines one by one; i counts
// from 0.
func each(f func(i int, line string) string) func([]string) string {
	return func(lines []string) string {
		var b strings.Builder
		for i, l := range lines {
			b.WriteString(f(i, l) + "\n")
		}
		return b.String()
	}
}

func prefix(p string) func([]string) string {
	return each(func(_ int, l string) string { return p + l })
}

func isStack(line string) bool {
	return strings.HasPrefix(line, "    ") && strings.Contains(line, "stack frame")
}

// wrappers are the forms of docs/log-forms.md that change each line alike.
var wrappers = []wrapper{
	{name: "crlf", wrap: func(l []string) string { return strings.Join(l, "\r\n") + "\r\n" }},
	{name: "visual studio", wrap: prefix("1>  ")},
	{name: "visual studio, glued", wrap: prefix("1>")},
	{name: "visual studio, two-digit project", wrap: prefix("12>")},
	{name: "visual studio, blank lines between", moved: true, wrap: func(l []string) string {
		return "1>" + strings.Join(l, "\n\n1>") + "\n"
	}},
	{name: "msbuild", wrap: each(func(_ int, l string) string {
		switch {
		case isStack(l):
			return "  " + l
		case strings.HasPrefix(l, "ptxas"), strings.HasPrefix(l, "nvlink"):
			return "  CUDACOMPILE : " + l + " [C:\\src\\app\\app.vcxproj]"
		}
		return "  " + l
	})},
	{name: "pip indent", wrap: prefix("  ")},
	{name: "markdown indent", wrap: prefix("        ")},
	{name: "tab indent", wrap: prefix("\t")},
	{name: "markdown quote", wrap: prefix("> ")},
	{name: "pip, stack line flush", wrap: each(func(_ int, l string) string { return "      " + strings.TrimLeft(l, " ") })},
	{name: "stack line flush", wrap: each(func(_ int, l string) string { return strings.TrimLeft(l, " ") })},
	{name: "comment //", wrap: prefix("// ")},
	{name: "comment #", wrap: prefix("# ")},
	{name: "comment **", wrap: prefix("** ")},
	{name: "comment *", wrap: prefix(" * ")},
	{name: "comment //, indent lost", wrap: each(func(_ int, l string) string { return "// " + strings.TrimLeft(l, " ") })},
	{name: "line numbers", wrap: each(func(i int, l string) string { return fmt.Sprintf("%7d %s", i+1, l) })},
	{name: "line numbers, colon", wrap: each(func(i int, l string) string { return fmt.Sprintf("%d:%s", i+1, l) })},
	{name: "github actions", wrap: each(func(i int, l string) string {
		return fmt.Sprintf("2025-11-02T10:%02d:%02d.%07dZ %s", i/60%60, i%60, i*7919, l)
	})},
	{name: "github actions, one job of a zip", wrap: each(func(i int, l string) string {
		return fmt.Sprintf("build (12.8)\tCompile\t2025-11-02T10:%02d:%02d.%07dZ %s", i/60%60, i%60, i*7919, l)
	})},
	{name: "gitlab", wrap: each(func(i int, l string) string {
		return fmt.Sprintf("2025-11-02T10:%02d:%02d.%06dZ 01O %s", i/60%60, i%60, i*7919, l)
	})},
	{name: "jenkins timestamps", wrap: each(func(i int, l string) string {
		return fmt.Sprintf("[2025-11-02T10:%02d:%02d.123Z] %s", i/60%60, i%60, l)
	})},
	{name: "travis fold time", wrap: each(func(i int, l string) string { return fmt.Sprintf("%d.%02ds: %s", i/3, i%100, l) })},
	{name: "buildkit", wrap: each(func(i int, l string) string { return fmt.Sprintf("#12 %d.%02d %s", 9+i/10, i%100, l) })},
	{name: "github actions and buildkit", wrap: each(func(i int, l string) string {
		return fmt.Sprintf("2025-11-02T10:00:00.%07dZ #31 %d.%d %s", i*7919, 99+i, i%10, l)
	})},
	{name: "docker compose", wrap: prefix("trainer-12.8  |     ")},
	{name: "vllm pid", wrap: prefix("(EngineCore_0 pid=9492) ")},
	{name: "xla", wrap: each(func(i int, l string) string {
		return fmt.Sprintf("2025-11-02 10:00:%02d.%06d: I external/local_xla/xla/stream_executor/cuda/asm_compiler.cc:346] %s", i%60, i, l)
	})},
	{name: "python logging", wrap: each(func(_ int, l string) string { return "INFO:build:" + l })},
	{name: "bazel", wrap: func(l []string) string {
		return "INFO: From Compiling gpu/kernels.cu:\n" + strings.Join(l, "\n") + "\n[1,024 / 2,048] Compiling gpu/other.cc; 3s local\n"
	}, moved: true},
	{name: "cargo", wrap: prefix("[kernels 0.3.1] ")},
	{name: "cargo warning", wrap: prefix("warning: kernels@0.3.1: ")},
	{name: "ansi colours", wrap: each(func(_ int, l string) string {
		return "\x1b[36m" + strings.Replace(l, "ptxas info", "\x1b[1;32mptxas info\x1b[0m", 1) + "\x1b[0m\x1b[K"
	})},
	{name: "ansi colours, crlf", wrap: func(l []string) string { return "\x1b[33m" + strings.Join(l, "\x1b[m\r\n\x1b[33m") + "\x1b[m\r\n" }},
	{name: "progress bar redraws", wrap: each(func(i int, l string) string {
		return fmt.Sprintf("\r[%d/99] Building CUDA object a.o\r\x1b[K\r%s", i, l)
	})},
	{name: "terminal title", wrap: each(func(_ int, l string) string { return "\x1b]0;make\a" + l })},
	{name: "html", wrap: func(l []string) string {
		e := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&#39;").Replace(strings.Join(l, "\n"))
		return strings.ReplaceAll(e, "ptxas info", `<span class="tok">ptxas info</span>`) + "\n"
	}},
	{name: "curly quotes", wrap: each(func(_ int, l string) string {
		if strings.Contains(l, "Compiling entry function '") {
			l = strings.Replace(strings.Replace(l, "function '", "function ‘", 1), "' for '", "’ for ‘", 1)
			return strings.TrimSuffix(l, "'") + "’"
		}
		return l
	})},
	{name: "no-break spaces", wrap: each(func(_ int, l string) string { return strings.ReplaceAll(l, " ", "\u00a0") })},
	{name: "utf-8 mark", wrap: func(l []string) string { return "\ufeff" + strings.Join(l, "\n") + "\n" }},
	{name: "utf-16 little endian", wrap: func(l []string) string { return encode16("\ufeff"+strings.Join(l, "\r\n")+"\r\n", false) }},
	{name: "utf-16 big endian", wrap: func(l []string) string { return encode16("\ufeff"+strings.Join(l, "\n")+"\n", true) }},
	{name: "utf-16 without mark", wrap: func(l []string) string { return encode16(strings.Join(l, "\n")+"\n", false) }},
	{name: "gzip", wrap: func(l []string) string { return zipped(strings.Join(l, "\n") + "\n") }},
	{name: "zstd", wrap: func(l []string) string { return zstdOf(strings.Join(l, "\n") + "\n") }},
	{name: "gzip of utf-16", wrap: func(l []string) string { return zipped(encode16("\ufeff"+strings.Join(l, "\n")+"\n", false)) }},
	{name: "one blank before the colon", wrap: each(func(_ int, l string) string { return repad(l, " ") })},
	{name: "no blank before the colon", wrap: each(func(_ int, l string) string { return repad(l, "") })},
	{name: "two blanks before the colon", wrap: each(func(_ int, l string) string { return repad(l, "  ") })},
	{name: "tab before the colon", wrap: each(func(_ int, l string) string { return repad(l, "\t") })},
	{name: "renamed ptxas", wrap: each(func(_ int, l string) string { return strings.Replace(l, "ptxas ", "ptxas-blackwell ", 1) })},
	{name: "driver stack lines", wrap: each(func(_ int, l string) string {
		if isStack(l) {
			return "ptxas         .     " + strings.TrimLeft(l, " ")
		}
		return l
	})},
	{name: "hard wrap at 80", wrap: func(l []string) string { return hardWrap(l, 80) }, moved: true},
	{name: "hard wrap at 61", wrap: func(l []string) string { return hardWrap(l, 61) }, moved: true},
}

func repad(line, blanks string) string {
	for _, s := range []string{"info", "warning", "error", "fatal"} {
		for _, tool := range []string{"ptxas ", "nvlink "} {
			if rest, ok := strings.CutPrefix(line, tool+s); ok {
				if _, rest, ok = strings.Cut(rest, ":"); ok {
					return tool + s + blanks + ":" + rest
				}
			}
		}
	}
	return line
}

func encode16(text string, big bool) string {
	var b bytes.Buffer
	for _, u := range utf16.Encode([]rune(text)) {
		if big {
			b.WriteByte(byte(u >> 8))
			b.WriteByte(byte(u))
		} else {
			b.WriteByte(byte(u))
			b.WriteByte(byte(u >> 8))
		}
	}
	return b.String()
}

func zstdOf(text string) string {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return string(z.EncodeAll([]byte(text), nil))
}

func zipped(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

// hardWrap breaks lines as a terminal does.
func hardWrap(lines []string, width int) string {
	var b strings.Builder
	for _, l := range lines {
		for len(l) > width {
			b.WriteString(l[:width] + "\n")
			l = l[width:]
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}

func parseText(t testing.TB, text string) *parse.Log {
	t.Helper()
	var l parse.Log
	if err := l.Read(strings.NewReader(text), "x.log"); err != nil {
		t.Fatal(err)
	}
	return &l
}

// withoutLines drops the places, for logs whose lines moved.
func withoutLines(l *parse.ListedLog) *parse.ListedLog {
	for i := range l.Kernels {
		l.Kernels[i].Place.Line = 0
	}
	for i := range l.Compilations {
		l.Compilations[i].Place.Line = 0
	}
	for i := range l.Remarks {
		l.Remarks[i].Place.Line = 0
	}
	for i := range l.Faults {
		l.Faults[i].Place.Line = 0
	}
	return l
}

// wrapped are real logs of all kinds that are read behind every wrapper.
var wrapped = []string{
	"nvcc13.0/bounds-sm_75.log",
	"nvcc13.0/basics-sm_90.log",
	"nvcc13.0/rdc-b.log",
	"nvcc13.0/wgmma.log",
	"nvcc12.4/maxrreg32.log",
	"nvcc11.8/basics-sm_61.log",
	"linked/cloned-callee-11.8.log",
	"linked/rdc-multiarch-ok-link-11.8.log",
	"linked/ptxas-odd-directives-11.8.log",
	"cmake/cmake-make-j8-sep-append-nvlink-12.4.log",
}

func TestWrappers(t *testing.T) {
	for _, w := range wrappers {
		t.Run(w.name, func(t *testing.T) {
			for _, file := range wrapped {
				lines := readLines(t, file)
				want := parseText(t, strings.Join(lines, "\n")+"\n")
				if strings.HasPrefix(w.name, "renamed") {
					for i := range want.Compilations {
						if c := &want.Compilations[i]; c.Tool == "ptxas" {
							c.Tool = "ptxas-blackwell"
						}
					}
					for i := range want.Remarks {
						if r := &want.Remarks[i]; r.Tool == "ptxas" && r.Input.Line == 0 {
							r.Tool = "ptxas-blackwell"
						} else if r.Tool == "ptxas" {
							r.Tool = "ptxas-blackwell"
						}
					}
				}
				plain, got := parse.Listed(want), parse.Listed(parseText(t, w.wrap(lines)))
				if w.moved {
					plain, got = withoutLines(plain), withoutLines(got)
				}
				if d := cmp.Diff(plain, got); d != "" {
					t.Errorf("%s reads differently (-plain +wrapped):\n%s", file, firstLines(d, 30))
				}
			}
		})
	}
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}
