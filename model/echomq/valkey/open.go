package valkey

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/ackgap/ackgap/model"
)

// FlushFirst lets Open delete what stands in the keyspace of a queue that it
// opens on a running server, where it refuses otherwise. It is for a program's
// flag, and set before any queue is opened.
var FlushFirst bool

// callTimeout is how long one exchange with a server may take: EchoMQ's own
// call timeout.
const callTimeout = 5 * time.Second

// maxSocketPath is how long the name of a unix socket may be on every system.
const maxSocketPath = 103

// leastVersion is the major version from which on a server is known to run the
// scripts.
const leastVersion = 7

func init() {
	model.Register(model.Body{
		Protocol: "echomq", Backend: "valkey",
		Variants: []model.Variant{{Name: "hardened", Doc: "as built and seven guards more: see echomq.Guard; sound"}},
		Open:     func(variant string) (model.Queue, error) { return openVariant(variant, "") },
		OpenAt:   func(variant, address string) (model.Queue, error) { return openVariant(variant, address) },
	})
}

func openVariant(variant, address string) (model.Queue, error) {
	s := virtual
	switch variant {
	case "":
	case "hardened":
		s = hardened
	default:
		return nil, fmt.Errorf("backend valkey has EchoMQ as built and hardened only, and variant %q is the Go machine's; leave out variant= or take backend=go", variant)
	}
	q, err := openScripted(address, s)
	if err != nil {
		return nil, err // not q: a nil *Queue must not become a Queue
	}
	return q, nil
}

// Open opens an empty queue on the server at address: "" for one that is
// embedded, "spawn" for one of this machine's that is begun for the queue,
// "unix:PATH" or "HOST:PORT" for one that runs. An error says what to do. The
// queue is to be closed.
func Open(address string) (*Queue, error) { return openScripted(address, virtual) }

func openScripted(address string, s *scripts) (*Queue, error) {
	var q *Queue
	var err error
	switch address {
	case "":
		q, err = openEmbedded(s)
	case "spawn":
		q, err = spawn(s)
	default:
		q, err = openRunning(address, s)
	}
	if err != nil {
		return nil, fmt.Errorf("valkey: %w", err)
	}
	return q, nil
}

func openEmbedded(s *scripts) (*Queue, error) {
	e, err := newEmbedded()
	if err != nil {
		return nil, err
	}
	return newQueue(newConn(e, 0), "ackgap", s)
}

// openRunning opens a queue on a server that is not ours, in the first keyspace
// that nobody is at work in.
func openRunning(address string, s *scripts) (*Queue, error) {
	c, err := dial(address, callTimeout)
	if err != nil {
		return nil, err
	}
	for least := 1; ; least++ {
		n, free := takeNumber(least)
		q, err := openOn(c, fmt.Sprintf("ackgap-%d", n), s)
		if err == nil {
			q.redial = func() (*conn, error) { return dial(address, callTimeout) }
			q.onClose = append(q.onClose, func() error { free(); return nil })
			return q, nil
		}
		free()
		if least = n; !errors.Is(err, errHeld) {
			_ = c.close() // what matters is why it was not opened
			return nil, fmt.Errorf("%s: %w", model.Safe(address), err)
		}
	}
}

// openOn opens a queue that must find its keyspace empty, or may make it so.
func openOn(c *conn, name string, s *scripts) (*Queue, error) {
	if err := checkServer(c); err != nil {
		return nil, err
	}
	q, err := newQueue(c, name, s)
	if err != nil {
		return nil, err
	}
	if err := q.own(); err != nil {
		return nil, err
	}
	if FlushFirst {
		q.Reset()
	}
	if err := q.refuse(q.all()); err != nil {
		q.ask("DEL", q.keys.owner)
		return nil, err
	}
	return q, nil
}

// dial connects to unix:PATH or HOST:PORT.
func dial(address string, timeout time.Duration) (*conn, error) {
	network, path := "tcp", address
	if p, isUnix := strings.CutPrefix(address, "unix:"); isUnix {
		network, path = "unix", p
	} else if _, port, err := net.SplitHostPort(address); err != nil || port == "" {
		return nil, fmt.Errorf("%q is no address; write unix:PATH, HOST:PORT or spawn", address)
	}
	c, err := net.DialTimeout(network, path, timeout)
	switch {
	case err != nil && network == "unix" && len(path) > maxSocketPath:
		return nil, fmt.Errorf("the path of a socket has at most %d bytes here, and this one has %d", maxSocketPath, len(path))
	case err != nil:
		return nil, fmt.Errorf("%s (is the server running? `valkey=spawn` starts one)", model.Safe(err.Error()))
	}
	return newConn(c, timeout), nil
}

// checkServer refuses a server that is too old, or takes no writes. Valkey names
// the version of Redis that it is compatible with, too.
func checkServer(c *conn) error {
	r, err := c.call("INFO")
	if err != nil {
		return err
	}
	version := infoOf(textOf(r), "redis_version")
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(major)
	switch said, isError := r.(error); {
	case isError && redis.IsAuthError(said):
		return fmt.Errorf("the server wants a password (%s), and ackgap has none to give; give a server without", model.Safe(said.Error()))
	case err != nil:
		return fmt.Errorf("INFO: the server does not say which version it is: %s", brief(r))
	case n < leastVersion:
		return fmt.Errorf("the server is of version %s; Valkey or Redis %d or later is needed", model.Safe(version), leastVersion)
	case infoOf(textOf(r), "role") == "slave":
		return errors.New("the server is a replica, which takes no writes; give its primary")
	}
	return nil
}

// infoOf returns one field of what INFO says, or "".
func infoOf(info, field string) string {
	_, after, _ := strings.Cut("\n"+info, "\n"+field+":")
	value, _, _ := strings.Cut(after, "\r\n")
	return value
}

// numbers are those of the queues that this process has on servers that are not
// its own.
var numbers struct {
	sync.Mutex
	taken []int
}

// takeNumber returns the first free number from least on, and what frees it.
func takeNumber(least int) (int, func()) {
	numbers.Lock()
	defer numbers.Unlock()
	n := least
	for slices.Contains(numbers.taken, n) {
		n++
	}
	numbers.taken = append(numbers.taken, n)
	return n, func() {
		numbers.Lock()
		defer numbers.Unlock()
		numbers.taken = slices.DeleteFunc(numbers.taken, func(m int) bool { return m == n })
	}
}
