package cubin_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/cubintruth"
)

const samples = "../testdata/cubin"

// TestAgainstTheToolkit compares every number of every sample with what ptxas
// and cuobjdump printed for it.
func TestAgainstTheToolkit(t *testing.T) {
	files, err := filepath.Glob(samples + "/*.cubin.gz")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d samples (%v)", len(files), err)
	}
	for _, path := range files {
		base := strings.TrimSuffix(path, ".cubin.gz")
		t.Run(filepath.Base(base), func(t *testing.T) {
			f, err := cubin.Parse(unpack(t, path))
			if err != nil {
				t.Fatal(err)
			}
			log, err := os.ReadFile(base + ".log")
			if err != nil {
				t.Fatal(err)
			}
			functions, seen := cubintruth.FromLog(string(log))[f.Arch], map[string]bool{}
			compared, differ := cubintruth.AgainstLog(f, functions, seen)
			differ = append(differ, cubintruth.Unseen(functions, seen)...)
			if compared == 0 {
				t.Error("nothing to compare in the log")
			}
			if res, err := os.ReadFile(base + ".res"); err == nil {
				images, _ := cubintruth.FromRes(string(res))
				if len(images) != 1 {
					t.Fatalf("%d images", len(images))
				}
				n, more := cubintruth.AgainstRes(f, images[0])
				if n == 0 {
					t.Error("nothing to compare in cuobjdump's list")
				}
				differ = append(differ, more...)
			}
			for _, d := range differ {
				t.Error(d)
			}
		})
	}
}

func unpack(tb testing.TB, path string) []byte {
	tb.Helper()
	file, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	r, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
