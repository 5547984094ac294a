-- Every example runs to its end in a process of its own; the main job's figures are checked.
local cn = require "cuna"
local process = require "spec.support.process"

local build = os.getenv("CUNA_BUILD") or "build"

-- Sizes smaller than one would measure with.
local ARGUMENTS = {data_parallel = "2", digits = "16", distributed_fft = "64", distributed_matmul = "48",
  elementwise_kernel = "100000", fuse = "1000000", graph = "20", heat_ranks = "40", integrals = "500",
  jit_kernel = "100000", kmeans = "2", linalg_tour = "64", mandelbrot = "64", matmul = "64", multi_device = "10000",
  neural_network = "200", pagerank = "2000", poisson = "32", something_big = "64",
  spectral_clustering = "400", streams = "500",
  transfer_cost = "100000"}

-- They take another argument than a number for none.
local LENIENT = {elementwise_kernel = true, fuse = true, jit_kernel = true}

local function run(command)
  local pipe = assert(io.popen(command .. " 2>&1; echo status $?"))
  local text = pipe:read("*a")
  pipe:close()
  assert(text:find("status 0\n$"), text)
  return text
end

describe("examples", function()
  for path in io.popen("ls examples/*.lua"):lines() do
    local arguments = ARGUMENTS[path:match "([%w_]+)%.lua$"] or ""
    it(path .. " runs", function() run(build .. "/cuna " .. path .. " " .. arguments) end)
  end

  for name in pairs(ARGUMENTS) do
    if not LENIENT[name] then
      it(name .. ".lua says what its argument is", function()
        for _, argument in ipairs {"abc", "0", "-1", "1.5"} do
          local command = ("%s/cuna examples/%s.lua %s 2>&1"):format(build, name, argument)
          local pipe = io.popen(command)
          assert.has.match("usage: build/cuna [^\n]*examples/" .. name .. ".lua %[", (pipe:read "*a"))
          pipe:close()
        end
      end)
    end
  end

  it("memory_pool.lua shows the tutorial's numbers", function()
    local text = run(build .. "/cuna examples/memory_pool.lua")
    local pinned = cn.device().kind == "cuda" and 1 or 0
    for title, numbers in pairs {
      ["400 bytes of LuaJIT's"] = {0, 0, 0, 0}, ["an array of 400 bytes"] = {512, 512, 0, pinned},
      ["x:free%(%)"] = {0, 512, 1, pinned}, ["free_all_blocks%(%)"] = {0, 0, 0, 0},
    } do
      assert.has.match(("\n?%s +used +%d   total +%d   free blocks %d   pinned free blocks %d\n"):format(title,
        unpack(numbers)), text)
    end
    assert.has.match("OutOfMemoryError: cannot allocate 8388608 bytes on %S+: 512 in use, .* limit 1048576", text)
  end)

  it("spectrogram.lua hears the notes of its melody, and writes the picture", function()
    local path = os.tmpname() .. ".png"
    local text = run(build .. "/cuna examples/spectrogram.lua " .. path)
    assert.equal(text:match "played: ([^\n]*)\n", text:match "heard:  ([^\n]*)\n")
    assert.is_true(cn.imread(path):has_shape(129, 247, 4))
    os.remove(path)
  end)

  it("mandelbrot.lua finds the area of the set, and writes the picture", function()
    local path = os.tmpname() .. ".png"
    local text = run(build .. "/cuna examples/mandelbrot.lua 160 " .. path)
    local area = tonumber(text:match "area ([%d.]+)")
    assert(area > 1.49 and area < 1.55, text) -- 1.5066 of the set itself
    assert.is_true(cn.imread(path):has_shape(100, 160, 3))
    os.remove(path)
  end)

  it("coins.lua counts the coins of its own picture, and of one that it has written", function()
    local path = os.tmpname() .. ".png"
    local text = run(build .. "/cuna examples/coins.lua '' " .. path)
    assert.has.match("12 coins in a picture of 520 x 380", text)
    assert.has.match("coin  1: row +64.0, column 300.%d, radius 39.%d", text)
    assert.has.match("12 coins", (run(build .. "/cuna examples/coins.lua " .. path)))
    os.remove(path)
  end)

  it("plot.lua draws with gnuplot and without", function()
    local path = os.tmpname() .. ".png"
    local text = run(build .. "/cuna examples/plot.lua " .. path)
    assert.is_true(cn.imread(path).shape[1] >= 200)
    assert.has.match("\n" .. path:gsub("%p", "%%%0") .. ": ", text)
    os.remove(path)
  end)

  it("something_big.lua takes what there is", function()
    local text = run("CUNA_MEMORY_LIMIT=4194304 " .. build .. "/cuna examples/something_big.lua 256")
    assert.has.match("a cube of side 64, 0.00 GiB\n%(side 256 needs 0.13 GiB", text)
    assert.has.match("freed: in use 0.00 GiB, total 0.00 GiB\n", text)
  end)

  -- What ranks print, and one line of it.
  local FOR_RANKS = {kmeans = "%d images are in a cluster of their digit", data_parallel = "right that it has not seen",
    heat_ranks = "step   40: hottest 99.987763031958,  2348 elements above 1",
    distributed_matmul = "SUMMA's broadcasts +sum %-?%d+, greatest %d+",
    distributed_fft = "64 x 64: error 0.505227 before, 0.236808 after"}

  for name, line in pairs(FOR_RANKS) do
    it(name .. ".lua gives the same on one rank and on two", function()
      local command = ("examples/%s.lua %s"):format(name, ARGUMENTS[name])
      local one = run(build .. "/cuna " .. command)
      local two = run("CUNA_DEVICE=cpu " .. process.unleaking .. build .. "/cuna -n 2 " .. command)
      local function shared(text) return (text:gsub("%[%d/%d%] [^\n]*\n", "")) end
      assert.are.equal(shared(one), shared(two))
      assert.has.match(line, two)
    end)
  end

  it("distributed_matmul.lua multiplies in three ways with one result", function()
    local text = run(build .. "/cuna examples/distributed_matmul.lua 32")
    local rows, parts, blocks = text:match "sum ([^\n]*)\n.-sum ([^\n]*)\n.-sum ([^\n]*)\n"
    assert.are.same({rows, rows}, {parts, blocks})
  end)

  it("multi_device.lua uses the devices that there are", function()
    local text = run(build .. "/cuna examples/multi_device.lua 10000")
    if cn.cuda.device_count() < 2 then
      assert.has.match("one device only, ", text)
    else
      assert.has.match("\ncuda:1 +%d+ elements", text)
      assert.has.match("one array is on cuda:0 and another on cuda:1", text)
    end
    assert.has.match("the same as by one device\n", text)
  end)

  it("integrals.lua finds them, with a quarter of the error at each step", function()
    local text = run(build .. "/cuna examples/integrals.lua 2000")
    assert.has.match("2000 samples: 1.31791%d+, off by %S+, 4.0%d times less", text)
    assert.has.match("2000 samples: 1.8574%d+, off by %S+, 4.0%d times less", text)
  end)

  it("neural_network.lua learns, and shows its loss", function()
    local text = run(build .. "/cuna examples/neural_network.lua 200")
    local right = tonumber(text:match "(%d+) of 150 flowers right")
    assert.is_true(right >= 143, text)
    assert.has.match("epoch 200 of 200, loss 0.%d+", text)
  end)

  it("io/print_digits.lua recognises them", function()
    local text = run(build .. "/cuna examples/digits.lua 16")
    assert.is_true(tonumber(text:match "recognised: (%S+) %%") > 97, text)
  end)

  it("poisson.lua comes near to the solution that it knows, by second order", function()
    local errors = {}
    for _, side in ipairs {31, 63} do
      local text = run(build .. "/cuna examples/poisson.lua " .. side)
      assert.has.match("iteration +20: residual %d", text)
      errors[#errors + 1] = tonumber(text:match "greatest error (%S+),")
    end
    assert.is_true(errors[1] / errors[2] > 3.9 and errors[1] / errors[2] < 4.1)
  end)

  it("pagerank.lua gets the same by a solver and by steps", function()
    local text = run(build .. "/cuna examples/pagerank.lua 2000")
    assert.is_true(tonumber(text:match "steps differ by (%S+)\n") < 1e-9, text)
    assert.has.match("\nsum of the ranks 1.000000; ", text)
    assert.has.match("\n  1: page     1, rank 0", text)
  end)

  it("spectral_clustering.lua finds the moons, which k-means of the points does not", function()
    local text = run(build .. "/cuna examples/spectral_clustering.lua 400")
    assert.has.match("400 points, 1929 edges; least eigenvalues of the Laplacian 0.00000 and 0.00001\n", text)
    assert.has.match("k%-means of the points: +74.5 %% in their moon\n", text)
    assert.has.match("k%-means of the eigenvectors: 100.0 %% in their moon\n", text)
  end)

  it("linalg_tour.lua says what is exact, and what is an error", function()
    local text = run(build .. "/cuna examples/linalg_tour.lua 64")
    assert.has.match("determinant %-1; of twice the identity exactly 8\n", text)
    assert.has.match("a singular matrix is an error: LinAlgError: ", text)
  end)

  it("iris.lua agrees with the published summary", function()
    local text = run("cd / && '" .. io.popen("pwd"):read() .. "/" .. build .. "/cuna' \"$OLDPWD/examples/iris.lua\"")
    assert.has.match("\nsepal length +4.3 +7.9 +5.84 +0.83 +0.7826\n", text)
    assert.has.match("\nsepal width +2.0 +4.4 +3.06 +0.43 +%-0.4267\n", text)
    assert.has.match("\npetal length +1.0 +6.9 +3.76 +1.76 +0.9490\n", text)
    assert.has.match("\npetal width +0.1 +2.5 +1.20 +0.76 +0.9565\n", text)
    assert.has.match("18 of 20 figures are the published ones", text)
    assert.has.match("mean between flowers of one class 1.318, of two classes 3.094", text)
    assert.has.match("greatest 6.529, between flowers 42 and 118", text)
    assert.has.match("142 of 150 flowers", text)
  end)
end)
