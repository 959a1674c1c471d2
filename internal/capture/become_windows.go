package capture

import "errors"

// become is not to be had on Windows; the caller runs the command as a child.
func become(_, _ []string, _ string) error { return errors.ErrUnsupported }
