package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// versionTimeout bounds the query of a compiler's version.
const versionTimeout = 10 * time.Second

// compilerVersion asks the compiler for its version beside the compilation,
// once for each compiler: the answer is kept with the records. It is empty
// when the compiler does not say.
func compilerVersion(compiler string, s store, w *Wrap) <-chan string {
	answer := make(chan string, 1)
	program := compiler
	if filepath.Base(program) != program {
		program = inDir(w.Dir, program)
	}
	path, err := lookPath(program)
	if err != nil {
		answer <- ""
		return answer
	}
	name := versionFile(path)
	if known, err := os.ReadFile(filepath.Join(s.dir, name)); err == nil {
		answer <- string(known)
		return answer
	}
	go func() {
		version := askVersion(path, w.Env)
		if version != "" {
			// A failure costs the next call a query, and nothing else.
			_ = s.writeFile(name, []byte(version))
		}
		answer <- version
	}()
	return answer
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

func askVersion(path string, env []string) string {
	ctx, cancel := context.WithTimeout(context.Background(), versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env = env
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	// Cuda compilation tools, release 12.4, V12.4.131
	_, version, _ := strings.Cut(string(out), ", V")
	end := strings.IndexFunc(version, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end < 0 {
		end = len(version)
	}
	return version[:end]
}
