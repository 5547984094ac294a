-- The examples of programs that run LuaJIT run: those whose program is installed.
local process = require "spec.support.process"

local FOLDER = process.root .. "/examples/embedding/"
local PATHS = ("LUA_PATH='%s/lua/?.lua;%s/lua/?/init.lua;;' LUA_CPATH='%s/lib/?.so;;' CUNA_DEVICE=cpu "):format(
  process.root, process.root, process.build)

local folder = process.folder()
teardown(function() process.remove(folder) end)

local function has(command) return select(2, process.shell("command -v " .. command)) == 0 end

--- What an example prints; it runs without the sanitizers' libraries, which these programs are not built for.
local function run(command)
  local text, status = process.shell("export " .. PATHS .. "; " .. command)
  assert(status == 0, text)
  return text
end

--- An `it` that is pending where a program is missing, or cuna's library needs a sanitizer.
local function it_with(program, title, block)
  if process.is_sanitized then return pending(title .. ": a build with sanitizers") end
  if not has(program) then return pending(title .. ": there is no " .. program) end
  it(title, block)
end

describe("embedding", function()
  it_with("pkg-config", "in a program in C shares its memory", function()
    local program = folder .. "/host"
    local text, status = process.shell(("cc -Wall -Wextra -Werror %shost.c -o %s $(pkg-config --cflags --libs luajit)")
      :format(FOLDER, program))
    assert(status == 0, text)
    assert.equal("2 4 6, sum 12\n", run(program))
  end)

  it_with("nvim", "in Neovim edits a buffer", function()
    local text = run("nvim --clean --headless -c 'luafile " .. FOLDER .. "neovim.lua' -c 'qa!' </dev/null")
    assert.has.match("5 13\n", text)
  end)

  it_with("love", "in LÖVE writes pixels", function()
    assert.has.match("252 248 0 255\n", run("timeout 60 love " .. FOLDER .. "love"))
  end)

  it_with("nginx", "in nginx works after the fork", function()
    local conf, temp = folder .. "/nginx.conf", folder .. "/nginx"
    local text = process.read(FOLDER .. "nginx.conf"):gsub("127.0.0.1:18080", "unix:" .. temp .. "/socket")
    process.write(conf, "user root root;\n" .. text)
    process.shell("mkdir " .. temp)
    local command = ("nginx -p %s -c %s"):format(temp, conf)
    local said, status = process.shell("export " .. PATHS .. "; " .. command .. " -t")
    if status ~= 0 then return pending("nginx has no Lua: " .. said) end
    run(command)
    local ask = "curl -s --retry 5 --retry-connrefused --max-time 30 --unix-socket " .. temp
      .. "/socket 'http://x/product?x="
    local answers = {process.shell(ask .. "1,2,3'"), process.shell(ask .. "1,2'")}
    process.shell("kill -HUP $(cat " .. temp .. "/nginx.pid)") -- the master makes the matrix again
    answers[3] = process.shell(ask .. "3,2,1'")
    process.shell("kill $(cat " .. temp .. "/nginx.pid)")
    assert.same({"8 26\n", "4 22\n"}, {answers[1], answers[3]})
    assert.has.match("cuna: matmul: shapes %(2, 3%) and %(2,%) do not fit", answers[2])
  end)

  it_with("python3", "in Python shares memory with NumPy", function()
    local _, status = process.shell "python3 -c 'import lupa.luajit21, numpy'"
    if status ~= 0 then return pending "python3 has no lupa with LuaJIT 2.1" end
    assert.equal("[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]\n[[14.0, 32.0], [32.0, 77.0]]\n",
      run("python3 " .. FOLDER .. "numpy_by_lupa.py"))
  end)
end)
