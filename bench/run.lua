-- Runs cuna's workloads and NumPy's twins and prints one table: times, their ratio and the machine's limit.
--
--   make bench BENCHFLAGS="--only sum,add_f32 --scale 0.1 --write docs/performance.md"
--
-- The bytes of a workload are its least traffic, every input read once and every output written once; its bandwidth is
-- compared with that of copy_f32_1e8 if that is among the workloads. The limit is the bytes divided by the bandwidth
-- that stream.c measures at the start, or by that of reading if nothing large is written. With --write, the table
-- replaces the text between the lines `<!-- table -->` and `<!-- /table -->` of a file.
local common = dofile((arg[0]:match("^.*/") or "") .. "common.lua")
local lines_of, quoted = common.lines_of, common.quoted

local OPTIONS = { only = "", scale = "1", write = "", build = "build", python = "" }

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

local function number_text(ms)
  if not ms then return "" end
  if ms < 0.1 then return ("%.2f us"):format(ms * 1e3) end
  return ms < 10 and ("%.2f"):format(ms) or ("%.0f"):format(ms)
end

local LINE = "| %-30s | %9s | %9s | %6s | %5s | %6s | %7s | %8s | %6s |"

local function percent(part) return ("%.0f %%"):format(100 * part) end

--- A line of the table. `traffic` has bytes, limit_ms and, if known, copy: the bandwidth of the copy in bytes per ms.
local function row_text(name, cuna_ms, numpy_ms, traffic)
  local ratio, cells = numpy_ms and numpy_ms / cuna_ms, { "", "", "", "", "" }
  if traffic and traffic.bytes > 0 then
    local per_ms = traffic.bytes / cuna_ms
    cells = { ("%.0f"):format(traffic.bytes / 1e6), ("%.1f"):format(per_ms / 1e6),
      traffic.copy and percent(per_ms / traffic.copy) or "", number_text(traffic.limit_ms),
      percent(traffic.limit_ms / cuna_ms) }
  end
  return LINE:format(name, number_text(cuna_ms), number_text(numpy_ms),
    ratio and (ratio < 0.095 and "%.3f" or "%.1f"):format(ratio) or "", unpack(cells))
end

local function bandwidths(options)
  local reading, adding = (lines_of(options.build .. "/stream")[1] or ""):match("^(%S+)\t(%S+)$")
  return assert(tonumber(reading), options.build .. "/stream failed: run this by `make bench`"), tonumber(adding)
end

--- Adds the lines of cuna's workloads, with NumPy's times.
local function put_workloads(put, bandwidth, command, numpy)
  local rows, by_name = table_of(lines_of(command))
  local copying = by_name.copy_f32_1e8
  local copy = copying and (copying[3] + copying[4]) / copying[2] * 1e3
  for _, row in ipairs(rows) do
    local name, us, read_bytes, written_bytes = unpack(row)
    local bytes = read_bytes + written_bytes
    put(row_text(name, us / 1e3, numpy[name] and numpy[name][2] / 1e3, { bytes = bytes, copy = copy,
      limit_ms = bytes / (written_bytes > 0 and bandwidth.adding or bandwidth.reading) / 1e6 }))
  end
end

local function put_first_uses(put, options, numpy_import_us)
  local function is_wanted(name) return options.only == "" or common.has_prefix(name, options.only) end
  for _, row in ipairs(common.first_uses(options.build .. "/cuna", "bench/", is_wanted)) do
    local import_ms = row[1] == "require" and numpy_import_us and numpy_import_us / 1e3
    put(row_text(row[1], row[2], import_ms or nil))
  end
end

--- Prints the table's lines as the figures come in, and keeps them.
local function measure(options)
  local lines = {}
  local function put(line)
    lines[#lines + 1] = line
    print(line)
  end
  local reading, adding = bandwidths(options)
  local flags = (" --only %s --scale %s"):format(quoted(options.only), quoted(options.scale))
  local python = common.python_with_numpy(options.python)
  local _, numpy = table_of(python and lines_of(quoted(python) .. " bench/numpy_twin.py" .. flags) or {})
  put(("%s, %.1f GB/s reading, %.1f GB/s adding; %s"):format(
    lines_of("sed -n 's/^model name.*: //p' /proc/cpuinfo")[1] or "unknown processor", reading, adding,
    python and lines_of(quoted(python) .. " -c 'import numpy; print(\"NumPy\", numpy.__version__)'")[1] or "no NumPy"))
  put("")
  local head = LINE:format("workload", "cuna ms", "NumPy ms", "ratio", "MB", "GB/s", "of copy", "limit ms", "reach")
  put(head)
  put((head:gsub("[^|]", "-"):gsub("%-|", ":|"):gsub(":|", "-|", 1)))
  -- Times are those of kernels; first_use.lua compares them with the loops that stand in for them at first.
  put_workloads(put, { reading = reading, adding = adding },
    ("CUNA_COMPILE=wait %s/cuna bench/cuna.lua%s"):format(options.build, flags), numpy)
  put_first_uses(put, options, numpy.import and numpy.import[2])
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

local options = common.read_options(arg, OPTIONS)
local lines = measure(options)
if options.write ~= "" then write_table(options.write, lines) end
