package declare

// mkfifo makes a named pipe; nil where the system has none.
var mkfifo func(path string) error
