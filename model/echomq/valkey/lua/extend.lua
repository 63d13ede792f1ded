-- extend: a lease ends so long after the server's now.
-- KEYS  1 the row, 2 active
-- ARGV  1 id, 2 token, 3 lease in milliseconds
-- Answers 1 ok, -1 gone; EMQSTALE.

local token = redis.call('HGET', KEYS[1], 'attempts')
if not token then
  return -1
end
if token ~= ARGV[2] then
  return redis.error_reply('EMQSTALE the token is not the present one')
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Whether the id is in active, and whether its lease has run out, is not asked.
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
return 1
