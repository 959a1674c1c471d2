package profile

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// message appends fields: a number as a varint, text and messages with their
// length, a float64 as eight bytes.
func message(list ...any) []byte {
	var b []byte
	for i := 0; i < len(list); i += 2 {
		number := protowire.Number(list[i].(int))
		switch v := list[i+1].(type) {
		case int:
			b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), uint64(v))
		case float64:
			b = protowire.AppendFixed64(protowire.AppendTag(b, number, protowire.Fixed64Type), math.Float64bits(v))
		case float32:
			b = protowire.AppendFixed32(protowire.AppendTag(b, number, protowire.Fixed32Type), math.Float32bits(v))
		case string:
			b = protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), v)
		case []byte:
			b = protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v)
		}
	}
	return b
}

func sized(b []byte) string {
	return string(binary.LittleEndian.AppendUint32(nil, uint32(len(b)))) + string(b)
}

// smallReport is a report of one launch with one device binary, by the
// documented layout.
func smallReport() string {
	source := sized(message(1, 1, 4, "\x7fELF is not read here", 6, 86))
	metric := func(id int, value []byte) []byte { return message(1, id, 2, value) }
	result := sized(message(5, "_Z1kv", 6, "k", 7, "k()", 10, message(1, 12, 2, 2, 3, 1), 11, message(1, 128, 2, 1, 3, 1),
		13, metric(0, message(3, 1234.5)), 13, metric(1, message(4, 40)), 13, metric(2, message(5, 8)), 13, metric(3, message(5, 6)),
		13, metric(4, message(1, "A device")), 13, metric(5, message(2, float32(2.5))), 13, metric(99, message(5, 1)),
		15, message(1, 1)))
	names := message(1, "gpu__time_duration.sum", 1, "launch__registers_per_thread", 1, "device__attribute_compute_capability_major",
		1, "device__attribute_compute_capability_minor", 1, "device__attribute_display_name",
		1, "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio")
	payload := source + result + "what a later version adds"
	return repMagic + sized(message(1, 7)) + sized(message(1, 1, 2, 1, 4, names, 5, len(payload))) + payload
}

func TestReportByHand(t *testing.T) {
	binaries := 0
	var list []Launch
	r, err := Read(strings.NewReader(smallReport()+smallReport()[len(repMagic)+6:]), "r", func(l *Launch) error {
		list = append(list, *l)
		return nil
	}, func(b *Binary) {
		if binaries++; b.Name != "r:binary1" || !strings.HasPrefix(string(b.Data), "\x7fELF") {
			t.Errorf("%s has %q", b.Name, b.Data)
		}
	})
	// Two blocks with the same binary, which comes once.
	if err != nil || len(list) != 2 || binaries != 1 || len(r.Problems) != 0 {
		t.Fatal(err, len(list), binaries, r.Problems)
	}
	l := list[1]
	if l.Names != (Names{"_Z1kv", "k()", "k"}) || l.Grid != (Dim{12, 2, 1}) || l.Block != (Dim{128, 1, 1}) || l.Arch != "sm_86" || l.Device != "A device" || l.ID != "1" {
		t.Errorf("%+v", l)
	}
	if l.Values.Or(DurationNanos, 0) != 1234.5 || l.Values.Or(RegistersPerThread, 0) != 40 || len(l.Stalls) != 1 || l.Stalls[0] != (Stall{"wait", 2.5}) {
		t.Errorf("%+v", l)
	}
}

// A report that is cut anywhere ends in an error or in whole launches.
func TestReportCutAnywhere(t *testing.T) {
	whole := smallReport()
	for n := range len(whole) {
		_, list, err := launchesOf(strings.NewReader(whole[:n]), "r")
		if err == nil {
			t.Errorf("cut at %d of %d: %d launches and no error", n, len(whole), len(list))
		}
	}
}
