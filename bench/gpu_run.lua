-- Runs cuna's workloads and their peers' twins on one GPU, and prints one table: times, and cuna's bandwidth.
--
--   build/cuna bench/gpu_run.lua [--peers cupy,torch,jax] [--only sum,add_f32] [--skip h2d] [--scale 0.1]
--                                [--device cuda:0] [--seconds 230] [--python python3] [--build build]
--                                [--total 0.3] [--jsonl FILE] [--from FILE] [--write docs/performance.md]
--
-- Each figure is printed as it comes in and appended to the file of --jsonl, so an interrupted run still shows
-- its results; --from makes the table from such files (separated by commas) and runs nothing. A process gets an equal
-- share of the remaining seconds and is ended when they are over. The share of the copy is cuna's bandwidth divided by
-- that of the fastest peer's copy_f32_1e8. With --write, the table replaces the text between the lines
-- `<!-- gpu figures -->` and `<!-- end -->` of a file.
local common = dofile((arg[0]:match("^.*/") or "") .. "common.lua")
local quoted = common.quoted

local OPTIONS = {
  peers = "cupy,torch", only = "", skip = "", scale = "1", device = "cuda:0", seconds = "230", python = "python3",
  build = "build", total = "0.3", jsonl = "", from = "", write = "",
}
local TITLES = { cuna = "cuna", cupy = "CuPy", torch = "PyTorch", jax = "JAX", numpy = "NumPy" }

local function read_options(args)
  local options = setmetatable({}, { __index = OPTIONS })
  for i = 1, #args, 2 do
    local key = args[i]:match("^%-%-(%a+)$")
    if not OPTIONS[key] or not args[i + 1] then
      error("unknown option " .. args[i] .. "; the head of bench/gpu_run.lua lists them", 0)
    end
    options[key] = args[i + 1]
  end
  return options
end

--- The fields of a line of our JSON, which is flat, with strings and numbers only; nil for other lines.
local function parse(line)
  if not line:find("^{.*}$") then return nil end
  local fields = {}
  for key, value in line:gmatch('"([%w_]+)": ([%d.eE+-]+)') do fields[key] = tonumber(value) end
  for key, value in line:gmatch('"([%w_]+)": "(.-[^\\])"') do
    local text = value:gsub("\\u00(%x%x)", function(code) return string.char(tonumber(code, 16)) end)
    fields[key] = text:gsub("\\(.)", "%1")
  end
  return fields.name and fields.peer and fields
end

local function text_of_time(us)
  if not us then return "" end
  return us < 100 and ("%.2f"):format(us) or ("%.0f"):format(us)
end

local function progress(row)
  local found
  if row.error then
    found = "error: " .. row.error
  elseif row.median_us then
    found = ("%10s us%s"):format(text_of_time(row.median_us),
      row.bytes > 0 and (" %8.1f GB/s"):format(row.gbps) or "")
  elseif row.ratio then
    found = ("%10.2f"):format(row.ratio)
  else
    found = ("%s, version %s"):format(row.device, row.version)
  end
  print(("%-7s %-30s %s"):format(row.peer, row.name == "peer" and "" or row.name, found))
  io.stdout:flush()
end

--- Adds a row to the results: `names` in order, `rows[name][peer]`, and `peers[peer]` with version and device.
local function keep(found, row)
  if row.name == "peer" then
    found.peers[row.peer] = row
    return
  end
  if not found.rows[row.name] then
    found.rows[row.name] = {}
    found.names[#found.names + 1] = row.name
  end
  found.rows[row.name][row.peer] = row
end

local function read_lines(found, lines, log)
  for line in lines do
    local row = parse(line)
    if row then
      keep(found, row)
      progress(row)
      if log then
        log:write(line, "\n")
        log:flush()
      end
    else
      print(line)
    end
  end
end

local function peers_of(options)
  local peers = {}
  for peer in options.peers:gmatch("[^,]+") do peers[#peers + 1] = peer end
  return peers
end

--- Runs all peers, cuna first.
local function measure(found, options)
  local flags = (" --only %s --skip %s --scale %s --total %s"):format(quoted(options.only), quoted(options.skip),
    quoted(options.scale), quoted(options.total))
  local commands = { ("%s bench/gpu.lua --device %s"):format(quoted(options.build .. "/cuna"), quoted(options.device)) }
  for _, peer in ipairs(peers_of(options)) do
    commands[#commands + 1] = ("%s bench/gpu_peers.py --peers %s"):format(quoted(options.python), quoted(peer))
  end
  local log = options.jsonl ~= "" and assert(io.open(options.jsonl, "a"))
  local finish = os.time() + tonumber(options.seconds)
  for i, command in ipairs(commands) do
    local seconds = math.max(1, math.floor((finish - os.time()) / (#commands - i + 1)))
    print(("# at most %d s: %s"):format(seconds, command))
    io.stdout:flush()
    local timed = ("timeout -k 5 %d %s 2>&1; code=$?; [ $code = 0 ] || echo \"# exit $code\""):format(seconds,
      command .. flags)
    local pipe = assert(io.popen(timed))
    read_lines(found, pipe:lines(), log)
    pipe:close()
  end
  if log then log:close() end
end

local function fastest_copy(found)
  local best
  for _, row in pairs(found.rows.copy_f32_1e8 or {}) do
    if row.gbps and row.gbps > (best or 0) then best = row.gbps end
  end
  return best
end

local function heading(found, peers)
  local parts, device = {}, nil
  for _, peer in ipairs(peers) do
    local about = found.peers[peer]
    if about and about.version then
      parts[#parts + 1] = TITLES[peer] .. " " .. about.version
      device = device or about.device
    else
      parts[#parts + 1] = ("no %s"):format(TITLES[peer] or peer)
    end
  end
  return ("%s; %s"):format(device or "no device", table.concat(parts, ", "))
end

local function cell(row)
  if row and row.error then return "error" end
  if row and row.ratio then return ("%.2f"):format(row.ratio) end
  return text_of_time(row and row.median_us)
end

--- Whether a workload copies between the device and the host.
local function crosses(name)
  return common.has_prefix(name, "h2d,d2h,async_get,async_set,blocking_get,blocking_set")
end

--- Bytes and bandwidth of cuna, and its share of the copy's; empty if the bytes are not meaningful.
local function bandwidth_cells(name, row, copy)
  if not row or not row.gbps or row.bytes == 0 then return "", "", "" end
  return ("%.0f"):format(row.bytes / 1e6), ("%.0f"):format(row.gbps),
    copy and not crosses(name) and ("%.0f %%"):format(100 * row.gbps / copy) or ""
end

--- The table's lines; the columns of times are cuna's, then the peers'.
local function table_lines(found, peers)
  local copy = fastest_copy(found)
  local lines = { heading(found, peers) .. (copy and ("; copy %.0f GB/s"):format(copy) or ""), "" }
  local head, rule = ("| %-30s "):format("workload"), "|" .. ("-"):rep(32)
  for _, peer in ipairs(peers) do
    head = head .. ("| %10s "):format((TITLES[peer] or peer) .. " us")
    rule = rule .. "|" .. ("-"):rep(11) .. ":"
  end
  lines[3] = head .. ("| %5s | %9s | %7s |"):format("MB", "cuna GB/s", "of copy")
  lines[4] = rule .. "|------:|----------:|--------:|"
  for _, name in ipairs(found.names) do
    local row, line = found.rows[name], ("| %-30s "):format(name)
    for _, peer in ipairs(peers) do line = line .. ("| %10s "):format(cell(row[peer])) end
    lines[#lines + 1] = line .. ("| %5s | %9s | %7s |"):format(bandwidth_cells(name, row.cuna, copy))
  end
  return lines
end

--- The text before and after the place of the table in a file.
local function find_place(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  local head, tail = text:match("^(.*<!%-%- gpu figures %-%->\n).-(<!%-%- end %-%->.*)$")
  if not head then error(path .. " has no lines <!-- gpu figures --> and <!-- end -->", 0) end
  return head, tail
end

local function write_table(path, lines)
  local head, tail = find_place(path)
  local file = assert(io.open(path, "w"))
  file:write(head, table.concat(lines, "\n"), "\n", tail)
  file:close()
end

local options = read_options(arg)
if options.write ~= "" then find_place(options.write) end -- fails before the measurement
local found = { names = {}, rows = {}, peers = {} }
if options.from ~= "" then
  for path in options.from:gmatch("[^,]+") do read_lines(found, io.lines(path)) end
else
  measure(found, options)
end
local peers = peers_of(options)
table.insert(peers, 1, "cuna")
local lines = table_lines(found, peers)
print("\n" .. table.concat(lines, "\n"))
if options.write ~= "" then write_table(options.write, lines) end
