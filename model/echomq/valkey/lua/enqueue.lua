-- enqueue: a new job joins pending.
-- KEYS  1 the row, 2 pending
-- ARGV  1 id, 2 payload
-- Answers 1 enqueued, 0 duplicate; EMQKIND.

if string.sub(ARGV[1], 1, 3) ~= 'JOB' then
  return redis.error_reply('EMQKIND only ids of kind JOB are admitted')
end

-- Duplicate means only that a row stands now: what was completed, removed or
-- drained is admitted afresh.
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 0
end

redis.call('HSET', KEYS[1], 'state', 'pending', 'attempts', '0', 'payload', ARGV[2])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
return 1
