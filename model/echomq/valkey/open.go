package valkey

import (
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ackgap/ackgap/model"
)

// FlushFirst lets Open delete what stands in the keyspace of a queue that it
// opens on a running server, where it refuses otherwise. It is for a program's
// flag, and set before any queue is opened.
var FlushFirst bool

// callTimeout is how long one exchange with a server may take: EchoMQ's own
// call timeout.
const callTimeout = 5 * time.Second

// leastVersion is the major version from which on a server is known to run the
// scripts.
const leastVersion = 7

func init() {
	model.Register(model.Body{
		Protocol: "echomq", Backend: "valkey",
		Open:   func(variant string) (model.Queue, error) { return openVariant(variant, "") },
		OpenAt: func(variant, address string) (model.Queue, error) { return openVariant(variant, address) },
	})
}

func openVariant(variant, address string) (model.Queue, error) {
	if variant != "" {
		return nil, fmt.Errorf("backend valkey has EchoMQ as built only, and variant %q is the Go machine's; leave out variant= or take backend=go", variant)
	}
	q, err := Open(address)
	if err != nil {
		return nil, err // not q: a nil *Queue must not become a Queue
	}
	return q, nil
}

// Open opens an empty queue on the server at address: "" for one that is
// embedded, "spawn" for one of this machine's that is begun for the queue,
// "unix:PATH" or "HOST:PORT" for one that runs. An error says what to do. The
// queue is to be closed.
func Open(address string) (*Queue, error) {
	var q *Queue
	var err error
	switch address {
	case "":
		q, err = openEmbedded()
	case "spawn":
		q, err = spawn(virtual)
	default:
		q, err = openRunning(address)
	}
	if err != nil {
		return nil, fmt.Errorf("valkey: %w", err)
	}
	return q, nil
}

func openEmbedded() (*Queue, error) {
	e, err := newEmbedded()
	if err != nil {
		return nil, err
	}
	return newQueue(newConn(e, 0), "ackgap", virtual)
}

// openRunning opens a queue on a server that is not ours.
func openRunning(address string) (*Queue, error) {
	c, err := dial(address, callTimeout)
	if err != nil {
		return nil, err
	}
	name, free := takeName()
	q, err := openOn(c, name, virtual)
	if err != nil {
		free()
		_ = c.close() // what matters is why it was not opened
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	q.redial = func() (*conn, error) { return dial(address, callTimeout) }
	q.onClose = append(q.onClose, func() error { free(); return nil })
	return q, nil
}

// openOn opens a queue that must find its keyspace empty, or may make it so.
func openOn(c *conn, name string, s *scripts) (*Queue, error) {
	if err := checkVersion(c); err != nil {
		return nil, err
	}
	q, err := newQueue(c, name, s)
	if err != nil {
		return nil, err
	}
	if FlushFirst {
		q.Reset()
	}
	return q, q.refuseFull()
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
	if err != nil {
		return nil, fmt.Errorf("%w (is the server running? `valkey=spawn` starts one)", err)
	}
	return newConn(c, timeout), nil
}

// checkVersion refuses a server that is too old. Valkey names the version of
// Redis that it is compatible with, too.
func checkVersion(c *conn) error {
	r, err := c.call("INFO", "server")
	if err != nil {
		return err
	}
	_, after, _ := strings.Cut(textOf(r), "redis_version:")
	version, _, _ := strings.Cut(after, "\r\n")
	major, _, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(major)
	switch {
	case err != nil:
		return fmt.Errorf("INFO: the server does not say which version it is: %s", brief(r))
	case n < leastVersion:
		return fmt.Errorf("the server is of version %s; Valkey or Redis %d or later is needed", model.Safe(version), leastVersion)
	}
	return nil
}

// names are the numbers of the queues that this process has on servers that are
// not its own.
var names struct {
	sync.Mutex
	taken []int
}

// takeName returns the first free name ackgap-N, and what frees it.
func takeName() (string, func()) {
	names.Lock()
	defer names.Unlock()
	n := 1
	for slices.Contains(names.taken, n) {
		n++
	}
	names.taken = append(names.taken, n)
	return fmt.Sprintf("ackgap-%d", n), func() {
		names.Lock()
		defer names.Unlock()
		names.taken = slices.DeleteFunc(names.taken, func(m int) bool { return m == n })
	}
}
