package profile

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// samples is the folder of real and invented reports; its README.md says where
// each comes from.
const samples = "../../testdata/profile"

// open opens a sample, unpacked if its name ends in .gz.
func open(t testing.TB, name string) io.Reader {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(samples, name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return bytes.NewReader(data)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// readAll reads a sample and keeps its launches.
func readAll(t testing.TB, name string) (*Report, []Launch, error) {
	t.Helper()
	return launchesOf(open(t, name), name)
}

func launchesOf(r io.Reader, name string) (*Report, []Launch, error) {
	var list []Launch
	report, err := Read(r, name, func(l *Launch) error {
		list = append(list, *l)
		return nil
	}, nil)
	return report, list, err
}
