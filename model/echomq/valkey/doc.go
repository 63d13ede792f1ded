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
//     queue is at work in, of this program or of another: emq:{ackgap-N}:owner
//     says which connection has it. It refuses to begin where one of the others
//     stands, or the owner is gone (FlushFirst deletes them), and deletes what it
//     wrote on Close. It never flushes a database, changes no setting and loads
//     nothing but its scripts into the script cache. It gives no password, and
//     of a cluster it wants the node that has the slot.
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
// It is go-redis, on one connection that it is handed (client.go): with its pool,
// its retries and its deadlines off it writes and reads in the caller's
// goroutine, connects never again and sends nothing twice. So the embedded
// server can be a net.Conn that works within Write, and a lost server is lost.
// Of the others, rueidis and valkey-go share their code. valkey-go v1.0.79 passed
// almost the same tests behind the same guard; without its count of replies it
// ended the process from a goroutine of its own ("protocol bug"), and the program
// is bigger with it (31 MB).
//
// The clients believe the length that a reply begins with, and make room for
// `$50000000000` or `*9223372036854775807` before anything of it has come.
// guard.go stands before the client and lets nothing pass but whole RESP2 within
// limits. A reader of our own took no more lines than client and guard together,
// and the program was 17 MB with it instead of 28; a call of a script costs about
// the same. What is gained is a client that others keep.
//
// # What is not here
//
// The broken variants (hardened is here: lua/hardened), lanes, flows, the lock plane (remove does look at its marker), the
// host's reading of a parent before complete and retry, and the dedup key
// emq:{Q}:de:DID: remove releases it where the caller names DID, which a
// model.Request cannot, and no operation of EchoMQ's writes one.
package valkey
