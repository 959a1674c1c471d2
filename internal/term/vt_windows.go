package term

import "golang.org/x/sys/windows"

// escapes makes a console understand escape sequences; older ones print them
// as they are, and then there can be no colour.
func escapes(fd int) bool {
	var mode uint32
	console := windows.Handle(fd)
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
