package rules

import (
	"errors"
	"fmt"
	"strings"
)

func joinErrors(errs []error) error { return errors.Join(errs...) }

func badPattern(what string, index int, text string, err error) error {
	return fmt.Errorf("%s %d matches %q: %w", what, index+1, text, err)
}

func compareStrings(a, b string) int { return strings.Compare(a, b) }
