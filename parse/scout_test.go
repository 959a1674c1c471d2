package parse

import (
	"errors"
	"io"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// TestScout reads real logs with a scout, of blocks from a few bytes on, and
// without: log and lines must be the same.
func TestScout(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	}
	scouted := 0
	logs := realLogs(t, 8<<10)
	for i, path := range slices.Sorted(maps.Keys(logs)) {
		text := logs[path]
		if text == "" || i%8 != 0 {
			continue
		}
		for len(text) < 5*startBuffer { // so that the reader finds it worth while
			text += text
		}
		for name, wrap := range map[string]func(string) string{
			"plain": func(s string) string { return s },
			"crlf":  func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
			"late":  func(s string) string { return s + "12:00:07 " + strings.ReplaceAll(s, "\n", "\n12:00:07 ") },
			"cut":   func(s string) string { return s[:len(s)*2/3] },
			"long":  func(s string) string { return s + strings.Repeat("x", 20*startBuffer) + "\n" + s },
		} {
			want, wantRaw := readScouted(t, strings.NewReader(wrap(text)), 0, nil)
			for _, size := range []int{200, 4096, scoutBlock} {
				got, raw := readScouted(t, strings.NewReader(wrap(text)), size, &scouted)
				if !reflect.DeepEqual(want, got) {
					t.Fatalf("%s, %s, blocks of %d: (-without +with)\n%.3000s", path, name, size, cmp.Diff(want, got))
				}
				if raw != wantRaw {
					t.Fatalf("%s, %s, blocks of %d: OnLine differs", path, name, size)
				}
			}
		}
	}
	if scouted < 1000 {
		t.Errorf("%d records were the scout's, want thousands", scouted)
	}
	failing := io.MultiReader(strings.NewReader(strings.Repeat("ptxas info    : 0 bytes gmem\n", startBuffer)), iotest.ErrReader(io.ErrClosedPipe))
	var l Log
	if err := l.Read(failing, "x.log"); !errors.Is(err, io.ErrClosedPipe) || len(l.Compilations) != startBuffer {
		t.Errorf("%v after %d modules, want the reader's error after %d", err, len(l.Compilations), startBuffer)
	}
}

func readScouted(t *testing.T, r io.Reader, blockSize int, count *int) (*listedLog, string) {
	t.Helper()
	var raw strings.Builder
	log := &Log{}
	rd := newReader(r, log, "x.log", []Option{OnLine(func(line Line) {
		raw.WriteByte('0' + byte(line.Class))
		raw.Write(line.Raw)
	})})
	rd.blockSize = blockSize
	rd.readAll()
	if rd.err != nil {
		t.Fatal(rd.err)
	}
	if rd.scouts != nil && count != nil { // a decoder's pieces are too small for one
		*count += rd.ahead.taken
	}
	return listed(log), raw.String()
}

// FuzzScout does the same with text that nobody wrote.
func FuzzScout(f *testing.F) {
	f.Add("ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'k' for 'sm_90'\n"+
		"ptxas info    : Function properties for k\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"+
		"ptxas info    : Used 8 registers, used 0 barriers\n", uint16(300))
	f.Add("12:00:07 ptxas info    : 0 bytes gmem\r\n\x1b[36mptxas info    : Compiling entry function 'k' for 'sm_90'\r\n", uint16(97))
	f.Fuzz(func(t *testing.T, text string, size uint16) {
		if text == "" || runtime.GOMAXPROCS(0) < 2 {
			return
		}
		text = strings.Repeat(text, 3*startBuffer/len(text)+2)
		if len(text) > 16*startBuffer {
			return
		}
		block := 64 + int(size)%4096
		want, wantRaw := readScouted(t, strings.NewReader(text), 0, nil)
		got, raw := readScouted(t, strings.NewReader(text), block, nil)
		if !reflect.DeepEqual(want, got) || raw != wantRaw {
			t.Errorf("blocks of %d: (-without +with)\n%.3000s", block, cmp.Diff(want, got))
		}
	})
}
