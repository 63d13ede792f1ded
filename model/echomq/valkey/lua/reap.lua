-- reap: jobs whose lease has run out go from active back to pending, oldest
-- deadline first. Whether their work ran cannot be known, attempts do not count.
-- KEYS  1 pending, 2 active, 3 the root of rows
-- ARGV  1 how many at most
-- Answers how many were moved.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local lapsed = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(lapsed) do
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZADD', KEYS[1], 0, id)
  redis.call('HSET', KEYS[3] .. id, 'state', 'pending')
end
return #lapsed
