package profile

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is one field of a message.
type field struct {
	number protowire.Number
	kind   protowire.Type
	bits   uint64 // a varint or fixed number
	bytes  []byte // of a field with a length
}

// fields calls each for the fields of a message, in order; false for a message
// that is malformed. Groups are skipped; nothing recurses here but the
// package's own skipping of them, which bounds its depth.
func fields(b []byte, each func(f field)) bool {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return false
		}
		b = b[n:]
		f := field{number: number, kind: kind}
		switch kind {
		case protowire.VarintType:
			f.bits, n = protowire.ConsumeVarint(b)
		case protowire.Fixed32Type:
			var x uint32
			x, n = protowire.ConsumeFixed32(b)
			f.bits = uint64(x)
		case protowire.Fixed64Type:
			f.bits, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(number, kind, b)
		}
		if n < 0 {
			return false
		}
		b = b[n:]
		each(f)
	}
	return true
}

// repHeader is what is read of a BlockHeader.
type repHeader struct {
	sources, results, payload uint32
	ranges                    uint32 // of ranges, command lists and graphs
	strings                   []string
}

// mostStrings bounds the string table: reports have some thousands of metrics.
const mostStrings = 1 << 18

func repBlockHeader(b []byte) (h repHeader, ok bool) {
	inner := true
	ok = fields(b, func(f field) {
		switch f.number {
		case 1:
			h.sources = uint32(f.bits)
		case 2:
			h.results = uint32(f.bits)
		case 4:
			inner = inner && fields(f.bytes, func(s field) {
				if s.number == 1 && len(h.strings) < mostStrings {
					h.strings = append(h.strings, string(s.bytes[:min(len(s.bytes), mostName)]))
				}
			})
		case 5:
			h.payload = uint32(f.bits)
		case 7, 8, 9:
			h.ranges += uint32(min(f.bits, 1))
		default:
		}
	})
	return h, ok && inner
}

// repSpecial is a metric that is no number of the launch.
type repSpecial uint8

const (
	repNone repSpecial = iota
	repMajor
	repMinor
	repDevice
)

func repSpecialOf(metric string) repSpecial {
	switch metric {
	case "device__attribute_compute_capability_major":
		return repMajor
	case "device__attribute_compute_capability_minor":
		return repMinor
	case deviceName:
		return repDevice
	}
	return repNone
}

// source keeps the device binary of a SourceData message.
func (d *repReader) source(b []byte) {
	ok := fields(b, func(f field) {
		if f.number == 4 && len(f.bytes) > 0 {
			d.keep(f.bytes)
		}
	})
	if !ok {
		d.report.problem(0, fmt.Sprintf("a source entry before byte %d can't be read", d.at))
	}
}

// keep gives a device binary on, unless the report had it before: it has one
// for each result.
func (d *repReader) keep(data []byte) {
	h := sha256.Sum256(data)
	if d.seen[h] || d.binaries == nil || len(d.seen) >= mostBinaries {
		return
	}
	d.seen[h] = true
	d.report.Binaries++
	d.binaries(&Binary{fmt.Sprintf("%s:binary%d", d.report.File, d.report.Binaries), data})
}

// result reads a ProfileResult.
func (d *repReader) result(b []byte) error {
	c := collector{}
	l := &c.launch
	l.Merged, l.Kernels = 1, 1
	l.ID = strconv.Itoa(d.report.Launches)
	l.Place = Place{d.report.File, 0}
	major, minor, revision := -1, -1, uint64(0)
	ok := fields(b, func(f field) {
		switch f.number {
		case 5:
			l.Names.Mangled = cutName(d.names.of(f.bytes))
		case 6:
			l.Names.Function = cutName(d.names.of(f.bytes))
		case 7:
			l.Names.Demangled = cutName(d.names.of(f.bytes))
		case 10:
			l.Grid = repDim(f.bytes)
		case 11:
			l.Block = repDim(f.bytes)
		case 13:
			d.metric(f.bytes, &c, &major, &minor)
		case 15:
			revision = repRevision(f.bytes)
		case 30:
			if f.bits == 1 {
				l.Values.Set(UsesGreenContext, 1)
			}
		default:
		}
	})
	if !ok {
		d.report.problem(0, fmt.Sprintf("result %s, before byte %d, can't be read", l.ID, d.at))
	}
	switch {
	case major >= 0 && minor >= 0:
		l.Arch = fmt.Sprintf("sm_%d%d", major, minor)
	case revision > 0:
		l.Arch = fmt.Sprintf("sm_%d", revision)
	}
	d.report.Launches++
	return d.sink(l)
}

// metric reads a ProfileMetricResult: 1 the name's number in the string
// table, 2 the value.
func (d *repReader) metric(b []byte, c *collector, major, minor *int) {
	id, text, x, has := uint64(math.MaxUint64), []byte(nil), 0.0, false
	fields(b, func(f field) {
		switch f.number {
		case 1:
			id = f.bits
		case 2:
			fields(f.bytes, func(v field) {
				has = true
				switch v.number {
				case 1:
					text, has = v.bytes, false
				case 2:
					x = float64(math.Float32frombits(uint32(v.bits)))
				case 3:
					x = math.Float64frombits(v.bits)
				case 4, 5:
					x = float64(v.bits)
				default:
				}
			})
		default:
		}
	})
	if id >= uint64(len(d.to)) {
		return
	}
	switch d.is[id] {
	case repMajor:
		*major = int(min(max(x, 0), 99))
	case repMinor:
		*minor = int(min(max(x, 0), 9))
	case repDevice:
		c.launch.Device = cutName(d.names.of(text))
	case repNone:
	}
	if t := &d.to[id]; t.use && has && !math.IsNaN(x) && !math.IsInf(x, 0) {
		c.put(t, x, baseUnit[t.kind])
	}
}

// baseUnit is the unit that a report has of each kind: exports scale, it
// doesn't.
var baseUnit = map[kind]string{ofCount: "", ofTime: "ns", ofSize: "byte", ofPercent: "%"}

func repDim(b []byte) (d Dim) {
	fields(b, func(f field) {
		if n := int(f.number) - 1; n >= 0 && n < len(d) && f.bits <= mostOf {
			d[n] = int64(f.bits)
		}
	})
	return d
}

func repRevision(b []byte) (revision uint64) {
	fields(b, func(f field) {
		if f.number == 6 && f.bits < 10000 {
			revision = f.bits
		}
	})
	return revision
}
