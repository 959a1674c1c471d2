// Package calc answers occupancy questions. In go launches (given in numbers
// or taken from a log) and what is asked about them; out come answers as data,
// and the same as text, JSON or CSV. It reads no logs and no flags: the
// command does.
package calc
