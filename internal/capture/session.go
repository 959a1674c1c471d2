package capture

import (
	"io"
	"sync"

	"github.com/occlint/occlint/parse"
)

// Session runs one command, passes its output on, and reads it as a log.
type Session struct {
	Command
	// Stdout and Stderr are where the command's output flows on to. When both
	// are one terminal, pipe or file, the command gets one pipe for both, so
	// that the order across them is kept.
	Stdout, Stderr io.Writer
	Forward        Forward
	// Name is what places in the log call it.
	Name string
	// Raw gets the whole log as it is read: whole lines of both streams in the
	// order in which they ended. Nil keeps none.
	Raw io.Writer
	// Line, when set, sees each line with its class.
	Line func(parse.Line)
	// Live shows progress; nil shows none.
	Live *Live
}

// Outcome is how a command ended and what it printed.
type Outcome struct {
	Status
	Log *parse.Log
	// RawErr says that Raw could not be written to the end.
	RawErr error
	// Unended says that the last line that flowed on, to Stdout and to Stderr,
	// has no newline: a report that follows would stand behind it.
	Unended [2]bool
	// ReadErr says that the log could not be read to the end.
	ReadErr error
}

// Run runs the command to its end. An error means that it never ran
// (*StartError) or that this machine could not set it up; a command that fails
// is an Outcome.
func (s *Session) Run() (*Outcome, error) {
	toParser, fromBuild := io.Pipe()
	raw := &tee{raw: s.Raw, parser: fromBuild}
	out := &outlets{live: s.Live}
	out.to = [streams]io.Writer{stdout: s.Stdout, stderr: s.Stderr}
	merge := &merger{w: raw}
	outcome := &Outcome{Log: &parse.Log{}}
	ending := &ending{}

	parsed := make(chan struct{})
	go func() {
		defer close(parsed)
		outcome.ReadErr = s.read(toParser, outcome.Log, merge, out, ending)
		// Whatever ended the reading, the build must not block on it.
		_, _ = io.Copy(io.Discard, toParser)
	}()

	var mu sync.Mutex
	stopLive := s.Live.start(out)
	onePipe := samePlace(s.Stdout, s.Stderr)
	terminals := out.to
	if s.Forward == ForwardNone {
		terminals = [streams]io.Writer{}
	}
	status, err := s.run(onePipe, terminals, func(from stream, p []byte) {
		mu.Lock()
		defer mu.Unlock()
		if s.Forward == ForwardAll {
			out.write(from, p)
		}
		merge.write(from, p)
	})
	mu.Lock()
	unended := merge.flush()
	mu.Unlock()
	_ = fromBuild.Close()
	<-parsed
	stopLive()
	if err != nil {
		return nil, err
	}
	if status.Signal == 0 && !status.Orphaned {
		ending.accept(outcome.Log, unended)
	}
	outcome.Status, outcome.RawErr, outcome.Unended = status, raw.err, out.open
	if onePipe {
		outcome.Unended = [2]bool{stdout: out.open[stderr]} // one place, one newline
	}
	return outcome, nil
}

func (s *Session) read(r io.Reader, log *parse.Log, merge *merger, out *outlets, ending *ending) error {
	return log.Read(r, s.Name, parse.OnLine(func(l parse.Line) {
		ending.see(l)
		s.Live.see(l)
		if s.Line != nil {
			s.Line(l)
		}
		if s.Forward != ForwardMessages {
			return
		}
		if from := merge.origins.claim(l.Raw); l.Class != parse.LineResource {
			out.write(from, l.Raw)
		}
	}))
}

// tee writes to the parser, and to the raw log until that fails.
type tee struct {
	raw    io.Writer
	err    error
	parser io.Writer
}

func (t *tee) Write(p []byte) (int, error) {
	if t.raw != nil && t.err == nil {
		_, t.err = t.raw.Write(p)
	}
	return t.parser.Write(p)
}
