-- runtime/pool/pool.h from plain C, over a made-up driver: facts, and random operations beside a reference.

local process = require "spec.support.process"

local SOURCES = "runtime/pool/*.c runtime/base/status.c"
local CHECKED = "-g -O0 -fsanitize=address,undefined -fno-sanitize-recover=undefined"
local KINDS = { DEVICE = 0, MANAGED = 1, PINNED = 2, DIRECT = 3, ASYNC = 4 }

describe("the pool, from plain C", function()
  local folder
  setup(function() folder = process.folder() end)
  teardown(function() process.remove(folder) end)

  --- The path of a program of spec/support, compiled with some flags; nil and the compiler's words when it refuses.
  local function compile(name, flags)
    local path = folder .. "/" .. name .. #flags
    local text, status = process.shell(("cc -std=gnu11 -Wall -Wextra -Werror %s -Iruntime -I. -o %s "
      .. "spec/support/%s.c %s -Wl,--wrap=calloc,--wrap=aligned_alloc -lpthread"):format(flags, path, name, SOURCES))
    return status == 0 and path or nil, text
  end

  local function holds(path, ...)
    local command = table.concat({ path, ... }, " ")
    local text, status = process.shell("env -u ASAN_OPTIONS -u UBSAN_OPTIONS " .. command)
    assert.same({ "", 0 }, { text, status }, command)
  end

  it("does what its header says", function()
    holds(assert(compile("pool_facts", CHECKED)))
  end)

  it("agrees with a reference through a million operations, and among threads", function()
    local path = assert(compile("pool_model", "-O2 -ftree-vectorize"))
    holds(path, "random", KINDS.DEVICE, 1, 1e6)
    holds(path, "random", KINDS.PINNED, 2, 1e5)
    holds(path, "threads", 1, 2e5)
  end)

  it("touches no memory that is not its own", function()
    local path = assert(compile("pool_model", CHECKED))
    for _, kind in pairs(KINDS) do holds(path, "random", kind, 3, 1e4) end
    holds(path, "threads", 2, 2e4)
  end)

  it("has no races", function()
    local path = compile("pool_model", "-g -O1 -fsanitize=thread")
    local text = path and process.shell(path .. " random 0 1 1")
    if not path or text:find "unexpected memory mapping" then return pending "no thread sanitizer here" end
    holds(path, "threads", 3, 1e4)
  end)
end)
