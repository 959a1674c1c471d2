package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/occlint/occlint/arch"
	"github.com/occlint/occlint/internal/profile"
	"github.com/occlint/occlint/internal/profile/judge"
	"github.com/occlint/occlint/parse"
	"github.com/occlint/occlint/rules"
)

// launched reads what profilers saw of the log's kernels: a declaration for
// each of them that was launched. It counts less than all others, so that it
// gives a block size and dynamic shared memory only where nothing else does.
func (a *app) launched(reports []string, log *parse.Log, table *arch.Table, root string) ([]rules.Declaration, error) {
	if len(reports) == 0 {
		return nil, nil
	}
	if table == nil {
		table = arch.Builtin()
	}
	j := judge.New(logRecords(log), judge.Options{Table: table, Thresholds: judge.Defaults()})
	for _, name := range reports {
		if err := a.readLaunches(j, name, root); err != nil {
			return nil, err
		}
	}
	result := j.Result()
	if result.Joined == 0 && result.Others == 0 {
		return nil, &exitError{exitUntrusted, errors.New("no launch of the profile has a record in the log: are they of one build? " +
			"Names are compared by their mangled form, or with their template arguments: export with --print-kernel-base mangled")}
	}
	return launchDeclarations(result), nil
}

func (a *app) readLaunches(j *judge.Judge, name, root string) error {
	if name == "" {
		return usageError("--profile names no report: is the variable in it set?")
	}
	f, err := os.Open(a.path(name))
	if err != nil {
		return usageError("cannot read the profile %q: %w", name, err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	report, err := profile.Read(f, rootRelative(root, a.path(name), name), j.Add, nil)
	for _, p := range report.Problems {
		fmt.Fprintf(a.Stderr, "occlint: note: %s:%d: %s\n", escapeLines(p.Place.File), p.Place.Line, escapeLines(p.Text))
	}
	if report.MoreProblems > 0 {
		fmt.Fprintf(a.Stderr, "occlint: note: %d more of the like\n", report.MoreProblems)
	}
	var known *profile.Error
	switch {
	case errors.As(err, &known):
		return &exitError{exitUntrusted, err}
	case err != nil:
		return usageError("cannot read the profile %q: %w", name, err)
	}
	return nil
}

// launchDeclarations makes one declaration for each record that was launched.
func launchDeclarations(r *judge.Result) []rules.Declaration {
	type key struct{ name, arch string }
	at := map[key]int{}
	var list []rules.Declaration
	for i := range r.Kernels { // the longest first
		k := &r.Kernels[i]
		record := k.Record
		if record == nil {
			record = k.Stale
		}
		if record == nil || k.Threads == 0 {
			continue
		}
		id := key{record.Name, record.Arch}
		n, ok := at[id]
		if !ok {
			n = len(list)
			at[id] = n
			list = append(list, launchDeclaration(k, record))
		}
		shapes := &list[n].Launched.Value.Shapes
		addShape(shapes, rules.LaunchShape{Threads: k.Threads, DynamicShared: k.Dynamic, Launches: k.Launches, Share: k.Share})
	}
	return list
}

func launchDeclaration(k *judge.Kernel, record *judge.Record) rules.Declaration {
	d := rules.Declaration{
		Names: []string{record.Name}, Archs: []string{record.Arch},
		Origin:   rules.Origin{From: rules.FromProfile, Place: parse.Place{File: k.Place.File, Line: k.Place.Line}},
		Launched: rules.Declared(rules.Launched{Registers: k.Registers, StaticShared: k.Static, Coarse: k.Coarse}),
	}
	if k.Stale != nil {
		return d // nothing else of another build counts
	}
	d.Block = rules.Declared(k.Threads)
	if k.Dynamic != arch.Unknown {
		d.DynamicShared = rules.Declared(int64(k.Dynamic))
	}
	return d
}

// addShape adds launches to those of the same shape.
func addShape(shapes *[]rules.LaunchShape, s rules.LaunchShape) {
	for i := range *shapes {
		if have := &(*shapes)[i]; have.Threads == s.Threads && have.DynamicShared == s.DynamicShared {
			have.Launches += s.Launches
			have.Share += s.Share
			return
		}
	}
	*shapes = append(*shapes, s)
}
