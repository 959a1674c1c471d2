package capture

import (
	"os"
	"strings"
)

// Bounds of response files that name each other.
const (
	maxResponseDepth = 8
	maxResponseFiles = 256
)

// responses reads response files.
type responses struct {
	dir   string // where relative ones lie
	kind  compilerKind
	files int // read so far
	// unread is the first one that is there and can't be read ahead of the
	// compiler: a pipe has its words for one reader.
	unread string
}

// expand puts the words of response files (-optf, --options-file, and
// the @file that CMake and ninja write for other drivers) in their place. It
// serves to understand a command line, never to run it: a file that can't be
// read is left to nvcc to complain about.
func (r *responses) expand(words []string, depth int) []string {
	var out []string
	for len(words) > 0 {
		word, n := words[0], 1
		var files []string
		switch {
		case strings.HasPrefix(word, "@") && len(word) > 1:
			files = []string{word[1:]}
		case strings.HasPrefix(word, "-"):
			var o option
			if r.kind == clang {
				break // it has no other form
			}
			if o, n = nextOption(words); o.name == "options-file" {
				files = strings.Split(o.value, ",")
			}
		}
		if files == nil {
			out = append(out, words[:n]...)
		}
		for _, f := range files {
			if text, ok := r.read(f, depth); ok {
				out = append(out, r.expand(responseWords(text), depth+1)...)
			}
		}
		words = words[n:]
	}
	return out
}

// read returns the text of a response file.
func (r *responses) read(file string, depth int) (string, bool) {
	path := inDir(r.dir, file)
	if _, err := os.Stat(path); err != nil {
		return "", false
	}
	r.files++
	if depth >= maxResponseDepth || r.files > maxResponseFiles {
		r.missed(file)
		return "", false
	}
	text, err := readWhole(path, maxResponseBytes)
	if err != nil {
		r.missed(file)
	}
	return string(text), err == nil
}

func (r *responses) missed(file string) {
	if r.unread == "" {
		r.unread = file
	}
}

// responseWords splits the text of a response file: at white space, except
// inside single or double quotes; a backslash takes the next quote or blank
// as it is.
func responseWords(text string) []string {
	var words []string
	var word strings.Builder
	var quote byte
	started := false
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case ch == '\\' && i+1 < len(text) && strings.IndexByte("\"' \\\t", text[i+1]) >= 0:
			i++
			word.WriteByte(text[i])
			started = true
		case quote != 0 && ch == quote:
			quote = 0
		case quote == 0 && (ch == '"' || ch == '\''):
			quote, started = ch, true
		case quote == 0 && strings.IndexByte(" \t\r\n", ch) >= 0:
			if started {
				words = append(words, word.String())
				word.Reset()
				started = false
			}
		default:
			word.WriteByte(ch)
			started = true
		}
	}
	if started {
		words = append(words, word.String())
	}
	return words
}
