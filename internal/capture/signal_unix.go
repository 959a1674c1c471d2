//go:build unix

package capture

import (
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// interruptGrace is how long a command that Ctrl-C reached through the
// terminal may take to end before the interrupt is sent to it once more.
const interruptGrace = 2 * time.Second

// relay passes the signals that ask this process to end on to the command, so
// that the command decides, cleans up, and has its output read to the end.
type relay struct {
	signals chan os.Signal
	done    chan struct{}
	once    sync.Once
}

// newRelay catches signals from now on. Those that a failing write raises are
// dropped, so that the write returns an error instead: a reader that goes away
// or a file size limit must not end the build. They are caught rather than
// ignored because the command would inherit an ignored signal, and for good
// because what is written after the command may fail too.
//
// What this process was started to ignore (by nohup, or by a shell that puts
// it in the background) stays ignored: the command inherits that.
func newRelay() *relay {
	notify(make(chan os.Signal, 1), syscall.SIGPIPE, syscall.SIGXFSZ)
	r := &relay{signals: make(chan os.Signal, 8), done: make(chan struct{})}
	notify(r.signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	return r
}

// notify catches those of the signals that are not ignored.
func notify(c chan<- os.Signal, signals ...os.Signal) {
	signals = slices.DeleteFunc(signals, signal.Ignored)
	if len(signals) > 0 { // none would mean all
		signal.Notify(c, signals...)
	}
}

func (r *relay) to(p *os.Process) {
	go func() {
		for {
			select {
			case <-r.done:
				return
			case s := <-r.signals:
				r.pass(p, s)
			}
		}
	}()
}

func (r *relay) pass(p *os.Process, s os.Signal) {
	if (s == syscall.SIGINT || s == syscall.SIGQUIT) && inForeground() {
		// Ctrl-C or Ctrl-\: the terminal sent it to the command too, and a second
		// interrupt would cut short the cleanup of some (Python, npm).
		go func() {
			select {
			case <-r.done:
			case <-time.After(interruptGrace):
				_ = p.Signal(s)
			}
		}()
		return
	}
	_ = p.Signal(s) // an error says that the command has ended already
}

// stop ends the relaying.
func (r *relay) stop() {
	r.once.Do(func() {
		close(r.done)
		signal.Stop(r.signals)
	})
}

// inForeground reports whether the controlling terminal sends its interrupts
// to this process and its children.
func inForeground() bool {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return false
	}
	defer func() { _ = tty.Close() }() // read only
	group, err := unix.IoctlGetInt(int(tty.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

func statusOf(state *os.ProcessState) Status {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Status{Signal: int(ws.Signal())}
	}
	return Status{Code: state.ExitCode()}
}

func signalName(n int) string {
	if name := unix.SignalName(syscall.Signal(n)); name != "" {
		return name
	}
	return "unknown"
}
