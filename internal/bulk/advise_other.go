//go:build !linux

package bulk

func advise([]byte) {}
