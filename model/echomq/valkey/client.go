package valkey

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// conn is one connection to a server. Calls are made one after the other, from
// one goroutine. It does not connect again: after an error it is spent.
//
// A reply is as go-redis has it: nil, an int64, a string, a []any of replies, or
// an error, in the server's own words.
type conn struct {
	guard   *guard
	client  *redis.Client
	batch   redis.Pipeliner
	timeout time.Duration // of a whole exchange; 0: none
}

// newConn puts a client on c. All that it would do by itself is off: it neither
// connects nor sends anything a second time, and sets no deadlines.
func newConn(c net.Conn, timeout time.Duration) *conn {
	g := &guard{Conn: c}
	client := redis.NewClient(&redis.Options{
		Dialer: g.handOut, DialerRetries: 1, MaxRetries: -1,
		PoolSize: 1, PipelinePoolSize: -1, ConnMaxIdleTime: -1,
		Protocol: 2, DisableIdentity: true,
		ReadTimeout: -2, WriteTimeout: -2,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	return &conn{guard: g, client: client, batch: client.Conn().Pipeline(), timeout: timeout}
}

// add puts one more command into the exchange that do will make.
func (c *conn) add(args ...string) {
	words := make([]any, len(args))
	for i, a := range args {
		words[i] = a
	}
	c.batch.Do(context.Background(), words...)
}

// do sends what was added, in one write, and returns the replies in order. An
// error is of the connection or of the protocol; error replies are replies.
func (c *conn) do() ([]any, error) {
	if c.timeout > 0 {
		if err := c.guard.SetDeadline(time.Now().Add(c.timeout)); err != nil {
			return nil, err
		}
	}
	c.guard.owe(c.batch.Len())
	done, _ := c.batch.Exec(context.Background()) // each command has its own error
	replies := make([]any, len(done))
	for i, command := range done {
		value, err := command.(*redis.Cmd).Result()
		switch said := redis.Error(nil); {
		case errors.Is(err, redis.Nil): // which is no error here
		case errors.As(err, &said):
			value = said
		case os.IsTimeout(err):
			return nil, fmt.Errorf("the server has not answered within %v (%w)", c.timeout, err)
		case err != nil:
			return nil, err
		}
		replies[i] = value
	}
	return replies, nil
}

// call makes an exchange of one command.
func (c *conn) call(args ...string) (any, error) {
	c.add(args...)
	replies, err := c.do()
	if err != nil {
		return nil, err
	}
	return replies[0], nil
}

func (c *conn) close() error { return errors.Join(c.client.Close(), c.guard.Close()) }

// textOf returns the text of a reply that is one, or none.
func textOf(reply any) string { s, _ := reply.(string); return s }

// itemsOf returns the items of a reply that is an array, or none.
func itemsOf(reply any) []any { list, _ := reply.([]any); return list }

// brief shows a reply in a message.
func brief(reply any) string {
	switch r := reply.(type) {
	case nil:
		return "it answered nil"
	case []any:
		return "it answered an array"
	case error:
		return fmt.Sprintf("it answered an error, %q", shorten(r.Error()))
	case string:
		return fmt.Sprintf("it answered %q", shorten(r))
	}
	return fmt.Sprintf("it answered %d", reply)
}

// shorten keeps what a message can show of s.
func shorten(s string) string { return s[:min(len(s), 60)] }
