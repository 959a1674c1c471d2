// Package share divides work among the processors.
package share

import (
	"runtime"
	"sync"
)

// Parts is in how many parts n things are worth dividing: one for each
// processor, none with fewer than least things, which one goroutine has done
// before another has begun; at least one.
func Parts(n, least int) int { return max(1, min(runtime.GOMAXPROCS(0), n/least)) }

// Do calls f for each part with its range of n things, all at the same time,
// and returns when all are done. The last part is done by the caller.
func Do(n, parts int, f func(part, from, to int)) {
	var wait sync.WaitGroup
	for p := range parts - 1 {
		wait.Go(func() { f(p, n*p/parts, n*(p+1)/parts) })
	}
	f(parts-1, n*(parts-1)/parts, n)
	wait.Wait()
}
