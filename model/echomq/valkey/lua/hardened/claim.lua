-- claim, hardened: the earliest minted job of pending is leased, under a token
-- above all that were given.
-- KEYS  1 pending, 2 active, 3 the root of rows, 4 meta
-- ARGV  1 lease in milliseconds
-- Answers {id, payload, token}, nil when pending is empty.

local popped = redis.call('ZPOPMIN', KEYS[1])
if #popped == 0 then
  return false
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- The count of the queue outlives the row, the clock outlives the count. Tokens
-- are milliseconds since 2025.
local token = redis.call('HINCRBY', KEYS[4], 'minted', 1)
if token < now - 1735689600000 then
  token = now - 1735689600000
  redis.call('HSET', KEYS[4], 'minted', token)
end

local id = popped[1]
local row = KEYS[3] .. id
redis.call('HINCRBY', row, 'attempts', 1)
redis.call('HSET', row, 'state', 'active', 'token', token)
redis.call('ZADD', KEYS[2], now + ARGV[1], id)
return {id, redis.call('HGET', row, 'payload'), token}
