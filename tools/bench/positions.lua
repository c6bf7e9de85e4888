-- SPDX-License-Identifier: MIT
--
-- For wrk: asks about positions of the file $POSITIONS in random order, and says at the end how it went.
local paths = {}
-- wrk itself sets it only later, and HTTP/1.1 asks for it.
wrk.headers["Host"] = "localhost"
local game = os.getenv("GAME") or "dobutsu"
for line in io.lines(os.getenv("POSITIONS")) do
    local encoded = line:gsub("[^%w._~-]", function(c) return string.format("%%%02X", c:byte()) end)
    paths[#paths + 1] = wrk.format("GET", "/api/v1/" .. game .. "/position?pos=" .. encoded)
end

local threads = 0
function setup(thread)
    threads = threads + 1
    thread:set("number", threads)
end

function init()
    math.randomseed(number)
end

function request()
    return paths[math.random(#paths)]
end

function done(summary, latency)
    local errors = summary.errors
    print(string.format("%d requests a second; milliseconds: p50 %.2f, p99 %.2f, p99.9 %.2f, most %.2f; errors: %d",
        summary.requests / (summary.duration / 1e6), latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        latency:percentile(99.9) / 1e3, latency.max / 1e3,
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
