package valkey

import (
	"crypto/sha1" // the digest by which a server knows a script; no secret hangs on it
	"embed"
	"encoding/hex"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/ackgap/ackgap/model"
)

//go:embed lua/*.lua lua/hardened/*.lua
var sources embed.FS

// prelude stands in front of each script and gives it the simulator's clock.
var prelude = mustRead("prelude")

// script is one transition as it is sent.
type script struct {
	source string // what production would run
	sent   string // the source behind the prelude, or the source alone
	sha    string
}

// scripts are the transitions under one clock: each verb but pause, resume and
// read-pause, which are plain commands, has a script.
type scripts struct {
	of      [model.OpDrain + 1]script
	isTimed bool // behind the prelude: calls carry the instant
	mints   bool // claims are told where the count of tokens is: hardened
}

var scriptNames = [model.OpDrain + 1]string{
	model.OpEnqueue: "enqueue", model.OpEnqueueAt: "enqueue_at", model.OpEnqueueIn: "enqueue_in",
	model.OpClaim: "claim", model.OpClaimBatch: "claim_batch",
	model.OpComplete: "complete", model.OpRetry: "retry", model.OpDelay: "delay", model.OpDelayAt: "delay_at",
	model.OpExtend: "extend", model.OpExtendBatch: "extend_batch",
	model.OpPromote: "promote", model.OpReap: "reap", model.OpSweep: "sweep",
	model.OpRemove: "remove", model.OpReprocess: "reprocess", model.OpUpdateData: "update_data", model.OpDrain: "drain",
}

// virtual are the scripts under the simulator's clock, bare those under the
// server's own.
var (
	virtual = readScripts(prelude)
	bare    = readScripts("")
)

// hardened are the scripts of that variant under the simulator's clock: those that
// it has of its own, and the others as built.
var hardened = hardenedScripts(prelude)

// hardenedNames are the transitions that ask more in the variant hardened.
var hardenedNames = []model.Op{
	model.OpClaim, model.OpClaimBatch, model.OpComplete, model.OpRetry, model.OpDelay, model.OpDelayAt, model.OpExtend, model.OpExtendBatch,
}

func readScripts(before string) *scripts {
	all := &scripts{isTimed: before != ""}
	for op, name := range scriptNames {
		if name != "" {
			all.of[op] = newScript(before, mustRead(name))
		}
	}
	return all
}

func hardenedScripts(before string) *scripts {
	all := readScripts(before)
	all.mints = true
	for _, op := range hardenedNames {
		all.of[op] = newScript(before, mustRead("hardened/"+scriptNames[op]))
	}
	return all
}

func newScript(before, source string) script {
	s := script{source: source, sent: before + source}
	sum := sha1.Sum([]byte(s.sent))
	s.sha = hex.EncodeToString(sum[:])
	return s
}

// mustRead reads a file that the build has embedded.
func mustRead(name string) string {
	b, err := sources.ReadFile("lua/" + name + ".lua")
	if err != nil {
		panic(err)
	}
	return string(b)
}

// load puts all scripts into the server's cache. A server that knows one by
// another digest does not run what was sent.
func (s *scripts) load(c *conn) error {
	for i := range s.of {
		if s.of[i].sha != "" {
			c.add("SCRIPT", "LOAD", s.of[i].sent)
		}
	}
	replies, err := c.do()
	if err != nil {
		return err
	}
	for i := range s.of {
		if s.of[i].sha == "" {
			continue
		}
		if r := replies[0]; r != s.of[i].sha {
			return fmt.Errorf("the server did not load the script of %s: %s", model.Op(i), brief(r))
		}
		replies = replies[1:]
	}
	return nil
}

// isNoScript reports whether a server has forgotten the script that was called:
// it was restarted or flushed, and nothing was done.
func isNoScript(reply any) bool {
	said, isError := reply.(error)
	return isError && redis.HasErrorPrefix(said, "NOSCRIPT")
}
