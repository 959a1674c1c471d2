// Package rules judges kernels. In go a parsed log and a Policy (budgets,
// bounds, exceptions); out come findings, each with value, limit and place.
// It does no I/O.
//
// A rule is one file: its documentation and its code. Registry lists them all.
package rules

const untrustedLogID = "untrusted-log"
