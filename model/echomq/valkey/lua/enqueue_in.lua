-- enqueue-in: a new job waits in the schedule, for so long by the server's clock.
-- KEYS  1 the row, 2 schedule
-- ARGV  1 id, 2 payload, 3 delay in milliseconds
-- Answers 1 scheduled, 0 duplicate; EMQKIND.

if string.sub(ARGV[1], 1, 3) ~= 'JOB' then
  return redis.error_reply('EMQKIND only ids of kind JOB are admitted')
end

if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

redis.call('HSET', KEYS[1], 'state', 'scheduled', 'attempts', '0', 'payload', ARGV[2])
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
return 1
