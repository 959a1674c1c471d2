package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"github.com/occlint/occlint/internal/where"
)

// stated is what ptxas -v says of a function.
type stated struct{ frame, stores, loads int64 }

var (
	entryLine = regexp.MustCompile(`Compiling entry function '([^']*)'`)
	propsLine = regexp.MustCompile(`Function properties for (\S+)`)
	bytesLine = regexp.MustCompile(`^\s+(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads`)
)

// logged reads the bytes of spills out of a log, by kernel and function.
func logged(path string) (map[[2]string]stated, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing was written
	all := map[[2]string]stated{}
	var entry, name string
	s := bufio.NewScanner(f)
	for s.Scan() {
		if m := entryLine.FindStringSubmatch(s.Text()); m != nil {
			entry = m[1]
		}
		if m := propsLine.FindStringSubmatch(s.Text()); m != nil {
			name = m[1]
		}
		if m := bytesLine.FindStringSubmatch(s.Text()); m != nil && name != "" {
			var n [3]int64
			for i := range n {
				n[i], _ = strconv.ParseInt(m[i+1], 10, 64)
			}
			all[[2]string{entry, name}] = stated{n[0], n[1], n[2]}
			name = ""
		}
	}
	return all, s.Err()
}

// spills compares the bytes of spills with the log's.
func (t *tally) spills(base string, sections []*where.Unit) error {
	log, err := logged(base + ".log")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, u := range sections {
		kernels, err := where.Read(u)
		if err != nil {
			return err
		}
		for _, k := range kernels {
			want, ok := log[[2]string{u.Kernel, k.Name}]
			if !ok {
				continue
			}
			t.bytes[k.Certainty]++
			off := max(abs(k.SpillStoreBytes-want.stores), abs(k.SpillLoadBytes-want.loads))
			if k.Certainty == where.Unknown || off == 0 {
				continue
			}
			t.off[k.Certainty]++
			if off > 8 {
				t.far[k.Certainty]++
			}
			fmt.Printf("  %s %s %s: %d/%d bytes of spills read, the log says %d/%d (certainty %d, frame %d)\n", base, u.Kernel, k.Name, k.SpillStoreBytes, k.SpillLoadBytes, want.stores, want.loads, k.Certainty, want.frame)
		}
	}
	return nil
}

func abs(n int64) int64 { return max(n, -n) }
