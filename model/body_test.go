package model_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ackgap/ackgap/model"
)

// A backend's name may be followed by an address, which the body is given; one
// that runs in this process refuses it and says what to write.
func TestABackendIsOpenedAtItsAddress(t *testing.T) {
	opened := errors.New("opened")
	local := model.Body{Protocol: "p", Backend: "local", Open: func(string) (model.Queue, error) { return nil, opened }}
	remote := model.Body{
		Protocol: "p", Backend: "remote", Open: local.Open,
		OpenAt: func(variant, address string) (model.Queue, error) {
			return nil, errors.New(variant + " at " + address)
		},
	}
	for _, c := range []struct {
		body          model.Body
		backend, want string
	}{
		{local, "local", "opened"},
		{local, "local=host:1", "has no address; write backend=local"},
		{remote, "remote", "opened"},
		{remote, "remote=unix:/a=b", "v at unix:/a=b"},
		{remote, "remote=", "no address behind the ="},
	} {
		if _, err := c.body.OpenOn(c.backend, "v"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the error is %v, want %q", c.backend, err, c.want)
		}
	}
}

// Bodies stand in one order, whoever was linked first, and are found under both of their
// names; a variant is found by its own.
func TestABodyIsFoundUnderItsNames(t *testing.T) {
	for _, name := range []string{"q on b", "p on c", "p on a", "q on a"} {
		protocol, backend, _ := strings.Cut(name, " on ")
		model.Register(model.Body{Protocol: protocol, Backend: backend, Variants: []model.Variant{{Name: "first"}, {Name: name}}})
	}
	var order []string
	for _, b := range model.Bodies() {
		name := b.Protocol + " on " + b.Backend
		order = append(order, name)
		if found, ok := model.FindBody(b.Protocol, b.Backend); !ok || found.Variants[1].Name != name {
			t.Errorf("%s is not found, or is another one: %+v", name, found)
		}
		if v, ok := b.Variant(name); !ok || v.Name != name {
			t.Errorf("the variant of %s that is found is %+v", name, v)
		}
		if _, ok := b.Variant("third"); ok {
			t.Errorf("%s has a variant of a name that it has not", name)
		}
	}
	if got := strings.Join(order, ", "); got != "p on a, p on c, q on a, q on b" {
		t.Errorf("the order is %s", got)
	}
	if b, ok := model.FindBody("p", "b"); ok {
		t.Errorf("p on b is %+v", b)
	}
}
