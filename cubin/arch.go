package cubin

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Tool is a program that made or linked the image, as .note.nv.tkinfo states
// it (CUDA 13).
type Tool struct {
	Name    string // "ptxas"
	Version string // "Cuda compilation tools, release 13.0, V13.0.88"
	Build   string
	Options string // its command line: "-v -arch sm_90a -m 64"
}

// readArch fills architecture and toolkit from the header and the notes.
func (f *File) readArch(h header) {
	f.ABI = int(h.abi)
	f.Relocatable = h.relocatable
	if h.abi == 7 {
		f.SM, f.VirtualSM = int(h.flags&0xff), int(h.flags>>16&0xff)
		f.Arch = "sm_" + strconv.Itoa(f.SM)
		if h.flags&0x800 != 0 {
			f.Arch += "a"
		}
		f.Toolkit = release(h.version)
		return
	}
	f.SM = int(h.flags >> 8 & 0xff)
	f.Arch = "sm_" + strconv.Itoa(f.SM)
	for i := range f.Sections {
		switch s := &f.Sections[i]; s.Name {
		case ".note.nv.tkinfo":
			f.Tools = append(f.Tools, readTools(s.Data)...)
		case ".note.nv.cuinfo":
			f.readCUInfo(s.Data)
		}
	}
	for _, t := range f.Tools {
		if suffix := archSuffix(t.Options, f.Arch); suffix != "" {
			f.Arch += suffix
			break
		}
	}
	for _, t := range f.Tools {
		if v := releaseOf(t.Version); v != "" {
			f.Toolkit = v
			break
		}
	}
}

// Notes: type 2000 of .note.nv.tkinfo and 1000 of .note.nv.cuinfo.
const (
	noteToolkit = 2000
	noteCUDA    = 1000
	// toolFields is the number of words in front of a tool note's strings:
	// a version, then the offsets of an object's name, the tool, its
	// version, its build and its options.
	toolFields = 6
)

// maxTools bounds how many notes are kept: an image has one, a linked one a few.
const maxTools = 16

func readTools(data []byte) (tools []Tool) {
	for typ, desc := range notes(data) {
		if typ != noteToolkit || len(desc) < 4*toolFields || len(tools) == maxTools {
			continue
		}
		text := desc[4*toolFields:]
		field := func(i int) string {
			at := binary.LittleEndian.Uint32(desc[4*i:])
			if uint64(at) >= uint64(len(text)) {
				return ""
			}
			return strings.Join(strings.Fields(cString(text[at:])), " ")
		}
		tools = append(tools, Tool{Name: field(2), Version: field(3), Build: field(4), Options: field(5)})
	}
	return tools
}

// readCUInfo takes the virtual architecture from bytes 2-3 of the CUDA note
// and the toolkit from bytes 4-5: 0x82 is 13.0.
func (f *File) readCUInfo(data []byte) {
	for typ, desc := range notes(data) {
		if typ == noteCUDA && len(desc) >= 6 && f.Toolkit == "" {
			f.VirtualSM = int(binary.LittleEndian.Uint16(desc[2:]))
			f.Toolkit = release(uint32(binary.LittleEndian.Uint16(desc[4:])))
		}
	}
}

// notes iterates over the notes of a section (ELF: name size, description
// size, type, then both padded to 4).
func notes(data []byte) func(func(typ uint32, desc []byte) bool) {
	return func(yield func(uint32, []byte) bool) {
		for len(data) >= 12 {
			name := uint64(binary.LittleEndian.Uint32(data))
			desc := uint64(binary.LittleEndian.Uint32(data[4:]))
			typ := binary.LittleEndian.Uint32(data[8:])
			at := 12 + (name+3)&^3
			end := at + desc
			if end > uint64(len(data)) || !yield(typ, data[at:end]) {
				return
			}
			data = data[min((end+3)&^3, uint64(len(data))):]
		}
	}
}

// release writes a toolkit's number with its point: 124 is "12.4".
func release(n uint32) string {
	if n < 10 || n > 1000 {
		return ""
	}
	return strconv.Itoa(int(n/10)) + "." + strconv.Itoa(int(n%10))
}

// releaseOf cuts "13.0" out of "Cuda compilation tools, release 13.0, V13.0.88".
func releaseOf(version string) string {
	_, rest, found := strings.Cut(version, "release ")
	if !found {
		return ""
	}
	v, _, _ := strings.Cut(rest, ",")
	return v
}

// archSuffix finds the letter behind the architecture in a command line, as
// in "-arch sm_90a" or "-arch=sm_90a". The header of ABI 8 does not tell.
func archSuffix(options, arch string) string {
	for word := range strings.FieldsFuncSeq(options, func(r rune) bool { return r == ' ' || r == '=' || r == ',' }) {
		if s, found := strings.CutPrefix(word, arch); found && (s == "a" || s == "f") {
			return s
		}
	}
	return ""
}
