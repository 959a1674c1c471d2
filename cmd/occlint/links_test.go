package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	fencedBlock = regexp.MustCompile("(?ms)^ *(```|~~~).*?^ *(```|~~~) *$")
	codeSpan    = regexp.MustCompile("``[^`]+``|`[^`\n]+`")
	inlineLink  = regexp.MustCompile(`\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)`)
	linkTarget  = regexp.MustCompile(`(?m)^ {0,3}\[[^\]]+\]: +<?([^\s>]+)`)
	attribute   = regexp.MustCompile(`(?:src|srcset|href)="([^"]+)"`)
	heading     = regexp.MustCompile(`(?m)^ {0,3}#{1,6} +(.+?)(?: +#+)? *$`)
	anchorTag   = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
)

// TestLinks: what a Markdown file of the repository links to in the repository
// is there, and so is the heading.
func TestLinks(t *testing.T) {
	root := filepath.Join("..", "..")
	links := 0
	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == ".git" || e.Name() == "golden"): // reports on hostile names are no documents
			return fs.SkipDir
		case e.IsDir() || filepath.Ext(file) != ".md":
			return nil
		}
		links += checkLinks(t, root, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if links < 50 {
		t.Errorf("%d links: the pattern or the place of the documentation is wrong", links)
	}
}

// checkLinks returns how many links of a file lead into the repository.
func checkLinks(t *testing.T, root, file string) (links int) {
	for _, link := range linksOf(t, file) {
		if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
			continue
		}
		links++
		target, fragment, _ := strings.Cut(link, "#")
		to := file
		if target != "" {
			to = filepath.Join(filepath.Dir(file), filepath.FromSlash(target))
		}
		inside, err := filepath.Rel(root, to)
		if err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator)) || path.IsAbs(target) {
			t.Errorf("%s: %s leads out of the repository", file, link)
			continue
		}
		if _, err := os.Stat(to); err != nil {
			t.Errorf("%s: %s: there is no such file", file, link)
			continue
		}
		if fragment != "" && filepath.Ext(to) == ".md" && !anchorsOf(t, to)[fragment] {
			t.Errorf("%s: %s: there is no such heading", file, link)
		}
	}
	return links
}

func readMarkdown(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return fencedBlock.ReplaceAllString(string(text), "")
}

// linksOf lists the targets of a file's links and images, outside of code.
func linksOf(t *testing.T, file string) (links []string) {
	text := codeSpan.ReplaceAllString(readMarkdown(t, file), "")
	for _, pattern := range []*regexp.Regexp{inlineLink, linkTarget, attribute} {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			links = append(links, m[1])
		}
	}
	return links
}

// anchorsOf makes the anchors of a file's headings as GitHub does: lower case,
// without punctuation, blanks as dashes.
func anchorsOf(t *testing.T, file string) map[string]bool {
	anchors := map[string]bool{}
	text := readMarkdown(t, file)
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		anchors[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, m[1])] = true
	}
	for _, m := range anchorTag.FindAllStringSubmatch(text, -1) {
		anchors[m[1]] = true
	}
	return anchors
}

// The test itself: a link that leads nowhere is found, one in code is none.
func TestLinksAreRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.md")
	text := "# A `Title`, of 2\n[x](b.md#c) ![y](<d.svg> \"z\") `[code](no.md)`\n\n```sh\n[block](no.md)\n```\n[r]: e.md\n<img src=\"f.png\">\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(linksOf(t, file), " "), "b.md#c d.svg e.md f.png"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !anchorsOf(t, file)["a-title-of-2"] {
		t.Errorf("anchors %v", anchorsOf(t, file))
	}
}
