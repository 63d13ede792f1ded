-- complete: a job is done, and its row is deleted.
-- KEYS  1 the row, 2 pending, 3 active, 4 the counter of completed jobs
-- ARGV  1 id, 2 token
-- Answers 1 ok, 0 gone; EMQSTALE.

local token = redis.call('HGET', KEYS[1], 'attempts')
if not token then
  return 0
end
if token ~= ARGV[2] then
  return redis.error_reply('EMQSTALE the token is not the present one')
end

-- Pending is searched only when active has not the id: a reap may have moved
-- it. Schedule and dead are never searched.
if redis.call('ZREM', KEYS[3], ARGV[1]) == 0 then
  redis.call('ZREM', KEYS[2], ARGV[1])
end

redis.call('DEL', KEYS[1])
redis.call('HINCRBY', KEYS[4], 'count', 1)
return 1
