local cn = require "cuna"
local core = require "cuna.core"
local process = require "spec.support.process"
local raises = require("spec.support.raises").raises

-- Work of six kernels, two of them with a second function that a long fold needs.
local WORK = [[
  local cn, core = require "cuna", require "cuna.core"
  cn.device(DEVICE):use()
  local x = cn.array { 1, 2, 3 }
  local long = cn.frombuffer(require("ffi").new("double[200000]", 1))
  local function work() return (x + 1) * x, long:sum(), long:max(), x:std() end

  -- Compiles in one unit, however many processors there are: that of a process that compiles a part, which is all.
  local function prepare(fn)
    core.prepare_begin()
    fn()
    core.prepare_part(0, 1)
    return core.prepare_end(true)
  end
]]
local PREPARE = WORK .. "print(prepare(work), core.module_stats())"
local RUN = [[
  local products, sum, max, std = work()
  print(products, sum, max, ("%.4f"):format(std:item()), core.module_stats())]]
local RESULTS = "[ 2.  6. 12.]\t200000.0\t1.0\t0.8165\t"

describe("kernels that were compiled together", function()
  local folder, environment

  local function shell(command)
    local text, status = process.shell("cd " .. process.quote(folder) .. " && " .. command)
    assert(status == 0, text)
    return text
  end

  local function script(text, device) return (text:gsub("DEVICE", ("%q"):format(device or "cpu"))) end

  --- Does the work in a process: how many units it compiles, and finds on disk.
  local function run(expected, changes)
    local variables = {}
    for name, value in pairs(environment) do variables[name] = value end
    for name, value in pairs(changes or {}) do variables[name] = value end
    assert.equal(RESULTS .. expected .. "\n", process.must_run(script(WORK .. RUN), variables))
  end

  --- Paths of entries: aliases, or images.
  local function entries(place, what)
    local found = {}
    local test = what == "aliases" and "-size -2 -exec grep -q '^cuna alias' {} \\; -print" or "-size +1"
    for path in shell(("find %s -type f -not -name '.*' %s | sort"):format(place, test)):gmatch("[^\n]+") do
      found[#found + 1] = folder .. "/" .. path
    end
    return found
  end

  local function damage(path)
    local text = process.read(path)
    process.write(path, text:sub(1, 99) .. string.char(bit.bxor(text:byte(100), 1)) .. text:sub(101))
  end

  setup(function()
    folder = process.folder()
    environment = { CUNA_CACHE_DIR = folder .. "/cache", CUNA_PACK_DIR = "off", CUNA_DEVICE = "cpu",
      CUNA_COMPILE = "wait", CUNA_EAGER = "1" } -- kernels are counted
    assert.equal("6\t1\t0\n", process.must_run(script(PREPARE), environment))
    shell "mv cache good"
  end)
  teardown(function() process.remove(folder) end)
  before_each(function() shell "rm -rf cache pack other; cp -a good cache" end)

  it("are found one by one by a second process", function()
    assert.equal(6, #entries("cache", "aliases"))
    assert.equal(1, #entries("cache", "images"))
    run "0\t6"
  end)

  it("are found in other company", function()
    assert.equal("6\t0\t6\n", process.must_run(script(PREPARE), environment))
    local more = script(WORK .. "print(prepare(function() return work(), x - x, x / x end), core.module_stats())")
    assert.equal("8\t1\t6\n", process.must_run(more, environment))
    assert.equal("8\t0\t8\n", process.must_run(more, environment))
  end)

  it("are compiled in parts by processes, each once", function()
    local part = script(WORK) .. [[
      core.prepare_begin()
      work()
      core.prepare_part(PART, 3)
      print(core.prepare_end(true), core.module_stats())]]
    shell "rm -rf cache"
    local sum = 0
    for k = 0, 2 do
      local kernels, compiled = process.must_run((part:gsub("PART", k)), environment):match "^(%d)\t(%d)\t0\n$"
      assert.equal(kernels ~= "0" and "1" or "0", compiled)
      sum = sum + kernels
    end
    assert.equal(6, sum)
    local text = process.must_run(script(WORK .. RUN), environment)
    assert.equal(RESULTS .. "0\t6\n", text)
    raises("prepare: no rehearsal is open, or it has no part 0 of 1", function() core.prepare_part(0, 1) end)
  end)

  it("are replaced one by one where an alias is damaged", function()
    damage(entries("cache", "aliases")[1])
    run "1\t5"
    run "0\t6"
  end)

  it("are replaced where their image is damaged or gone", function()
    damage(entries("cache", "images")[1])
    run "6\t0"
    run "0\t6"
    shell "rm -rf cache; cp -a good cache"
    os.remove(entries("cache", "images")[1])
    run "6\t0"
    run "0\t6"
  end)

  describe("and packed", function()
    local packed
    before_each(function()
      shell "mv cache pack; find pack -exec touch -h -d 2001-01-01 {} +"
      packed = { CUNA_PACK_DIR = folder .. "/pack" }
    end)

    local function facts() return shell "find pack -printf '%p %s %m %T@\\n' | sort" end

    it("are read, and nothing is written", function()
      local before = facts()
      run("0\t6", packed)
      assert.equal(0, #entries("cache", "images") + #entries("cache", "aliases"))
      assert.equal(before, facts())
    end)

    it("are read also when the user's cache is off", function()
      packed.CUNA_CACHE_DIR = "off"
      run("0\t6", packed)
    end)

    it("are left alone when CUNA_PACK_DIR says so", function()
      for _, value in ipairs { "", "off" } do
        shell "rm -rf cache"
        run("6\t0", { CUNA_PACK_DIR = value })
      end
    end)

    it("come after the user's own, and damaged ones stay", function()
      damage(entries("pack", "images")[1])
      local before = facts()
      run("6\t0", packed)
      run("0\t6", packed)
      assert.equal(before, facts())
    end)

    it("are not trusted where others may write", function()
      for _, place in ipairs { "pack", "pack/v1", "pack/v1/*", "pack/v1/*/*" } do
        shell("rm -rf cache; chmod o+w " .. place)
        run("6\t0", packed)
        shell("chmod o-w " .. place)
      end
      run("0\t6", packed)
    end)

    it("are found beside the library, wherever and whenever that was installed", function()
      shell(("mkdir -p lib && cp -r %s/lib/cuna lib && rm -rf lib/cuna/pack && mv pack lib/cuna")
        :format(process.quote(process.build)))
      process.write(folder .. "/script.lua", script(WORK .. RUN))
      local text = process.capture(("cd %s && env -u CUNA_PACK_DIR CUNA_DEVICE=cpu CUNA_CACHE_DIR=off "
        .. "CUNA_COMPILE=wait LUA_PATH='%s/lua/?.lua;%s/lua/?/init.lua' LUA_CPATH='%s/lib/?.so' luajit script.lua")
        :format(folder, process.root, process.root, folder))
      assert.equal(RESULTS .. "0\t6\n", text)
    end)
  end)

  it("are found by the device that they were compiled for, by one that only compiles", function()
    if not cn.cuda.is_available() then return pending("no CUDA device") end
    local name = "cuda:sm_" .. cn.device("cuda:0").compute_capability
    shell "rm -rf cache"
    local here = { CUNA_CACHE_DIR = folder .. "/cache", CUNA_PACK_DIR = "off", CUNA_EAGER = "1" }
    assert.equal("5\t1\t0\n", process.must_run(script(PREPARE, name), here)) -- variances are one fold there
    assert.equal(RESULTS .. "0\t5\n", process.must_run(script(WORK .. RUN, "cuda:0"), here))
  end)
end)

describe("a device that only compiles", function()
  local name = "cuda:sm_90"
  local usable = pcall(cn.device, name)

  it("refuses to compute", function()
    if not usable then return pending("no NVRTC") end
    local text, status = process.run(([[
      local cn = require "cuna"
      local x = cn.array({ 1, 2, 3 }, nil, %q)
      print(x)
      io.flush()
      print(x + 1)]]):format(name), { CUNA_CACHE_DIR = "off", CUNA_DEVICE = "cpu" })
    assert.equal(1, status)
    assert.has.match("^%[1%. 2%. 3%.%]\n[^\n]*/child_spec.lua:5: cuna: DeviceError: cuda:sm_90: add failed with "
      .. "CUDA_ERROR_NOT_SUPPORTED %(this device only compiles kernels, inside cn.prepare; compute on another one%)\n",
      text)
  end)

  it("is none that this machine has", function()
    if not usable then return pending("no NVRTC") end
    local script = [[
      local cn = require "cuna"
      %s
      print(cn.cuda.device_count(), cn.device().name)]]
    local without = process.must_run((script:format ""))
    assert.equal(without, process.must_run(script:format(("cn.device %q"):format(name))))
  end)

  it("is of an architecture that NVRTC knows", function()
    if not usable then return pending("no NVRTC") end
    raises("device 'cuda:sm_1' cannot be used: NVRTC here compiles for sm_", function()
      local _ = cn.device "cuda:sm_1"
    end)
    for _, wrong in ipairs { "cuda:sm_090", "cuda:sm_", "cuda:sm_9x" } do
      raises(("there is no device '%s'; this machine has cpu"):format(wrong), function() local _ = cn.device(wrong) end)
    end
  end)

  it("needs NVRTC", function()
    local text = process.must_run([[print(select(2, pcall(require("cuna").device, "cuda:sm_90")))]],
      { CUNA_NVRTC = "off" })
    assert.has.match("CompileError: device 'cuda:sm_90' cannot be used: no compiler for its kernels: looked for "
      .. "%$CUNA_NVRTC %(off%) and nothing else; install the CUDA toolkit [^\n]*\n$", text)
  end)
end)

describe("the pack", function()
  local pack = require "cuna.tools.kernel_pack"

  it("is work that any device can rehearse", function()
    for _, name in ipairs { "cpu", "cuda:0", "cuda:sm_90" } do
      local usable, device = pcall(cn.device, name)
      if usable then
        core.prepare_begin()
        local ok, message = pcall(device.with, device, pack.work, device)
        local kernels = core.prepare_end(false)
        assert(ok, message)
        assert(kernels > (core.is_host(device) and 300 or 900), kernels)
      end
    end
  end)

  it("is compiled in parts, which say how many kernels they have, or why they have none", function()
    if not pcall(cn.device, "cuda:sm_90") then return pending("no NVRTC") end
    local script, folder = "loadfile 'lua/cuna/tools/kernel_pack.lua' ('--part', '7', '900', '%s')", process.folder()
    local environment = { CUNA_CACHE_DIR = folder, CUNA_DEVICE = "cpu" }
    local text, status = process.run(script:format "cuda:sm_90", environment)
    assert(text:find "^%d\n$" and status == 0, text) -- of 900 kernels or more
    text, status = process.run(script:format "cuda:sm_1", environment)
    assert(text:find "^[^\n]*cannot be used: NVRTC here compiles for [^\n]*\n$" and status == 1, text)
    process.remove(folder)
  end)

  -- A luajit that says what it was asked for once as many have started as there are processors.
  local STUB = [[#!/bin/sh
echo "$*" >"$HERE/part$3"
for round in $(seq 100); do
  [ "$(ls "$HERE" | grep -c "^part")" = 3 ] && break
  sleep 0.1
done
[ "$round" -lt 100 ] && [ "$3" != "$FAILS" ] && echo "1$3" || echo "no room for part $3"
]]
  local LAUNCH = [[
local ffi = require "ffi"
ffi.cdef "int setenv(const char *name, const char *value, int replace);"
ffi.C.setenv("PATH", os.getenv "HERE" .. ":" .. os.getenv "PATH", 1)
loadfile "lua/cuna/tools/kernel_pack.lua" "cuda:sm_90"]]

  it("is compiled by a process for each processor, at the same time; one that fails says why", function()
    if not pcall(cn.device, "cuda:sm_90") then return pending("no NVRTC") end
    for _, failing in ipairs { "none", "2" } do
      local folder, cache = process.folder(), process.folder()
      process.write(folder .. "/luajit", STUB)
      process.write(folder .. "/getconf", "#!/bin/sh\necho 3\n")
      os.execute("chmod +x " .. folder .. "/*")
      local text, status = process.run(LAUNCH, { HERE = folder, FAILS = failing, CUNA_CACHE_DIR = cache })
      for part = 1, 3 do
        assert.equal(("lua/cuna/tools/kernel_pack.lua --part %d 3 cuda:sm_90\n"):format(part),
          process.read(folder .. "/part" .. part))
      end
      process.remove(folder)
      process.remove(cache)
      if failing == "none" then
        assert.has.match("^cuda:sm_90 +36 kernels +[%d.]+ s +[%d.]+ MiB\n$", text)
      else
        assert.equal("cuda:sm_90 failed: no room for part 2\n", text)
      end
      assert.equal(failing == "none" and 0 or 1, status)
    end
  end)

  it("says what it leaves out, and that it needs a folder", function()
    local script, folder = "loadfile 'lua/cuna/tools/kernel_pack.lua' 'cuda:sm_1'", process.folder()
    local text, status = process.run(script, { CUNA_CACHE_DIR = folder })
    process.remove(folder)
    assert.has.match("^cuda:sm_1  left out: [^\n]*\n$", text)
    assert.equal(0, status)
    text, status = process.run("loadfile 'lua/cuna/tools/kernel_pack.lua' 'cuda:sm_9.0'", {})
    assert.has.match("^cuda:sm_9.0 failed: '9.0' is not a compute capability; write 90 for 9.0\n$", text)
    assert.equal(1, status)
    text, status = process.run(script, { CUNA_CACHE_DIR = "off" })
    assert.same({ "pack: there is no folder to write to: CUNA_CACHE_DIR turns it off\n", 1 }, { text, status })
  end)
end)
