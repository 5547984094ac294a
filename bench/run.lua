-- Runs cuna's workloads and NumPy's twins and prints one table: times, their ratio and the machine's limit.
--
--   make bench BENCHFLAGS="--only sum,add_f32 --scale 0.1 --write docs/performance.md"
--
-- The limit of a workload is its least traffic divided by the bandwidth that stream.c measures at the start, that of
-- reading where nothing large is written. With --write, the table replaces what stands between the lines
-- `<!-- table -->` and `<!-- /table -->` of a file.
local OPTIONS = { only = "", scale = "1", write = "", build = "build", python = "" }
local NEW_PROCESSES = 3 -- runs of first_use.lua; the medians count

local function read_options(args)
  local options = setmetatable({}, { __index = OPTIONS })
  for i = 1, #args, 2 do
    local key = args[i]:match("^%-%-(%a+)$")
    if not OPTIONS[key] or not args[i + 1] then
      error("unknown option " .. args[i] .. "; known are --only, --scale, --write, --build, --python", 0)
    end
    options[key] = args[i + 1]
  end
  return options
end

local function lines_of(command)
  local lines = {}
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do lines[#lines + 1] = line end
  pipe:close()
  return lines
end

local function succeeds(command)
  return os.execute(command .. " >/dev/null 2>&1") == 0
end

local function quoted(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function python_with_numpy(options)
  for _, python in ipairs { options.python, "python3", "/usr/bin/python3" } do
    if python ~= "" and succeeds(quoted(python) .. " -c 'import numpy'") then return python end
  end
end

--- Lines of tab-separated fields as a list of rows and a map from the first field to its row.
local function table_of(lines)
  local rows, by_name = {}, {}
  for _, line in ipairs(lines) do
    local row = {}
    for field in line:gmatch("[^\t]+") do row[#row + 1] = tonumber(field) or field end
    rows[#rows + 1] = row
    by_name[row[1]] = row
  end
  return rows, by_name
end

local function median(values)
  table.sort(values)
  return values[math.ceil(#values / 2)]
end

--- Medians of the milliseconds that first_use.lua prints, each process with the cache folder that `prepare` answers.
local function first_use(options, prepare)
  local require_ms, kernel_ms = {}, {}
  for i = 1, NEW_PROCESSES do
    local folder = quoted(prepare())
    local command = ("CUNA_PACK_DIR=off CUNA_CACHE_DIR=%s %s/cuna bench/first_use.lua"):format(folder, options.build)
    local loaded, first = (lines_of(command)[1] or ""):match("^(%S+)\t(%S+)$")
    require_ms[i], kernel_ms[i] = assert(tonumber(loaded), "first_use.lua failed"), tonumber(first)
  end
  return median(require_ms), median(kernel_ms)
end

local function first_use_rows(options, numpy_import_us)
  local folder = lines_of("mktemp -d")[1]
  local count = 0
  local _, cold = first_use(options, function()
    count = count + 1
    return folder .. "/" .. count
  end)
  local loaded, from_disk = first_use(options, function() return folder .. "/1" end)
  os.execute("rm -rf " .. quoted(folder))
  return {
    { "require (NumPy: import)", loaded, numpy_import_us and numpy_import_us / 1e3 },
    { "new kernel, compiled", cold },
    { "new kernel, from disk", from_disk },
  }
end

local function number_text(ms)
  if not ms then return "" end
  if ms < 0.1 then return ("%.2f us"):format(ms * 1e3) end
  return ms < 10 and ("%.2f"):format(ms) or ("%.0f"):format(ms)
end

local function row_text(name, cuna_ms, numpy_ms, limit_ms)
  local ratio = numpy_ms and ("%.1f"):format(numpy_ms / cuna_ms) or ""
  local share = limit_ms and limit_ms > 0 and ("%.0f %%"):format(100 * limit_ms / cuna_ms) or ""
  return ("| %-30s | %9s | %9s | %6s | %8s | %6s |"):format(name, number_text(cuna_ms), number_text(numpy_ms), ratio,
    limit_ms and limit_ms > 0 and number_text(limit_ms) or "", share)
end

local function bandwidths(options)
  local reading, adding = (lines_of(options.build .. "/stream")[1] or ""):match("^(%S+)\t(%S+)$")
  return assert(tonumber(reading), options.build .. "/stream failed: run this by `make bench`"), tonumber(adding)
end

--- Prints and keeps the table's lines as the figures come in.
local function measure(options)
  local lines = {}
  local function put(line)
    lines[#lines + 1] = line
    print(line)
  end
  local reading, adding = bandwidths(options)
  local flags = (" --only %s --scale %s"):format(quoted(options.only), quoted(options.scale))
  local python = python_with_numpy(options)
  local _, numpy = table_of(python and lines_of(quoted(python) .. " bench/numpy_twin.py" .. flags) or {})
  put(("%s, %.1f GB/s reading, %.1f GB/s adding; %s"):format(
    lines_of("sed -n 's/^model name.*: //p' /proc/cpuinfo")[1] or "unknown processor", reading, adding,
    python and lines_of(quoted(python) .. " -c 'import numpy; print(\"NumPy\", numpy.__version__)'")[1] or "no NumPy"))
  put("")
  put("| workload                       |   cuna ms |  NumPy ms |  ratio | limit ms |  reach |")
  put("|--------------------------------|----------:|----------:|-------:|---------:|-------:|")
  for _, row in ipairs((table_of(lines_of(options.build .. "/cuna bench/cuna.lua" .. flags)))) do
    local name, us, read_bytes, written_bytes = unpack(row)
    local limit_ms = (read_bytes + written_bytes) / (written_bytes > 0 and adding or reading) / 1e6
    put(row_text(name, us / 1e3, numpy[name] and numpy[name][2] / 1e3, limit_ms))
  end
  for _, row in ipairs(first_use_rows(options, numpy.import and numpy.import[2])) do put(row_text(unpack(row))) end
  return lines
end

local function write_table(path, lines)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  local head, tail = text:match("^(.*<!%-%- table %-%->\n).*(<!%-%- /table %-%->.*)$")
  assert(head, path .. " has no lines <!-- table --> and <!-- /table -->")
  file = assert(io.open(path, "w"))
  file:write(head, table.concat(lines, "\n"), "\n", tail)
  file:close()
end

local options = read_options(arg)
local lines = measure(options)
if options.write ~= "" then write_table(options.write, lines) end
