package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// unreadCall is a compilation of CUDA by a program that nothing here knows the
// options of, so that its kernels have no record.
type unreadCall struct {
	program, source, output string
}

// compilesUnread recognises such a call among all that pass through a
// launcher: something that compiles (-c) a CUDA source. Linkers, archivers and
// compilers of C++ come by here too, and are none.
func compilesUnread(args []string) (u unreadCall, ok bool) {
	at := compilerIndex(args)
	if at < 0 {
		return u, false
	}
	if kind := kindOf(args[at]); kind != unknownCompiler {
		return u, false
	}
	u.program = args[at]
	words, compile, language := args[at+1:], false, ""
	for i, w := range words {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch {
		case w == "-c", w == "--compile", w == "/c":
			compile = true
		case w == "-o":
			u.output = next
		case w == "-x":
			language = next
		case strings.HasPrefix(w, "-o"):
			u.output = w[len("-o"):]
		case isSourceName(w) && (i == 0 || words[i-1] != "-o"):
			u.source = w
		}
	}
	if u.source == "" && slices.Contains([]string{"cu", "cuda"}, language) && len(words) > 0 {
		u.source = words[len(words)-1]
	}
	if u.source != "" && u.output == "" {
		base := filepath.Base(u.source)
		u.output = strings.TrimSuffix(base, filepath.Ext(base)) + objectSuffix
	}
	return u, compile && u.source != ""
}

func isSourceName(word string) bool {
	return strings.EqualFold(filepath.Ext(word), ".cu") && !strings.HasPrefix(word, "-")
}

// runUnread runs the call untouched, and keeps word of an object that has no
// record. That is said once in a build, however many files it compiles so.
func (w *Wrap) runUnread(u unreadCall) int {
	started := time.Now().UTC()
	c := Command{Args: w.Args, Dir: w.Dir, Env: w.Env, Stdin: w.Stdin}
	status, err := c.direct(w.Stdout, w.Stderr)
	if err != nil {
		return w.notStarted(err)
	}
	output := canonical(w.Dir, u.output)
	if status.ExitCode() != 0 || !staysPut(output) || inTrialDir(output) || inTrialDir(u.source) {
		return status.ExitCode()
	}
	s := store{RecordsDir(w.Records, w.Dir)}
	r := &Record{
		State: stateUnread, Outputs: []string{output}, Sources: []string{canonical(w.Dir, u.source)},
		Dir: canonicalDir(w.Dir, "."), Records: canonicalDir(w.Dir, s.dir), Step: "compile",
		Command: w.Args, Tool: Compiler{Path: u.program}, Started: started, Ended: time.Now().UTC(),
	}
	state, _ := stateOf(output)
	r.Object = []fileState{state}
	if err := noteRecords(w.Env, s.dir); err != nil {
		w.say("warning", "occlint run around this build will not see its records: "+err.Error())
	}
	err = s.open()
	if err == nil {
		err = s.end(r)
	}
	if err != nil {
		w.say("warning", cannotStore([]string{u.output}, s.dir, err).Error())
		return status.ExitCode()
	}
	said := "unread-" + readable(programName(u.program))
	if _, err := os.Stat(filepath.Join(s.dir, said)); err != nil {
		w.say("warning", unreadReason(r, u.output)+"; its other objects will not be named")
		_ = s.writeFile(said, []byte(u.source+"\n")) // at worst it is said again
	}
	return status.ExitCode()
}

// unreadReason says why an object has no record, and what to do.
func unreadReason(r *Record, what string) string {
	return fmt.Sprintf("%s has no record: occlint wrap knows nvcc, nvcc_wrapper and clang, and %s is none of them; "+
		"if it runs nvcc, put occlint wrap in front of that, or occlint run around the build", what, r.Tool.Path)
}
