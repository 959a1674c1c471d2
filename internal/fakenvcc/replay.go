package fakenvcc

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// replay prints the recorded log of a source, one write for each message as
// the real tools do. It fails where the recorded compiler failed.
func (n *nvcc) replay(source, stem string) int {
	log, ok := n.find(source, stem)
	if !ok {
		// A unit without device code: the module line is all that ptxas prints.
		log = "ptxas info    : 0 bytes gmem\n"
	}
	code := exitOK
	for i, message := range messages(log) {
		switch {
		case strings.Contains(message, "error   :"), strings.Contains(message, "fatal   :"):
			code = 255
		case strings.Contains(message, ": error"):
			code = exitFrontEnd
		case !n.verbose && isResource(message):
			continue
		}
		time.Sleep(n.pause())
		if i < n.noise() {
			fmt.Fprintf(n.stderr, "%s:%d:7: warning: unused variable ‘used_%d’ [-Wunused-variable]\n", source, i+1, i)
		}
		fmt.Fprint(n.stderr, message)
	}
	return code
}

// find reads the log recorded for a source.
func (n *nvcc) find(source, stem string) (string, bool) {
	if n.variant() != "" {
		return n.recording(source, stem, ".log")
	}
	dirs := append(filepath.SplitList(n.env("FAKENVCC_LOGS")), filepath.Join(filepath.Dir(source), "replay"))
	names := []string{stem + ".log"}
	for _, a := range n.archs {
		names = slices.Insert(names, 0, stem+"-"+a+".log")
	}
	for _, dir := range dirs {
		for _, name := range names {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				return string(text), true
			}
		}
	}
	return "", false
}

// messages splits a log where ptxas makes a write of its own: at each line,
// except that a properties line and the stack line after it are one.
func messages(log string) []string {
	var all []string
	for line := range strings.Lines(log) {
		if last := len(all) - 1; last >= 0 && strings.Contains(line, "bytes stack frame") {
			all[last] += line
			continue
		}
		all = append(all, line)
	}
	return all
}

// isResource reports whether a message is printed only under -v.
func isResource(message string) bool {
	return strings.HasPrefix(message, "ptxas info") && !strings.Contains(message, ": (C") ||
		strings.HasPrefix(message, "nvlink info") || strings.Contains(message, "bytes stack frame")
}
