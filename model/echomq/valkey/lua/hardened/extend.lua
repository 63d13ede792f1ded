-- extend, hardened: the lease of a job that its speaker has in hand ends so long
-- after the server's now.
-- KEYS  1 the row, 2 active
-- ARGV  1 id, 2 token, 3 lease in milliseconds
-- Answers 1 ok, -1 gone; EMQSTALE.

if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local deadline = redis.call('ZSCORE', KEYS[2], ARGV[1])
if redis.call('HGET', KEYS[1], 'token') ~= ARGV[2] or not deadline or now >= tonumber(deadline) then
  return redis.error_reply('EMQSTALE the speaker does not have the job in hand')
end

redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
return 1
