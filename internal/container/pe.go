package container

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

const (
	coffHeader  = 20
	coffSection = 40
	coffSymbol  = 18
)

// pe reads a Windows executable, library or object. Its section names have
// eight bytes; an object keeps longer ones in its string table.
func (w *walker) pe(f file) {
	head, ok := f.bytes(0, min(f.Size(), 64))
	if !ok || len(head) < coffHeader {
		return
	}
	at, isObject := int64(0), true
	if string(head[:2]) == "MZ" {
		if len(head) < 64 {
			return // a DOS program
		}
		at, isObject = int64(binary.LittleEndian.Uint32(head[60:])), false
		if sign, ok := f.bytes(at, 4); !ok || string(sign) != "PE\x00\x00" {
			return
		}
		at += 4
	}
	coff, ok := f.bytes(at, coffHeader)
	if !ok {
		w.fault(f.member, at, "the file ends inside the PE header")
		return
	}
	count := int64(binary.LittleEndian.Uint16(coff[2:]))
	first := at + coffHeader + int64(binary.LittleEndian.Uint16(coff[16:]))
	headers, ok := f.bytes(first, count*coffSection)
	if !ok {
		w.fault(f.member, first, "%d section headers behind the end of the file (%d bytes)", count, f.Size())
		return
	}
	strings := int64(binary.LittleEndian.Uint32(coff[8:])) + int64(binary.LittleEndian.Uint32(coff[12:]))*coffSymbol
	var linked, unlinked []section
	for ; len(headers) >= coffSection; headers = headers[coffSection:] {
		s := section{int64(binary.LittleEndian.Uint32(headers[20:])), int64(binary.LittleEndian.Uint32(headers[16:]))}
		switch name := f.coffName(headers[:8], strings); name {
		case linkedSection, ".nv_fatb", ".nvFatBi":
			// .nvFatBi is also how .nvFatBinSegment is cut: pointers, in which
			// the scan for containers finds none.
			linked = append(linked, s)
		case unlinkedSection, "__nv_rel":
			unlinked = append(unlinked, s)
		}
	}
	w.deviceCode(f, linked, unlinked, isObject)
}

// coffName reads a section's name: in place, or "/123" for an offset in the
// string table.
func (f file) coffName(b []byte, table int64) string {
	if end := bytes.IndexByte(b, 0); end >= 0 {
		b = b[:end]
	}
	if len(b) > 1 && b[0] == '/' {
		if at, err := strconv.ParseInt(string(b[1:]), 10, 32); err == nil && table > 0 {
			long, ok := f.bytes(table+at, min(64, max(0, f.Size()-table-at)))
			if end := bytes.IndexByte(long, 0); ok && end >= 0 {
				return string(long[:end])
			}
		}
	}
	return string(b)
}
