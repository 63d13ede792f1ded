package sim

import (
	"maps"
	"slices"
)

type table map[string]int

type anyTable interface{ ~map[string]int }

func ranges(m map[string]int, t table) {
	for range m { // want "map-order: range over a map"
	}
	for range t { // want "map-order: range over a map"
	}
}

func rangesAnyMap[M ~map[K]V, K comparable, V any](m M) {
	for range m { // want "map-order: range over a map"
	}
}

func rangesConstraint[M anyTable](m M) {
	for range m { // want "map-order: range over a map"
	}
}

func iterates(m map[string]int) {
	for range maps.Keys(m) { // want "map-order: maps.Keys"
	}
	_ = slices.Collect(maps.Values(m))                                      // want "map-order: maps.Values"
	_ = maps.All(m)                                                         // want "map-order: maps.All"
	_ = maps.Keys[map[string]int]                                           // want "map-order: maps.Keys"
	maps.DeleteFunc(m, func(string, int) bool { return true })              // want "map-order: maps.DeleteFunc"
	_ = maps.EqualFunc(m, m, func(int, int) bool { return true })           // want "map-order: maps.EqualFunc"
	_ = slices.SortedFunc(maps.Keys(m), func(a, b string) int { return 0 }) // want "map-order: maps.Keys"
}
