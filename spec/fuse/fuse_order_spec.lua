--- Folds add in one order, however their inputs are given: a fused function has the bits of the unfused one, of sizes
--- that are cut into segments and of inputs in any layout.
local bits = require "spec.support.bits"
local cn = require "cuna"
local devices = require "spec.support.devices"

-- ---- arrays of a shape, as a caller may hold them ----

local layouts = {}

function layouts.whole(x) return x end

function layouts.transposed(x) return x.T:copy().T end

function layouts.backwards(x) return x["::-1, ::-1"]:copy()["::-1, ::-1"] end

--- Every second column of a wider array, from an odd element on.
function layouts.apart(x)
  local wide = cn.zeros({x.shape[1], 2 * x.shape[2] + 1}, x.dtype)
  local part = wide[":, 2::2"]
  part[cn.ellipsis] = x
  return part
end

--- Columns after the first: rows that begin between the addresses of wide accesses.
function layouts.shifted(x)
  local wide = cn.zeros({x.shape[1], x.shape[2] + 1}, x.dtype)
  local part = wide[":, 2:"]
  part[cn.ellipsis] = x
  return part
end

local LAYOUTS = {"whole", "transposed", "backwards", "apart", "shifted"}

--- Numbers whose sums depend on the order.
local function draw_numbers(rows, columns, dtype, seed)
  local x = ((cn.arange(rows * columns, "float64") * (0.7 + seed)):sin() + 1.25):reshape(rows, columns)
  return (dtype:find "^complex" and x * cn.complex(1, 0.5) or x):astype(dtype)
end

-- ---- what is folded ----

local VALUES = {"(x + 1)", "(x * z)", "(z * x)", "(col + row)", "(row * col)", "(x * row)", "(x - col)",
  'x:astype("float32")', 'x:astype("float64")', '(x:astype("float16") * row)', "((x - row) * z)", "cn.sqrt(x * x)", "x"}
local FOLDS = {"%s:sum(%s)", "%s:mean(%s)", "cn.prod(%s - 1.5%s)", "%s:var(%s)", "%s:std(%s)", "%s:max(%s)",
  "cn.argmax(%s%s)", "cn.nansum(%s%s)", "cn.nanmean(%s%s)", "cn.ptp(%s%s)"}
local ROWS = {
  "softmax", [[local e = cn.exp(v - v:max{axis = 2, keepdims = true}); return e / e:sum{axis = 2, keepdims = true}]],
  "logsumexp", [[local m = v:max{axis = 2, keepdims = true}
    return cn.log(cn.exp(v - m):sum{axis = 2, keepdims = true}) + m]],
  "norm", [[return (v - v:mean{axis = 2, keepdims = true}) / v:std{axis = 2, keepdims = true}]],
  "centred", [[local m = v:mean{axis = 1, keepdims = true}; return (v - m):sum(2), ((v - m) * v):sum(1)]],
  "two sums", [[return v:sum(2), (v * v):sum(2), v:astype("float64"):sum(2)]],
}

local function body_of_fold(value, fold, axis)
  local is_method = fold:find "^%%s:"
  return "return " .. fold:format(value, axis and (is_method and axis or ", " .. axis) or "")
end

local function function_of(body)
  return assert(loadstring("local cn = ... return function(x, z, row, col) " .. body .. " end"))(cn)
end

-- ---- cases ----

-- Rows and columns that are cut into segments, that lanes fold alone, and more rows than stages need. Blocks of one
-- lane have longer segments (runtime/work/reduce_cut.c), and their device is faster.
local SIZES = {
  cpu = {{96, 1000}, {521, 1000}, {3, 100000}, {100000, 3}, {1, 1000000}, {600, 50}, {50, 4100}},
  cuda = {{96, 1000}, {521, 600}, {3, 40000}, {20000, 3}, {1, 560000}, {600, 50}, {50, 4100}},
}
local DTYPES = {"float32", "float64", "float16", "complex64"}

local state

local function pick(list)
  state = (state * 16807) % 2147483647
  return list[state % #list + 1]
end

--- Folds that positions and orders of complex numbers are not for.
local function suits(text, dtype)
  return not dtype:find "^complex" or not (text:find "max" or text:find "ptp" or text:find "astype")
end

local function draw_body()
  if pick {1, 2, 3, 4} == 1 then
    local row = pick {1, 3, 5, 7, 9}
    return ("local v = %s; %s"):format(pick(VALUES), ROWS[row + 1])
  end
  return body_of_fold(pick(VALUES), pick(FOLDS), pick {"1", "2", "2", false})
end

local function draw_case(sizes)
  local size, dtype, body = pick(sizes), pick(DTYPES), draw_body()
  while not suits(body, dtype) do body = draw_body() end
  local case = {body = body, size = size, dtype = dtype, layouts = {pick(LAYOUTS), pick(LAYOUTS)},
    other = pick {dtype, dtype, "float32", "float64"}}
  if dtype:find "^complex" then case.other = dtype end
  return case
end

--- What was measured to differ before, and then what numbers draw.
local function cases_of(count, sizes)
  local cases, large = {}, sizes[2]
  state = tonumber(os.getenv "CUNA_ORDER_SEED") or 20240611
  local function add(body, size, dtype, layout, other)
    cases[#cases + 1] = {body = body, size = size, dtype = dtype, layouts = {layout, "whole"}, other = other or dtype}
  end
  for _, axis in ipairs {"1", "2", false} do
    add(body_of_fold("(x + 1)", "%s:sum(%s)", axis), large, "float32", "transposed")
    add(body_of_fold("(x * z)", "%s:sum(%s)", axis), large, "float32", "whole")
    add(body_of_fold("(col + row)", "%s:sum(%s)", axis), large, "float32", "whole")
    add(body_of_fold('x:astype("float32")', "%s:sum(%s)", axis), {96, 1000}, "float64", "whole")
    add(body_of_fold("cn.real(x)", "%s:sum(%s)", axis), {96, 1000}, "complex64", "whole")
    add(body_of_fold("cn.imag(x + 1)", "%s:var(%s)", axis), {96, 1000}, "complex64", "transposed")
  end
  for k, layout in ipairs {"whole", "transposed", "shifted", "whole", "apart"} do
    add("local v = x; " .. ROWS[2 * k], large, "float32", layout)
    add("local v = x * z; " .. ROWS[2 * k], {600, 50}, "float32", layout, "float64")
  end
  add("local v = x; " .. ROWS[2], {512, 4100}, "float64", "whole") -- rows that lanes fold in segments
  for _ = 1, count do cases[#cases + 1] = draw_case(sizes) end
  return cases
end

--- The arrays of a case; those of `made` are used again.
local function arguments(case, made)
  local rows, columns = unpack(case.size)
  local function numbers(...)
    local key = table.concat({...}, " ")
    made[key] = made[key] or draw_numbers(...)
    return made[key]
  end
  local x, z = numbers(rows, columns, case.dtype, 0), numbers(rows, columns, case.other, 1)
  return layouts[case.layouts[1]](x), layouts[case.layouts[2]](z), numbers(1, columns, case.dtype, 2):reshape(columns),
    numbers(rows, 1, case.dtype, 3)
end

local function compare(case, got, expected)
  local what = ("%s of %d x %d %s %s, %s %s"):format(case.body, case.size[1], case.size[2], case.layouts[1], case.dtype,
    case.layouts[2], case.other)
  for k = 1, #expected do
    assert.equal(expected[k].dtype .. tostring(expected[k].shape), got[k].dtype .. tostring(got[k].shape), what)
    local why = bits.why_different(got[k]:tobytes(), expected[k]:tobytes(), expected[k].dtype, 0)
    if why then return what .. ": " .. why end
  end
end

devices.each_device(function(device)
  it("fused folds have the bits of unfused ones, in every layout", function()
    local cases, wrong = cases_of(tonumber(os.getenv "CUNA_ORDER_CASES") or 6, SIZES[device.kind]), {}
    for _, case in ipairs(cases) do case.plain, case.fused = function_of(case.body), cn.fuse(function_of(case.body)) end
    cn.prepare(function()
      for _, case in ipairs(cases) do
        case.plain(arguments(case, {}))
        case.fused(arguments(case, {}))
      end
    end)
    local made = {}
    for _, case in ipairs(cases) do
      local x, z, columns, rows = arguments(case, made)
      wrong[#wrong + 1] = compare(case, {case.fused(x, z, columns, rows)}, {case.plain(x, z, columns, rows)})
    end
    assert.equal(0, #wrong, ("%d of %d cases differ:\n%s"):format(#wrong, #cases, table.concat(wrong, "\n")))
  end)
end)
