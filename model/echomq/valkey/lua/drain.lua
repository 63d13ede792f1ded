-- drain: the members of the given sets are deleted with their rows and logs.
-- KEYS  1 the root of rows, 2 pending, and 3 schedule if it is drained too
-- Answers how many members there were; one of both sets counts twice.

local removed = 0
for set = 2, #KEYS do
  for _, id in ipairs(redis.call('ZRANGE', KEYS[set], 0, -1)) do
    local row = KEYS[1] .. id
    redis.call('DEL', row, row .. ':logs')
    removed = removed + 1
  end
  redis.call('DEL', KEYS[set])
end
return removed
