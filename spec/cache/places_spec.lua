--- Where compilers work and images are loaded from: places that are full, locked or mounted noexec, and what is left.
local process = require "spec.support.process"

local SCRIPT = [[
  local cn, core = require "cuna", require "cuna.core"
  local x = cn.array { 1, 2, 3 }
  local ok, result = pcall(function() return (x + 1) * x end)
  print(result, core.module_stats())]]
local RESULT = "%[ 2%.  6%. 12%.%]\t"

local folder, disks

setup(function()
  folder = process.folder "/tmp" -- which is one of the places
  disks = folder .. "/disks.so"
  local text, status = process.shell(("cc -shared -fPIC -o %s spec/support/disks.c -ldl"):format(disks))
  assert(status == 0, text)
end)
teardown(function() process.remove(folder) end)

local function shell(command)
  local text, status = process.shell("cd " .. process.quote(folder) .. " && " .. command)
  assert(status == 0, text)
  return text
end

--- Runs the script with some disks in need; `environment` may name a cache of the spec's folder.
local function run(environment, script)
  local variables = {CUNA_DEVICE = "cpu", CUNA_PACK_DIR = "off", TMPDIR = folder .. "/tmp", XDG_RUNTIME_DIR = false,
    CUNA_COMPILE = "wait", LD_PRELOAD = (os.getenv "LD_PRELOAD" or "") .. ":" .. disks}
  for name, value in pairs(environment) do variables[name] = value end
  process.write(folder .. "/child_spec.lua", script or SCRIPT)
  local text, status = process.capture(process.command(folder .. "/child_spec.lua", variables))
  assert.equal(0, status, text)
  return text
end

before_each(function() shell "rm -rf tmp run; mkdir tmp run" end)

describe("a warm cache", function()
  local warm
  setup(function()
    warm = {CUNA_CACHE_DIR = folder .. "/warm", DISKS_LOCKED = "/"}
    shell "mkdir tmp"
    assert.has.match(RESULT .. "2\t0\n$", run {CUNA_CACHE_DIR = folder .. "/warm"})
  end)

  it("needs no place at all", function()
    assert.has.match(RESULT .. "0\t2\n$", run(warm))
    warm.DISKS_LOCKED, warm.DISKS_FULL = nil, "/"
    assert.has.match(RESULT .. "0\t2\n$", run(warm))
  end)

  it("serves where the system has no files in memory", function()
    local environment = {CUNA_CACHE_DIR = folder .. "/warm", DISKS_NO_MEMORY = "1"}
    assert.has.match(RESULT .. "0\t2\n$", run(environment))
    environment.DISKS_NOEXEC = folder .. "/tmp:/tmp"
    environment.XDG_RUNTIME_DIR = folder .. "/run"
    assert.has.match(RESULT .. "0\t2\n$", run(environment))
  end)

  it("says why no image can be loaded", function()
    local text = run {CUNA_CACHE_DIR = folder .. "/warm", DISKS_NO_MEMORY = "1", DISKS_LOCKED = "/tmp:/var/tmp",
      DISKS_NOEXEC = folder .. "/tmp", DISKS_FULL = "/dev/shm", HOME = false}
    assert.has.match("child_spec.lua:3: cuna: DeviceError: cpu: cuModuleLoadData failed with "
      .. "CUDA_ERROR_OPERATING_SYSTEM %(no place for an image: memory: Function not implemented; "
      .. "[^;]*/tmp: mounted noexec; /tmp: Read%-only file system; [^;]*/warm: Read%-only file system; /dev/shm: "
      .. "No space left on device; /var/tmp: Read%-only file system%)", text)
  end)
end)

describe("a compiler", function()
  it("works in the first place that has room", function()
    for _, kind in ipairs {"DISKS_FULL", "DISKS_LOCKED"} do
      local environment = {CUNA_CACHE_DIR = folder .. "/cold-" .. kind}
      environment[kind] = folder .. "/tmp:/tmp"
      assert.has.match(RESULT .. "2\t0\n$", run(environment))
    end
    assert.equal("", shell "ls -A tmp")
  end)

  it("works where no code may be mapped from", function()
    local environment = {CUNA_CACHE_DIR = "off", DISKS_NOEXEC = "/"}
    assert.has.match(RESULT .. "2\t0\n$", run(environment))
  end)

  it("has no place, and the message names each with its cause", function()
    local environment = {CUNA_CACHE_DIR = folder .. "/cold", DISKS_LOCKED = "/tmp:/var/tmp", HOME = false,
      DISKS_FULL = "/dev/shm"}
    local text = run(environment)
    local words = "no place for the compiler's files: [^;]*/tmp: Read%-only file system; /tmp: Read%-only file system; "
    assert.has.match("child_spec.lua:3: cuna: CompileError: cuna_add%S*: " .. words
      .. "/dev/shm: No space left on device; /var/tmp: Read%-only file system", text)
    environment.DISKS_LOCKED = "/"
    text = run(environment)
    assert.has.match("child_spec.lua:3: cuna: DeviceError: cpu: asking for the compiler failed with "
      .. "CUDA_ERROR_OPERATING_SYSTEM %(" .. words .. "/dev/shm: Read%-only file system; /var/tmp: Read%-only", text)
  end)

  it("that finds no room works in the next place", function()
    process.write(folder .. "/cxx", ([[
#!/bin/sh
case "$*" in *--version*) echo fake; exit 0 ;; esac
case "$PWD" in FOLDER/tmp/*) echo "/tmp/x.s: fatal error: error writing: No space left on device" >&2; exit 1 ;; esac
exec g++ "$@"
]]):gsub("FOLDER", folder))
    shell "chmod +x cxx"
    local environment = {CUNA_CACHE_DIR = "off", CUNA_CXX = folder .. "/cxx"}
    assert.has.match(RESULT .. "2\t0\n$", run(environment))
  end)

  it("is queried for its version once in an installation", function()
    process.write(folder .. "/wrapper.c", ([[
      #include <stdio.h>
      #include <string.h>
      #include <unistd.h>
      int main(int argc, char **argv)
      {
          if (strcmp(argv[1], "--version") == 0) {
              FILE *asked = fopen("FOLDER/asked", "a");
              fputs("asked\n", asked);
              fclose(asked);
          }
          argv[0] = "g++";
          return execvp("g++", argv);
      }]]):gsub("FOLDER", folder))
    shell "mkdir bin; cc -o bin/my-g++ wrapper.c"
    local environment = {CUNA_CACHE_DIR = folder .. "/asked-cache", CUNA_CXX = folder .. "/bin/my-g++"}
    for _ = 1, 3 do assert.has.match(RESULT, run(environment)) end
    assert.equal("asked\n", process.read(folder .. "/asked"))
    shell "touch -d 2001-01-01 bin/my-g++" -- another compiler, as far as anyone can see
    for _ = 1, 2 do assert.has.match(RESULT .. "%d", run(environment)) end
    assert.equal("asked\nasked\n", process.read(folder .. "/asked"))
  end)
end)

describe("what is left", function()
  it("of a killed process goes when the next one comes", function()
    process.write(folder .. "/killer", [[
#!/bin/sh
case "$*" in *--version*) echo fake; exit 0 ;; esac
kill -9 $PPID
]])
    shell "chmod +x killer"
    local path = folder .. "/killed.lua"
    process.write(path, SCRIPT)
    local _, status = process.capture(process.command(path, {CUNA_DEVICE = "cpu", CUNA_PACK_DIR = "off",
      CUNA_CACHE_DIR = "off", CUNA_CXX = folder .. "/killer", TMPDIR = folder .. "/tmp", CUNA_COMPILE = "wait"}))
    assert.equal(128 + 9, status)
    assert.has.match("^cuna%-compile%-%w+\n$", shell "ls -A tmp")
    shell "mkdir tmp/cuna-compile-fresh tmp/cuna-master"
    shell "touch -d '-10 minutes' tmp/cuna-compile-?????? tmp/cuna-master"
    run {CUNA_CACHE_DIR = "off"}
    assert.equal("cuna-compile-fresh\ncuna-master\n", shell "ls -A tmp")
  end)

  it("in use is left alone, however old", function()
    process.write(folder .. "/slow", ([[
#!/bin/sh
case "$*" in *--version*) echo fake; exit 0 ;; esac
touch -d '-10 minutes' .
[ ! -e FOLDER/inner ] || exec g++ "$@"
touch FOLDER/inner
env -u CUNA_CXX TMPDIR=FOLDER/tmp CUNA_DEVICE=cpu CUNA_CACHE_DIR=off LAUNCHER FOLDER/child_spec.lua >/dev/null
touch -d '-10 minutes' . || exit 1
exec g++ "$@"
]]):gsub("FOLDER", folder):gsub("LAUNCHER", process.launcher))
    shell "chmod +x slow"
    assert.has.match(RESULT .. "2\t0\n$", run {CUNA_CACHE_DIR = "off", CUNA_CXX = folder .. "/slow"})
    assert.equal("", shell "ls -A tmp")
  end)
end)

describe("the source of a compilation that failed", function()
  local FAILING = [[
    local cn = require "cuna"
    for k = 1, 12 do
      local ok, message = pcall(function()
        return cn.ElementwiseKernel("T x", "T y", ("y = x + unknown_%d"):format(k), "spec_kernel")(cn.ones(2))
      end)
      assert(not ok)
      local path = message:match "whole source: (%S+)"
      local file = assert(io.open(path))
      assert(file:read "*a":find(("unknown_%d"):format(k)))
      file:close()
      print(path)
    end]]

  it("lies in the cache folder, with few others", function()
    local text = run({CUNA_CACHE_DIR = folder .. "/failing"}, FAILING)
    assert.equal(12, select(2, text:gsub(folder .. "/failing/failed/[%w_]+%-%x+%.cu\n", "")), text)
    local listing = shell "ls -1rt failing/failed"
    assert.equal(8, select(2, listing:gsub("\n", "")))
    assert.equal(text:match "([^/\n]+)\n$", listing:match "([^\n]+)\n$")
    assert.equal("700\n", shell "stat -c %a failing/failed")
    run({CUNA_CACHE_DIR = folder .. "/failing"}, FAILING)
    assert.equal(8, select(2, shell "ls -1 failing/failed":gsub("\n", "")))
    assert.equal("", shell "ls -A tmp")
  end)

  it("lies elsewhere where there is no cache", function()
    local text = run({CUNA_CACHE_DIR = "off"}, FAILING)
    local own = ("/tmp/cuna%%-failed%%-%d/"):format(shell "id -u")
    assert.equal(12, select(2, text:gsub(own, "")), text)
    assert.equal(8, select(2, shell "ls -1 tmp/*":gsub("\n", "")))
  end)
end)
