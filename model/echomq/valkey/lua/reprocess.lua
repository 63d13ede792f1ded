-- reprocess: a dead job is pending again. Attempts and lapses are kept.
-- KEYS  1 the row, 2 pending, 3 dead
-- ARGV  1 id
-- Answers 1 ok, -1 gone; EMQSTATE.

if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end
if not redis.call('ZSCORE', KEYS[3], ARGV[1]) then
  return redis.error_reply('EMQSTATE the job is not dead')
end

redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('HDEL', KEYS[1], 'last_error')
redis.call('HSET', KEYS[1], 'state', 'pending')
redis.call('ZADD', KEYS[2], 0, ARGV[1])
return 1
