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
