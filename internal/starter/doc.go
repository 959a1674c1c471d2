// Package starter makes the first config of a project: from a log that was
// judged it writes budgets that today's kernels keep, and what to look at first.
package starter
