// Command verify compares images with the logs of their compilations and with
// cuobjdump -res-usage: for each BASE given it reads BASE.cubin, BASE.log and
// BASE.res (the last two where they are) and prints what differs. It exits 1
// where something does.
package main

import (
	"fmt"
	"os"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/internal/cubintruth"
)

func main() {
	var total tally
	for _, base := range os.Args[1:] {
		total.image(base)
	}
	fmt.Printf("%d images: %d functions equal to the log, %d to cuobjdump's list; %d differ\n",
		total.images, total.log, total.res, total.differ)
	if total.differ > 0 || total.images == 0 {
		os.Exit(1)
	}
}

type tally struct{ images, log, res, differ int }

// image compares one image.
func (t *tally) image(base string) {
	data, err := os.ReadFile(base + ".cubin")
	if err != nil {
		t.say(base, err.Error())
		return
	}
	t.images++
	f, err := cubin.Parse(data)
	if err != nil {
		t.say(base, err.Error())
		return
	}
	if log, err := os.ReadFile(base + ".log"); err == nil {
		n, differ := cubintruth.AgainstLog(f, cubintruth.FromLog(string(log))[f.Arch])
		t.log += n
		t.say(base+".log", differ...)
	}
	if res, err := os.ReadFile(base + ".res"); err == nil {
		images, _ := cubintruth.FromRes(string(res))
		if len(images) != 1 {
			t.say(base+".res", fmt.Sprintf("%d images", len(images)))
			return
		}
		n, differ := cubintruth.AgainstRes(f, images[0])
		t.res += n
		t.say(base+".res", differ...)
	}
}

func (t *tally) say(base string, differ ...string) {
	t.differ += len(differ)
	for _, d := range differ {
		fmt.Printf("%s: %s\n", base, d)
	}
}
