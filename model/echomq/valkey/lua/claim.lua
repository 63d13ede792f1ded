-- claim: the earliest minted job of pending is leased.
-- KEYS  1 pending, 2 active, 3 the root of rows
-- ARGV  1 lease in milliseconds
-- Answers {id, payload, token}, nil when pending is empty.

local popped = redis.call('ZPOPMIN', KEYS[1])
if #popped == 0 then
  return false
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Whether there is a row is not asked: counting the attempt makes one, and the
-- payload is nil then.
local id = popped[1]
local row = KEYS[3] .. id
local token = redis.call('HINCRBY', row, 'attempts', 1)
redis.call('HSET', row, 'state', 'active')
redis.call('ZADD', KEYS[2], now + ARGV[1], id)
return {id, redis.call('HGET', row, 'payload'), token}
