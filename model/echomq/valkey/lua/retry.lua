-- retry: a failed job goes back to the schedule, or to dead at its last attempt.
-- KEYS  1 the row, 2 pending, 3 active, 4 schedule, 5 dead, 6 the counter of failed jobs
-- ARGV  1 id, 2 token, 3 delay in milliseconds, 4 max attempts, 5 error
-- Answers 'scheduled' or 'dead'; EMQSTALE, for a missing row too.

local token = redis.call('HGET', KEYS[1], 'attempts')
if token ~= ARGV[2] then
  return redis.error_reply('EMQSTALE the token is not the present one, or there is no row')
end

if redis.call('ZREM', KEYS[3], ARGV[1]) == 0 then
  redis.call('ZREM', KEYS[2], ARGV[1])
end
redis.call('HSET', KEYS[1], 'last_error', ARGV[5])

if tonumber(token) >= tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], 'state', 'dead')
  redis.call('ZADD', KEYS[5], 0, ARGV[1])
  redis.call('HINCRBY', KEYS[6], 'count', 1)
  return 'dead'
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

redis.call('HSET', KEYS[1], 'state', 'scheduled')
redis.call('ZADD', KEYS[4], now + ARGV[3], ARGV[1])
return 'scheduled'
