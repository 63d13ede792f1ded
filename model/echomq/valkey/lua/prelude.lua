local __now=ARGV[#ARGV]; ARGV[#ARGV]=nil
local __r=redis
local redis=setmetatable({call=function(c,...) if string.upper(c)=='TIME' then
  return {string.sub(__now,1,-7), tostring(tonumber(string.sub(__now,-6)))} end return __r.call(c,...) end},{__index=__r})
