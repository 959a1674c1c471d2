package config

import (
	"iter"
	"reflect"
)

// Number is a number that the config sets, whatever its unit: bytes, percent
// or what is counted.
type Number = Field[float64]

// ByField lists the tolerances that are set, by their keys.
func (t Tolerance) ByField() map[string]float64 {
	m := map[string]float64{}
	for key, f := range numbers(reflect.ValueOf(t)) {
		m[key] = f.Value
	}
	return m
}

// Budgets lists the numbers that are set, by their keys; those for spills as
// spill_stores and spill_loads.
func (l *Limits) Budgets() map[string]Number {
	m := map[string]Number{}
	for key, f := range numbers(reflect.ValueOf(l).Elem()) {
		m[key] = f
	}
	for key, f := range map[string]Field[Bytes]{"spill_stores": l.Spills.Stores, "spill_loads": l.Spills.Loads} {
		if f.Set {
			m[key] = Number{Value: float64(f.Value), Set: true, Pos: f.Pos, Text: f.Text}
		}
	}
	return m
}

// numbers lists the settings of a mapping that are set and are numbers, by
// their keys.
func numbers(mapping reflect.Value) iter.Seq2[string, Number] {
	return func(yield func(string, Number) bool) {
		for i := range mapping.NumField() {
			key, n, ok := mapping.Type().Field(i).Tag.Get("yaml"), Number{}, false
			switch f := mapping.Field(i).Interface().(type) {
			case Field[int]:
				n, ok = Number{Value: float64(f.Value), Pos: f.Pos, Text: f.Text}, f.Set
			case Field[Bytes]:
				n, ok = Number{Value: float64(f.Value), Pos: f.Pos, Text: f.Text}, f.Set
			case Field[Percent]:
				n, ok = Number{Value: float64(f.Value), Pos: f.Pos, Text: f.Text}, f.Set
			}
			if n.Set = ok; ok && !yield(key, n) {
				return
			}
		}
	}
}
