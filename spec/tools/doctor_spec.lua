--- `build/cuna doctor`: a report that never raises, with a line for all that is there or missing.
local cn = require "cuna"
local process = require "spec.support.process"

local function doctor(environment)
  local words = {"env"}
  for name, value in pairs(environment or {}) do
    table.insert(words, value == false and 2 or #words + 1, value == false and "-u " .. name
      or name .. "=" .. process.quote(value))
  end
  return process.capture(table.concat(words, " ") .. " " .. process.quote(process.launcher) .. " doctor")
end

--- Every line is a state, a label and a text.
local function check_lines(text)
  for line in text:gmatch "[^\n]+" do
    local state = line:match "^(%l+) +[%w_:]"
    assert.is_true(state == "ok" or state == "missing" or state == "set", line)
  end
end

describe("doctor", function()
  it("says what there is", function()
    local text, status = doctor {CUNA_DEVICE = false}
    assert.equal(0, status, text)
    check_lines(text)
    assert.has.match("\nok +cuna +" .. cn._VERSION:gsub("%.", "%%.") .. " on LuaJIT", "\n" .. text)
    assert.has.match("\nok +cpu +[^\n]*%d+ threads?, [^\n]* GiB free of ", text)
    assert.has.match("\nok +cpu compiler +/[^\n]+, [^\n]+", text)
    assert.has.match("\nok +cpu matrices +8 times 1 %* 1 is 8\n", text)
    assert.has.match("\nok +OpenBLAS +/[^\n]*libopenblas[^\n]*, OpenBLAS [^\n]+", text)
    assert.equal(cn.cuda.is_available(), text:find("\nok +cuSOLVER +/[^\n]*, with cuBLAS of /") ~= nil)
    assert.has.match("\nok +default +" .. (cn.cuda.is_available() and "cuda:0" or "cpu") .. ": ", text)
    assert.has.match("\n%l+ +kernel cache +", text)
    assert.has.match("\n%l+ +cpu loops +[^\n]*libcuna_loops_", text)
    assert.has.match("\nok +compilations +%d+ by this report in [%d.]+ s, %d+ loaded from the cache\n", text)
    assert.has.match("\nok +FFTW +libfftw3[^\n]* and libfftw3f", text)
    assert.has.match("\nok +MPI +Open MPI v[%d.]+ %(ABI of Open MPI, libmpi.so.40%)\n", text)
    assert.equal(cn.cuda.is_available(), text:find("\n%l+ +NCCL +") ~= nil)
    for id = 0, cn.cuda.device_count() - 1 do
      assert.has.match("\nok +cuda:" .. id .. " +[^\n]*, compute capability %d+%.%d, [^\n]*, kernels for ", text)
    end
  end)

  it("says what is missing, and fails only when nothing works", function()
    local text, status = doctor {LD_LIBRARY_PATH = false, CUDA_VISIBLE_DEVICES = "-1", CUNA_DEVICE = false}
    assert.equal(0, status, text)
    check_lines(text)
    assert.has.match("\nmissing +CUDA d[^\n]+", text)
    assert.has.match("\nok +default +cpu: CUDA cannot be used", text)
    local environment = {LD_LIBRARY_PATH = false, CUDA_VISIBLE_DEVICES = "-1", CUNA_DEVICE = false,
      CUNA_CXX = "/no/compiler", CUNA_MPI = "off", CUNA_OPENBLAS = "off", CUNA_FFTW = "off", CUNA_COMPILE = false}
    text, status = doctor(environment)
    assert.equal(0, status, text) -- programs run on loops
    assert.has.match("\nok +cpu +", text)
    assert.has.match("\nmissing +cpu compiler +looked for [^\n]*install g%+%+[^\n]*; without one, kernels from your "
      .. "own text and operations without loops fail\n", text)
    assert.has.match("\nmissing +MPI +no MPI library: looked for %$CUNA_MPI %(off%) and nothing else; install ", text)
    environment.CUNA_COMPILE = "wait"
    text, status = doctor(environment)
    assert.equal(1, status, text)
    check_lines(text)
    assert.has.match("\nmissing +cpu [^\n]*no compiler for device cpu: ", text)
    assert.has.match("\nmissing +cpu compiler +looked for [^\n]*install g%+%+", text)
    assert.has.match("\nmissing +OpenBLAS +no OpenBLAS: looked for [^\n]*install it %(apt%-get install", text)
    assert.has.match("\nmissing +FFTW +no FFTW: looked for [^\n]*install it %(apt%-get install", text)
  end)

  it("says when the compiler does not work, though programs do", function()
    local folder = process.folder()
    process.write(folder .. "/cxx", [[
#!/bin/sh
case "$*" in *--version*) echo "loud 1.0"; exit 0 ;; esac
echo "spilled ink" >&2
exit 1
]])
    os.execute("chmod +x " .. folder .. "/cxx")
    local text, status = doctor {CUNA_CXX = folder .. "/cxx", CUNA_CACHE_DIR = folder .. "/cache", CUNA_DEVICE = "cpu",
      CUNA_COMPILE = false}
    process.remove(folder)
    assert.equal(0, status, text)
    check_lines(text)
    assert.has.match("\nok +cpu +", text)
    assert.has.match("\nmissing +cpu compiler +" .. folder .. "/cxx, loud 1%.0, CompileError: cuna_doctor[^\n]*: "
      .. "spilled ink", text)
  end)

  it("says when there is no library for matrices", function()
    local text, status = doctor {CUNA_OPENBLAS = "off"}
    assert.equal(0, status, text)
    assert.has.match("\nmissing +cpu matrices +[^\n]*no OpenBLAS: looked for [^\n]*install it", text)
  end)

  it("writes and reads where kernels are kept, and names the causes of failures", function()
    local folder = process.folder()
    local text, status = process.shell(("cc -shared -fPIC -o %s/disks.so spec/support/disks.c -ldl"):format(folder))
    assert(status == 0, text)
    local environment = {TMPDIR = folder, CUNA_CACHE_DIR = folder .. "/cache", CUNA_DEVICE = "cpu",
      LD_PRELOAD = (os.getenv "LD_PRELOAD" or "") .. ":" .. folder .. "/disks.so"}
    text = doctor(environment)
    assert.has.match("\nok +kernel cache +" .. folder .. "/cache\n", text)
    assert.has.match("\nok +cached +%d+ entries, [%d.]+ MiB of at most 1024\n", text)
    assert.has.match("\nok +cpu temporary +" .. folder .. "\n", text)
    assert.has.match("\nok +cpu images +memory\n", text)
    local cache = process.shell(("find %s/cache -type f -not -name '.*' -size 129"):format(folder))
    assert.equal("", cache)
    environment.DISKS_FULL = "/"
    text = doctor(environment)
    check_lines(text)
    assert.has.match("\nmissing +kernel cache +cannot write to " .. folder .. "/cache: No space left on device\n", text)
    assert.has.match("\nmissing +cpu temporary +no place for the compiler's files: " .. folder
      .. ": No space left on device; /tmp: No space left on device; ", text)
    assert.has.match("\nok +cpu images +memory\n", text)
    environment.DISKS_FULL, environment.DISKS_LOCKED, environment.DISKS_NO_MEMORY = nil, "/", "1"
    text = doctor(environment)
    check_lines(text)
    assert.has.match("\nmissing +kernel cache +cannot write to " .. folder .. "/cache: Read%-only file system\n", text)
    assert.has.match("\nmissing +cpu images +no place for images: " .. folder .. ": Read%-only file system; ", text)
    process.remove(folder)
  end)

  it("goes on when the environment keeps cuna from loading", function()
    local text, status = doctor {CUNA_DEVICE = "tpu", CUNA_MEMORY_LIMIT = "much", CUNA_SYNC = "on",
      CUNA_CACHE_DIR = "off"}
    assert.equal(0, status, text)
    check_lines(text)
    assert.has.match("set +CUNA_DEVICE +tpu\n", text)
    assert.has.match("\nmissing +CUNA_DEVICE +CUNA_DEVICE: there is no device 'tpu'", text)
    assert.has.match("\nmissing +CUNA_SYNC +CUNA_SYNC is 'on'; give 0 or 1\n", text)
    assert.has.match("\nmissing +CUNA_MEMORY_LIMIT +CUNA_MEMORY_LIMIT is 'much'", text)
    assert.has.match("\nmissing +kernel cache +CUNA_CACHE_DIR turns it off", text)
    assert.has.match("\nok +cpu +", text)
  end)

  it("does not name a script of the user's any more, but every path does", function()
    local folder = process.folder()
    process.write(folder .. "/doctor", "print 'mine'")
    local text = process.capture("cd " .. process.quote(folder) .. " && " .. process.quote(process.launcher)
      .. " ./doctor")
    process.remove(folder)
    assert.equal("mine\n", text)
  end)
end)
