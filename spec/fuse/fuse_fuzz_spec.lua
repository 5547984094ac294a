--- Random expressions and statements, fused and unfused: the same dtypes, shapes and bits, at every call.
local bits = require "spec.support.bits"
local cn = require "cuna"
local core = require "cuna.core"
local devices = require "spec.support.devices"
local dtype_rules = require "cuna.base.dtype_rules"
local rows = require "cuna.ops"

local TREES, DEPTH, FOLD_TREES, STATEMENTS = 28, 4, 16, 10

-- ---- numbers that look random, the same in every run ----

local state = 20240607

local function draw(n)
  state = (state * 16807) % 2147483647
  return state % n + 1
end

local function pick(list) return list[draw(#list)] end

local DTYPES = {}
for _, dtype in ipairs(core.dtypes) do DTYPES[#DTYPES + 1] = dtype.name end
local SHAPES = {{5}, {3, 5}, {3, 1}, {}, {3, 5}}
local SPECIAL = {0, -0.0, 1 / 0, -1 / 0, 0 / 0, 1e30, -1e-30, 0.5, -2.5, 3, 100, -7}

--- An array of a dtype, with values that are awkward where the dtype has them.
local function make_array(dtype, shape)
  local x = cn.zeros(shape, "float64")
  local flat = {}
  for i = 1, x.size do flat[i] = draw(3) == 1 and pick(SPECIAL) or draw(40) - 20 end
  x = cn.array(flat, "float64"):reshape(shape)
  if dtype:find "^complex" then x = x * cn.complex(0.5, draw(5) - 3) end
  if dtype:find "^uint" then x = x:abs() end
  return x:astype(dtype)
end

-- ---- expressions as Lua text ----

local OPERATORS = {add = "+", subtract = "-", multiply = "*", divide = "/", remainder = "%", power = "^"}

local leaves = {"a", "b", "c", "a", "b", "c", "k"}

--- A random expression over the leaves: its text and the type that dtype_rules.lua gives it; nil where it has no dtype.
local grow

local function grow_leaf(types)
  if draw(5) == 1 then
    local number = pick {"2", "3", "0.5", "1", "2.5"}
    return number, number:find "%." and "weak_float" or "weak_int"
  end
  local name = pick(leaves)
  return name, types[name]
end

local function compose(row, texts)
  if OPERATORS[row.name] and draw(2) == 1 then return ("(%s %s %s)"):format(texts[1], OPERATORS[row.name], texts[2]) end
  if row.method and draw(3) == 1 and texts[1]:find "^cn%." then
    return ("%s:%s(%s)"):format(texts[1], row.name, table.concat(texts, ", ", 2))
  end
  return ("cn.%s(%s)"):format(row.name, table.concat(texts, ", "))
end

local function grow_operation(types, depth)
  local row = pick(rows)
  local texts, kinds, is_array = {}, {}, false
  for k = 1, row.nargs do
    texts[k], kinds[k] = grow(types, depth - 1)
    is_array = is_array or not kinds[k]:find "^weak"
  end
  if not is_array or row.rule == "decimals" or row.name == "clip" then return nil end
  local plan = dtype_rules.resolve(row, kinds)
  if not plan or row.name == "nextafter" then return nil end
  local dtype = plan.results[1].dtype
  if #plan.results > 1 then return ("(cn.%s(%s))"):format(row.name, table.concat(texts, ", ")), dtype end
  return compose(row, texts), dtype
end

function grow(types, depth)
  if depth == 0 then return grow_leaf(types) end
  if draw(8) == 1 then
    local text, kind = grow(types, depth - 1)
    local dtype = pick(DTYPES)
    local is_cut = kind:find "^complex" and not dtype:find "^complex"
    if not kind:find "^weak" and not is_cut then return ("cn.astype(%s, %q)"):format(text, dtype), dtype end
    return text, kind
  end
  for _ = 1, 12 do
    local text, kind = grow_operation(types, depth)
    if text then return text, kind end
  end
  return grow_leaf(types)
end

--- A case: text of a function, and arrays for two calls of it.
local function make_case()
  local types, shapes = {k = "weak_float"}, {}
  for _, name in ipairs {"a", "b", "c"} do types[name], shapes[name] = pick(DTYPES), pick(SHAPES) end
  local text, kind
  repeat text, kind = grow(types, DEPTH) until not kind:find "^weak" and #text > 20
  return {text = text, types = types, shapes = shapes}
end

local cases = {}
for i = 1, TREES do cases[i] = make_case() end

local function arguments(case)
  local list = {}
  for i, name in ipairs {"a", "b", "c"} do list[i] = make_array(case.types[name], case.shapes[name]) end
  return list
end

local function function_of(case)
  local chunk = assert(loadstring("local cn = ... return function(a, b, c, k)\n return " .. case.text .. "\nend"))
  return chunk(cn)
end

--- Whether the unfused function took the values; such as an integer that is too large for a dtype it does not.
local function check(case, fused, plain, values, k)
  local ok, expected = pcall(plain, values[1], values[2], values[3], k)
  if not ok then return false end
  local got = fused(values[1], values[2], values[3], k)
  assert.equal(expected.dtype, got.dtype, case.text)
  assert.equal(tostring(expected.shape), tostring(got.shape), case.text)
  local why = bits.why_different(got:tobytes(), expected:tobytes(), expected.dtype, 0)
  assert.is_nil(why, why and ("%s\n%s, a %s, b %s, c %s"):format(case.text, why, case.types.a, case.types.b,
    case.types.c))
  return true
end

-- ---- folds inside ----

local FOLDS = {"sum", "mean", "max", "min", "prod", "ptp", "argmax", "any", "all", "count_nonzero", "var", "nansum"}
local EXACT = {"add", "subtract", "multiply", "maximum", "minimum"}

--- A random expression with folds, whose values are whole and small: sums are exact, so that bits can be compared
--- whatever the order they are added in.
local function grow_fold(depth)
  if depth == 0 then return pick {"a", "b", "(a - 2)", "(b + a)", "(a * 2)"} end
  if draw(3) == 1 then
    return ("cn.%s(%s, %s)"):format(pick(EXACT), grow_fold(depth - 1), grow_fold(depth - 1))
  end
  local name = pick(FOLDS)
  local axis = pick {"axis = 1, ", "axis = 2, ", "axis = {1, 2}, ", "axis = 2, "}
  if name:find "^arg" then axis = pick {"axis = 1, ", "axis = 2, "} end
  local text = ("cn.%s(%s, {%skeepdims = true})"):format(name, grow_fold(depth - 1), axis)
  -- means and variances are made whole again; a product stays small
  if name == "mean" or name == "var" then return ("cn.floor(%s)"):format(text) end
  return name == "prod" and ("cn.clip(%s, -9, 9)"):format(text) or text
end

local FOLDED_DTYPES = {"float32", "float64", "int32", "int8", "bool", "uint16", "float16"}

local function check_folds(text, plain, fused, a, b)
  local ok, expected = pcall(plain, a, b)
  if not ok then return false end
  local got = fused(a, b)
  assert.equal(expected.dtype .. tostring(expected.shape), got.dtype .. tostring(got.shape), text)
  local why = bits.why_different(got:tobytes(), expected:tobytes(), expected.dtype, 0)
  assert.is_nil(why, why and text .. "\n" .. why)
  return true
end

-- ---- statements that write ----

local VIEWS = {'%s["::-1"]', '%s[":, ::-1"]', "(%s.T * 2).T", "%s:reshape(-1):reshape(a.shape)", "%s.T.T"}
local OTHERS = {"%s:cumsum(1)", "cn.sort(%s, 1)", '%s:dot(a["1:2"]) %% 7', 'cn.concatenate {%s["2:"], b["1:1"]}',
  "cn.where(%s:gt(2), a, 1)", "cn.take(%s, {1, 2}, 2)", "%s:copy()", "%s * b:max():item()", "%s + b[{1, 2}]",
  "(cn.any(%s:gt(90)) and a or c) + 1", "cn.zeros_like(%s) + 1"}
local PARTS = {'%s["2:3"] = 1', '%s["1"] = a["2"]', '%s["::2"]:add_(1)', "%s[{1, 1}] = 4", "%s[%s:gt(2)] = 0",
  'cn.add(%s["1:2"], 1, %s["2:3"])', "%s.T:mul_(2)"}

--- Statements by kind: {how often, function of names and a value, which names a result or writes}.
local STATEMENTS_OF = {
  function(name, value) return ("%s %s %s"):format(name, pick {"+", "-", "*"}, value()) end,
  function(name, value) return nil, ("%s:%s_(%s)"):format(name, pick {"add", "sub", "mul", "maximum"}, value()) end,
  function(name, value) return nil, ("%s[cn.ellipsis] = %s"):format(name, value()) end,
  function(name) return nil, ("%s:fill(%d)"):format(name, draw(5)) end,
  function(name, value)
    return ("cn.sum(%s, {axis = %d, keepdims = true}) + %s * 0 + a * 0"):format(name, draw(2), value())
  end,
  function(name) return (pick(VIEWS):gsub("%%s", name)) end,
  function(name) return (pick(OTHERS):gsub("%%s", name):gsub("%%%%", "%%")) end,
  function(name) return nil, (pick(PARTS):gsub("%%s", name)) end,
}

local OFTEN = {1, 1, 1, 2, 2, 3, 5, 6, 6, 4, 7, 8} -- the last three are not recorded

local function grow_statement(names, lines, kinds)
  local function value() return draw(4) == 1 and tostring(draw(3)) or pick(names) end
  local made = "t" .. #lines
  local result, statement = STATEMENTS_OF[OFTEN[draw(kinds)]](pick(names), value)
  lines[#lines + 1] = statement or ("local %s = %s"):format(made, result)
  if result then names[#names + 1] = made end
end

--- Text of a function of three arrays that computes and writes.
---@param kinds integer of OFTEN
local function grow_statements(kinds)
  local names, lines, results = {"a", "b", "c"}, {}, {}
  for _ = 1, 2 + draw(6) do grow_statement(names, lines, kinds) end
  for i = 1, draw(3) do results[i] = pick(names) end
  return ("local cn = ... return function(a, b, c)\n%s\nreturn %s\nend"):format(table.concat(lines, "\n"),
    table.concat(results, ", "))
end

local SAME = {{1, 2, 3}, {1, 1, 2}, {1, 2, 2}, {1, 1, 1}, {4, 5, 3}, {2, 4, 1}} -- which arguments are one array

--- Three arrays, some of them the same, or of the same memory.
local function make_arguments(same, nrows)
  local made = {}
  for i = 1, 3 do made[i] = (cn.arange(nrows * 2) + i):reshape(nrows, 2):astype "float64" % 5 end
  local both = cn.concatenate {made[1], made[2]}
  made[4], made[5] = both["1:" .. nrows], both["3:" .. nrows + 2]
  return {made[same[1]], made[same[2]], made[same[3]]}
end

local function check_writes(text, plain, fused, same, nrows)
  local ours, theirs = make_arguments(same, nrows), make_arguments(same, nrows)
  local got, expected = {fused(unpack(ours))}, {plain(unpack(theirs))}
  for i = 1, 3 do assert.is_true(theirs[i] == ours[i], ("argument %d of\n%s"):format(i, text)) end
  for i = 1, #expected do
    assert.is_true(expected[i] == got[i], ("result %d of\n%s"):format(i, text))
    for k = 1, 3 do assert.equal(rawequal(expected[i], theirs[k]), rawequal(got[i], ours[k]), text) end
  end
end

devices.each_device(function()
  it("random statements write the same fused and unfused, whichever arguments are one array", function()
    local nreplays = 0
    for i = 1, STATEMENTS do
      local text = grow_statements(i % 2 == 0 and #OFTEN or #OFTEN - 3)
      local chunk = assert(loadstring(text))
      local plain, fused = chunk(cn), cn.fuse(chunk(cn))
      for _ = 1, 2 do
        for _, same in ipairs(SAME) do check_writes(text, plain, fused, same, i % 3 == 0 and 4 or 600) end
      end
      nreplays = nreplays + fused.cache_info().traces
    end
    assert.is_true(nreplays > 4, nreplays .. " replays")
  end)

  it("random expressions with folds give the same fused and unfused", function()
    local list, checked = {}, 0
    for i = 1, FOLD_TREES do
      local text = grow_fold(3)
      local dtype, shapes = pick(FOLDED_DTYPES), pick {{{3, 5}, {5}}, {{3, 5}, {3, 1}}, {{2, 3}, {2, 3}}}
      local function make(shape)
        return (cn.arange(shape[1] * (shape[2] or 1)) % 3):reshape(shape):astype(dtype)
      end
      local chunk = assert(loadstring("local cn = ... return function(a, b) return " .. text .. " end"))
      list[i] = {text, chunk(cn), cn.fuse(chunk(cn)), make(shapes[1]), make(shapes[2])}
    end
    cn.prepare(function()
      for _, case in ipairs(list) do
        pcall(case[2], case[4], case[5])
        pcall(case[3], case[4], case[5])
      end
    end)
    for _, case in ipairs(list) do checked = checked + (check_folds(unpack(case)) and 1 or 0) end
    assert.is_true(checked > FOLD_TREES / 2, checked .. " were checked")
  end)

  it("random expressions give the same fused and unfused", function()
    local inputs = {}
    for i, case in ipairs(cases) do
      inputs[i] = {arguments(case), arguments(case)}
      case.plain, case.fused = function_of(case), cn.fuse(function_of(case))
    end
    cn.prepare(function()
      for i, case in ipairs(cases) do
        for _, f in ipairs {case.plain, case.fused} do
          pcall(f, inputs[i][1][1], inputs[i][1][2], inputs[i][1][3], 1.5)
        end
      end
    end)
    local checked = 0
    for i, case in ipairs(cases) do
      for _, call in ipairs {{1, 1.5}, {2, -0.25}, {2, 3}} do
        checked = checked + (check(case, case.fused, case.plain, inputs[i][call[1]], call[2]) and 1 or 0)
      end
    end
    assert.is_true(checked > 2 * TREES, checked .. " calls were checked")
  end)
end)
