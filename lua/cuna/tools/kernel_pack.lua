--- kernel_pack.lua: compiles the kernels that most programs need in advance.
--
--   CUNA_CACHE_DIR=folder luajit kernel_pack.lua [device] ...        (default: cpu; gpus: those there are)
--   ... kernel_pack.lua --part 2 8 device                            (one eighth, and nothing else)
--
-- `make pack` runs it for the cpu device and the machine's GPUs, or for GPUs that need not be present ("cuda:sm_90":
-- see cuda/pack.c). Its folder is the one that cuna searches after the user's own cache. The kernels needed depend on
-- dtypes, on the layout of operands and, on a GPU, on the alignment of rows for wide accesses, but hardly on lengths.
local cn = require "cuna"
local calls = require "cuna.tools.pack_calls"
local core = require "cuna.core"
local run_text = require "cuna.tools.call_text"

local M = {}

local MAIN = {"float64", "float32", "int64", "int32"}
local LENGTH = 64 -- of rows aligned for wide accesses
local ODD = 63    -- of others

-- ---- operations ----

local ARITHMETIC = {"add", "subtract", "multiply", "divide"}
local BINARY = {"power", "floor_divide", "remainder", "maximum", "minimum", "equal", "not_equal", "less", "less_equal",
  "greater", "greater_equal"}
local UNARY = {"negative", "absolute", "square", "sqrt", "exp", "log", "sin", "cos", "tanh"}
local LOGIC = {"logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "equal", "not_equal"}

local function rehearse_elements(dtype)
  local x, one = cn.empty(LENGTH, dtype), cn.empty({}, dtype)
  for _, name in ipairs(ARITHMETIC) do
    cn[name](x, x)
    cn[name](x, 3)
    cn[name](3, x)
    cn[name](x, one)
  end
  for _, name in ipairs(BINARY) do
    cn[name](x, x)
    cn[name](x, 3)
  end
  for _, name in ipairs(UNARY) do cn[name](x) end
end

local function rehearse_broadcasts(dtype)
  for _, length in ipairs {LENGTH, ODD} do
    local matrix = cn.empty({length, length}, dtype)
    local row, column = cn.empty(length, dtype), cn.empty({length, 1}, dtype)
    for _, name in ipairs(ARITHMETIC) do
      cn[name](matrix, row)
      cn[name](matrix, column)
    end
    cn.multiply(column, row)
  end
end

local function rehearse_choices(dtype)
  local x, condition = cn.empty(LENGTH, dtype), cn.empty(LENGTH, "bool")
  cn.where(condition, x, x)
  cn.where(condition, x, 0)
  cn.where(condition, 0, x)
  cn.clip(x, 0, 1)
end

local function rehearse_logic()
  local x = cn.empty(LENGTH, "bool")
  for _, name in ipairs(LOGIC) do cn[name](x, x) end
  cn.logical_not(x)
end

-- ---- creation and copies ----

local function rehearse_creation(dtype)
  cn.full(LENGTH, 7, dtype)
  if dtype ~= "bool" then cn.arange(0, LENGTH, 1, dtype) end
end

local function rehearse_casts()
  local dtypes = {"bool", unpack(MAIN)}
  for _, from in ipairs(dtypes) do
    local x = cn.empty(LENGTH, from)
    for _, to in ipairs(dtypes) do
      if to ~= from then cn.astype(x, to) end
    end
  end
end

--- Joins of few arrays and of many use different kernels.
local function rehearse_joins(row, matrix)
  local many = {}
  for k = 1, 100 do many[k] = row end
  cn.concatenate {row, row}
  cn.concatenate(many)
  cn.concatenate({matrix, matrix}, 2)
end

--- The kernels of copies depend only on the size of elements.
local function rehearse_copies(dtype)
  local x = cn.empty(LENGTH, dtype)
  cn.copy(x[{{1, LENGTH, 2}}])
  cn.copy(x[{{1, LENGTH, 3}}])
  cn.copy(x[{{-1, 1, -1}}])
  for _, length in ipairs {LENGTH, ODD} do
    local matrix = cn.empty({2 * length, length}, dtype)
    cn.copy(cn.transpose(matrix))
    cn.copy(matrix[{{}, {1, LENGTH / 2}}])
    cn.copy(matrix[{{}, 1}])
    cn.copy(cn.broadcast_to(x, {LENGTH, LENGTH}))
    rehearse_joins(cn.empty(length, dtype), matrix)
  end
end

-- ---- reductions ----

local COMMON = {"sum", "mean", "max", "min"}
local RARE = {"std", "var", "prod", "argmax", "argmin"} -- of whole arrays only

local function fold_matrices(name, dtype)
  for _, shape in ipairs {{LENGTH, 1000}, {LENGTH, 4}, {ODD, 1001}} do
    local matrix = cn.empty(shape, dtype)
    cn[name](matrix, 1)
    cn[name](matrix, 2)
  end
end

local function rehearse_folds(dtype)
  local x = cn.empty(LENGTH, dtype)
  for _, name in ipairs(COMMON) do
    cn[name](x)
    fold_matrices(name, dtype)
  end
  for _, name in ipairs(RARE) do cn[name](x) end
end

local function rehearse_truths()
  local x, matrix = cn.empty(LENGTH, "bool"), cn.empty({LENGTH, 1000}, "bool")
  for _, name in ipairs {"any", "all", "sum", "count_nonzero"} do
    cn[name](x)
    cn[name](matrix, 1)
    cn[name](matrix, 2)
  end
end

-- ---- tables of measurements ----

--- Operations on tables whose rows are observations: on columns, which are strided, and on pairs of rows.
local function rehearse_table(dtype)
  local x, mask = cn.empty({LENGTH, 5}, dtype), cn.empty({LENGTH, LENGTH}, "bool")
  local column, square = x[{{}, 5}], cn.empty({LENGTH, LENGTH}, dtype)
  for _, name in ipairs(COMMON) do cn[name](column) end
  for _, name in ipairs(ARITHMETIC) do cn[name](column, cn.mean(column)) end
  cn.std(column)
  fold_matrices("std", dtype)
  for _, width in ipairs {4, 3} do
    local z = cn.empty({LENGTH, width}, dtype)
    cn.subtract(z[{{}, cn.newaxis, {}}], z[{cn.newaxis, {}, {}}])
  end
  cn.equal(column[{{}, cn.newaxis}], column[{cn.newaxis, {}}])
  cn.multiply(square, mask)
  cn.add(square, cn.identity(LENGTH, dtype))
  cn.argmax(cn.empty({LENGTH, 1000}, dtype), 2)
  cn.argmin(cn.empty({LENGTH, 1000}, dtype), 2)
end

-- ---- calls ----

local LONG = 8192   -- of rows that are too long for one block to sort
local MANY = 2 ^ 20 -- elements that blocks count apart

--- What stands in the text of calls, by name.
local function operands(dtype)
  local mask, positions = cn.empty({LENGTH, LENGTH}, "bool"), cn.empty({LENGTH, LENGTH}, "int64")
  return {
    cn = cn, d = dtype, g = cn.random.default_rng(1), v = cn.empty(LENGTH, dtype), long = cn.empty(LONG, dtype),
    x = cn.empty({1000, LENGTH}, dtype), tall = cn.empty(1000, dtype), row = cn.empty(LENGTH, dtype),
    column = cn.empty({1000, 1}, dtype), narrow = cn.empty({1000, 16}, dtype), points = cn.empty({1000, 3}, dtype),
    square = cn.empty({LENGTH, LENGTH}, dtype), stack = cn.empty({8, 16, LENGTH}, dtype), three = cn.empty(3, dtype),
    i = cn.empty(LENGTH, "int64"), m = mask[1], mx = cn.empty({1000, LENGTH}, "bool"), p = positions[1],
    px = cn.empty({1000, LENGTH}, "int64"), sixteen = cn.empty(16, dtype), many = cn.empty(MANY, "int64"),
    heavy = cn.empty(MANY, dtype), inner = cn.empty({LENGTH + 2, LENGTH + 2}, dtype)["2:-2, 2:-2"],
  }
end

local function rehearse_calls()
  local names = {}
  for _, group in ipairs(calls) do
    for _, dtype in ipairs(group.of) do
      names[dtype] = names[dtype] or operands(dtype)
      for _, text in ipairs(group) do run_text(text, names[dtype]) end
    end
  end
end

-- ---- the pack ----

--- The calls whose kernels are in the pack, on a device, which is the current one. A host device runs rarer calls
-- without kernels, until they are hot.
---@param device cuna.Device
function M.work(device)
  local was_eager = cn.set_eager(true) -- kernels of operations as such
  for _, dtype in ipairs(MAIN) do
    rehearse_elements(dtype)
    rehearse_broadcasts(dtype)
    rehearse_choices(dtype)
    rehearse_creation(dtype)
    rehearse_folds(dtype)
  end
  for _, dtype in ipairs {"int8", "int16", "int32", "int64"} do rehearse_copies(dtype) end
  rehearse_table "float64"
  rehearse_table "float32"
  rehearse_creation "bool"
  rehearse_logic()
  rehearse_truths()
  rehearse_casts()
  if not core.is_host(device) then rehearse_calls() end
  cn.set_eager(was_eager)
end

local function quote(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function read_command(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read("*a")
  pipe:close()
  return text
end

local function folder_bytes(folder) return tonumber(read_command("du -sb " .. quote(folder)):match "^%d+") or 0 end

local function first_line(message) return (tostring(message):gsub("^[^\n]-cuna: ", ""):gsub("\n.*", "")) end

--- Compiles part number `part`, from 1, of so many equal ones; the number of its kernels.
local function build_part(part, parts, device)
  return device:with(cn.prepare, function()
    M.work(device)
    core.prepare_part(part - 1, parts)
  end)
end

--- Compiles all parts in processes, at the same time: threads of one wait for each other inside of NVRTC.
local function build_parts(name)
  local parts, pipes, kernels = tonumber(read_command "getconf _NPROCESSORS_ONLN") or 1, {}, 0
  local script = quote(debug.getinfo(1, "S").source:sub(2))
  for part = 1, parts do
    pipes[part] = assert(io.popen(("luajit %s --part %d %d %s"):format(script, part, parts, quote(name))))
  end
  local failure
  for _, pipe in ipairs(pipes) do
    local text = pipe:read("*a")
    pipe:close()
    local count = tonumber(text)
    kernels, failure = kernels + (count or 0), failure or not count and text
  end
  if failure then error(failure ~= "" and failure or "a process that compiled ended without a word", 0) end
  return kernels
end

--- Compiles the kernels of the pack for a device into the cache folder.
---@param name string "cpu", "cuda:0", or "cuda:sm_90" for any GPU of compute capability 9.0
---@return integer kernels, number seconds, integer bytes
function M.build(name)
  local device, folder = core.device(name), assert(core.cache_folder())
  local bytes, start = folder_bytes(folder), core.clock()
  local kernels = core.is_host(device) and device:with(cn.prepare, M.work, device) or build_parts(name)
  return kernels, core.clock() - start, folder_bytes(folder) - bytes
end

--- Builds for one device and reports it; an unavailable device is skipped. Returns whether no error occurred.
local function tell_build(name)
  local arch = name:match "^cuda:sm_(.*)$"
  if arch and not arch:find "^%d+%a?$" then
    io.stderr:write(("%-10s failed: '%s' is not a compute capability; write 90 for 9.0\n"):format(name, arch))
    return false
  end
  local usable, reason = pcall(core.device, name)
  if not usable then
    print(("%-10s left out: %s"):format(name, first_line(reason)))
    return true
  end
  local built, kernels, seconds, bytes = pcall(M.build, name)
  if built then
    print(("%-10s %4d kernels %6.1f s %6.1f MiB"):format(name, kernels, seconds, bytes / 2 ^ 20))
  else
    io.stderr:write(("%-10s failed: %s\n"):format(name, first_line(kernels)))
  end
  return built
end

--- The devices that an argument names. On a machine without a GPU the pack is for those that are usual.
local function devices_of(name)
  if name ~= "gpus" then return {name} end
  local names = {}
  for k = 1, core.device_count "cuda" do names[k] = "cuda:" .. k - 1 end
  return names[1] and names or {"cuda:sm_80", "cuda:sm_86", "cuda:sm_89", "cuda:sm_90"}
end

--- What --part says: prints the number of kernels, or why there are none.
local function tell_part(part, parts, name)
  local ok, answer = pcall(function() return build_part(tonumber(part), tonumber(parts), core.device(name)) end)
  print(ok and answer or first_line(answer))
  return ok
end

local function main(...)
  if (...) == "--part" then return tell_part(select(2, ...)) end
  local folder, reason = core.cache_folder()
  if not folder then
    io.stderr:write("pack: there is no folder to write to: ", reason, "\n")
    return false
  end
  local well = true
  for _, argument in ipairs(select("#", ...) > 0 and {...} or {"cpu"}) do
    for _, name in ipairs(devices_of(argument)) do well = tell_build(name) and well end
  end
  return well
end

if (...) ~= "cuna.tools.kernel_pack" then -- run as a script, not required
  os.exit(main(...) and 0 or 1, true)
end

return M
