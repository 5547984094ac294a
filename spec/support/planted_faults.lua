--- Faults that the specs of streams must find, each a change of one place in one file.
--
-- `luajit spec/support/planted_faults.lua [name ...]` copies the tree, plants one after the other there, builds, and
-- runs random programs (run_programs.lua) and the specs of streams on the simulated GPU; a table says who found what.
-- spec/device/stream_fuzz_spec.lua checks that every `old` is still there exactly once.
local M = {}

local CLAIM = "    CUNA_TRY(cuna__call_claim(c));"

M.faults = {
  {name = "no stream waits for another's memory", file = "runtime/device/stream.c",
    old = "    return *idle ? CUNA_OK : wait_for_stream(stream, other);",
    new = "    (void)wait_for_stream;\n    return CUNA_OK;"},
  {name = "when one stream waited, earlier users are forgotten", file = "runtime/device/stream.c",
    old = "    if (others != 0)\n        CUNA_TRY(wait_for_earlier(stream, block, others));",
    new = "    if (others != 0)\n        CUNA_TRY(wait_for_earlier(stream, block, others));\n    block->earlier = 0;"},
  {name = "blocking streams count as ordered among each other", file = "runtime/device/stream.c",
    old = "((a->number == 0 || b->number == 0) && !a->non_blocking && !b->non_blocking)",
    new = "(!a->non_blocking && !b->non_blocking)"},
  {name = "the default stream counts as ordered with all", file = "runtime/device/stream.c",
    old = "((a->number == 0 || b->number == 0) && !a->non_blocking && !b->non_blocking)",
    new = "(a->number == 0 || b->number == 0)"},
  {name = "a released stream goes while it works", file = "runtime/device/stream.c",
    old = "can_be_asked(stream) && is_idle(stream))\n        bury(stream);\n    pthread",
    new = "can_be_asked(stream))\n        bury(stream);\n    pthread"},
  {name = "uses are noted without waiting for those before", file = "runtime/device/stream.c",
    old = "device->driver->ctx_synchronize(), \"cuCtxSynchronize\");\n    if (status != CUNA_OK) /* what",
    new = "CU_SUCCESS, \"cuCtxSynchronize\");\n    if (status != CUNA_OK) /* what"},
  {name = "who takes a block does not wait", file = "runtime/device/stream.c",
    old = "    if (others != 0)\n        CUNA_TRY(wait_for_earlier(stream, block, others));",
    new = "    (void)others;\n    (void)wait_for_earlier;"},
  {name = "users are not what the next life waits for", file = "runtime/pool/pool.c",
    old = "    b->earlier = streams;\n", new = "    b->earlier = 0;\n"},
  {name = "merged blocks lose streams", file = "runtime/pool/blocks.h",
    old = "        mark(b, next->earlier);\n", new = "        mark(b, 0);\n"},
  {name = "blocks that are cut off lose streams", file = "runtime/pool/blocks.h",
    old = "        rest->earlier = b->earlier;\n", new = "        rest->earlier = 0;\n"},
  {name = "elementwise operations claim nothing", file = "runtime/work/elementwise.c",
    old = CLAIM,
    new = ""},
  {name = "folds claim nothing", file = "runtime/work/reduce.c",
    old = CLAIM, new = ""},
  {name = "scans claim nothing", file = "runtime/work/reduce_scan.c",
    old = CLAIM, new = ""},
  {name = "workspaces are not claimed", file = "runtime/kernel/launch.c",
    old = "    if (!device->streams.tracked)\n        return CUNA_OK;\n    cuna_status status",
    new = "    if (device != NULL)\n        return CUNA_OK;\n    cuna_status status"},
  {name = "copies claim nothing", file = "runtime/work/copy.c",
    old = "    CUNA_TRY(enter_and_claim(context, stream, dst));\n    CUNA_TRY(cuna__array_claim(context, stream, "
      .. "src));\n",
    new = "    CUNA_TRY(cuna__device_enter(device));\n"},
  {name = "uploads claim nothing", file = "runtime/work/copy.c",
    old = "    CUNA_TRY(enter_and_claim(context, stream_of(context, array), array));\n"
      .. "    return cuna__staging_upload",
    new = "    return cuna__staging_upload"},
  {name = "raw kernels claim nothing", file = "runtime/work/raw.c",
    old = "    CUNA_TRY(claim(context, function, narguments, arguments));\n", new = "    (void)claim;\n"},
  {name = "copies beside the host are not waited for", file = "runtime/array/value.c",
    old = "    CUNA_TRY(cuna__value_settle(context, stream->device, value));\n", new = ""},
  {name = "pinned memory goes while it is copied", file = "runtime/array/value.c",
    old = "    if (is_copied(value) && settle(value) != CUNA_OK)\n        abandon_copy(value->outside);\n",
    new = "    (void)abandon_copy;\n"},
  {name = "a second copy beside the host does not wait for the first", file = "runtime/array/value.c",
    old = "    if (!is_copied(value))\n        return open_copy(value->outside, device);\n",
    new = "    if (!is_copied(value))\n        return open_copy(value->outside, device);\n    if (device != NULL)\n"
      .. "        return CUNA_OK;\n"},
  {name = "graphs keep no memory", file = "runtime/array/graph.c",
    old = "    if (has(graph, value))\n        return CUNA_OK;",
    new = "    if (has(graph, value) || graph != NULL)\n        return CUNA_OK;"},
  {name = "streams of one capture do not wait for each other's memory", file = "runtime/device/stream.c",
    old = "other->capture == stream->capture ? wait_for_stream(stream, other) : CUNA_OK;",
    new = "other->capture == stream->capture ? CUNA_OK : CUNA_OK;"},
  {name = "recorded work counts as done", file = "runtime/array/value.c",
    old = "    if (is_kept) /* launches use it, and claim it */\n        return CUNA_OK;\n",
    new = "    (void)is_kept;\n"},
  {name = "launches of graphs claim nothing", file = "runtime/array/graph.c",
    old = "    CUNA_TRY(claim_kept(context, graph, stream)); /* the recorded work uses it now, on this stream */\n",
    new = "    (void)context;\n    (void)claim_kept;\n"},
  {name = "a peer copy does not hold its source", file = "runtime/work/copy.c",
    old = "    cuna_status status = hold_source(p);",
    new = "    (void)hold_source;\n    cuna_status status = CUNA_OK;"},
  {name = "a peer copy does not wait for its source", file = "runtime/work/copy.c",
    old = "        cuna__device_check(p->to, driver->stream_wait_event(p->to_stream->handle, p->ready, 0), "
      .. "\"cuStreamWaitEvent\"));",
    new = "        cuna__device_check(p->to, CU_SUCCESS, \"cuStreamWaitEvent\"));"},
  {name = "the driver's pool takes memory back while others use it", file = "runtime/device/allocator.c",
    old = "    uint64_t users = block->streams | cuna__block_earlier(block);", new = "    uint64_t users = 0;"},
  {name = "graphs keep no workspaces", file = "runtime/kernel/launch.c",
    old = "    if (stream->capture == NULL || !cuna__graph_take_back(stream->capture, workspace))\n",
    new = "    (void)stream;\n"},
  {name = "graphs lend a workspace to several streams", file = "runtime/array/graph.c",
    old = "each->stream == stream->number && !each->lent", new = "(stream != NULL) & !each->lent"},
  {name = "waiting for an event does nothing", file = "runtime/device/event.c",
    old = "    CUNA_TRY(cuna__device_check(device, device->driver->stream_wait_event(stream->handle, event->handle, "
      .. "0),\n"
      .. "                                \"cuStreamWaitEvent\"));\n    cuna__stream_join",
    new = "    cuna__stream_join"},
  {name = "a recorded write to a part copies the rest unordered", file = "runtime/record/run.c",
    old = "    cuna__array_begin_life(old.array);\n    return cuna_array_copy", new = "    return cuna_array_copy"},
  {name = "replays on two streams do not wait for each other", file = "lua/cuna/device/graph.lua",
    old = "  recording.stream = stream\n", new = ""},
}

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read "*a"
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

--- How often a text occurs in another.
local function count(text, part)
  local found, at = 0, 1
  repeat
    local first, last = text:find(part, at, true)
    if first then found, at = found + 1, last + 1 end
  until not first
  return found
end

--- The file of a fault, in a tree, with the fault planted; raises unless its place is there exactly once.
function M.planted(fault, root)
  local text = read(root .. "/" .. fault.file)
  local places = count(text, fault.old)
  if places ~= 1 then error(("%s: the place in %s is there %d times"):format(fault.name, fault.file, places), 0) end
  local first, last = text:find(fault.old, 1, true)
  return text:sub(1, first - 1) .. fault.new .. text:sub(last + 1), text
end

local SPECS = "spec/device/stream_fuzz_spec.lua spec/device/stream_spec.lua spec/device/graph_spec.lua"
local ENVIRONMENT = "env CUNA_DEVICE=cpu CUNA_PACK_DIR=off CUNA_CPU_FLAGS=-O0 SIMGPU_NVRTC= "
  .. "LD_LIBRARY_PATH=build/simgpu"
local COMMANDS = {
  programs = "timeout 100 build/cuna spec/support/run_programs.lua cuda 1 1000",
  specs = "timeout 100 busted --filter-out=place " .. SPECS, -- which is another one where a fault is
}

--- Runs a command in a tree: whether it ended well, and what it said.
local function try(root, command)
  local pipe = io.popen(("cd '%s' && ( %s %s ) 2>&1; printf '\\n%%d' $?"):format(root, ENVIRONMENT, command))
  local text = pipe:read "*a"
  pipe:close()
  local output, status = text:match "^(.*)\n(%d+)$"
  return status == "0", output
end

local function build(root) assert(try(root, "make -o deps -j2 all build/simgpu/libcuda.so.1")) end

--- Who finds a fault, and what that said: "program 12", "specs" or nil.
local function find(root)
  local fine, output = try(root, COMMANDS.programs)
  if not fine then return output:match "program %d+" or "programs, which crash", output end
  fine, output = try(root, COMMANDS.specs)
  return not fine and "specs" or nil, output
end

local function examine(fault, root)
  local planted, text = M.planted(fault, root)
  write(root .. "/" .. fault.file, planted)
  build(root)
  local finder = find(root)
  write(root .. "/" .. fault.file, text)
  print(("%-62s %s"):format(fault.name, finder or "MISSED"))
  io.stdout:flush()
  return finder
end

local function is_wanted(fault, names)
  for _, name in ipairs(names) do
    if fault.name:find(name, 1, true) then return true end
  end
  return #names == 0
end

function M.main(names)
  local pipe = io.popen "mktemp -d"
  local root, missed = pipe:read "*l", 0
  pipe:close()
  os.execute(("cp -a --reflink=auto Makefile .busted bindings build kernels lua runtime spec '%s'"):format(root))
  build(root)
  local finder, output = find(root)
  assert(not finder, output)
  for _, fault in ipairs(M.faults) do
    if is_wanted(fault, names) and not examine(fault, root) then missed = missed + 1 end
  end
  os.execute(("rm -rf '%s'"):format(root))
  os.exit(missed == 0 and 0 or 1)
end

if arg and arg[0]:find "planted_faults%.lua$" then M.main {unpack(arg)} end

return M
