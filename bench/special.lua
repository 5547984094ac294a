-- Workloads of special functions, as subjects.lua describes. Their twins are in special_peers.py.
local cn = require "cuna"

return function(spread, length)
  local many, some = length(1e7), length(1e6)
  local makers = {
    special_singles = function() return spread { length(1e8) } * 4 - 2 end,
    special_shares = function() return spread { many }:astype "float64" * 0.8 + 0.1 end,
    special_points = function() return spread { many }:astype "float64" * 20 + 1 end,
    special_orders = function() return spread { some }:astype "float64" * 20 + 0.1 end,
    special_parts = function() return spread { some }:astype "float64" * 0.8 + 0.1 end,
  }
  local nbytes = 4 * length(1e8)
  local rows = {
    { "special_erf_f32_1e8", nbytes, nbytes, "special_singles", function(x) return cn.special.erf(x) end },
  }
  local function add(names, size, n, inputs, call)
    for _, name in ipairs(names) do
      local _, count = inputs:gsub("%S+", "")
      local read, fn = 8 * n * count, cn.special[name]
      rows[#rows + 1] = { ("special_%s_%s"):format(name, size), read, 8 * n, inputs, call and call(fn) or fn }
    end
  end
  add({ "erfinv", "ndtri", "expit" }, "1e7", many, "special_shares")
  add({ "erf", "gamma", "gammaln", "digamma", "rgamma", "j0", "i0" }, "1e7", many, "special_points")
  add({ "beta", "betaln", "binom", "gammainc", "gammaincinv", "jv", "yv", "iv", "kv", "ellipkinc" }, "1e6", some,
    "special_orders special_parts")
  add({ "betainc", "betaincinv" }, "1e6", some, "special_orders special_parts", function(f)
    return function(a, x) return f(a, a, x) end
  end)
  return makers, rows
end
