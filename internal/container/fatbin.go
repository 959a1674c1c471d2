package container

import (
	"encoding/binary"
	"strconv"
)

const (
	containerMagic  = 0xBA55ED50
	containerHeader = 16
	entryHeader     = 64
	maxEntryHeader  = 1 << 20 // it can hold a source's name and the compiler's options
	scanBlock       = 64 << 10
)

// Flags of an entry.
const (
	flagLZ4  = 0x2000
	flagZstd = 0x8000
)

// containers reads the containers of a section, one after the other. Between
// them is padding to a multiple of 8.
func (w *walker) containers(f file, from, size int64) {
	end := from + size
	for at := from; at+containerHeader <= end; {
		head, ok := f.bytes(at, containerHeader)
		if !ok {
			w.fault(f.member, at, "the file ends inside the header of a fat binary")
			return
		}
		if binary.LittleEndian.Uint32(head) != containerMagic {
			at = w.nextMagic(f, at, end)
			continue
		}
		header := int64(binary.LittleEndian.Uint16(head[6:]))
		length := binary.LittleEndian.Uint64(head[8:])
		if header < containerHeader || header > end-at {
			w.fault(f.member, at, "a fat binary with a header of %d bytes", header)
			return
		}
		first := at + header
		last := end
		if length > uint64(end-first) {
			w.fault(f.member, at, "a fat binary of %d bytes where %d are left: the file is cut, or damaged", length, end-first)
		} else {
			last = first + int64(length)
		}
		w.entries(f, first, last)
		at = (last-from+7)&^7 + from
	}
}

// nextMagic finds the next container at a multiple of 8 from here.
func (w *walker) nextMagic(f file, at, end int64) int64 {
	for at < end {
		block, ok := f.bytes(at, min(scanBlock, end-at))
		if !ok {
			return end
		}
		for i := 0; i+4 <= len(block); i += 8 {
			if binary.LittleEndian.Uint32(block[i:]) == containerMagic {
				return at + int64(i)
			}
		}
		at += int64(len(block)+7) &^ 7
	}
	return end
}

// entries reads the entries of one container.
func (w *walker) entries(f file, at, end int64) {
	for at+entryHeader <= end {
		head, ok := f.bytes(at, entryHeader)
		if !ok {
			w.fault(f.member, at, "the file ends inside the header of an entry")
			return
		}
		header := int64(binary.LittleEndian.Uint32(head[4:]))
		payload := binary.LittleEndian.Uint64(head[8:])
		if header < entryHeader || header > maxEntryHeader || header > end-at {
			w.fault(f.member, at, "an entry with a header of %d bytes", header)
			return
		}
		start := at + header
		if payload > uint64(end-start) {
			w.fault(f.member, at, "an entry of %d bytes where %d are left: the file is cut, or damaged", payload, end-start)
			return
		}
		w.entry(f, head, start, int64(payload))
		at = start + int64(payload)
	}
}

// entry hands over one entry of a container.
func (w *walker) entry(f file, head []byte, start, payload int64) {
	packed := int64(binary.LittleEndian.Uint32(head[16:]))
	flags := binary.LittleEndian.Uint64(head[40:])
	unpacked := binary.LittleEndian.Uint64(head[56:])
	e := item{
		Entry: Entry{
			Kind: Other, Member: f.member, Offset: start, Size: payload,
			Arch: "sm_" + strconv.Itoa(int(binary.LittleEndian.Uint32(head[28:]))),
		},
		src: f, unpacked: payload,
	}
	switch binary.LittleEndian.Uint16(head) {
	case 1:
		e.Kind = PTX
	case 2:
		e.Kind = Cubin
	case 8:
		// What is in it is scrambled, and no number could be read from it.
		e.Kind, e.method = LTO, none
		w.visit(e)
		return
	default:
		e.method = none
		w.visit(e)
		return
	}
	if flags&(flagLZ4|flagZstd) != 0 && packed != 0 {
		if packed > payload {
			w.fault(f.member, start, "%d compressed bytes in an entry of %d", packed, payload)
			return
		}
		e.Size = packed
		e.method = lz4Block
		if flags&flagZstd != 0 {
			e.method = zstdFrame
		}
		if unpacked > MaxEntry {
			w.fault(f.member, start, "an entry that would unpack to %d bytes; up to %d are read", unpacked, MaxEntry)
			return
		}
		e.unpacked = int64(unpacked)
	}
	w.visit(e)
}
