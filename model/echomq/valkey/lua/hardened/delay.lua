-- delay, hardened: a job that its speaker has in hand is released to the schedule,
-- for so long by the server's clock.
-- KEYS  1 the row, 2 active, 3 schedule
-- ARGV  1 id, 2 token, 3 delay in milliseconds
-- Answers 1 scheduled, -1 gone; EMQKIND, EMQSTALE.

if string.sub(ARGV[1], 1, 3) ~= 'JOB' then
  return redis.error_reply('EMQKIND only ids of kind JOB are delayed')
end
if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local deadline = redis.call('ZSCORE', KEYS[2], ARGV[1])
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] or not deadline or now >= tonumber(deadline) then
  return redis.error_reply('EMQSTALE the speaker does not have the job in hand')
end

redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('HSET', KEYS[1], 'state', 'scheduled')
redis.call('ZADD', KEYS[3], now + ARGV[3], ARGV[1])
return 1
