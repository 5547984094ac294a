--- Rows of a driver under CUDA's names, called directly: the cpu device's, and the simulated GPU's where it is there.
local ffi = require "ffi"
local process = require "spec.support.process"
local simgpu = require "spec.simgpu.driver"

ffi.cdef [[
const char *cpu_symbol(unsigned);
void *cpu_row(unsigned);
const char *const *cpu_preludes(int);
]]

local M = {}

local SOURCES = "runtime/base runtime/cache runtime/seam runtime/cpu"

--- Builds a library of rows.c and what the build has left of the cpu device.
local function build()
  local folder = process.folder()
  local text, status = process.shell(("cc -std=gnu11 -shared -fPIC -fvisibility=hidden -Wl,-z,nodelete %s "
    .. "-Iruntime -I. -o %s/rows.so spec/support/rows.c %s -l:libmd.a -ldl -lpthread -lm")
    :format(process.sanitizers(), folder, process.objects(SOURCES)))
  assert(status == 0, text)
  local built = ffi.load(folder .. "/rows.so")
  process.remove(folder)
  return built
end

local library, cpu

--- The cpu device's rows, as far as spec.simgpu.driver declares them.
local function cpu_rows()
  if cpu then return cpu end
  library, cpu = build(), {}
  local row = 0
  while library.cpu_symbol(row) ~= nil do
    local symbol = ffi.string(library.cpu_symbol(row))
    local parameters = simgpu.declarations:match("\nint " .. symbol .. "(%b());")
    if parameters then cpu[symbol] = ffi.cast("int (*)" .. parameters:gsub("\n", " "), library.cpu_row(row)) end
    row = row + 1
  end
  return cpu
end

--- The texts that precede kernels on the cpu device; `whole`: raw kernels.
function M.cpu_prelude(whole)
  cpu_rows()
  local texts, result, i = library.cpu_preludes(whole and 1 or 0), {}, 0
  while texts[i] ~= nil do
    result[i + 1] = ffi.string(texts[i])
    i = i + 1
  end
  return table.concat(result)
end

function M.must(result) if result ~= 0 then error("result " .. tonumber(result), 2) end end

--- Calls `fn(out)` with room for one value of a C type and answers the value.
function M.out(ctype, fn, ...)
  local room = ffi.new(ctype .. "[1]")
  M.must(fn(room, ...))
  return room[0]
end

--- The image of a program, behind the cpu device's texts; with an expression, of a whole source, its name there too.
function M.cpu_compile(text, expression)
  local rows, must, out = cpu_rows(), M.must, M.out
  local source = M.cpu_prelude(expression ~= nil) .. text
  local program = out("void *", rows.nvrtcCreateProgram, source, "spec.cu", 0, nil, nil)
  if expression then must(rows.nvrtcAddNameExpression(program, expression)) end
  local result = rows.nvrtcCompileProgram(program, 1, ffi.new("const char *[1]", { "-O1" }))
  local log = ffi.new("char[?]", out("size_t", function(to) return rows.nvrtcGetProgramLogSize(program, to) end))
  must(rows.nvrtcGetProgramLog(program, log))
  assert(result == 0, ffi.string(log))
  local image = ffi.new("char[?]", out("size_t", function(to) return rows.nvrtcGetCUBINSize(program, to) end))
  must(rows.nvrtcGetCUBIN(program, image))
  local name = expression and ffi.string(out("const char *", function(to)
    return rows.nvrtcGetLoweredName(program, expression, to)
  end))
  must(rows.nvrtcDestroyProgram(ffi.new("void *[1]", program)))
  return image, name
end

--- What a block of one lane has in place of more.
local LANE = "namespace cuna { CUNA_INLINE unsigned lane() { return 0; } }\n"

--- Devices by name: `rows`, `lanes` of a block, `compile(text)` for cuna's own kind of kernels, `enter` and `leave`.
function M.devices()
  local devices = { cpu = { name = "cpu", rows = cpu_rows(), lanes = 1, enter = function() end, leave = function() end,
    compile = function(text) return (M.cpu_compile(LANE .. text)) end } }
  if not simgpu.here then return devices end
  devices.simgpu = { name = "the simulated GPU", rows = simgpu.cuda, lanes = 256, compile = simgpu.compile,
    enter = function() simgpu.enter(0) end,
    leave = function()
      M.must(simgpu.cuda.cuDevicePrimaryCtxRelease_v2(0))
      -- cuna notes which context it made current, and trusts that nobody changes it: let it note another one.
      local cn = require "cuna"
      cn.device("cpu"):with(function() cn.zeros(1):free() end)
    end }
  return devices
end

return M
