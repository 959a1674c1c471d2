package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// maxBytes bounds a file. Ten thousand entries fit.
const maxBytes = 1 << 20

// Known holds names that the file may use and this package does not have.
// An empty list leaves the names unchecked but for their shape.
type Known struct {
	Rules    []string // ids of rules
	Verdicts []string // ids of the verdicts of occlint profile
	GPUs     []string // built-in devices, by all of their names
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("there is no such config file")
	case errors.Is(err, fs.ErrPermission):
		return nil, errors.New("the config file can't be read: permission denied")
	case err != nil:
		return nil, fmt.Errorf("the config file can't be opened: %w", cause(err))
	}
	defer f.Close() //nolint:errcheck // nothing was written
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("the config file is a directory")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("the config file can't be read: %w", cause(err))
	}
	if len(data) > maxBytes {
		return nil, errors.New("the config file is larger than 1 MiB; is it the right file?")
	}
	return data, nil
}

// cause takes the path off an error, which the problem names already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Parse reads the text of a file alone, without what it extends; file is its
// name for messages. The error is an *Errors with everything that is wrong.
func Parse(data []byte, file string, known Known) (*Config, error) {
	d, c := decode(data, file, known)
	if err := d.finish(c); err != nil {
		return nil, err
	}
	return c, nil
}

// decode reads a file as far as its text alone goes.
func decode(data []byte, file string, known Known) (*decoder, *Config) {
	d := &decoder{file: file, known: known}
	c := &Config{File: file}
	if root := d.syntax(data); root != nil {
		d.into(c, setting{node: root, pos: posOf(root)})
		d.read = true
	}
	stamp(reflect.ValueOf(c).Elem(), file)
	return d, c
}

// finish checks what one value alone can't show.
func (d *decoder) finish(c *Config) error {
	if d.read {
		d.check(c)
	}
	if len(d.problems) > 0 {
		return d.errors(d.file)
	}
	return nil
}

func (d *decoder) errors(file string) *Errors {
	errs := &Errors{File: file, Problems: d.problems}
	errs.sort()
	return errs
}

// syntax returns the root of the only document, or nil after a problem.
func (d *decoder) syntax(data []byte) *yaml.Node {
	if len(data) > maxBytes {
		d.at(Pos{}, 0, "the config file is larger than 1 MiB; is it the right file?", "")
		return nil
	}
	if encoding := otherEncoding(data); encoding != "" {
		d.at(Pos{}, 0, "the config file is "+encoding, "save it as UTF-8")
		return nil
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d.lines = splitLines(string(data))
	if !d.text(string(data)) {
		return nil
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		d.at(Pos{}, 0, "the config file can't be read: "+err.Error(), "")
		return nil
	}
	var first, second yaml.Node
	switch err := loader.Load(&first); {
	case errors.Is(err, io.EOF):
		d.at(Pos{Line: 1, Column: 1}, 1, "the config file is empty", `the least that it needs is "version: 1"`)
		return nil
	case err != nil:
		d.loadError(err)
		return nil
	}
	switch err := loader.Load(&second); {
	case err == nil:
		d.at(posOf(&second), 1, "a second document begins here; the config is one", `remove the "---" before it`)
		return nil
	case !errors.Is(err, io.EOF):
		d.loadError(err)
		return nil
	}
	if first.Kind == yaml.DocumentNode && len(first.Content) == 1 {
		return first.Content[0]
	}
	return &first
}

// otherEncoding names an encoding that is not UTF-8 and that editors and
// shells write by themselves; empty for none.
func otherEncoding(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return "UTF-16 text"
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		return "a gzip file"
	case bytes.HasPrefix(data, []byte("\x7fELF")):
		return "a program"
	}
	return ""
}

// text reports the first byte that is not UTF-8, or a control character.
func (d *decoder) text(data string) bool {
	for i, r := range data {
		var what string
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(data[i:], "\ufffd"):
			what = fmt.Sprintf("the byte 0x%02x is not UTF-8", data[i])
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == 0x7f, r >= 0x80 && r < 0xa0 && r != 0x85:
			what = fmt.Sprintf("the control character U+%04X can't stand in a config", r)
		default:
			continue
		}
		d.at(positionOf(data, i), 1, what, "")
		return false
	}
	return true
}

// positionOf returns the place of a byte offset.
func positionOf(data string, offset int) Pos {
	lines := splitLines(data[:min(max(offset, 0), len(data))])
	last := lines[len(lines)-1]
	return Pos{Line: len(lines), Column: utf8.RuneCountInString(last) + 1}
}

// splitLines cuts a text where YAML breaks lines; there is at least one line.
func splitLines(data string) []string {
	var lines []string
	start := 0
	for i := 0; i < len(data); {
		size := lineBreak(data[i:])
		if size == 0 {
			i++
			continue
		}
		lines = append(lines, data[start:i])
		i += size
		start = i
	}
	return append(lines, data[start:])
}

// lineBreak returns the length of the line break that s begins with, or 0.
func lineBreak(s string) int {
	switch {
	case strings.HasPrefix(s, "\r\n"), strings.HasPrefix(s, "\u0085"):
		return 2
	case s[0] == '\n', s[0] == '\r':
		return 1
	case strings.HasPrefix(s, "\u2028"), strings.HasPrefix(s, "\u2029"):
		return 3
	}
	return 0
}

// loadError records where the text stops being YAML.
func (d *decoder) loadError(err error) {
	var e *yaml.LoadError
	if !errors.As(err, &e) {
		d.at(Pos{Line: 1, Column: 1}, 1, "the file is not YAML: "+err.Error(), "")
		return
	}
	pos := Pos{Line: e.Mark.Line, Column: e.Mark.Column}
	if pos.IsZero() {
		pos = positionOf(strings.Join(d.lines, "\n"), e.Mark.Index)
	}
	pos = d.inside(pos)
	message, suggestion := e.Message, ""
	if e.ContextMsg != "" {
		message += " " + e.ContextMsg
	}
	line := d.lines[pos.Line-1]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	switch {
	case strings.Contains(indent, "\t"):
		d.at(pos, 1, "a tab can't indent in YAML", "use blanks")
		return
	case strings.Contains(line, ": *") || strings.Contains(line, "- *") || strings.Contains(line, "[*") || strings.Contains(line, ", *"):
		suggestion = `a pattern that begins with "*" needs quotes`
	case strings.Contains(message, "mapping values are not allowed"):
		suggestion = `a text that holds ": " needs quotes`
	}
	d.at(pos, 1, "the file is not YAML: "+message, suggestion)
}

// inside moves a place to the nearest one that the file has: a parser that
// misses something points behind the end.
func (d *decoder) inside(p Pos) Pos {
	if p.Line > len(d.lines) {
		p = Pos{Line: len(d.lines), Column: mostCount}
	}
	p.Line = max(p.Line, 1)
	p.Column = min(max(p.Column, 1), utf8.RuneCountInString(d.lines[p.Line-1])+1)
	return p
}

// Find looks for a config in dir and its parents, up to the root of the
// repository that dir is in (a directory that holds .git), and returns its
// path.
func Find(dir string) (path string, ok bool) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", false
	}
	for {
		for _, file := range fileNames {
			path := filepath.Join(dir, file)
			if _, err := os.Lstat(path); err == nil {
				return path, true
			}
		}
		if isRepositoryRoot(dir) {
			return "", false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
}

// isRepositoryRoot reports a directory above which no config is looked for.
func isRepositoryRoot(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}
