// Package valkey is EchoMQ on the wire: the machine of package echomq as Lua
// scripts over RESP, one script a transition (lua/*.lua), on a server that
// speaks as Valkey 7 or Redis 7 do. It is registered as backend "valkey" of
// "echomq". What it answers, what it leaves in the keyspace and what it says to
// have touched is compared with the Go machine, command by command, by this
// package's tests.
//
// # Three servers
//
//   - valkey: an embedded one (miniredis), in this process. No port is opened;
//     see Open.
//   - valkey=unix:PATH or valkey=HOST:PORT: one that runs. The body uses the keys
//     emq:{ackgap-N}:... of database 0 and no others, N the first number that no
//     other queue of this process has. It refuses to begin where one of them
//     stands already (FlushFirst deletes them), and deletes what it wrote on
//     Close. It never flushes a database, changes no setting and loads nothing
//     but its scripts into the script cache.
//   - valkey=spawn: valkey-server or redis-server of this machine, begun on a
//     private unix socket without persistence, and stopped on Close. A process
//     that is killed leaves it behind.
//
// # The clock
//
// A server's clock is the simulator's: each call carries the instant as its
// last argument, and a prelude in front of each script (lua/prelude.lua) lets
// redis.call('TIME') answer it, and changes nothing else. It is the only
// difference from what production would run, and a test holds the sources that
// are sent with it and without it against each other. The clock must not be
// before 1970.
//
// # The client
//
// It is our own (resp.go), of one connection and no goroutine. Of valkey-go,
// rueidis and go-redis the first was the choice: the server's own project,
// Apache-2.0, it takes any net.Conn, and with one caller it reads and writes
// in the caller's goroutine. But all that is ours to promise stood against it. A
// reply's length is believed: `$50000000000` allocates 50 GB and kills the
// process, `$-5` panics (valkey-go v1.0.79; rueidis shares its code), and a
// hostile server must not end a run. It connects again behind the caller's
// back, where a queue that has lost its server must say so. go-redis keeps a
// pool of connections, where one is wanted. The part of RESP that is needed is
// two hundred lines.
//
// # What is not here
//
// Variants, lanes, flows, the lock plane (remove does look at its marker), the
// dedup key, and the host's reading of a parent before complete and retry.
package valkey
