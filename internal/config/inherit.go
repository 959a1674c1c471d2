package config

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
)

// maxChain bounds how many files can extend each other. A repository has a
// few; a chain that long is a mistake.
const maxChain = 16

// Load reads a file and those that it extends, and returns them as one config:
// per setting, the file that extends wins. The error is an *Errors with
// everything that is wrong with the first file that is not right.
//
// A file extends the one that its key extends names. Without the key, a file
// that occlint finds by its name (see Find) extends the nearest one above its
// directory in the same repository, unless it says root: true.
//
// Not inherited are expect and baseline, which speak of one whole build, and
// an inherited entry may match no kernel, since it was written for more than
// this file's part of the build.
func Load(path string, known Known) (*Config, error) { return loadChain(path, known, nil) }

// loadChain reads a file that the files of below extend, the nearest last.
func loadChain(path string, known Known, below []string) (*Config, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, &Errors{File: path, Problems: []Problem{{Message: err.Error()}}}
	}
	d, c := decode(data, path, known)
	if len(d.problems) > 0 {
		return nil, d.finish(c)
	}
	c.Chain = []string{path}
	next, asked := c.parent()
	if next == "" {
		if err := d.finish(c); err != nil {
			return nil, err
		}
		return c, nil
	}
	below = append(below, path)
	if fault := chainFault(next, below); fault != "" {
		d.at(asked.at, 1, "extends: "+fault, "")
		return nil, d.errors(path)
	}
	base, err := loadChain(next, known, below)
	if err != nil {
		return nil, d.missing(err, next, asked)
	}
	for _, g := range base.CustomGPUs {
		d.gpus = append(d.gpus, g.Key)
	}
	if err := d.finish(c); err != nil {
		return nil, err
	}
	c.Chain = append(c.Chain, base.Chain...)
	c.inherit(base)
	return c, nil
}

// missing points to the setting that names a file which can't be read; any
// other fault of it is that file's own.
func (d *decoder) missing(err error, next string, asked Field[string]) error {
	var errs *Errors
	if asked.Set && errors.As(err, &errs) && errs.File == next && len(errs.Problems) == 1 && errs.Problems[0].Pos.IsZero() {
		d.at(asked.at, 1, "extends: "+errs.Problems[0].Message, "")
		return d.errors(d.file)
	}
	return err
}

// parent returns the path of the file that this one extends, empty for none,
// and the setting that names it, if one does.
func (c *Config) parent() (path string, asked Field[string]) {
	dir := filepath.Dir(c.File)
	switch {
	case c.Extends.Set && filepath.IsAbs(c.Extends.Value):
		return filepath.Clean(c.Extends.Value), c.Extends
	case c.Extends.Set:
		return filepath.Join(dir, filepath.FromSlash(c.Extends.Value)), c.Extends
	case c.Root.Value || !slices.Contains(fileNames, filepath.Base(c.File)) || isRepositoryRoot(dir):
		return "", Field[string]{}
	}
	path, _ = Find(filepath.Dir(dir))
	return path, Field[string]{}
}

// chainFault says why a file can't be the next of the chain; empty if it can.
func chainFault(next string, below []string) string {
	if len(below) >= maxChain {
		return "more than " + strconv.Itoa(maxChain) + " files extend each other"
	}
	info, err := os.Stat(next)
	if err != nil {
		return "" // reading it says it better
	}
	for _, have := range below {
		if other, err := os.Stat(have); err == nil && os.SameFile(info, other) {
			return "the file extends itself, directly or by way of others"
		}
	}
	return ""
}

// inherit fills c with what base says and c does not.
func (c *Config) inherit(base *Config) {
	base.Expect, base.Baseline = Expect{}, Field[string]{}
	own := *c
	for i := range base.Kernels {
		base.Kernels[i].Inherited = true
	}
	for i := range base.Ignore {
		base.Ignore[i].Inherited = true
	}
	fill(reflect.ValueOf(c).Elem(), reflect.ValueOf(base).Elem())
	// These are lists of entries of which each counts; of the kernels' the
	// later wins.
	c.Kernels = slices.Concat(base.Kernels, own.Kernels)
	c.Ignore = slices.Concat(base.Ignore, own.Ignore)
	c.Sources = slices.Concat(base.Sources, own.Sources)
	c.PTX = slices.Concat(base.PTX, own.PTX)
}

// fill copies each setting that base has and own lacks: a Field, an entry of a
// Map, a whole list.
func fill(own, base reflect.Value) {
	switch {
	case isField(own.Type()):
		if !own.FieldByName("Set").Bool() {
			own.Set(base)
		}
	case own.Kind() == reflect.Slice && isEntry(own.Type().Elem()):
		own.Set(fillMap(own, base))
	case own.Kind() == reflect.Slice:
		if own.Len() == 0 {
			own.Set(base)
		}
	case own.Kind() == reflect.Struct && own.Type() != posType:
		for i := range own.NumField() {
			if tag := own.Type().Field(i).Tag.Get("yaml"); tag != "-" && own.Type().Field(i).IsExported() {
				fill(own.Field(i), base.Field(i))
			}
		}
	}
}

// fillMap returns the entries of base, each with what own says under its key,
// and then those that only own has.
func fillMap(own, base reflect.Value) reflect.Value {
	all := reflect.MakeSlice(own.Type(), 0, own.Len()+base.Len())
	used := map[string]bool{}
	for i := range base.Len() {
		entry := reflect.New(own.Type().Elem()).Elem()
		entry.Set(base.Index(i))
		key := entry.FieldByName("Key").String()
		for n := range own.Len() {
			if o := own.Index(n); o.FieldByName("Key").String() == key {
				used[key] = true
				merged := reflect.New(o.Type()).Elem()
				merged.Set(o)
				fill(merged.FieldByName("Value"), entry.FieldByName("Value"))
				entry = merged
			}
		}
		all = reflect.Append(all, entry)
	}
	for n := range own.Len() {
		if o := own.Index(n); !used[o.FieldByName("Key").String()] {
			all = reflect.Append(all, o)
		}
	}
	return all
}

func isField(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	set, ok := t.FieldByName("Set")
	return ok && set.Type.Kind() == reflect.Bool
}

func isEntry(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	_, key := t.FieldByName("Key")
	_, value := t.FieldByName("Value")
	return key && value
}

// stamp says in which file every place below v stands.
func stamp(v reflect.Value, file string) {
	switch {
	case v.Type() == posType && v.CanSet():
		if pos := v.Addr().Interface().(*Pos); !pos.IsZero() {
			pos.File = file
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() || v.Type().Field(i).Anonymous {
				stamp(v.Field(i), file)
			}
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			stamp(v.Index(i), file)
		}
	}
}
