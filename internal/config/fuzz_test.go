package config

import (
	"os"
	"reflect"
	"testing"
)

// FuzzParse holds that any bytes are either a config, in which every place
// lies in the file, or problems with places in the file, and that reading
// twice says the same.
func FuzzParse(f *testing.F) {
	for _, text := range validConfigs() {
		f.Add([]byte(text))
	}
	for _, path := range []string{"testdata/full.yml", "testdata/bad.yml"} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		"", "~", "- 1", "version: 1\n---\n", "a: &a [*a]", "? [a]\n: 1", "version: 1\narchs: [9.0, sm_9\u00a00]", "\ufeffversion: 1\r\n",
		"version: 1\x00", "version: 1\n\tx: 1", "{<<: {<<: {}}}", "!!map {version: 1}", "version: 1\nkernels: [{match: *x}]", "%YAML 1.1\n---\nversion: 1",
		"version: !!str 1\n", "version: |\n 1\n", "version: 1\u2028gpu: 1\u0085", "version: 1\ngpu: \"\\0\"\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse(data, "x", known)
		if err != nil {
			checkErrors(t, string(data), err)
			if _, again := Parse(data, "x", known); again == nil || again.Error() != err.Error() {
				t.Errorf("read again:\n%v\nfirst:\n%v", again, err)
			}
			return
		}
		if c.Version.Value != Version {
			t.Errorf("version %d is accepted", c.Version.Value)
		}
		lines := len(splitLines(string(data)))
		for _, pos := range places(reflect.ValueOf(*c), nil) {
			if pos.Line < 0 || pos.Line > lines || pos.Line > 0 && pos.Column < 1 {
				t.Errorf("%+v lies outside of the file", pos)
			}
		}
	})
}

// places lists every Pos in a value.
func places(v reflect.Value, list []Pos) []Pos {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == posType {
			if v.CanInterface() {
				list = append(list, v.Interface().(Pos))
			}
			return list
		}
		for i := range v.NumField() {
			list = places(v.Field(i), list)
		}
	case reflect.Slice:
		for i := range v.Len() {
			list = places(v.Index(i), list)
		}
	default: // values that hold no places
	}
	return list
}
