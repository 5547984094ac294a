-- What a user waits for on the cpu device before programs are compiled, and how fast programs run meanwhile.
--
--   luajit bench/first_use.lua --build build [--only first,example,program,add] [--rounds 3] [--python python3]
--
-- Every process has an empty cache folder of its own unless it is said to be warm, no pack, and seeded random numbers.
-- Three tables, of which --only chooses rows by prefixes of their names:
--
-- 1. The first `a + b` of a process, the statement alone.
-- 2. Whole scripts, examples/ with small sizes and the programs of first_use/programs/: least wall times of some rounds
--    with an empty cache and with the one that this filled, their difference, and the kernels that the first round
--    compiled. Then each script runs twice with CUNA_COMPILE=wait and twice with never. `values` says whether the
--    modes print the same, apart from times and from lines that differ between two runs of one mode.
-- 3. Single calls in float32 with CUNA_COMPILE=wait (compiled kernels) and never (the interpreter), NumPy beside: least
--    times. The processes of a table live side by side and take turns; `speed` is wait's time divided by never's.
local folder = arg[0]:match("^.*/") or ""
local common, now_ms = dofile(folder .. "common.lua"), dofile(folder .. "clock.lua")
local lines_of, quoted = common.lines_of, common.quoted

local FIRST_ADDS = 5
local OPERATIONS = { "add", "chain", "exp", "where", "sum", "sum_axis0", "sum_axis1", "rows_of_3" }
local ELEMENTS = { { "16", 16 }, { "1e4", 1e4 }, { "1e6", 1e6 }, { "1e8", 1e8 } }
local BYTES_EACH = 3 * 6 * 4 -- memory that three processes need for an element of a case

-- Sizes of examples that do not measure with all they can get.
local ARGUMENTS = { fuse = "1000000", elementwise_kernel = "1000000", graph = "20", integrals = "500",
  linalg_tour = "64", matmul = "64", multi_device = "10000", neural_network = "200", raw_kernel = "16",
  something_big = "64", streams = "500", transfer_cost = "100000" }

local options = common.read_options(arg, { only = "", build = "build", rounds = "3", python = "" })
local rounds = assert(tonumber(options.rounds), "--rounds is a number")
local scratch = lines_of("mktemp -d")[1]

local function is_wanted(name) return options.only == "" or common.has_prefix(name, options.only) end

local folders = 0
local function empty_folder()
  folders = folders + 1
  return scratch .. "/" .. folders
end

--- A command that runs a file of first_use/ with cuna, a cache folder, and a mode or the one of the environment.
local function command_of(script, cache, mode)
  return ("env CUNA_DEVICE=cpu CUNA_PACK_DIR=off CUNA_RANDOM_SEED=1 CUNA_CACHE_DIR=%s%s %s %s"):format(quoted(cache),
    mode and " CUNA_COMPILE=" .. mode or "", quoted(options.build .. "/cuna"), quoted(folder .. "first_use/" .. script))
end

--- Prints rows of cells: the first is aligned to the left, the others to the right of columns as wide as their titles.
local function table_with(titles)
  local formats = { "%-30s" }
  for i = 2, #titles do formats[i] = ("%%%ds"):format(math.max(9, #titles[i])) end
  local line = "| " .. table.concat(formats, " | ") .. " |"
  local head = line:format(unpack(titles))
  print("\n" .. head)
  print((head:gsub("[^|]", "-"):gsub("%-|", ":|"):gsub(":|", "-|", 1)))
  return function(...) print(line:format(...)) end
end

local function time_text(time) return time and (time < 10 and "%.2f" or "%.0f"):format(time) or "" end

-- ---- the first sum ----

local function put_first_add()
  local times, kernels = {}, nil
  for i = 1, FIRST_ADDS do
    local line = lines_of(command_of("add.lua", empty_folder()))[1] or ""
    local ms, compiled = line:match "^(%S+)\t(%d+)$"
    times[i], kernels = assert(tonumber(ms), "first_use/add.lua failed"), compiled
  end
  local middle = common.median(times)
  table_with { "statement", "least ms", "median ms", "kernels" }("first_add", time_text(times[1]), time_text(middle),
    kernels)
end

-- ---- whole scripts ----

--- The milliseconds of a script, its lines with the exit status as the last one, and the kernels that it compiled.
local function run_script(script, cache, mode)
  local counts = scratch .. "/counts"
  local command = ("%s %s %s %s 2>&1; echo status $?"):format(command_of("script.lua", cache, mode), counts,
    quoted(script.path), script.arguments)
  os.remove(counts)
  local start = now_ms()
  local lines = lines_of(command)
  local ms, file = now_ms() - start, io.open(counts)
  local kernels = file and file:read "*l"
  if file then file:close() end
  return ms, lines, kernels
end

--- A line without its times.
local function timeless(line)
  return (line:gsub("[%d.]+ ([mu]?s)%f[%W]", "_ %1"):gsub("[%d.]+ times", "_ times"))
end

--- What a mode prints, without times, where two runs print the same; false for other lines.
local function lasting_lines(script, mode)
  local cache = empty_folder()
  local lines = (select(2, run_script(script, cache, mode)))
  local again = (select(2, run_script(script, cache, mode)))
  for i = 1, math.max(#lines, #again) do
    local line = timeless(lines[i] or "")
    lines[i] = line == timeless(again[i] or "") and line
  end
  return lines
end

local function message_among(lines)
  for _, line in ipairs(lines) do
    if line and line:find "^luajit: " then return line end
  end
end

--- "same", or another word and what explains it: an error's message, or the first lines that differ.
local function compare_modes(script)
  local wait, never = lasting_lines(script, "wait"), lasting_lines(script, "never")
  if wait[#wait] ~= "status 0" then return "fails", message_among(wait) end
  for i = 1, math.max(#wait, #never) do
    local ours, other = wait[i], never[i]
    if ours ~= false and other ~= false and ours ~= other then
      return "DIFFER", ("line %d: %s\n    never:  %s"):format(i, tostring(ours), tostring(other))
    end
  end
  return "same"
end

local function wanted_scripts()
  local scripts = {}
  for _, kind in ipairs { { "example_", "../examples/" }, { "program_", "first_use/programs/" } } do
    for _, path in ipairs(lines_of(("ls %s*.lua"):format(quoted(folder .. kind[2])))) do
      local name = path:match "([%w_]+)%.lua$"
      local arguments = kind[1] == "example_" and ARGUMENTS[name] or ""
      if is_wanted(kind[1] .. name) then
        scripts[#scripts + 1] = { name = kind[1] .. name, path = path, arguments = arguments }
      end
    end
  end
  return scripts
end

local function put_script(put, script)
  local cold, warm, kernels = math.huge, math.huge, nil
  for _ = 1, rounds do
    local cache = empty_folder()
    local ms, _, compiled = run_script(script, cache)
    cold, warm, kernels = math.min(cold, ms), math.min(warm, (run_script(script, cache))), kernels or compiled
  end
  local values, difference = compare_modes(script)
  put(script.name, time_text(cold), time_text(warm), time_text(cold - warm), kernels or "", values)
  if difference then print("    " .. difference) end
end

-- ---- single calls ----

--- A process that answers requests: ask(operation, elements) returns microseconds, or nil and why not.
local function serve(command)
  local requests = empty_folder()
  assert(os.execute("mkfifo " .. quoted(requests)) == 0)
  local answers = assert(io.popen(("%s <%s"):format(command, quoted(requests))))
  local input = assert(io.open(requests, "we")) -- opens once the process does; e: others do not inherit it
  assert(answers:read "*l" == "ready", "no answer of: " .. command)
  return {
    ask = function(operation, elements)
      input:write(("%s %d\n"):format(operation, elements))
      input:flush()
      local line = assert(answers:read "*l", "no answer of: " .. command)
      return tonumber(line), line
    end,
    close = function()
      input:close()
      answers:close()
    end,
  }
end

local function available_bytes()
  return 1024 * tonumber(lines_of("sed -n 's/^MemAvailable: *\\([0-9]*\\).*/\\1/p' /proc/meminfo")[1] or 0)
end

--- The least times of a case, of `rounds` in which the servers take turns; a reason where one has no time.
local function least_times(servers, operation, elements)
  local least, reason = {}, nil
  for _ = 1, rounds do
    for who, server in pairs(servers) do
      local us, line = server.ask(operation, elements)
      if us then
        least[who] = math.min(us, least[who] or math.huge)
      else
        reason = who .. ": " .. line
      end
    end
  end
  return least, reason
end

local function put_case(put, servers, operation, size)
  local name = ("%s_%s"):format(operation, size[1])
  if not is_wanted(name) then return end
  if size[2] * BYTES_EACH > available_bytes() then return print(("    %s left out: too little memory"):format(name)) end
  local us, reason = least_times(servers, operation, size[2])
  put(name, time_text(us.wait), time_text(us.never), us.wait and us.never
    and ("%.0f %%"):format(100 * us.wait / us.never) or "", time_text(us.numpy),
    us.numpy and us.wait and ("%.1f"):format(us.numpy / us.wait) or "",
    us.numpy and us.never and ("%.1f"):format(us.numpy / us.never) or "")
  if reason then print("    " .. reason) end
end

local function put_speeds()
  local python = common.python_with_numpy(options.python)
  local servers = { wait = serve(command_of("speed.lua", empty_folder(), "wait")),
    never = serve(command_of("speed.lua", empty_folder(), "never")),
    numpy = python and serve(quoted(python) .. " " .. quoted(folder .. "first_use/speed_peers.py")) }
  local put = table_with { "call", "wait us", "never us", "speed", "NumPy us", "NumPy/wait", "NumPy/never" }
  for _, size in ipairs(ELEMENTS) do
    for _, operation in ipairs(OPERATIONS) do put_case(put, servers, operation, size) end
  end
  for _, server in pairs(servers) do server.close() end
  if not python then print "    no Python with NumPy: name one by --python" end
end

local function wants_speeds()
  for _, size in ipairs(ELEMENTS) do
    for _, operation in ipairs(OPERATIONS) do
      if is_wanted(operation .. "_" .. size[1]) then return true end
    end
  end
end

local function measure()
  io.stdout:setvbuf "line"
  lines_of(command_of("add.lua", empty_folder())) -- reads compiler and libraries from the disk
  print(("%s, %s processors, load %s; least of %d rounds"):format(
    lines_of("sed -n 's/^model name.*: //p' /proc/cpuinfo")[1] or "unknown processor", lines_of("nproc")[1],
    lines_of("cut -d' ' -f1-3 /proc/loadavg")[1], rounds))
  if is_wanted "first_add" then put_first_add() end
  local scripts = wanted_scripts()
  if #scripts > 0 then
    local put = table_with { "script", "cold ms", "warm ms", "beyond", "kernels", "values" }
    for _, script in ipairs(scripts) do put_script(put, script) end
  end
  if wants_speeds() then put_speeds() end
end

local ok, message = pcall(measure)
os.execute("rm -rf " .. quoted(scratch))
if not ok then error(message, 0) end
