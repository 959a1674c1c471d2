package container

import (
	"bytes"
	"strconv"
	"strings"
)

const (
	archiveMagic  = 8
	archiveHeader = 60
	maxLongNames  = 64 << 20
)

// archive reads a static library: headers of 60 bytes of text, each with a
// member behind it, padded to 2. "//" holds long names, "/123" is one of them;
// BSD's "#1/12" has the name in front of the member.
func (w *walker) archive(f file) {
	var long []byte
	for at := int64(archiveMagic); at < f.Size(); {
		head, ok := f.bytes(at, archiveHeader)
		if !ok || string(head[58:]) != "`\n" {
			w.fault(f.member, at, "no member of an archive begins here: the file is cut, or damaged")
			return
		}
		size, err := strconv.ParseInt(strings.TrimSpace(string(head[48:58])), 10, 64)
		start := at + archiveHeader
		if err != nil || size < 0 {
			w.fault(f.member, at, "a member of an archive without a size")
			return
		}
		if size > f.Size()-start {
			w.fault(f.member, at, "a member of %d bytes where %d are left: the file is cut, or damaged", size, f.Size()-start)
			size = f.Size() - start
		}
		name := strings.TrimRight(string(head[:16]), " ")
		switch {
		case name == "//":
			long, _ = f.bytes(start, min(size, maxLongNames))
		case name == "/" || name == "/SYM64/" || strings.HasPrefix(name, "__.SYMDEF"):
		default:
			w.member(f, name, long, start, size)
		}
		at = start + size + size&1
	}
}

// member reads one member of an archive.
func (w *walker) member(f file, name string, long []byte, start, size int64) {
	if digits, found := strings.CutPrefix(name, "#1/"); found {
		if n, err := strconv.ParseInt(digits, 10, 32); err == nil && n >= 0 && n <= size {
			b, _ := f.bytes(start, n)
			name, start, size = string(bytes.TrimRight(b, "\x00")), start+n, size-n
		}
	} else if at, err := strconv.ParseInt(strings.TrimPrefix(name, "/"), 10, 32); err == nil && name[0] == '/' && at >= 0 && at < int64(len(long)) {
		line, _, _ := bytes.Cut(long[at:], []byte("\n"))
		name = string(line)
	}
	name = strings.TrimSuffix(name, "/")
	w.walk(file{f.at(start, size), f.inner(name), f.depth + 1})
}
