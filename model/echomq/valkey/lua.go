package valkey

import (
	"bufio"
	"bytes"
	"crypto/sha1" // as in script.go: a name, no secret
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	lua "github.com/yuin/gopher-lua"
)

// luaRunner runs scripts over the commands of a miniredis, all in one Lua
// state. What a script may use of Lua and of `redis` is a part of what a real
// server gives it: the libraries base, string, table and math, and redis.call
// and redis.error_reply. It may make no global variable, so that no call finds
// anything of the last one.
type luaRunner struct {
	state   *lua.LState
	scripts map[string]*lua.LFunction // by digest
	server  *server.Server
	peer    *server.Peer
	writer  *bufio.Writer // to said; the peer's
	said    bytes.Buffer  // what a command answered
	args    []string
	out     []byte
}

func newLuaRunner(s *server.Server) *luaRunner {
	r := &luaRunner{
		state:   lua.NewState(lua.Options{SkipOpenLibs: true}),
		scripts: map[string]*lua.LFunction{},
		server:  s,
	}
	r.writer = bufio.NewWriter(&r.said)
	r.peer = server.NewPeer(r.writer)
	r.openLibraries()
	return r
}

func (r *luaRunner) close() { r.state.Close() }

func (r *luaRunner) openLibraries() {
	l := r.state
	for name, open := range map[string]lua.LGFunction{
		lua.BaseLibName: lua.OpenBase, lua.StringLibName: lua.OpenString,
		lua.TabLibName: lua.OpenTable, lua.MathLibName: lua.OpenMath,
	} {
		l.Push(l.NewFunction(open))
		l.Push(lua.LString(name))
		l.Call(1, 0)
	}
	redis := l.NewTable()
	redis.RawSetString("call", l.NewFunction(r.call))
	redis.RawSetString("error_reply", l.NewFunction(errorReply))
	l.SetGlobal("redis", redis)
	l.SetGlobal("KEYS", l.NewTable())
	l.SetGlobal("ARGV", l.NewTable())
	sealed := l.NewTable()
	sealed.RawSetString("__newindex", l.NewFunction(func(l *lua.LState) int {
		l.RaiseError("ERR the script makes the global variable %q", l.CheckString(2))
		return 0
	}))
	l.SetMetatable(l.Get(lua.GlobalsIndex), sealed)
}

// load serves SCRIPT LOAD.
func (r *luaRunner) load(args []string) []byte {
	if len(args) != 2 || !strings.EqualFold(args[0], "LOAD") {
		return []byte("-ERR of SCRIPT the embedded server knows LOAD only\r\n")
	}
	f, err := r.state.LoadString(args[1])
	if err != nil {
		return appendFailure(nil, "ERR "+err.Error())
	}
	sum := sha1.Sum([]byte(args[1]))
	sha := hex.EncodeToString(sum[:])
	r.scripts[sha] = f
	return appendBulk(nil, sha)
}

// evalsha serves EVALSHA: digest, number of keys, keys, arguments.
func (r *luaRunner) evalsha(args []string) []byte {
	f := r.scripts[args[0]]
	if f == nil {
		return []byte("-NOSCRIPT No matching script. Please use EVAL.\r\n")
	}
	n, err := strconv.Atoi(args[1])
	if err != nil || n < 0 || n > len(args)-2 {
		return []byte("-ERR Number of keys can't be greater than number of args\r\n")
	}
	globals := r.state.Get(lua.GlobalsIndex).(*lua.LTable)
	globals.RawSetString("KEYS", listOf(args[2:2+n]))
	globals.RawSetString("ARGV", listOf(args[2+n:]))
	r.state.Push(f)
	err = r.state.PCall(0, 1, nil)
	r.out = r.out[:0]
	if err != nil {
		return appendFailure(r.out, raised(err))
	}
	r.out = r.appendValue(r.out, r.state.Get(-1))
	r.state.Pop(1)
	return r.out
}

func listOf(words []string) *lua.LTable {
	t := &lua.LTable{Metatable: lua.LNil}
	for _, w := range words {
		t.Append(lua.LString(w))
	}
	return t
}

// raised is what a script that failed is answered. A server keeps the class of
// an error that a command answered.
func raised(err error) string {
	if api, ok := err.(*lua.ApiError); ok {
		if t, ok := api.Object.(*lua.LTable); ok {
			return t.RawGetString("err").String()
		}
		return "ERR " + api.Object.String()
	}
	return "ERR " + err.Error()
}

// call is redis.call.
func (r *luaRunner) call(l *lua.LState) int {
	r.args = r.args[:0]
	for i := 1; i <= l.GetTop(); i++ {
		r.args = append(r.args, l.CheckString(i))
	}
	if len(r.args) == 0 {
		l.RaiseError("ERR redis.call names no command")
	}
	r.server.Dispatch(r.peer, r.args)
	r.writer.Flush()
	answer, failed := r.value()
	if failed {
		l.Error(answer, 0)
	}
	l.Push(answer)
	return 1
}

// errorReply is redis.error_reply.
func errorReply(l *lua.LState) int {
	l.Push(tableOf("err", l.CheckString(1)))
	return 1
}

func tableOf(key, text string) *lua.LTable {
	t := &lua.LTable{Metatable: lua.LNil}
	t.RawSetString(key, lua.LString(text))
	return t
}

// value turns what a command answered into Lua, as a server does: nil is false.
// It reports whether it is an error.
func (r *luaRunner) value() (v lua.LValue, failed bool) {
	line, _ := r.said.ReadString('\n')
	rest := line[1 : len(line)-2]
	switch line[0] {
	case '-':
		return tableOf("err", rest), true
	case '+':
		return tableOf("ok", rest), false
	}
	n, _ := strconv.Atoi(rest)
	switch {
	case line[0] == ':':
		return lua.LNumber(n), false
	case n < 0:
		return lua.LFalse, false
	case line[0] == '$':
		return lua.LString(r.said.Next(n + 2)[:n]), false
	}
	t := &lua.LTable{Metatable: lua.LNil}
	for range n {
		item, _ := r.value()
		t.Append(item)
	}
	return t, false
}

// appendValue turns what a script returned into a reply, as a server does: a
// number loses its fraction, a table ends at its first nil.
func (r *luaRunner) appendValue(b []byte, v lua.LValue) []byte {
	switch v := v.(type) {
	case lua.LBool:
		if bool(v) {
			return append(b, ":1\r\n"...)
		}
	case lua.LNumber:
		return append(strconv.AppendInt(append(b, ':'), int64(v), 10), '\r', '\n')
	case lua.LString:
		return appendBulk(b, string(v))
	case *lua.LTable:
		return r.appendTable(b, v)
	}
	return append(b, "$-1\r\n"...)
}

func (r *luaRunner) appendTable(b []byte, t *lua.LTable) []byte {
	if text, ok := t.RawGetString("err").(lua.LString); ok {
		return appendFailure(b, string(text))
	}
	if text, ok := t.RawGetString("ok").(lua.LString); ok {
		return append(append(append(b, '+'), text...), '\r', '\n')
	}
	n := 0
	for t.RawGetInt(n+1) != lua.LNil {
		n++
	}
	b = appendHead(b, '*', n)
	for i := range n {
		b = r.appendValue(b, t.RawGetInt(i+1))
	}
	return b
}

// appendFailure appends an error reply, which is one line.
func appendFailure(b []byte, text string) []byte {
	text = strings.NewReplacer("\r", " ", "\n", " ").Replace(text)
	return append(append(append(b, '-'), text...), '\r', '\n')
}
