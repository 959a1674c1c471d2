package capture

import (
	"os"
	"os/signal"
	"sync"
)

// relay keeps this process alive through Ctrl-C. Windows sends it to every
// process of the console, so there is nothing to pass on, and has no SIGTERM.
type relay struct {
	signals chan os.Signal
	once    sync.Once
}

func newRelay() *relay {
	r := &relay{signals: make(chan os.Signal, 1)}
	signal.Notify(r.signals, os.Interrupt)
	return r
}

func (r *relay) to(*os.Process) {}

func (r *relay) stop() { r.once.Do(func() { signal.Stop(r.signals) }) }

func statusOf(state *os.ProcessState) Status { return Status{Code: state.ExitCode()} }

func signalName(int) string { return "unknown" }
