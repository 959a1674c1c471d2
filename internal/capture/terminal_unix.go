//go:build unix

package capture

import (
	"os"

	"github.com/creack/pty"
	"golang.org/x/term"
)

// terminalFor opens a terminal for a command whose output flows on to one, so
// that compilers keep their colours and ninja its moving line: programs ask
// whether they write to a terminal, and a pipe is none. It is not the
// command's controlling terminal: Ctrl-C and job control stay with the real
// one, and stdin is the user's own. Bytes pass through it unchanged. It is nil
// where out is no terminal or none can be had; a pipe does then.
func terminalFor(out any) (reader, writer *os.File) {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil, nil
	}
	reader, writer, err := pty.Open()
	if err != nil {
		return nil, nil
	}
	// Without this the line discipline would end each line with CR LF, and
	// the real one do so again.
	if _, err := term.MakeRaw(int(writer.Fd())); err != nil {
		_, _ = reader.Close(), writer.Close()
		return nil, nil
	}
	_ = pty.InheritSize(f, writer) // a program that asks gets no width then
	return reader, writer
}
