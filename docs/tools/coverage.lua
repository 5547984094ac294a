--- coverage.lua: docs/coverage.md: which names of NumPy, CuPy and SciPy cuna has, by namespace.
--
-- The names are in peer_names.txt, which peer_names.py makes. A name counts as there if cuna's namespace has it, or the
-- name in RENAMED.
local cn = require "cuna"
local core = require "cuna.core"
local methods = require "cuna.method"

local M = {}

local RENAMED = {["repeat"] = "repeat_interleave", ["and"] = "logical_and", ["or"] = "logical_or", ["in1d"] = "isin"}

-- Python's types, protocols and settings, and what NumPy 2 removed.
local APART = {}
for name in ([[
AxisError BitGenerator ComplexWarning DataSource DeviceSynchronized False_ GeneralizedUFunc Inf MT19937
ModuleDeprecationWarning NAN NINF NZERO NaN TooHardError PCG64 PCG64DXSM PINF PZERO Philox RankWarning SFC64
ScalarType SeedSequence T True_ VisibleDeprecationWarning add_docstring alltrue annotations asarray_chkfinite asfarray
asmatrix bit_generator bmat broadcast cfloat complex_ config float_ busday_count busday_offset busdaycalendar
byte_bounds clear_memo cstruct ctypes cumproduct data datetime_as_string datetime_data disp dump dumps errstate
exceptions fastCopyAndTranspose find_common_type flatiter format_parser fromDlpack fromregex get_array_module
get_array_wrap get_include get_runtime_info getbufsize geterr geterrcall geterrobj getfield info infty is_busday isnat
issctype issubclass_ issubsctype iterable lookfor make_aligned_dtype mat maximum_sctype mdspan memoize mintypecode
msort ndarray nditer nested_iters newbyteorder obj2sctype polynomial product ranf recfromcsv recfromtxt reduced_view
round_ safe_eval sample sctype2char set_numeric_ops set_string_function setbufsize seterr seterrcall seterrobj
setfield setflags show_config show_runtime singlecomplex sometrue scipy test toDlpack tracemalloc_domain typename
ufunc who
]]):gmatch "%S+" do APART[name] = true end

-- A namespace of another library, and its counterpart: below cn, or "x" for arrays and "rng" for generators.
local NAMESPACES = {
  {"NumPy", {"numpy", "cn"}, {"numpy.ndarray", "x"}, {"numpy.linalg", "cn.linalg"}, {"numpy.fft", "cn.fft"},
    {"numpy.random", "cn.random"}, {"numpy.random.Generator", "rng"}},
  {"CuPy", {"cupy", "cn"}, {"cupy.linalg", "cn.linalg"}, {"cupy.fft", "cn.fft"}, {"cupy.random", "cn.random"},
    {"cupyx", "cn"}, {"cupyx.scipy.fft", "cn.fft"}, {"cupyx.scipy.linalg", "cn.linalg"},
    {"cupyx.scipy.special", "cn.special"}, {"cupyx.scipy.signal", "cn.signal"},
    {"cupyx.scipy.signal.windows", "cn.signal.windows"}, {"cupyx.scipy.ndimage", "cn.ndimage"},
    {"cupyx.scipy.sparse", "cn.sparse"}, {"cupyx.scipy.sparse.linalg", "cn.sparse.linalg"},
    {"cupyx.scipy.stats", "cn.stats"}, {"cupyx.scipy.interpolate", "cn.interpolate"},
    {"cupyx.scipy.spatial", "cn.spatial"}},
  {"SciPy", {"scipy.fft", "cn.fft"}, {"scipy.linalg", "cn.linalg"}, {"scipy.special", "cn.special"},
    {"scipy.signal", "cn.signal"}, {"scipy.signal.windows", "cn.signal.windows"}, {"scipy.ndimage", "cn.ndimage"},
    {"scipy.sparse", "cn.sparse"}, {"scipy.sparse.linalg", "cn.sparse.linalg"}, {"scipy.stats", "cn.stats"},
    {"scipy.interpolate", "cn.interpolate"}, {"scipy.integrate", "cn.integrate"}, {"scipy.optimize", "cn.optimize"},
    {"scipy.spatial", "cn.spatial"}, {"scipy.spatial.distance", "cn.spatial.distance"},
    {"scipy.cluster.vq", "cn.cluster.vq"}},
}

--- The lists of peer_names.txt by namespace, and its first line.
local function read_names()
  local lists, heading = {}, nil
  for line in io.lines "docs/tools/peer_names.txt" do
    local space, names = line:match "^([%w_.]+): (.*)$"
    if space then lists[space] = names else heading = line:match "^# (.*)$" end
  end
  return lists, heading
end

--- Whether a path below cn leads to something.
local function value_at(path)
  local value = cn
  for word in path:gmatch "%.([%w_]+)" do
    local ok, inner = pcall(function() return value[word] end)
    if not ok or inner == nil then return nil end
    value = inner
  end
  return value
end

--- A function that says whether a counterpart has a name.
local function finder(counterpart)
  if counterpart == "x" then
    local getters = core.getters()
    return function(name) return getters[name] ~= nil or methods.find(name) ~= nil end
  elseif counterpart == "rng" then
    local known = require("cuna.random.generator").methods
    return function(name) return known[name] ~= nil end
  end
  return function(name) return value_at(counterpart .. "." .. name) ~= nil end
end

--- How many names there are and are had, and those that are missing.
local function compare(names, counterpart)
  local has, count, missing = finder(counterpart), 0, {}
  for name in names:gmatch "%S+" do
    if has(RENAMED[name] or name) then
      count = count + 1
    elseif not APART[name] then
      missing[#missing + 1] = name
    end
  end
  return count, count + #missing, missing
end

local function add(lines, format, ...) lines[#lines + 1] = format:format(...) end

--- Names in lines of the width of a page.
local function quoted(names)
  local lines = {""}
  for _, name in ipairs(names) do
    local line = lines[#lines]
    if #line + #name + 3 > 116 then lines[#lines + 1], line = "", "" end
    lines[#lines] = line .. (line == "" and "`" or " `") .. name .. "`"
  end
  return table.concat(lines, "\n")
end

local function is_there(counterpart) return not counterpart:find "^cn%." or value_at(counterpart) ~= nil end

local INTRODUCTION = [[
<!-- Made by `make docs` from docs/tools/peer_names.txt and cuna's tables: change docs/tools/coverage.lua. -->
# Coverage

How many public names of %s cuna has, by namespace. A name
counts if cuna has it; [the reference](reference/README.md) lists its options, which may be fewer. Types, protocols and
settings of Python, and what NumPy 2 removed, are left out. `x` is an array, `rng` a generator. [From NumPy and
CuPy](from_numpy_and_cupy.md) says what is spelled in another way.]]

--- The page, by its path.
---@return table<string, string>
function M.make()
  local lists, heading = read_names()
  local lines, details = {INTRODUCTION:format(heading)}, {"\n## What is missing"}
  for _, library in ipairs(NAMESPACES) do
    add(lines, "\n## %s\n\n| namespace | counterpart | has | of | |\n|---|---|---:|---:|---:|", library[1])
    for i = 2, #library do
      local space, counterpart = library[i][1], library[i][2]
      local count, all, missing = compare(lists[space], counterpart)
      local shown = is_there(counterpart) and "`" .. counterpart .. "`" or "none"
      add(lines, "| `%s` | %s | %d | %d | %.0f %% |", space, shown, count, all, 100 * count / all)
      if #missing > 0 then add(details, "\n### %s\n\n%s", space, quoted(missing)) end
    end
  end
  return {["docs/coverage.md"] = table.concat(lines, "\n") .. "\n" .. table.concat(details, "\n") .. "\n"}
end

return M
