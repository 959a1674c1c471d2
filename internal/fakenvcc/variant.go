package fakenvcc

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A call that keeps its PTX (--keep-dir) and includes a header with other
// launch bounds is answered from further recordings: besides gemm.log there may
// be gemm@256,6.log for the bounds (256, 6), gemm@256.log, gemm@none.log, and
// gemm@lines for the header that makes PTX tell lines. gemm.ptx and gemm@….ptx
// are the PTX of each, gemm.code and gemm@….code have a line for each kernel of
// the cubin: its name and a text that stands for its machine code. Where a
// variant has no recording of its own, that of the source as it is answers, as
// a compiler would that the header does not reach.

// keeping is what such a call asks for.
type keeping struct {
	include string
	dir     string // of --keep-dir
}

func (k *keeping) option(name, value string) {
	switch name {
	case "-include":
		k.include = value
	case "--keep-dir":
		k.dir = value
	}
}

var (
	ourBounds = regexp.MustCompile(`(?m)^#define (?:OCCLINT_AT_[0-9]+ ,|__global__ __attribute__\(\(global\)\)) ?(?:__attribute__\(\(launch_bounds\(([^()]*)\)\)\))?$`)
	asksLines = regexp.MustCompile(`launch_bounds\([0-9]+, __LINE__\)`)
)

// variant names the bounds of the included header; empty where it has none.
func (k *keeping) variant() string {
	text, err := os.ReadFile(k.include)
	if k.include == "" || err != nil {
		return ""
	}
	if asksLines.Match(text) {
		return "@lines"
	}
	m := ourBounds.FindSubmatch(text)
	switch {
	case m == nil:
		return ""
	case len(m[1]) == 0:
		return "@none"
	}
	numbers := strings.Split(strings.ReplaceAll(string(m[1]), " ", ""), ",")
	if len(numbers) > 2 {
		numbers = numbers[:2] // the third bound is no variant's
	}
	if len(numbers) == 2 && numbers[1] == "0" {
		numbers = numbers[:1]
	}
	return "@" + strings.Join(numbers, ",")
}

// recording reads a recording of a source: the variant's own, else that of the
// source as it is.
func (n *nvcc) recording(source, stem, ext string) (string, bool) {
	names := []string{stem + ext}
	if v := n.variant(); v != "" {
		names = append([]string{stem + v + ext}, names...)
	}
	dirs := append(filepath.SplitList(n.env("FAKENVCC_LOGS")), filepath.Join(filepath.Dir(source), "replay"))
	for _, name := range names {
		for _, dir := range dirs {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				return string(text), true
			}
		}
	}
	return "", false
}

// keep leaves what --keep does, and the cubin.
func (n *nvcc) keep(source, stem string) bool {
	if n.dir == "" {
		return true
	}
	path := filepath.Join(n.dir, stem+".ptx")
	if n.mode == "-ptx" {
		path = n.output
	}
	ptx, ok := n.recording(source, stem, ".ptx")
	if ok && os.WriteFile(path, []byte(ptx), 0o600) != nil {
		return false
	}
	code, ok := n.recording(source, stem, ".code")
	if n.mode != "-cubin" || !ok {
		return true
	}
	return os.WriteFile(n.output, cubinOf(code), 0o600) == nil
}

// cubinOf makes the smallest file that a reader of cubins finds machine code
// in: a section for each kernel.
func cubinOf(code string) []byte {
	type section struct{ name, data string }
	sections := []section{{}}
	for line := range strings.Lines(code) {
		if kernel, text, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			sections = append(sections, section{".text." + kernel, text})
		}
	}
	names := "\x00"
	sections = append(sections, section{name: ".shstrtab"})
	header := elf.Header64{
		Type: uint16(elf.ET_EXEC), Machine: 190, Version: 124, Ehsize: 64, Shentsize: 64, //nolint:mnd // as a cubin's
		Shnum: uint16(len(sections)), Shstrndx: uint16(len(sections) - 1),
	}
	copy(header.Ident[:], elf.ELFMAG+"\x02\x01\x01\x33\x07")
	table := make([]elf.Section64, len(sections))
	var data bytes.Buffer
	for i, s := range sections[1:] {
		h := &table[i+1]
		h.Name, h.Type = uint32(len(names)), uint32(elf.SHT_PROGBITS)
		names += s.name + "\x00"
		if s.name == ".shstrtab" {
			s.data, h.Type = names, uint32(elf.SHT_STRTAB)
		}
		h.Off, h.Size = uint64(64+data.Len()), uint64(len(s.data)) // behind the header
		data.WriteString(s.data)
	}
	header.Shoff = uint64(64 + data.Len()) // behind the data
	var out bytes.Buffer
	for _, part := range []any{header, data.Bytes(), table} {
		_ = binary.Write(&out, binary.LittleEndian, part) // a Buffer takes everything
	}
	return out.Bytes()
}
