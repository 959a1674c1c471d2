package config

import (
	"strconv"
	"strings"
)

// Scalar writes s as a YAML scalar: plain where no reader could take it for
// anything else, in double quotes with escapes where it could.
func Scalar(s string) string {
	if plainText(s) {
		return s
	}
	return strconv.Quote(s)
}

func plainText(s string) bool {
	switch strings.ToLower(s) {
	case "", "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	for i, r := range s {
		switch {
		case r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		case i > 0 && ('0' <= r && r <= '9' || r == '-' || r == '.' || r == '/' || r == '$'):
		case r == ' ' && i > 0 && i < len(s)-1: // a sentence
		default:
			return false
		}
	}
	return true
}
