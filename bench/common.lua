-- Functions of the scripts that do not load cuna: commands, options, names by prefix, and the cost of first uses in new
-- processes.
local NEW_PROCESSES = 3 -- runs of first_use/use.lua per figure, which is their median

-- Names of the figures, and the arguments of first_use/use.lua.
local FIRST_USES = { "kernel", "fused", "fused_rows", "elementwise_kernel", "reduction_kernel", "scan_kernel",
  "raw_kernel", "jit_kernel" }

local M = {}

function M.lines_of(command)
  local lines = {}
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do lines[#lines + 1] = line end
  pipe:close()
  return lines
end

function M.quoted(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

--- Whether a name begins with one of some prefixes, separated by commas.
function M.has_prefix(name, prefixes)
  for prefix in prefixes:gmatch("[^,]+") do
    if name:sub(1, #prefix) == prefix then return true end
  end
  return false
end

--- Whether some prefix of `only` begins a word behind a quote, or begins with one as long as a name: names may be put
--- together.
local function may_have(text, only)
  for word in text:gmatch '"([%w_]+)' do
    for prefix in only:gmatch "[^,]+" do
      local length = math.min(#word, #prefix)
      if length > 2 and word:sub(1, length) == prefix:sub(1, length) then return true end
    end
  end
  return only == ""
end

--- The function of a file of workloads. A file without a name that fits `only` is not run, and has none: it would load
--- parts of cuna, and every collection marks what is loaded.
function M.workloads(path, only)
  local file = assert(io.open(path))
  local text = file:read "*a"
  file:close()
  return may_have(text, only) and dofile(path) or function() return {}, {}, {} end
end

--- A command that runs Python with NumPy, `asked` before others; nil when there is none.
function M.python_with_numpy(asked)
  for _, python in ipairs { asked, "python3", "/usr/bin/python3" } do
    local check = M.quoted(python) .. " -c 'import numpy' >/dev/null 2>&1"
    if python ~= "" and os.execute(check) == 0 then return python end
  end
end

--- Options of a command line: `--name value` for the names that `known` has, whose values there are the defaults.
function M.read_options(args, known)
  local options, names = setmetatable({}, { __index = known }), {}
  for name in pairs(known) do names[#names + 1] = "--" .. name end
  table.sort(names)
  for i = 1, #args, 2 do
    local key = args[i]:match("^%-%-(%a+)$")
    if not known[key] or not args[i + 1] then
      error(("unknown option %s; known are %s"):format(args[i], table.concat(names, ", ")), 0)
    end
    options[key] = args[i + 1]
  end
  return options
end

function M.median(values)
  table.sort(values)
  return values[math.ceil(#values / 2)]
end

--- Medians of the milliseconds that first_use/use.lua prints, each process with the cache folder that `prepare`
--- returns.
local function first_use(script, use, prepare)
  local require_ms, kernel_ms = {}, {}
  for i = 1, NEW_PROCESSES do
    local command = ("CUNA_PACK_DIR=off CUNA_CACHE_DIR=%s %s %s"):format(M.quoted(prepare()), script, use)
    local loaded, first = (M.lines_of(command)[1] or ""):match("^(%S+)\t(%S+)$")
    require_ms[i], kernel_ms[i] = assert(tonumber(loaded), "first_use/use.lua failed: " .. command), tonumber(first)
  end
  return M.median(require_ms), M.median(kernel_ms)
end

--- Times of first uses: a list of {name, milliseconds}, for names that is_wanted(name) accepts. `interpreter` is a
--- command that runs a script with cuna; `bench` is the folder of this file, "" or with a slash at its end.
function M.first_uses(interpreter, bench, is_wanted)
  local folder, count, rows = M.lines_of("mktemp -d")[1], 0, {}
  local script = ("%s %s"):format(interpreter, M.quoted(bench .. "first_use/use.lua"))
  local function empty_folder()
    count = count + 1
    return folder .. "/" .. count
  end
  local function add(name, use, prepare)
    if is_wanted(name) then rows[#rows + 1] = { name, (select(2, first_use(script, use, prepare))) } end
  end
  for _, use in ipairs(FIRST_USES) do add("new_" .. use, use, empty_folder) end
  if is_wanted("require") or is_wanted("new_kernel_from_disk") then
    first_use(script, "kernel", function() return folder .. "/disk" end) -- fills the folder
    local loaded, from_disk = first_use(script, "kernel", function() return folder .. "/disk" end)
    if is_wanted("new_kernel_from_disk") then table.insert(rows, 1, { "new_kernel_from_disk", from_disk }) end
    if is_wanted("require") then table.insert(rows, 1, { "require", loaded }) end
  end
  os.execute("rm -rf " .. M.quoted(folder))
  return rows
end

return M
