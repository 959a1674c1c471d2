package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var updateDocs = flag.Bool("update-docs", false, "write what the commands in the documentation print today")

// TestDocs runs each command in the console blocks of README.md and docs/*.md
// and compares what it prints, so that no document shows what the program
// does not do. A document's commands run in order in a copy of
// docs/examples/NAME, where NAME is the document's without ".md"; a document
// without such a folder may not use files. Those of README.md run in the root
// of the repository, as a newcomer does.
//
// A block knows three commands: occlint itself (also behind "cat FILE |"),
// "cat FILE", and "echo $?". A line "..." in the output stands for any lines.
func TestDocs(t *testing.T) {
	root := filepath.Join("..", "..")
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	docs = append(docs, filepath.Join(root, "README.md"))
	ran := 0
	for _, doc := range docs {
		text, err := os.ReadFile(doc)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		base := strings.TrimSuffix(filepath.Base(doc), ".md")
		t.Run(base, func(t *testing.T) {
			d := newDocument(t, filepath.Join(root, "docs", "examples", base))
			if base == "README" {
				// Its commands are for a clean clone.
				d = &document{t: t, dir: mustAbs(t, root)}
			}
			got := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
				return d.run(block)
			})
			ran += d.commands
			if *updateDocs {
				if err := os.WriteFile(doc, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(strings.Split(string(text), "\n"), strings.Split(got, "\n")); diff != "" {
				t.Errorf("%s shows what is not so (-shown +printed; -update-docs rewrites it):\n%s", doc, diff)
			}
		})
	}
	if ran == 0 {
		t.Error("no command was run: the pattern or the place of the documentation is wrong")
	}
}

var consoleBlock = regexp.MustCompile("(?ms)^```console\n.*?^```$")

// document runs the commands of one document.
type document struct {
	t        *testing.T
	dir      string
	exit     int
	commands int
}

func newDocument(t *testing.T, examples string) *document {
	dir := t.TempDir()
	if _, err := os.Stat(examples); err == nil {
		if err := os.CopyFS(dir, os.DirFS(examples)); err != nil {
			t.Fatal(err)
		}
	}
	// The root of the repository: config is not looked for above it.
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return &document{t: t, dir: dir}
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return abs
}

// run runs the commands of a block and returns the block with what they
// print today. Output that differs only where the document has "..." is kept.
func (d *document) run(block string) string {
	lines := strings.Split(block, "\n")
	out := []string{lines[0]}
	body := lines[1 : len(lines)-1]
	for i := 0; i < len(body); {
		command, ok := strings.CutPrefix(body[i], "$ ")
		if !ok {
			d.t.Errorf("output without a command: %q", body[i])
			return block
		}
		out = append(out, body[i])
		i++
		var shown []string
		for ; i < len(body) && !strings.HasPrefix(body[i], "$ "); i++ {
			shown = append(shown, body[i])
		}
		printed := d.command(command)
		if elided(shown, printed) {
			printed = shown
		}
		out = append(out, printed...)
	}
	return strings.Join(append(out, lines[len(lines)-1]), "\n")
}

// elided reports whether printed is shown, where "..." in shown is any lines.
func elided(shown, printed []string) bool {
	if len(shown) == 0 {
		return len(printed) == 0
	}
	if shown[0] == "..." {
		for i := 0; i <= len(printed); i++ {
			if elided(shown[1:], printed[i:]) {
				return true
			}
		}
		return false
	}
	return len(printed) > 0 && shown[0] == printed[0] && elided(shown[1:], printed[1:])
}

func (d *document) command(command string) []string {
	d.commands++
	args, err := splitCommand(command)
	if err != nil {
		d.t.Errorf("%s: %v", command, err)
		return nil
	}
	var stdin []byte
	if len(args) > 3 && args[0] == "cat" && args[2] == "|" {
		stdin = d.read(args[1])
		args = args[3:]
	}
	var printed bytes.Buffer
	switch {
	case args[0] == "occlint":
		a := &app{
			Stdin: bytes.NewReader(stdin), Stdout: &printed, Stderr: &printed,
			Env: func(string) string { return "" }, Dir: d.dir,
		}
		d.exit = a.Run(args[1:])
	case args[0] == "cat" && len(args) == 2:
		printed.Write(d.read(args[1]))
	case command == "echo $?":
		fmt.Fprintln(&printed, strconv.Itoa(d.exit))
	default:
		d.t.Errorf("%s: a console block can run occlint, cat FILE and echo $? only; use a sh block for what is not run", command)
	}
	text := strings.TrimSuffix(printed.String(), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(strings.ReplaceAll(text, d.dir+string(filepath.Separator), ""), "\n")
}

func (d *document) read(file string) []byte {
	data, err := os.ReadFile(filepath.Join(d.dir, filepath.FromSlash(file)))
	if err != nil {
		d.t.Error(err)
	}
	return data
}

// splitCommand splits a command at blanks outside of quotes.
func splitCommand(command string) ([]string, error) {
	var args []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ':
			if inWord {
				args = append(args, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("the quote %q is not closed", quote)
	}
	if inWord {
		args = append(args, word.String())
	}
	if len(args) == 0 {
		return nil, errors.New("empty command")
	}
	return args, nil
}

func TestSplitCommand(t *testing.T) {
	got, err := splitCommand(`occlint diff  --threshold 'registers>+4, x' --reason "a 'b'" "" c`)
	want := []string{"occlint", "diff", "--threshold", "registers>+4, x", "--reason", "a 'b'", "", "c"}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
