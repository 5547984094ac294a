local process = require "spec.support.process"

-- A libcuda of little more than names: enough to start with, not to compute.
local FAKE = [[
#define VALUE(...) { __VA_ARGS__; return 0; }
int cuInit(unsigned flags) { (void)flags; return INIT; }
int cuDriverGetVersion(int *version) VALUE(*version = VERSION)
int cuGetErrorName(int error, const char **text) VALUE((void)error; *text = "CUDA_ERROR_OF_SPEC")
int cuDeviceGetAttribute(int *value, int attribute, int device)
  VALUE((void)device; *value = attribute == 75 ? CAPABILITY / 10 : CAPABILITY % 10)
int cuGetExportTable(const void **table, const void *id) { (void)table, (void)id; return 500; }
]]

describe("CUDA", function()
  local folder, program
  setup(function()
    folder = process.folder()
    program = folder .. "/cuda_target_test"
    local command = "cc -std=gnu11 -g -Wall -Wextra -Werror %s -Iruntime -I. -o %s spec/support/cuda_target_test.c %s "
      .. "-l:libmd.a -l:libz.a -ldl -lpthread -lm"
    local text, status = process.shell(command:format(process.sanitizers(), program, process.objects "runtime"))
    assert(status == 0, text)
  end)
  teardown(function() process.remove(folder) end)

  --- Makes a library that says what CUDA's would: its own functions, and stubs for the other rows but `lacking`.
  local function fake_driver(name, answers, lacking)
    local place = folder .. "/" .. name
    local init, version, capability = answers.init or 0, answers.version or 12040, answers.capability or 90
    local text = { ("enum { INIT = %d, VERSION = %d, CAPABILITY = %d };\n"):format(init, version, capability), FAKE }
    for symbol in process.read("runtime/seam/driver.h"):gmatch('X%("(cu[%w_]+)"') do
      local known = FAKE:find("int " .. symbol .. "(", 1, true)
      if not known and symbol ~= lacking then text[#text + 1] = ("int %s(void) { return 999; }\n"):format(symbol) end
    end
    os.execute("mkdir " .. place)
    process.write(place .. "/fake.c", table.concat(text))
    local output, status = process.shell(("cc -shared -fPIC -w -o %s/libcuda.so.1 %s/fake.c"):format(place, place))
    assert(status == 0, output)
    return place
  end

  --- What the program says with a folder on the loader's path: the outcome, said twice, and the rest.
  local function start(place, environment)
    local text, status = process.capture(("env LD_LIBRARY_PATH=%s %s %s start")
      :format(place, environment or "", program))
    assert.equal(0, status, text)
    local first, second, rest = text:match("^([^\n]*)\n([^\n]*)\n(.*)$")
    assert.equal(first, second)
    return first, rest
  end

  it("targets are chosen among what NVRTC knows", function()
    local text, status = process.capture(program)
    assert.same({ "", 0 }, { text, status })
  end)

  it("drivers that cannot be used are reported in one line", function()
    os.execute("mkdir " .. folder .. "/broken")
    process.write(folder .. "/broken/libcuda.so.1", "no library")
    assert.has.match("^no CUDA driver: looked for libcuda.so.1 and libcuda.so on the loader's path %(dlopen says: "
      .. "%S+/broken/libcuda.so.1: [^\n]*%); install NVIDIA's driver$", (start(folder .. "/broken")))
    assert.equal("the CUDA driver is too old: libcuda.so.1 is of CUDA 11.8, and cuna needs 12.0 or newer; install a "
      .. "newer driver", (start(fake_driver("old", { version = 11080 }))))
    assert.equal("no CUDA driver: libcuda.so.1 has no cuLaunchHostFunc; reinstall NVIDIA's driver",
      (start(fake_driver("partial", {}, "cuLaunchHostFunc"))))
    assert.has.match("^CUDA does not start: cuInit of libcuda.so.1 answers CUDA_ERROR_OF_SPEC; no GPU is visible: ",
      (start(fake_driver("none", { init = 100 }))))
    assert.has.match("answers CUDA_ERROR_OF_SPEC; see whether nvidia%-smi works$",
      (start(fake_driver("ill", { init = 3 }))))
  end)

  it("starts with drivers older than its newest row", function()
    assert.equal("ready", (start(fake_driver("early", {}, "cuFuncGetParamInfo"))))
  end)

  it("without NVRTC says what was looked for", function()
    local place = fake_driver("alone", {})
    os.execute("touch " .. place .. "/junk.so")
    local outcome, rest = start(place, "CUNA_NVRTC=" .. place .. "/junk.so")
    assert.equal("ready", outcome)
    assert.has.match("^looked for %$CUNA_NVRTC %(%S+/junk.so%) and nothing else %(dlopen says: %S+/junk.so: [^\n]*%); "
      .. "install the CUDA toolkit or its package cuda%-nvrtc%-12%-4, or name the library in CUNA_NVRTC\n$", rest)
    outcome, rest = start(place, "CUNA_NVRTC=" .. place .. "/libcuda.so.1")
    assert.equal("ready", outcome)
    assert.has.match("libcuda.so.1 has no nvrtcVersion; install NVRTC 12 or newer\n$", rest)
  end)

  it("with an NVRTC that is too new for the device names the way out", function()
    local outcome, rest = start(fake_driver("ancient", { version = 13000, capability = 35 }))
    assert.equal("ready", outcome)
    assert.has.match("%f[%w]libnvrtc[^\n]*; install [^\n]*CUNA_NVRTC\n$", rest)
  end)

  describe("headers", function()
    local place
    before_each(function() place = process.folder() end)
    after_each(function() process.remove(place) end)

    local function make(...)
      for _, name in ipairs { ... } do
        os.execute(("mkdir -p %s/%s && touch %s/%s"):format(place, name:match "^(.*)/", place, name))
      end
    end

    --- The folders below `place` that are found, where NVRTC is `library`, or no toolkit's.
    local function find(library, environment)
      if not library then
        library = "elsewhere/lib/nvrtc.so"
        make(library)
      end
      local path = place .. "/" .. library
      local command = "{ test -L %s || cc -shared -fPIC -o %s -x c /dev/null; } && env %s %s headers %s"
      local text, status = process.shell(command:format(path, path, environment or "CUDA_HOME= CUDA_PATH=", program,
        path))
      assert.equal(0, status, text)
      local folders = {}
      for found in text:gmatch "[^\n]+" do
        local below = found:sub(1, #place + 1) == place .. "/"
        folders[#folders + 1] = below and found:sub(#place + 2) or found
      end
      return folders
    end

    it("are those of the toolkit that has NVRTC", function()
      make("cuda/lib/nvrtc.so", "cuda/include/cuda_runtime.h", "cuda/include/cccl/cub/cub.cuh")
      make("home/include/cuda_runtime.h")
      assert.same({ "cuda/include", "cuda/include/cccl" }, find("cuda/lib/nvrtc.so", "CUDA_HOME=" .. place .. "/home"))
    end)

    it("are in several folders of Python's wheels", function()
      make("nvidia/cuda_nvrtc/lib/nvrtc.so", "nvidia/cuda_nvrtc/include/nvrtc.h",
        "nvidia/curand/include/curand_kernel.h", "nvidia/cuda_runtime/include/cuda_runtime.h",
        "nvidia/cuda_cccl/include/cub/cub.cuh")
      local found = find "nvidia/cuda_nvrtc/lib/nvrtc.so"
      table.sort(found)
      assert.same({ "nvidia/cuda_cccl/include", "nvidia/cuda_nvrtc/include", "nvidia/cuda_runtime/include",
        "nvidia/curand/include" }, found)
    end)

    it("are found beside the library that a link leads to, and beside folders of architectures", function()
      make("usr/lib/some-linux-gnu/nvrtc.so", "usr/include/cuda_runtime.h", "links/")
      assert.same({ "usr/include" }, find "usr/lib/some-linux-gnu/nvrtc.so")
      os.execute(("ln -s ../usr/lib/some-linux-gnu/nvrtc.so %s/links/nvrtc.so"):format(place))
      assert.same({ "usr/include" }, find "links/nvrtc.so")
    end)

    it("are otherwise those of CUDA_HOME, then of CUDA_PATH", function()
      local target = ("targets/%s-linux/include"):format(jit.arch == "arm64" and "sbsa" or "x86_64")
      make("a/include/empty", "b/" .. target .. "/cuda_runtime.h", "c/include/cuda_runtime.h")
      local both = ("CUDA_HOME=%s/%%s CUDA_PATH=%s/c"):format(place, place)
      assert.same({ "c/include" }, find(nil, both:format "a"))
      assert.same({ "b/" .. target }, find(nil, both:format "b"))
    end)
  end)
end)
