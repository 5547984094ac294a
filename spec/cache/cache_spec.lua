local process = require "spec.support.process"

-- Two kernels, whose results and the counts of units compiled and found on disk are written.
local SCRIPT = [[
  local cn, core = require "cuna", require "cuna.core"
  local x = cn.array { 1, 2, 3 }
  local y = (x + 1) * x
  print(y[1], y[2], y[3], core.module_stats())]]
local RESULTS = "2\t6\t12\t"

describe("the disk cache", function()
  local folder

  local function settings(cache, compiler)
    return { CUNA_CACHE_DIR = cache or folder .. "/cache", CUNA_PACK_DIR = "off", CUNA_COMPILE = "wait",
      CUNA_CXX = compiler }
  end

  --- `problem`: the reason that stderr gives why kernels are not kept.
  local function run(expected, cache, problem)
    local text = process.must_run(SCRIPT, settings(cache))
    local line = problem and ("cuna: kernels are not kept: %s; set CUNA_CACHE_DIR\n"):format(problem) or ""
    assert.equal(line .. RESULTS .. expected .. "\n", text)
  end

  local function shell(command)
    local text, status = process.shell("cd " .. process.quote(folder) .. " && " .. command)
    assert(status == 0, text)
    return text
  end

  --- The images; the compiler's version lies beside them, in one block.
  local function entries()
    local found = {}
    for path in shell("find cache -type f -not -name '.*' -size +1 | sort"):gmatch("[^\n]+") do
      found[#found + 1] = folder .. "/" .. path
    end
    return found
  end

  setup(function()
    folder = process.folder()
    run "2\t0"
    shell "cp -a cache good"
  end)
  teardown(function() process.remove(folder) end)
  before_each(function() shell "chmod -R u+rwx cache; rm -rf cache; cp -a good cache" end)

  it("gives a second process its kernels", function()
    assert.equal(2, #entries())
    run "0\t2"
    assert.equal("", shell "find cache -name '.tmp*'")
  end)

  it("belongs to the user alone", function()
    assert.equal("", shell "find cache -perm /077")
  end)

  for name, damage in pairs {
    truncated = function(text) return text:sub(1, #text / 2) end,
    ["cut at its last byte"] = function(text) return text:sub(1, -2) end,
    empty = function() return "" end,
    zeroed = function(text) return ("\0"):rep(#text) end,
    ["zeroed at its end"] = function(text) return text:sub(1, -4097) .. ("\0"):rep(4096) end,
    ["changed in one bit"] = function(text)
      return text:sub(1, 5000) .. string.char(bit.bxor(text:byte(5001), 4)) .. text:sub(5002)
    end,
    ["changed in its first byte"] = function(text) return "\1" .. text:sub(2) end,
    lengthened = function(text) return text .. "x" end,
    ["a text"] = function() return "#!/bin/sh\nexit 1\n" end,
  } do
    it("replaces an entry that is " .. name, function()
      local path = entries()[1]
      process.write(path, damage(process.read(path)))
      run "1\t1"
      run "0\t2"
    end)
  end

  it("replaces entries that were swapped", function()
    local one, other = unpack(entries())
    shell(("mv '%s' third && mv '%s' '%s' && mv third '%s'"):format(one, other, one, other))
    run "2\t0"
    run "0\t2"
  end)

  it("replaces entries that are links, folders, pipes or writable by others", function()
    local one, other = unpack(entries())
    shell(("mv '%s' elsewhere && ln -s ../../../elsewhere '%s' && chmod 666 '%s'"):format(one, one, other))
    run "2\t0"
    run "0\t2"
    shell(("rm '%s' '%s' && mkdir '%s' && mkfifo '%s'"):format(one, other, one, other))
    run "2\t0"
    run "0\t2"
  end)

  it("does without a folder that is missing, a file or others' to write", function()
    shell "rm -rf cache"
    run "2\t0"
    run "0\t2"
    local cache = folder .. "/cache"
    shell "rm -rf cache/v1 && touch cache/v1"
    run("2\t0", cache, "cannot use " .. cache .. ": Not a directory")
    shell "rm -rf cache && touch cache"
    run("2\t0", cache, "cannot use " .. cache .. ": Not a directory")
    shell "rm cache && cp -a good cache && chmod 777 cache"
    run("2\t0", cache, cache .. " (or v1 in it) belongs to another user or is writable by others; give it mode 0700")
    run("2\t0", "/proc/cuna/cache", "cannot use /proc/cuna/cache: No such file or directory")
    run("2\t0", folder .. ("/long"):rep(1000), "the path of the cache folder is longer than 4095 bytes")
  end)

  it("is off when CUNA_CACHE_DIR says so", function()
    run("2\t0", "off")
    run("2\t0", "")
    assert.equal("", shell "find . -name off")
  end)

  it("may vanish while a process runs", function()
    local text = process.must_run([[
      local cn = require "cuna"
      local x = cn.array { 1, 2, 3 }
      local y = x + 1
      os.execute("rm -rf " .. os.getenv "CUNA_CACHE_DIR")
      local z = (x + 1) * x
      print(y[1], z[3])]], settings())
    assert.equal("2\t12\n", text)
  end)

  it("stands processes that race on it", function()
    shell "rm -rf cache"
    process.write(folder .. "/race.lua", SCRIPT)
    local command = process.command(folder .. "/race.lua", settings())
    local text = process.capture(command .. " & " .. command .. " & " .. command .. " & wait")
    local count = select(2, text:gsub(RESULTS .. "%d\t%d\n", ""))
    assert.equal(3, count, text)
    assert.equal("", shell "find cache -name '.tmp*'")
    run "0\t2"
  end)

  it("keeps no image that does not load", function()
    process.write(folder .. "/cxx", [[
#!/bin/sh
case "$*" in *--version*) echo "fake 1.0"; exit 0 ;; esac
if [ -e broken ] || [ -e "$(dirname "$0")/broken" ]; then printf '\177ELF, and nonsense' >image~; exit 0; fi
exec g++ "$@"
]])
    shell "chmod +x cxx && touch broken"
    local environment = settings(nil, folder .. "/cxx")
    local text, status = process.run(SCRIPT, environment)
    assert.equal(1, status)
    assert.has.match("cuna: DeviceError: cpu: cuModuleLoadData failed with CUDA_ERROR_INVALID_IMAGE", text)
    shell "rm broken"
    assert.equal(RESULTS .. "2\t0\n", process.must_run(SCRIPT, environment))
    assert.equal(RESULTS .. "0\t2\n", process.must_run(SCRIPT, environment))
  end)
end)
