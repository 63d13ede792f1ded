-- retry, hardened: a job that its speaker has in hand goes back to the schedule, or
-- to dead at its last attempt.
-- KEYS  1 the row, 2 pending, 3 active, 4 schedule, 5 dead, 6 the counter of failed jobs
-- ARGV  1 id, 2 token, 3 delay in milliseconds, 4 max attempts, 5 error
-- Answers 'scheduled' or 'dead'; EMQSTALE, for a missing row too.

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local deadline = redis.call('ZSCORE', KEYS[3], ARGV[1])
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] or not deadline or now >= tonumber(deadline) then
  return redis.error_reply('EMQSTALE the speaker does not have the job in hand, or there is no row')
end

redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('HSET', KEYS[1], 'last_error', ARGV[5])

if tonumber(redis.call('HGET', KEYS[1], 'attempts')) >= tonumber(ARGV[4]) then
  redis.call('HSET', KEYS[1], 'state', 'dead')
  redis.call('ZADD', KEYS[5], 0, ARGV[1])
  redis.call('HINCRBY', KEYS[6], 'count', 1)
  return 'dead'
end

redis.call('HSET', KEYS[1], 'state', 'scheduled')
redis.call('ZADD', KEYS[4], now + ARGV[3], ARGV[1])
return 'scheduled'
