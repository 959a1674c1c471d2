package capture

import (
	"bytes"
	"debug/elf"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// linkInput is a file that a link took its device code from, as it was before
// the link.
type linkInput struct {
	Path string `json:"path"` // canonical
	fileState
	// Members are those of an archive, by their content: which objects they
	// are, only that tells.
	Members []linkMember `json:"members,omitempty"`
}

// linkMember is a member of an archive.
type linkMember struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	CRC32C uint32 `json:"crc32c"`
	Device bool   `json:"device,omitempty"` // it has device code that a link settles
}

// linkInputs are the objects and archives that a link of device code reads.
// Libraries of other directories that -l names are looked for as the linker
// does; one that is not found is the linker's to report.
func (c *call) linkInputs(dir string) []linkInput {
	if c.action != deviceLinks && c.action != links {
		return nil
	}
	var list []linkInput
	add := func(path string) {
		path = canonical(dir, path)
		state, err := stateOf(path)
		if err != nil || slices.ContainsFunc(list, func(in linkInput) bool { return in.Path == path }) {
			return
		}
		in := linkInput{Path: path, fileState: state}
		if state.Bytes <= maxChecksummed {
			in.Members = archiveMembers(path)
		}
		list = append(list, in)
	}
	sources := c.deviceSources()
	for _, in := range c.inputs {
		if !slices.Contains(sources, in) && !strings.HasPrefix(in, "@") {
			add(in)
		}
	}
	for _, lib := range c.all("library") {
		for _, d := range c.all("library-path") {
			path := inDir(dir, filepath.Join(d, "lib"+lib+".a"))
			if exists(path) {
				add(path)
				break
			}
		}
	}
	return list
}

// Layout of an ar archive, which is a global header and members that each
// begin with 60 bytes of text: name 16, date 12, owner 6, group 6, mode 8,
// size 10, end 2 (System V Application Binary Interface, chapter 7).
const (
	arMagic     = "!<arch>\n"
	arHeader    = 60
	arSizeAt    = 48
	arSizeEnd   = 58
	mostMembers = 1 << 16
	arLongNames = "//"
	arSymbols   = "/"
	arSymbols64 = "/SYM64/"
	relocatable = "__nv_relfatbin" // the section of code that nvlink has to settle
)

// archiveMembers lists the members of an archive; nil for any other file, and
// for one that ends before it says it does.
func archiveMembers(path string) []linkMember {
	data, err := readWhole(path, maxChecksummed)
	if err != nil || !bytes.HasPrefix(data, []byte(arMagic)) {
		return nil
	}
	var members []linkMember
	var long []byte
	for at := len(arMagic); at+arHeader <= len(data) && len(members) < mostMembers; {
		head := data[at : at+arHeader]
		size, err := strconv.Atoi(strings.TrimSpace(string(head[arSizeAt:arSizeEnd])))
		at += arHeader
		if err != nil || size < 0 || size > len(data)-at {
			return nil
		}
		body, name := data[at:at+size], strings.TrimRight(string(head[:16]), " ")
		at += size + size%2
		switch name {
		case arSymbols, arSymbols64:
			continue
		case arLongNames:
			long = body
			continue
		}
		members = append(members, linkMember{
			Name: memberName(name, long), Bytes: int64(size), CRC32C: crc32.Checksum(body, castagnoli()),
			Device: needsLink(bytes.NewReader(body)),
		})
	}
	return members
}

// memberName is the name of a member, which may be an offset into the table of
// long names.
func memberName(name string, long []byte) string {
	if at, err := strconv.Atoi(strings.TrimPrefix(name, "/")); err == nil && strings.HasPrefix(name, "/") && at >= 0 && at < len(long) {
		name, _, _ = strings.Cut(string(long[at:]), "\n")
	}
	return strings.TrimSuffix(name, "/")
}

// needsLink reports whether a file has device code that a device link settles.
// A file of no format that is known here counts as one: to device links go
// objects, and what can't be read is not known to be harmless.
func needsLink(r io.ReaderAt) bool {
	f, err := elf.NewFile(r)
	if err != nil {
		return true
	}
	const emCUDA = 190 // EM_CUDA: a cubin
	return f.Machine == emCUDA || f.Section(relocatable) != nil
}

func fileNeedsLink(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // read only
	return needsLink(f)
}
