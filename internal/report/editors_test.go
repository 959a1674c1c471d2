package report

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// editorLines are lines of oneline in all the forms that a place can have.
const editorLines = `src/bounds.cu:21:17: error: lb_256_8 declares 8 blocks per SM [bounds-ignored]
src/a b.cu:27:1: warning: free_300 spills 648 bytes of stores (a: b) [spill-budget]
build.log:1: error: smem_bound asks for more [bounds-ignored]
build.log:7: info: k is 2 registers above a step [register-cliff]
no findings
`

// TestVim: the errorformat of docs/editors.md reads every line with its place
// and severity. It needs vim.
func TestVim(t *testing.T) {
	vim, err := exec.LookPath("vim")
	if err != nil {
		t.Skip("vim is not at hand")
	}
	doc := read(t, "../../docs/editors.md")
	_, block, _ := strings.Cut(doc, "```vim\n")
	block, _, found := strings.Cut(block, "let &makeprg")
	if !found || !strings.Contains(block, "errorformat") {
		t.Fatal("docs/editors.md has no errorformat")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("out.txt", editorLines)
	write("t.vim", block+`
cgetfile out.txt
call writefile(map(getqflist(), {_, q -> bufname(q.bufnr) . '|' . q.lnum . '|' . q.col . '|' . q.type}), 'got.txt')
qa!
`)
	cmd := exec.Command(vim, "-Nu", "NONE", "-es", "-S", "t.vim")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("this vim can't run a script (a tiny one has no expressions): %v\n%s", err, out)
	}
	want := "src/bounds.cu|21|17|e\nsrc/a b.cu|27|1|w\nbuild.log|1|0|e\nbuild.log|7|0|i\n"
	if got := read(t, filepath.Join(dir, "got.txt")); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestVSCode: the pattern of the task in docs/editors.md does the same.
func TestVSCode(t *testing.T) {
	doc := read(t, "../../docs/editors.md")
	_, block, _ := strings.Cut(doc, "```json\n")
	block, _, _ = strings.Cut(block, "```")
	var file struct {
		Tasks []struct {
			ProblemMatcher struct{ Pattern struct{ Regexp string } }
		}
	}
	if err := json.Unmarshal([]byte(block), &file); err != nil {
		t.Fatal(err)
	}
	pattern := regexp.MustCompile(file.Tasks[0].ProblemMatcher.Pattern.Regexp)
	var got []string
	for line := range strings.Lines(editorLines) {
		if m := pattern.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil {
			got = append(got, strings.Join([]string{m[1], m[2], m[3], m[4], m[6]}, "|"))
		}
	}
	want := "src/bounds.cu|21|17|error|bounds-ignored src/a b.cu|27|1|warning|spill-budget build.log|1||error|bounds-ignored build.log|7||info|register-cliff"
	if strings.Join(got, " ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, " "), want)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
