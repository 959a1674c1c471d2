// Package cubintruth holds what NVIDIA's own programs say of a binary, to
// test the reader of binaries against: in come the output of ptxas -v and of
// cuobjdump -res-usage, out come numbers by function, and the differences.
// It shares no code with the readers that it judges.
package cubintruth

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	"github.com/occlint/occlint/cubin"
	"github.com/occlint/occlint/parse"
)

// Numbers maps what a tool prints to its value: "registers", "stack",
// "cumulative", "stores", "loads", "shared", "local", "barriers", "bank 0".
type Numbers map[string]int64

// Several stands for numbers that a log has more than once, and not the same:
// a device function is compiled once for each kernel that calls it.
const Several = -2

// Functions are the numbers by function name.
type Functions map[string]Numbers

var (
	entryLine      = regexp.MustCompile(`Compiling entry function '([^']+)' for '([^']+)'`)
	propertiesLine = regexp.MustCompile(`Function properties for (\S+)`)
	stackLine      = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)
	usedLine       = regexp.MustCompile(`Used (\d+) registers(.*)`)
	item           = regexp.MustCompile(`(\d+) (barriers|bytes smem|bytes lmem|bytes cmem\[(\d+)\]|bytes cumulative stack size)`)
	resFunction    = regexp.MustCompile(`^ Function (\S+):$`)
	resItem        = regexp.MustCompile(`(REG|STACK|SHARED|LOCAL|CONSTANT\[(\d+)\]):(\w+)`)
)

// FromLog reads what ptxas printed, by architecture.
func FromLog(log string) map[string]Functions {
	all := map[string]Functions{}
	arch, entry, owner := "", "", ""
	at := func(name string) Numbers {
		if all[arch] == nil {
			all[arch] = Functions{}
		}
		if all[arch][name] == nil {
			all[arch][name] = Numbers{}
		}
		return all[arch][name]
	}
	for line := range strings.Lines(log) {
		if m := entryLine.FindStringSubmatch(line); m != nil {
			entry, arch = m[1], m[2]
			at(entry)
		} else if m := propertiesLine.FindStringSubmatch(line); m != nil {
			owner = m[1]
		} else if m := stackLine.FindStringSubmatch(line); m != nil {
			n := at(owner)
			for i, key := range []string{"stack", "stores", "loads"} {
				v := number(m[i+1])
				if old, found := n[key]; found && old != v {
					v = Several
				}
				n[key] = v
			}
		} else if m := usedLine.FindStringSubmatch(line); m != nil {
			n := at(entry)
			n["registers"], n["shared"] = number(m[1]), 0
			for _, m := range item.FindAllStringSubmatch(m[2], -1) {
				switch {
				case m[2] == "barriers":
					n["barriers"] = number(m[1])
				case m[2] == "bytes smem":
					n["shared"] = number(m[1])
				case m[2] == "bytes cumulative stack size":
					n["cumulative"] = number(m[1])
				case m[3] != "":
					n["bank "+m[3]] = number(m[1])
				}
			}
		}
	}
	// Functions in front of the first entry are of its architecture: the
	// compiler names none for them.
	if early := all[""]; early != nil && len(all) == 2 {
		delete(all, "")
		for _, functions := range all {
			maps.Copy(functions, early)
		}
	}
	return all
}

// FromRes reads cuobjdump -res-usage: one set of functions for each image, in
// order, with the architecture where the tool names it. "STACK:UNKNOWN" is -1.
func FromRes(text string) (images []Functions, archs []string) {
	arch, name := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if a, found := strings.CutPrefix(line, "arch = "); found {
			arch = a
		} else if line == "Resource usage:" {
			images, archs = append(images, Functions{}), append(archs, arch)
		} else if m := resFunction.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if m := resItem.FindAllStringSubmatch(line, -1); strings.HasPrefix(line, "  REG:") && len(images) > 0 {
			n := Numbers{}
			for _, m := range m {
				switch key := m[1]; {
				case m[2] != "":
					n["bank "+m[2]] = number(m[3])
				case key == "REG":
					n["registers"] = number(m[3])
				case key == "STACK":
					n["cumulative"] = number(m[3])
				case key == "SHARED":
					n["section"] = number(m[3])
				case key == "LOCAL":
					n["local"] = number(m[3])
				}
			}
			images[len(images)-1][name] = n
		}
	}
	return images, archs
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return -1
	}
	return n
}

// AgainstLog compares an image with the log of its compilation and returns
// how many functions were compared and what differs. Functions that were seen
// are noted, so that [Unseen] can tell what is in the log only.
func AgainstLog(f *cubin.File, log Functions, seen map[string]bool) (compared int, differ []string) {
	for _, fn := range f.Functions {
		want, found := log[fn.Name]
		if !found {
			if fn.Entry {
				differ = append(differ, fn.Name+": not in the log")
			}
			continue
		}
		seen[fn.Name] = true
		compared++
		have := ofFunction(&fn)
		for key, n := range want {
			switch h, stated := have[key]; {
			case !stated && (key == "stores" || key == "loads"): // an image before CUDA 13, a device function
			case n == Several:
			case !stated && key == "stack" && fn.Parent != "":
			case h != n || !stated:
				differ = append(differ, fmt.Sprintf("%s: %s is %d (%t), the log says %d", fn.Name, key, h, stated, n))
			}
		}
	}
	return compared, differ
}

// Unseen lists what is in the log and was in no image.
func Unseen(log Functions, seen map[string]bool) (differ []string) {
	for name := range log {
		if !seen[name] {
			differ = append(differ, name+": in the log only")
		}
	}
	return differ
}

// AgainstRes compares an image with what cuobjdump printed for it.
func AgainstRes(f *cubin.File, res Functions) (compared int, differ []string) {
	seen := map[string]bool{}
	for _, fn := range f.Functions {
		raw := f.Symbols[fn.Symbol].Name
		want, found := res[raw]
		if !found {
			if fn.Entry {
				differ = append(differ, fn.Name+": not in cuobjdump's list")
			}
			continue
		}
		seen[raw] = true
		compared++
		have := ofFunction(&fn)
		for key, n := range want {
			h, stated := have[key]
			switch {
			case key == "cumulative" && f.Relocatable: // not settled before linking: the tool prints 0
			case key == "cumulative" && n == -1:
				if !fn.StackUnbounded {
					differ = append(differ, fmt.Sprintf("%s: cumulative stack is %d, cuobjdump says unknown", fn.Name, h))
				}
			case key == "section":
				if h = sectionSize(f, &fn); h != n {
					differ = append(differ, fmt.Sprintf("%s: shared section of %d bytes, cuobjdump says %d", fn.Name, h, n))
				}
			case key == "registers" && n == 0 && !fn.Entry: // sm_90 -G: the tool knows no number
			case n == 0 && !stated: // what the image does not state
			case h != n:
				differ = append(differ, fmt.Sprintf("%s: %s is %d, cuobjdump says %d", fn.Name, key, h, n))
			}
		}
	}
	for name := range res {
		if !seen[name] {
			differ = append(differ, name+": in cuobjdump's list only")
		}
	}
	return compared, differ
}

// sectionSize is what cuobjdump prints as SHARED: the size of .nv.shared.F.
func sectionSize(f *cubin.File, fn *cubin.Function) int64 {
	if s := f.SectionNamed(".nv.shared." + f.Symbols[fn.Symbol].Name); s != nil {
		return int64(s.Size)
	}
	return 0
}

func ofFunction(fn *cubin.Function) Numbers {
	n := Numbers{}
	for key, c := range map[string]parse.Count{
		"registers": fn.Registers, "stack": fn.StackBytes, "cumulative": fn.CumulativeStackBytes,
		"stores": fn.SpillStoreBytes, "loads": fn.SpillLoadBytes,
		"shared": fn.SharedBytes, "local": fn.LocalBytes, "barriers": fn.Barriers,
	} {
		if v, stated := c.Value(); stated {
			n[key] = v
		}
	}
	for bank, bytes := range fn.ConstBytes.All() {
		n["bank "+strconv.Itoa(bank)] = bytes
	}
	return n
}
