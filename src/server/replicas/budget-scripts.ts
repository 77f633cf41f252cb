/**
 * What Redis runs for an upstream's budget. The rule is that of `slidingBudget` in src/upstream/budget.ts, over all
 * replicas and on Redis's clock.
 *
 * KEYS: the requests taken (a sorted set by time), how many of them each tenant took (a hash), and whether the upstream
 * has closed its bucket (a key that expires). Members are `replica:number:tenant`.
 */

const PRELUDE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
local function tenantOf(member) return string.match(member, '^[^:]*:[^:]*:(.*)$') end
local expired = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - window)
for _, member in ipairs(expired) do
  if redis.call('HINCRBY', KEYS[2], tenantOf(member), -1) <= 0 then redis.call('HDEL', KEYS[2], tenantOf(member)) end
end
if #expired > 0 then redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window) end
`;

/**
 * ARGV: window in ms, limit, member (empty to take nothing), asking tenant, share guaranteed to each tenant, the tenants.
 * Returns {1, left, 0} where granted, else {0, ms to wait, 1 where the upstream itself has closed}.
 */
export const TAKE = `${PRELUDE}
local closed = redis.call('PTTL', KEYS[3])
if closed > 0 then return { 0, closed, 1 } end
local left = tonumber(ARGV[2]) - redis.call('ZCARD', KEYS[1])
if ARGV[3] == '' then return { 1, math.max(0, left), 0 } end
local kept = 0
if #ARGV > 6 then
  for index = 6, #ARGV do
    if ARGV[index] ~= ARGV[4] then
      kept = kept + math.max(0, tonumber(ARGV[5]) - tonumber(redis.call('HGET', KEYS[2], ARGV[index]) or '0'))
    end
  end
end
if left <= 0 or left <= kept then
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
  return { 0, math.max(1, (tonumber(oldest[2]) or now) + window - now), 0 }
end
redis.call('ZADD', KEYS[1], now, ARGV[3])
redis.call('HINCRBY', KEYS[2], ARGV[4], 1)
redis.call('PEXPIRE', KEYS[1], window * 2)
redis.call('PEXPIRE', KEYS[2], window * 2)
return { 1, left - 1, 0 }
`;

/** ARGV: window in ms, then pairs of time and member: requests that were taken while the store was away. */
export const RESTORE = `${PRELUDE}
for index = 2, #ARGV, 2 do
  if redis.call('ZADD', KEYS[1], 'NX', ARGV[index], ARGV[index + 1]) == 1 then
    redis.call('HINCRBY', KEYS[2], tenantOf(ARGV[index + 1]), 1)
  end
end
redis.call('PEXPIRE', KEYS[1], window * 2)
redis.call('PEXPIRE', KEYS[2], window * 2)
return { redis.call('ZCARD', KEYS[1]) }
`;

/** ARGV: ms for which the bucket stays closed. A shorter time never replaces a longer one. */
export const CLOSE = `
if redis.call('PTTL', KEYS[3]) < tonumber(ARGV[1]) then redis.call('SET', KEYS[3], '1', 'PX', ARGV[1]) end
return { 1 }
`;
