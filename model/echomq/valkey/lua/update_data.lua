-- update-data: the payload is replaced, whoever holds the job.
-- KEYS  1 the row
-- ARGV  1 payload
-- Answers 1 ok, -1 gone.

if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end

redis.call('HSET', KEYS[1], 'payload', ARGV[1])
return 1
