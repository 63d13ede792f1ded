-- extend-batch, hardened: the leases of jobs that their speaker has in hand end so
-- long after one reading of the clock.
-- KEYS  1 active, 2 the root of rows
-- ARGV  1 lease in milliseconds, then id and token of each pair
-- Answers the ids that were refused, in their order.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local refused = {}
for i = 2, #ARGV, 2 do
  local id = ARGV[i]
  local deadline = redis.call('ZSCORE', KEYS[1], id)
  if redis.call('HGET', KEYS[2] .. id, 'token') == ARGV[i + 1] and deadline and now < tonumber(deadline) then
    redis.call('ZADD', KEYS[1], now + ARGV[1], id)
  else
    refused[#refused + 1] = id
  end
end
return refused
