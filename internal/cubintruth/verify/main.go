// Command verify compares binaries with the logs of their compilations and
// with cuobjdump -res-usage: beside each FILE given it looks for FILE.log and
// FILE.res (for NAME.cubin also NAME.log and NAME.res) and prints what
// differs. It exits 1 where something does.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/container"
	"github.com/occlint/occlint/internal/cubintruth"
)

func main() {
	var total tally
	for _, path := range os.Args[1:] {
		total.file(path)
	}
	fmt.Printf("%d files, %d images: %d functions equal to the log, %d to cuobjdump's list; %d differ\n",
		total.files, total.images, total.log, total.res, total.differ)
	if total.differ > 0 || total.images == 0 {
		os.Exit(1)
	}
}

type tally struct{ files, images, log, res, differ int }

// image is one image of a file.
type image struct {
	*cubin.File
	err error
}

func (t *tally) file(path string) {
	file, err := os.Open(path)
	if err != nil {
		t.say(path, err.Error())
		return
	}
	defer file.Close() //nolint:errcheck // only read
	info, err := file.Stat()
	if err != nil {
		t.say(path, err.Error())
		return
	}
	found, faults, _ := container.Read(file, info.Size(), func(e container.Entry, data []byte) image {
		if e.Kind != container.Cubin {
			return image{}
		}
		// What is compared later must outlive the bytes that are lent.
		f, err := cubin.Parse(append([]byte(nil), data...))
		return image{f, err}
	}, container.Code)
	for _, fault := range faults {
		t.say(path, fmt.Sprintf("%s offset %d: %s", fault.Member, fault.Offset, fault.Text))
	}
	var images []*cubin.File
	for _, f := range found {
		if f.Value.err != nil {
			t.say(path, f.Value.err.Error())
		}
		if f.Value.File != nil {
			images = append(images, f.Value.File)
		}
	}
	t.files++
	t.images += len(images)
	t.compare(path, images)
}

func (t *tally) compare(path string, images []*cubin.File) {
	if log, ok := beside(path, ".log"); ok {
		byArch, seen := cubintruth.FromLog(log), map[string]map[string]bool{}
		for arch := range byArch {
			seen[arch] = map[string]bool{}
		}
		for _, f := range images {
			n, differ := cubintruth.AgainstLog(f, byArch[f.Arch], seen[f.Arch])
			t.log += n
			t.say(path+" and its log", differ...)
		}
		for arch, functions := range byArch {
			t.say(path+" and its log", cubintruth.Unseen(functions, seen[arch])...)
		}
	}
	if res, ok := beside(path, ".res"); ok {
		want, _ := cubintruth.FromRes(res)
		if len(want) != len(images) {
			t.say(path, fmt.Sprintf("%d images where cuobjdump lists %d", len(images), len(want)))
			return
		}
		for i, f := range images {
			n, differ := cubintruth.AgainstRes(f, want[i])
			t.res += n
			t.say(path+" and cuobjdump", differ...)
		}
	}
}

func beside(path, ext string) (string, bool) {
	for _, p := range []string{path + ext, strings.TrimSuffix(path, ".cubin") + ext} {
		if text, err := os.ReadFile(p); err == nil && p != path {
			return string(text), true
		}
	}
	return "", false
}

func (t *tally) say(path string, differ ...string) {
	t.differ += len(differ)
	for _, d := range differ {
		fmt.Printf("%s: %s\n", path, d)
	}
}
