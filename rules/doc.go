// Package rules judges kernels. In go a parsed log and a Policy (budgets,
// bounds, exceptions); out come findings, each with value, limit and place.
// It does no I/O.
//
// A rule is one file: its documentation and its code. Registry lists them all;
// what explain, the documentation and SARIF say of a rule is its Rule value.
//
// Judge joins each kernel of the log with what is declared for it (per field
// the later declaration wins), computes what fits on the SM, and asks every
// rule. What several compilations of one kernel give is one finding, the worst.
// Ignores and the baseline then suppress what the policy accepts; suppressed
// findings stay in the result, with the reason.
//
// What a log does not state is unknown, and unknown is never fine: a budget on
// such a number makes the log untrusted (Result.Trusted), as does every other
// reason to doubt the log as a whole.
//
// All functions are safe for concurrent use; a Result points into the log and
// the policy that it was made from.
package rules
