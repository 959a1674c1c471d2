package config

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"go.yaml.in/yaml/v4"
)

// valueError says what is wrong with a value and what to do about it.
type valueError struct{ message, suggestion string }

func (f *valueError) Error() string { return f.message }

const (
	mostCount = 1<<31 - 1
	mostBytes = 1 << 40
)

// lazily compiles an expression when it is first asked for: most runs need few
// of them, and all runs would wait for all.
func lazily(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// Numbers are read without expressions: nearly every config has some, and to
// compile one costs more than to read a small file.
const (
	decimals = "0123456789"
	letters  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func isDecimal(text string) bool { return text != "" && strings.Trim(text, decimals) == "" }

// cutNumber cuts a text into the number that it begins with, such as -1.5, and
// what follows, without a blank in between.
func cutNumber(text string) (number, rest string, ok bool) {
	whole := strings.TrimPrefix(text, "-")
	rest = strings.TrimLeft(whole, decimals)
	ok = len(rest) < len(whole)
	if fraction, found := strings.CutPrefix(rest, "."); found {
		rest = strings.TrimLeft(fraction, decimals)
		ok = ok && len(rest) < len(fraction)
	}
	return strings.TrimSuffix(text, rest), strings.TrimPrefix(rest, " "), ok
}

// parseCount reads a whole number that is not below least.
func parseCount(n *yaml.Node, least int64) (int64, error) {
	text := n.Value
	switch {
	case quoted(n) && isDecimal(text):
		return 0, &valueError{quote(text) + " is text; a number stands without quotes", meant(text)}
	case strings.HasPrefix(text, "-") && isDecimal(text[1:]):
		return 0, &valueError{text + " is negative; write a number from " + strconv.FormatInt(least, 10) + " up", ""}
	case !isDecimal(text) || quoted(n):
		return 0, &valueError{quote(text) + " is not a whole number", ""}
	case len(text) > 1 && text[0] == '0':
		return 0, &valueError{text + " begins with 0, which some read as octal", meant(trimZeros(text))}
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v > mostCount {
		return 0, &valueError{text + " is too large", "the most is " + strconv.Itoa(mostCount)}
	}
	if v < least {
		return 0, &valueError{text + " is too small; write a number from " + strconv.FormatInt(least, 10) + " up", ""}
	}
	return v, nil
}

func trimZeros(text string) string {
	if text = strings.TrimLeft(text, "0"); text == "" {
		return "0"
	}
	return text
}

var binaryUnits = map[string]float64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}

// parseBytes reads a size: bytes, or a number with B, KiB, MiB or GiB. KB is
// refused: some mean 1000 by it and some 1024.
func parseBytes(n *yaml.Node, least int64) (int64, error) {
	const forms = "write bytes (98304) or a size with a unit (96KiB)"
	number, unit, ok := cutNumber(n.Value)
	if !ok || strings.Trim(unit, letters) != "" {
		return 0, &valueError{quote(n.Value) + " is not a size", forms}
	}
	factor, ok := binaryUnits[unit]
	if !ok {
		if to := binaryUnit(unit); to != "" {
			return 0, &valueError{quote(unit) + " is no unit here; the units are B, KiB, MiB and GiB", meant(number + to)}
		}
		return 0, &valueError{quote(unit) + " is not a unit of size", forms}
	}
	if unit == "" {
		if strings.Contains(number, ".") {
			return 0, &valueError{number + " is not a whole number of bytes", forms}
		}
		if quoted(n) {
			return 0, &valueError{quote(number) + " is text; a number stands without quotes", meant(number)}
		}
		if len(number) > 1 && number[0] == '0' {
			return 0, &valueError{number + " begins with 0, which some read as octal", meant(trimZeros(number))}
		}
	}
	value, err := strconv.ParseFloat(number, 64)
	value *= factor
	switch {
	case strings.HasPrefix(number, "-"):
		return 0, &valueError{quote(n.Value) + " is negative; a size is 0 or more", ""}
	case err != nil || value > mostBytes:
		return 0, &valueError{quote(n.Value) + " is too large", "the most is 1024GiB"}
	case value != math.Trunc(value):
		return 0, &valueError{quote(n.Value) + " is not a whole number of bytes", ""}
	case int64(value) < least:
		return 0, &valueError{quote(n.Value) + " is too small; write a size from " + strconv.FormatInt(least, 10) + " byte up", ""}
	}
	return int64(value), nil
}

// binaryUnit returns the unit that somebody who wrote "kb" or "K" may mean.
func binaryUnit(unit string) string {
	switch strings.ToLower(unit) {
	case "b", "byte", "bytes":
		return "B"
	case "k", "kb", "ki", "kib":
		return "KiB"
	case "m", "mb", "mi", "mib":
		return "MiB"
	case "g", "gb", "gi", "gib":
		return "GiB"
	}
	return ""
}

// parsePercent reads 25% or 25. A fraction without the sign is refused: 0.25
// hardly means a quarter of a percent.
func parsePercent(n *yaml.Node) (Percent, error) {
	number, sign, ok := cutNumber(n.Value)
	if !ok || sign != "" && sign != "%" {
		return 0, &valueError{quote(n.Value) + " is not a percentage", "write 25%"}
	}
	value, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil || value < 0 || value > 100:
		return 0, &valueError{quote(n.Value) + " is not between 0% and 100%", ""}
	case sign == "" && value > 0 && value <= 1:
		return 0, &valueError{n.Value + " without a percent sign could be a fraction",
			meant(strconv.FormatFloat(value*100, 'g', 6, 64) + "%")}
	}
	return Percent(value), nil
}

// parseMetric reads a positive number with one of the units.
func parseMetric(n *yaml.Node, units map[string]float64, what, example string) (float64, error) {
	text := strings.TrimSpace(n.Value)
	digits := strings.TrimRight(text, letters+"/ ")
	unit := strings.TrimSpace(text[len(digits):])
	factor, ok := units[unit]
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil || !ok || !(value > 0) || math.IsInf(value*factor, 0) {
		return 0, &valueError{quote(n.Value) + " is not a " + what, "write " + example}
	}
	return value * factor, nil
}

func parseBandwidth(n *yaml.Node) (Bandwidth, error) {
	v, err := parseMetric(n, map[string]float64{"MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12}, "bandwidth", "3.35TB/s or 864GB/s")
	return Bandwidth(v), err
}

func parseHertz(n *yaml.Node) (Hertz, error) {
	v, err := parseMetric(n, map[string]float64{"MHz": 1e6, "GHz": 1e9}, "frequency", "1.98GHz or 1980MHz")
	return Hertz(v), err
}

func parseDate(n *yaml.Node) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, n.Value)
	if err == nil {
		return t, nil
	}
	f := &valueError{message: quote(n.Value) + " is not a date", suggestion: "write year, month and day: 2027-03-01"}
	for _, layout := range []string{time.RFC3339, "2006-1-2", "2006/01/02", "2006/1/2", "20060102", "02.01.2006", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, n.Value); err == nil {
			f.suggestion = meant(t.Format(time.DateOnly))
		}
	}
	return t, f
}

// parseText reads a text that says something. Numbers and the like without
// quotes are refused: 1.10 would lose its last digit.
func parseText(n *yaml.Node) (string, error) {
	switch {
	case n.ShortTag() != "!!str":
		return "", &valueError{n.Value + " is not text", "put it in quotes"}
	case strings.TrimSpace(n.Value) == "":
		return "", &valueError{"the text is empty", ""}
	}
	return n.Value, nil
}

func parseBool(n *yaml.Node) (bool, error) {
	switch {
	case n.ShortTag() == "!!bool" && fold(n.Value) == "true":
		return true, nil
	case n.ShortTag() == "!!bool" && fold(n.Value) == "false":
		return false, nil
	}
	return false, &valueError{quote(n.Value) + " is neither true nor false", ""}
}

func parseSeverity(n *yaml.Node) (Severity, error) {
	for _, s := range severities {
		if n.Value == s {
			return Severity(s), nil
		}
	}
	f := &valueError{message: quote(n.Value) + " is not a severity; the severities are " + listing(severities)}
	switch fold(n.Value) {
	case "false", "no", "none", "never", "disable", "disabled", "ignore":
		f.suggestion = didYouMean("off")
	case "true", "on", "yes", "enable", "enabled":
		f.suggestion = "name the severity, or remove the line for the rule's own"
	case "note", "notice", "hint":
		f.suggestion = didYouMean("info")
	case "fatal", "critical", "blocker":
		f.suggestion = didYouMean("error")
	default:
		f.suggestion = didYouMean(nearest(n.Value, severities))
	}
	return "", f
}

var (
	archName  = lazily(`^(?:(?:sm|compute)_[1-9][0-9]{1,2}|[1-9][0-9]?\.[0-9])[af]?$`)
	archLike  = lazily(`(?i)^[a-z_ -]*([1-9][0-9]?)[._]?([0-9])([af]?)$`)
	ruleID    = lazily(`^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$`)
	macroName = lazily(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// archFault returns what is wrong with the name of an architecture, or nil.
func archFault(text string) *valueError {
	if archName().MatchString(text) {
		return nil
	}
	f := &valueError{message: quote(text) + " is not the name of an architecture", suggestion: "write sm_90 or sm_90a"}
	if m := archLike().FindStringSubmatch(text); m != nil {
		f.suggestion = didYouMean("sm_" + m[1] + m[2] + strings.ToLower(m[3]))
	}
	return f
}

func parseArch(n *yaml.Node) (Arch, error) {
	if f := archFault(n.Value); f != nil {
		return "", f
	}
	return Arch(n.Value), nil
}

func parseGlob(n *yaml.Node) (Glob, error) {
	text, err := parseText(n)
	if err != nil {
		return "", err
	}
	if strings.Contains(text, `\`) && !strings.Contains(text, "/") {
		return "", &valueError{quote(text) + " has backslashes", didYouMean(strings.ReplaceAll(text, `\`, "/"))}
	}
	if !doublestar.ValidatePattern(text) {
		return "", &valueError{quote(text) + " is not a glob; a bracket or brace is not closed", ""}
	}
	return Glob(text), nil
}

func quoted(n *yaml.Node) bool {
	return n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
}
