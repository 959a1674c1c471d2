package capture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The query of a compiler's version runs beside the compilation. versionGrace
// is what it may hold up a call that is over, and versionRetry how long a
// compiler that gave no answer is not asked again.
const (
	versionGrace = 2 * time.Second
	versionRetry = time.Hour
)

// versionQuery is a query that is under way or answered.
type versionQuery struct {
	answer chan string
	cancel context.CancelCauseFunc
}

// errDropped ends the query of a call that did not run.
var errDropped = errors.New("the call did not run")

// errGrace ends a query that holds up a call that is over.
var errGrace = errors.New("no answer in time")

// compilerVersion asks the compiler for its version, once for each compiler:
// the answer is kept with the records, also that there is none.
func compilerVersion(compiler string, s store, w *Wrap) *versionQuery {
	ctx, cancel := context.WithCancelCause(context.Background())
	q := &versionQuery{answer: make(chan string, 1), cancel: cancel}
	program := compiler
	if filepath.Base(program) != program {
		program = inDir(w.Dir, program)
	}
	path, err := lookPath(program)
	if err != nil {
		q.answer <- ""
		return q
	}
	name := versionFile(path)
	file := filepath.Join(s.dir, name)
	if known, err := readWhole(file, maxSmallBytes); err == nil && (len(known) > 0 || !olderThan(file, versionRetry)) {
		q.answer <- string(known)
		return q
	}
	go func() {
		version := askVersion(ctx, path, w)
		// A query that nobody waited for has said nothing. A failure to write
		// costs the next call a query, and nothing else.
		if version != "" || !errors.Is(context.Cause(ctx), errDropped) {
			_ = s.writeFile(name, []byte(version))
		}
		q.answer <- version
	}()
	return q
}

// wait returns the version once the call is over. It is empty when the
// compiler does not say.
func (q *versionQuery) wait() string {
	grace := time.AfterFunc(versionGrace, func() { q.cancel(errGrace) })
	defer grace.Stop()
	defer q.cancel(nil)
	return <-q.answer
}

// drop ends the query of a call that has nothing to record, and leaves nothing
// running behind it.
func (q *versionQuery) drop() {
	q.cancel(errDropped)
	<-q.answer
}

func olderThan(path string, age time.Duration) bool {
	info, err := os.Stat(path)
	return err != nil || time.Since(info.ModTime()) > age
}

// versionFile names the file that keeps the version of the compiler at path.
// An updated compiler gets another name.
func versionFile(path string) string {
	id := path
	if info, err := os.Stat(path); err == nil {
		id = fmt.Sprintf("%s\x00%d\x00%d", path, info.Size(), info.ModTime().UnixNano())
	}
	sum := sha256.Sum256([]byte(id))
	return "compiler-" + hex.EncodeToString(sum[:10]) + ".version"
}

func askVersion(ctx context.Context, path string, w *Wrap) string {
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Dir, cmd.Env = w.Dir, w.Env
	cmd.WaitDelay = versionGrace / 8
	var out firstBytes
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		return ""
	}
	// Cuda compilation tools, release 12.4, V12.4.131
	_, version, _ := strings.Cut(out.kept.String(), ", V")
	end := strings.IndexFunc(version, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(version)
	}
	return version[:end]
}

// firstBytes keeps the beginning of what is written to it.
type firstBytes struct{ kept bytes.Buffer }

func (b *firstBytes) Write(p []byte) (int, error) {
	if room := maxSmallBytes - b.kept.Len(); room > 0 {
		b.kept.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}
