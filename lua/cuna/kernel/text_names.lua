--- text_names.lua: CUDA's functions that the preamble of a kernel overloads for types of its own.
--
-- A preamble stands in a namespace, where a function hides those of CUDA with its name. Before one that overloads such
-- a name, for float3 or a struct, CUDA's are brought there. A template is taken for a replacement, and hides them.
local params = require "cuna.kernel.params"

local M = {}

-- With a form for float beside each, whose name ends in f.
local PAIRS = [[sqrt rsqrt cbrt fabs floor ceil trunc rint round nearbyint copysign fma sin cos tan asin acos atan atan2
  sinh cosh tanh asinh acosh atanh sinpi cospi sincos exp exp2 exp10 expm1 log log2 log10 log1p pow hypot fmod remainder
  ldexp nextafter erf erfc erfinv tgamma lgamma fmin fmax fdim]]
local OTHERS = [[abs min max isnan isinf isfinite signbit atomicAdd atomicSub atomicMin atomicMax atomicExch atomicCAS
  atomicAnd atomicOr atomicXor __ldg]]

local known = {}
for name in PAIRS:gmatch "%S+" do known[name], known[name .. "f"] = true, true end
for name in OTHERS:gmatch "%S+" do known[name] = true end

local DEPTH = {["{"] = 1, ["("] = 1, ["}"] = -1, [")"] = -1}
local ENDS = {[";"] = true, ["}"] = true}

--- The declarations that bring CUDA's functions to the overloads of a preamble.
---@param preamble string
---@return string
function M.declarations(preamble)
  local depth, starts, is_template, seen, lines = 0, true, false, {}, {}
  local tokens = params.tokens(preamble)
  for k, token in ipairs(tokens) do
    if starts then is_template = token == "template" end
    if depth == 0 and tokens[k + 1] == "(" and known[token] and not (is_template or seen[token]) then
      seen[token], lines[#lines + 1] = true, ("using ::%s;\n"):format(token)
    end
    depth = depth + (DEPTH[token] or 0)
    starts = depth == 0 and ENDS[token] or false
  end
  return table.concat(lines)
end

return M
