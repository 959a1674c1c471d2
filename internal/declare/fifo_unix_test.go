//go:build unix

package declare

import "golang.org/x/sys/unix"

func init() { mkfifo = func(path string) error { return unix.Mkfifo(path, 0o600) } }
