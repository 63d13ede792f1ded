-- claim-batch, hardened: the earliest minted jobs of pending are leased under one
-- reading of the clock, each under a token above all that were given.
-- KEYS  1 pending, 2 active, 3 the root of rows, 4 meta
-- ARGV  1 lease in milliseconds, 2 how many at most
-- Answers {{id, payload, token}, ...}, empty when pending is.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local granted = {}
local popped = redis.call('ZPOPMIN', KEYS[1], ARGV[2])
for i = 1, #popped, 2 do
  local token = redis.call('HINCRBY', KEYS[4], 'minted', 1)
  if token < now - 1735689600000 then
    token = now - 1735689600000
    redis.call('HSET', KEYS[4], 'minted', token)
  end
  local id = popped[i]
  local row = KEYS[3] .. id
  redis.call('HINCRBY', row, 'attempts', 1)
  redis.call('HSET', row, 'state', 'active', 'token', token)
  redis.call('ZADD', KEYS[2], now + ARGV[1], id)
  granted[#granted + 1] = {id, redis.call('HGET', row, 'payload'), token}
end
return granted
