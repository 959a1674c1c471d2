package where

import "fmt"

// Stated is what the compiler's log says of a function's spills.
type Stated struct{ StoreBytes, LoadBytes int64 }

// Reconcile holds the bytes that were read from the code against those that the
// compiler printed. Equal, they are exact, however they were told; different,
// the kernel gets a note with both, and disagrees is true where the code alone
// would have been exact: then the log is of another build.
func (k *Kernel) Reconcile(s Stated) (disagrees bool) {
	k.Log = &s
	if k.Certainty == Unknown {
		k.Notes = append(k.Notes, fmt.Sprintf("the log has %d bytes of spill stores and %d of spill loads; the code doesn't tell which these are", s.StoreBytes, s.LoadBytes))
		return false
	}
	if k.SpillStoreBytes == s.StoreBytes && k.SpillLoadBytes == s.LoadBytes {
		k.Certainty = Exact
		return false
	}
	k.Notes = append(k.Notes, fmt.Sprintf("the log has %d bytes of spill stores and %d of spill loads, the code %d and %d", s.StoreBytes, s.LoadBytes, k.SpillStoreBytes, k.SpillLoadBytes))
	if k.Certainty == Exact {
		k.Certainty = About
		return true
	}
	return false
}
