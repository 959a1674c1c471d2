package capture

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/occlint/occlint/internal/name"
	"github.com/occlint/occlint/parse"
)

// maxKeptOther bounds what a record keeps of lines that no compiler stage
// wrote, such as the host compiler's warnings. Resource lines and remarks are
// kept whatever they need.
const maxKeptOther = 1 << 20

// Wrap runs one compiler call and keeps a record of it.
type Wrap struct {
	Args           []string // the compiler call, compiler caches in front included
	Dir            string   // working directory
	Env            []string // as os.Environ
	Records        string   // where records go; empty: see RecordsDir
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// ShowResources passes resource lines on with all the others.
	ShowResources bool
}

// Run runs the call and returns the exit code to end with, which is the
// compiler's. Whatever goes wrong with the record is said on Stderr and changes
// nothing. A call that has nothing to record (a version query, preprocessing,
// ar and ranlib) runs as if Wrap were not there, on unix in place of this
// process.
func (w *Wrap) Run() int {
	c, ok := understand(w.Args, w.Dir, w.Env)
	if ok && c.unread != "" {
		w.say("warning", c.unread+" can't be read ahead of the compiler (a pipe, or too large), so what this call makes is not known and has no record; write the options to a file")
		return w.passThrough()
	}
	if u, unread := compilesUnread(w.Args); !ok && unread {
		return w.runUnread(u)
	}
	if !ok || c.action == stopsEarly || w.toDevice(c) || c.isTrial(w.Dir) {
		return w.passThrough()
	}
	r, s := w.record(c), store{RecordsDir(w.Records, w.Dir)}
	if err := noteRecords(w.Env, s.dir); err != nil {
		w.say("warning", "occlint run around this build will not see its records: "+err.Error())
	}
	storeErr := s.open()
	if storeErr == nil {
		storeErr = s.begin(r)
	}
	version := compilerVersion(c.compiler, s, w)

	keep := c.keepPTX(w.Dir)
	defer keep.remove()
	out, kept, err := w.compile(c, keep)
	if err != nil {
		version.drop()
		if r.State = stateFailed; storeErr == nil {
			_ = s.end(r) // the note of the call that began says as much
		}
		return w.notStarted(err)
	}
	r.Tool.Version = version.wait()
	r.Ended = time.Now().UTC()
	r.Log = kept.whole()
	if out.ExitCode() == 0 {
		r.PTX = keep.read(r.Inputs)
	}
	w.settle(r, c, out, kept, s)
	if storeErr == nil {
		storeErr = s.end(r)
	}
	if storeErr != nil && out.ExitCode() == 0 {
		w.say("warning", cannotStore(c.outputs(), s.dir, storeErr).Error())
	}
	if out.Signal != 0 {
		w.say("error", fmt.Sprintf("%s %s", c.compiler, out.Status))
	}
	return out.ExitCode()
}

// toDevice reports whether the output is no file that stays: configure scripts
// compile to /dev/null.
func (w *Wrap) toDevice(c *call) bool {
	return slices.ContainsFunc(c.outputs(), func(o string) bool {
		path := inDir(w.Dir, o)
		return exists(path) && !staysPut(path)
	})
}

// record is what is known before the call.
func (w *Wrap) record(c *call) *Record {
	r := &Record{
		State:   stateStarted,
		Dir:     canonicalDir(w.Dir, "."),
		Records: canonicalDir(w.Dir, RecordsDir(w.Records, w.Dir)),
		Command: w.Args,
		Step:    c.step(),
		Arch:    c.archs(),
		Flags:   c.flags(),
		Tool:    Compiler{Path: c.compiler},
		Cache:   c.cache(),
	}
	for _, o := range c.outputs() {
		r.Outputs = append(r.Outputs, canonical(w.Dir, o))
	}
	for _, in := range c.deviceSources() {
		path := canonical(w.Dir, in)
		if in == "-" || exists(path) && !staysPut(path) {
			continue // a pipe: its bytes are the compiler's, and gone after it
		}
		r.Sources = append(r.Sources, path)
		// Before the call: a source that is edited while it is compiled is
		// newer than its object. A source that is not there is nvcc's to report.
		state, _ := stateOf(path)
		r.Inputs = append(r.Inputs, state)
	}
	r.Links = c.linkInputs(w.Dir)
	r.Started = time.Now().UTC()
	return r
}

// compile runs the call with resource usage switched on.
func (w *Wrap) compile(c *call, keep *keptPTX) (*Outcome, *keeper, error) {
	kept := &keeper{}
	args := slices.Insert(c.injected(), len(c.launcher)+1, keep.words()...)
	session := &Session{
		Command: Command{Args: args, Dir: w.Dir, Env: w.Env, Stdin: w.Stdin},
		Stdout:  w.Stdout,
		Stderr:  w.Stderr,
		Forward: ForwardMessages,
		Name:    c.compiler,
		Line:    kept.line,
	}
	if w.ShowResources {
		session.Forward = ForwardAll
	}
	out, err := session.Run()
	return out, kept, err
}

// settle decides what became of the call.
func (w *Wrap) settle(r *Record, c *call, out *Outcome, kept *keeper, s store) {
	if out.ExitCode() != 0 {
		r.State, r.Log = stateFailed, nil
		return
	}
	r.State = stateRecorded
	for _, o := range r.Outputs {
		state, _ := stateOf(o) // a missing output is found again when records are read
		r.Object = append(r.Object, state)
	}
	r.Headers = slices.DeleteFunc(readDepFile(w.Dir, c.depFile()), func(h string) bool { return slices.Contains(r.Sources, h) })
	for _, h := range r.Headers {
		r.HeaderState = append(r.HeaderState, sizeAndTime(h))
	}
	if kept.resources > 0 || !c.expectsRecords() {
		return
	}
	if old, err := s.read(key(r.Outputs) + recordExt); err == nil && old.State == stateRecorded && sameContent(old.Object, r.Object) {
		// The very same object as last time: what was said of it holds.
		r.Log, r.PTX = old.Log, old.PTX
		return
	}
	r.State = stateSilent
	w.say("warning", silentReason(r, strings.Join(c.outputs(), ", ")))
}

// silentReason says why an object, which messages call what, has no resource
// usage, and what to do.
func silentReason(r *Record, what string) string {
	if r.Cache == "" {
		return fmt.Sprintf("%s has no record: %s printed no resource usage although it compiled device code; does a wrapper script drop its messages?", what, r.Tool.Path)
	}
	return fmt.Sprintf("%s has no record: %s returned it without the compiler's resource usage, so it was stored without; delete it and build once past the cache (CCACHE_RECACHE=1 or SCCACHE_RECACHE=1)", what, r.Cache)
}

// sameContent reports whether files are byte for byte the same.
func sameContent(a, b []fileState) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Bytes != b[i].Bytes || a[i].CRC32C != b[i].CRC32C || a[i].Bytes > maxChecksummed {
			return false
		}
	}
	return true
}

// keeper collects the log of a call.
type keeper struct {
	log       bytes.Buffer
	other     int  // bytes of other lines kept
	resources int  // resource lines
	open      bool // the last line may stay without an end
}

func (k *keeper) line(l parse.Line) {
	switch l.Class {
	case parse.LineResource:
		k.resources++
	case parse.LineOther:
		if k.other += len(l.Raw); k.other > maxKeptOther {
			return
		}
	case parse.LineMessage:
	}
	k.open = mayStayOpen(l)
	k.log.Write(l.Raw)
}

// whole is the log with an end to its last line, where that is known to be
// whole: the record is read like any file.
func (k *keeper) whole() []byte {
	if n := k.log.Len(); n > 0 && k.log.Bytes()[n-1] != '\n' && k.open {
		k.log.WriteByte('\n')
	}
	return k.log.Bytes()
}

func (w *Wrap) say(severity, text string) {
	fmt.Fprintf(w.Stderr, "occlint: %s: %s\n", severity, name.EscapeLines(text))
}

func (w *Wrap) notStarted(err error) int {
	w.say("error", err.Error())
	var start *StartError
	if errors.As(err, &start) {
		return start.ExitCode()
	}
	return exitNotExecutable
}

// passThrough runs the call as if nobody were in front of it.
func (w *Wrap) passThrough() int {
	if w.Stdin == os.Stdin && w.Stdout == os.Stdout && w.Stderr == os.Stderr {
		if err := become(w.Args, w.Env, w.Dir); !errors.Is(err, errors.ErrUnsupported) {
			return w.notStarted(err)
		}
	}
	c := Command{Args: w.Args, Dir: w.Dir, Env: w.Env, Stdin: w.Stdin}
	status, err := c.direct(w.Stdout, w.Stderr)
	if err != nil {
		return w.notStarted(err)
	}
	return status.ExitCode()
}
