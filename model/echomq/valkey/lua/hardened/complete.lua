-- complete, hardened: a job that its speaker has in hand is done, and its row is
-- deleted.
-- KEYS  1 the row, 2 pending, 3 active, 4 the counter of completed jobs
-- ARGV  1 id, 2 token
-- Answers 1 ok, 0 gone; EMQSTALE.

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local deadline = redis.call('ZSCORE', KEYS[3], ARGV[1])
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] or not deadline or now >= tonumber(deadline) then
  return redis.error_reply('EMQSTALE the speaker does not have the job in hand')
end

redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('DEL', KEYS[1])
redis.call('HINCRBY', KEYS[4], 'count', 1)
return 1
