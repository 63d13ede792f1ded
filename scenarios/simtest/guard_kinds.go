package simtest

import "github.com/ackgap/ackgap/model"

// asked is what each guard can do.
type asked interface {
	model.Queue
	model.Failer
	model.Closer
}

// guarded puts a guard before q that can do what q can, so far as runs ask for it, and
// counts what it answers.
//
// What a queue can do it says by its methods, so each set of them is a type.
func guarded(q model.Queue, counts *tried) (*guard, model.Queue) {
	g := &guard{queue: q, seen: map[model.ID]bool{}, sent: map[parcel]bool{}, hands: map[model.ID]hand{}, tried: counts}
	_, touches := q.(model.Toucher)
	_, resets := q.(model.Resetter)
	t, r := toucher{g}, resetter{g}
	var peeks model.Peeker
	if _, ok := q.(model.Peeker); ok {
		peeks = peeker{g}
	}
	var dues model.Duer
	if _, ok := q.(model.Duer); ok {
		dues = duer{g}
	}
	switch {
	case touches && resets:
		return g, withBoth(g, t, r, peeks, dues)
	case touches:
		return g, withTouch(g, t, peeks, dues)
	case resets:
		return g, withReset(g, r, peeks, dues)
	}
	return g, withNone(g, peeks, dues)
}

func withBoth(a asked, t toucher, r resetter, p model.Peeker, d model.Duer) model.Queue {
	switch {
	case p != nil && d != nil:
		return struct {
			asked
			model.Toucher
			model.Resetter
			model.Peeker
			model.Duer
		}{a, t, r, p, d}
	case p != nil:
		return struct {
			asked
			model.Toucher
			model.Resetter
			model.Peeker
		}{a, t, r, p}
	case d != nil:
		return struct {
			asked
			model.Toucher
			model.Resetter
			model.Duer
		}{a, t, r, d}
	}
	return struct {
		asked
		model.Toucher
		model.Resetter
	}{a, t, r}
}

func withTouch(a asked, t toucher, p model.Peeker, d model.Duer) model.Queue {
	switch {
	case p != nil && d != nil:
		return struct {
			asked
			model.Toucher
			model.Peeker
			model.Duer
		}{a, t, p, d}
	case p != nil:
		return struct {
			asked
			model.Toucher
			model.Peeker
		}{a, t, p}
	case d != nil:
		return struct {
			asked
			model.Toucher
			model.Duer
		}{a, t, d}
	}
	return struct {
		asked
		model.Toucher
	}{a, t}
}

func withReset(a asked, r resetter, p model.Peeker, d model.Duer) model.Queue {
	switch {
	case p != nil && d != nil:
		return struct {
			asked
			model.Resetter
			model.Peeker
			model.Duer
		}{a, r, p, d}
	case p != nil:
		return struct {
			asked
			model.Resetter
			model.Peeker
		}{a, r, p}
	case d != nil:
		return struct {
			asked
			model.Resetter
			model.Duer
		}{a, r, d}
	}
	return struct {
		asked
		model.Resetter
	}{a, r}
}

func withNone(a asked, p model.Peeker, d model.Duer) model.Queue {
	switch {
	case p != nil && d != nil:
		return struct {
			asked
			model.Peeker
			model.Duer
		}{a, p, d}
	case p != nil:
		return struct {
			asked
			model.Peeker
		}{a, p}
	case d != nil:
		return struct {
			asked
			model.Duer
		}{a, d}
	}
	return struct {
		asked
	}{a}
}
