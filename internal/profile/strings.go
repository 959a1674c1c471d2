package profile

// interned keeps one copy of each of the strings that come again and again in
// a report: names of kernels, reasons, devices.
type interned map[string]string

// mostInterned bounds what a report of a million names keeps alive.
const mostInterned = 1 << 16

func (t interned) of(b []byte) string {
	if s, ok := t[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(t) < mostInterned {
		t[s] = s
	}
	return s
}

// mostName is the longest name that is kept of a kernel; the tools themselves
// cut earlier.
const mostName = 64 << 10

func cutName(s string) string { return s[:min(len(s), mostName)] }
