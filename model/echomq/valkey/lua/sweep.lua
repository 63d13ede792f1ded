-- sweep (the stalled check): as reap, but a job that has lapsed so many times is
-- dead.
-- KEYS  1 pending, 2 active, 3 dead, 4 the counter of failed jobs, 5 the root of rows
-- ARGV  1 how many at most, 2 dead at so many lapses
-- Answers {recovered, dead}.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local recovered, dead = 0, 0
local lapsed = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now, 'LIMIT', 0, ARGV[1])
for _, id in ipairs(lapsed) do
  local row = KEYS[5] .. id
  redis.call('ZREM', KEYS[2], id)
  if redis.call('HINCRBY', row, 'stalled', 1) >= tonumber(ARGV[2]) then
    redis.call('HSET', row, 'state', 'dead', 'last_error', 'stalled')
    redis.call('ZADD', KEYS[3], 0, id)
    redis.call('HINCRBY', KEYS[4], 'count', 1)
    dead = dead + 1
  else
    redis.call('ZADD', KEYS[1], 0, id)
    redis.call('HSET', row, 'state', 'pending')
    recovered = recovered + 1
  end
end
return {recovered, dead}
