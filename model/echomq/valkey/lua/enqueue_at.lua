-- enqueue-at: a new job waits in the schedule for an instant of the caller's clock.
-- KEYS  1 the row, 2 schedule
-- ARGV  1 id, 2 payload, 3 run-at in Unix milliseconds
-- Answers 1 scheduled, 0 duplicate; EMQKIND.

if string.sub(ARGV[1], 1, 3) ~= 'JOB' then
  return redis.error_reply('EMQKIND only ids of kind JOB are admitted')
end

if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end

redis.call('HSET', KEYS[1], 'state', 'scheduled', 'attempts', '0', 'payload', ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
