//go:build unix

// Command measure times whole processes side by side: occlint on a log and
// what it is held against, in turns, so that whatever else the machine does
// hits all of them alike. scripts/bench calls it.
//
//	measure -occlint BIN -config FILE [-against copy=BIN] [-pipe] [-runs N] LOG ...
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// contestant is one process to time.
type contestant struct {
	name string
	argv []string // LOG stands for the log
	wall []time.Duration
	cpu  []time.Duration
	peak int64 // bytes
}

func main() {
	bin := flag.String("occlint", "", "the occlint to measure")
	config := flag.String("config", "", "its config")
	copier := flag.String("copy", "", "hold it against this program that copies the log, not against grep")
	pipe := flag.Bool("pipe", false, "give the log through a pipe as well")
	runs := flag.Int("runs", 5, "runs of each")
	flag.Parse()
	fmt.Printf("%-22s %8s  %-10s %9s %9s %9s %8s %8s %8s\n", "log", "MB", "process", "median", "fastest", "cpu", "peak MB", "ratio", "of cpu")
	for _, log := range flag.Args() {
		for _, piped := range []bool{false, true} {
			if piped && !*pipe {
				continue
			}
			all := contestants(*bin, *config, *copier, piped)
			for range *runs {
				for _, c := range all {
					if err := c.run(log, piped); err != nil {
						fmt.Fprintf(os.Stderr, "measure: %s on %s: %v\n", c.name, log, err)
						os.Exit(1)
					}
				}
			}
			printTable(log, piped, all)
		}
	}
}

// contestants has the one that all others are held against first.
func contestants(bin, config, copier string, piped bool) []*contestant {
	occlint := &contestant{name: "occlint", argv: []string{bin, "check", "--config", config, "LOG"}}
	if copier != "" {
		return []*contestant{{name: "copy", argv: []string{copier, "LOG"}}, occlint}
	}
	all := []*contestant{{name: "grep -c", argv: []string{"grep", "-c", "Used ", "LOG"}}, {name: "wc -l", argv: []string{"wc", "-l", "LOG"}}, occlint}
	if piped {
		for _, c := range all {
			c.argv = c.argv[:len(c.argv)-1]
		}
		occlint.argv = append(occlint.argv, "--forward", "messages")
	}
	return all
}

func (c *contestant) run(log string, piped bool) error {
	argv := slices.Clone(c.argv)
	for i, a := range argv {
		if a == "LOG" {
			argv[i] = log
		}
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdout = io.Discard // through a pipe: grep does not look for more than one match for the null device
	var source *exec.Cmd
	if piped {
		source = exec.Command("cat", log)
		out, err := source.StdoutPipe()
		if err != nil {
			return err
		}
		cmd.Stdin = out
		if err := source.Start(); err != nil {
			return err
		}
	}
	begin := time.Now()
	err := cmd.Run()
	c.wall = append(c.wall, time.Since(begin))
	if source != nil {
		_ = source.Process.Kill() // it has written all, or nobody reads
		_ = source.Wait()
	}
	// Exit code 1 is findings, or for grep nothing found.
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		return err
	}
	usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	c.cpu = append(c.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	peak := usage.Maxrss
	if runtime.GOOS == "linux" {
		peak <<= 10 // it counts in KiB
	}
	c.peak = max(c.peak, peak)
	return nil
}

func printTable(log string, piped bool, all []*contestant) {
	size := 0.0
	if info, err := os.Stat(log); err == nil {
		size = float64(info.Size()) / 1e6
	}
	name := strings.TrimSuffix(filepath.Base(log), ".log")
	if piped {
		name += ", pipe"
	}
	for _, c := range all {
		fmt.Printf("%-22s %8.3f  %-10s %7.1fms %7.1fms %7.1fms %8.1f %8.2f %8.2f\n", name, size, c.name,
			ms(median(c.wall)), ms(slices.Min(c.wall)), ms(median(c.cpu)), float64(c.peak)/1e6,
			float64(median(c.wall))/float64(median(all[0].wall)), float64(median(c.cpu))/float64(median(all[0].cpu)))
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func median(list []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
