package parse

// nameSet is not used yet.
type nameSet struct{}
