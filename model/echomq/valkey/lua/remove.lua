-- remove: a job is deleted wherever it is, in a worker's hand too.
-- KEYS  1 the row, 2 pending, 3 active, 4 schedule, 5 dead, 6 the lock marker, 7 the logs
-- ARGV  1 id
-- Answers 1 ok, -1 gone; EMQLOCK.

if redis.call('EXISTS', KEYS[1]) == 0 then
  return -1
end
if redis.call('EXISTS', KEYS[6]) == 1 or redis.call('HEXISTS', KEYS[1], 'lock') == 1 then
  return redis.error_reply('EMQLOCK the job is locked')
end

for set = 2, 5 do
  redis.call('ZREM', KEYS[set], ARGV[1])
end
redis.call('DEL', KEYS[1], KEYS[7])
return 1
