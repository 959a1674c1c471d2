package parse

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestPackedLogs: what bzip2 -9, zstd and xz made of one log of one kernel with
// 24 registers. The first two are read, cut ones are faults, xz is named.
func TestPackedLogs(t *testing.T) {
	whole := func(text string) []byte {
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	bzip2 := whole("QlpoOTFBWSZTWbjjItAAAEzfgEAQQIRUMAkAAgC/r95gIACKDKGlM9U8T1T1PUaDNJtQjVNiR6gAGmgZDwNbxdAAx2O11GrGZ+SlPDyu8qoYLkwT68Vs+3pAY8lth8FHWRWuqupe05uCMFIqGR4QZmW5ygpVhJUY4EQJ4OfCDsg0zrIT4KDpB9ZjNbwYuA5qp0dQXK2EPNC3LHLB/i7kinChIXHGRaA=")
	zstd := whole("KLUv/STIzQMAwkcYGZCpOahWyl25nchpW7aTtLcCtRjKl+d6O5fmentMTi0IGLkfjqBcP82918IGOAVpsjrQ3r9dEjaM+uHqtdRmMMcYIJQfayYfdcwS92CK5EWXnROGC5uSBRNsOxNDHy22BQcAcJh1TuThLOOw4akaMvXe5IiCAim2eZ0=")
	xz := whole("/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ADHAIFdADgdC25LdbW54JtbZ4B7m3NIqRehe8hg0bSNGXhFI6uTR1F4FxCS9SG+hPBEVq367UVwa8n2KYOUJlJJ5aNOyPgXrHCAeOtQCFwI72f3l2w7e7PqJAoAbYASHl8eHf5HwUjag+0WO2Hj97oFxDPUH8cEODS4VHy4b+3nUq4gWd6R4AAAAAC7D9PIy7FvTwABnQHIAQAALlT27bHEZ/sCAAAAAARZWg==")
	for _, tc := range []struct {
		name  string
		data  []byte
		fault string // empty: the kernel is read
	}{
		{"bzip2", bzip2, ""},
		{"zstd", zstd, ""},
		{"bzip2, cut", bzip2[:len(bzip2)-9], "the bzip2 file is cut"},
		{"zstd, cut", zstd[:len(zstd)-9], "the zstd file is"},
		{"zstd, damaged", append(append([]byte{}, zstd[:20]...), make([]byte, 40)...), "the zstd file is"},
		{"zstd, its first bytes", zstd[:4], "the zstd file is cut"},
		{"xz", xz, "this is an xz file, which is not unpacked here; pipe what xz -dc prints"},
	} {
		log, err := Read(strings.NewReader(string(tc.data)), "build.log")
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if tc.fault == "" {
			if log.Len() != 1 || log.Kernel(0).Registers != Some(24) || len(log.Faults) > 0 {
				t.Errorf("%s: %d kernels, faults %v", tc.name, log.Len(), log.Faults)
			}
			continue
		}
		found := false
		for _, f := range log.Faults {
			found = found || f.Kind == FaultEncoding && strings.Contains(f.Text, tc.fault)
		}
		if !found {
			t.Errorf("%s: faults %v, want %q", tc.name, log.Faults, tc.fault)
		}
	}
	// A text that only begins like one of them is a text.
	log, err := Read(strings.NewReader("BZ\nptxas info    : Used 24 registers\n"), "build.log")
	if err != nil || len(log.Faults) == 0 || log.Faults[0].Kind == FaultEncoding {
		t.Errorf("%v %v", log.Faults, err)
	}
}
