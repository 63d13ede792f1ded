-- promote: due jobs go from schedule to pending, lowest run-at first.
-- KEYS  1 pending, 2 schedule, 3 the root of rows
-- ARGV  1 how many at most
-- Answers how many were moved.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local due = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(due) do
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZADD', KEYS[1], 0, id)
  -- Written without a look: an id without a row gets one that holds nothing else.
  redis.call('HSET', KEYS[3] .. id, 'state', 'pending')
end
return #due
