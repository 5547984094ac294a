-- Nodes of graphs by the rows of the driver: the cpu device's and the simulated GPU's follow one set of rules.
local ffi = require "ffi"
local process = require "spec.support.process"
local simgpu = require "spec.simgpu.driver"
local support = require "spec.support.rows"

local must, out = support.must, support.out

local INVALID_VALUE, RELAXED, ACTIVE = 1, 2, 1

local KERNEL = [=[
namespace cuna {
struct Args { int64 list, number; };
CUNA_DEVICE void append(const Args &a, unsigned)
{
    int32 *list = (int32 *)a.list;
    if (lane() == 0)
        list[++list[0]] = int32(a.number);
}
}
CUNA_ENTRY(append, cuna::Args, cuna::append, 0)
]=]

for _, device in pairs(support.devices()) do
  local rows, lanes = device.rows, device.lanes

  describe("nodes of " .. device.name, function()
    local module, append, list, a

    setup(function()
      device.enter()
      module = out("void *", rows.cuModuleLoadData, (device.compile(KERNEL)))
      append = out("void *", rows.cuModuleGetFunction, module, "append")
      list = out("uint64_t", rows.cuMemAlloc_v2, 4096)
      a = out("void *", rows.cuStreamCreateWithPriority, 1, 0)
      must(rows.cuMemsetD8Async(list, 0, 4096, a))
    end)

    teardown(function()
      must(rows.cuStreamDestroy_v2(a))
      must(rows.cuMemFree_v2(list))
      must(rows.cuModuleUnload(module))
      device.leave()
    end)

    --- Appends a number to the list.
    local function note(number)
      local params = ffi.new("void *[1]", ffi.cast("void *", ffi.new("int64_t[2]", list, number)))
      must(rows.cuLaunchKernel(append, 1, 1, 1, lanes, 1, 1, 0, a, params, nil))
    end

    local function noted()
      local room, found = ffi.new "int[100]", {}
      must(rows.cuMemcpyDtoHAsync_v2(room, list, ffi.sizeof(room), a))
      must(rows.cuStreamSynchronize(a))
      for i = 1, room[0] do found[i] = room[i] end
      must(rows.cuMemsetD8Async(list, 0, 4096, a))
      return found
    end
    jit.off(noted) -- a compiled call cannot come back into Lua

    --- The node of what the stream recorded last; nil: none.
    local function last_node()
      local state, id, count = ffi.new "int[1]", ffi.new "uint64_t[1]", ffi.new "size_t[1]"
      local nodes = ffi.new "void *const *[1]"
      must(rows.cuStreamGetCaptureInfo_v2(a, state, id, nil, nodes, count))
      assert.equal(state[0] == ACTIVE, id[0] > 0)
      return count[0] == 1 and nodes[0][0] or nil
    end

    local alive = {} -- what parameters point to

    --- What a node gets to append another number; and the words of the argument.
    local function params_for(number)
      local words = ffi.new("int64_t[2]", list, number)
      local pointers = ffi.new("void *[1]", ffi.cast("void *", words))
      alive[#alive + 1] = { words, pointers }
      return ffi.new("struct simgpu_node_params", { append, { 1, 1, 1 }, { lanes, 1, 1 }, 0, pointers, nil }), words
    end

    local graph, instance, first, second

    before_each(function()
      assert.is_nil(last_node())
      must(rows.cuStreamBeginCapture_v2(a, RELAXED))
      assert.is_nil(last_node())
      note(1)
      first = last_node()
      note(2)
      second = last_node()
      must(rows.cuMemsetD8Async(list + 2048, 0, 4, a))
      graph = out("void *", function(to) return rows.cuStreamEndCapture(a, to) end)
      instance = out("void *", rows.cuGraphInstantiateWithFlags, graph, 0)
    end)

    after_each(function()
      must(rows.cuGraphExecDestroy(instance))
      must(rows.cuGraphDestroy(graph))
    end)

    it("an instance's launches use arguments as they were when they were set", function()
      local params, words = params_for(7)
      must(rows.cuGraphLaunch(instance, a))
      must(rows.cuGraphExecKernelNodeSetParams(instance, second, params))
      words[1] = 9
      must(rows.cuGraphLaunch(instance, a))
      must(rows.cuGraphExecKernelNodeSetParams(instance, first, params))
      words[1] = 8
      must(rows.cuGraphExecKernelNodeSetParams(instance, second, params))
      must(rows.cuGraphLaunch(instance, a))
      assert.same({ 1, 2, 1, 7, 9, 8 }, noted())
      local other = out("void *", rows.cuGraphInstantiateWithFlags, graph, 0)
      must(rows.cuGraphLaunch(other, a))
      assert.same({ 1, 2 }, noted())
      must(rows.cuGraphExecDestroy(other))
    end)

    it("what is set is checked", function()
      local set, params = rows.cuGraphExecKernelNodeSetParams, (params_for(7))
      must(rows.cuStreamBeginCapture_v2(a, RELAXED))
      note(3)
      local foreign = last_node()
      must(rows.cuMemsetD8Async(list, 0, 4, a))
      local cleared = last_node()
      local other = out("void *", function(to) return rows.cuStreamEndCapture(a, to) end)
      local theirs = out("void *", rows.cuGraphInstantiateWithFlags, other, 0)
      assert.equal(INVALID_VALUE, set(nil, first, params))
      assert.equal(INVALID_VALUE, set(instance, nil, params))
      assert.equal(INVALID_VALUE, set(instance, first, nil))
      assert.equal(INVALID_VALUE, set(instance, foreign, params))
      assert.equal(INVALID_VALUE, set(theirs, cleared, params))
      for field, value in pairs { grid = { 0, 1, 1 }, block = { 0, 1, 1 }, params = ffi.new("void **") } do
        local wrong = (params_for(7))
        wrong[field] = value
        assert.equal(INVALID_VALUE, set(instance, first, wrong))
      end
      params["function"] = nil
      assert.is_true(set(instance, first, params) ~= 0)
      must(rows.cuGraphExecDestroy(theirs))
      must(rows.cuGraphDestroy(other))
      must(rows.cuGraphLaunch(instance, a))
      assert.same({ 1, 2 }, noted())
      assert.equal(INVALID_VALUE, rows.cuStreamGetCaptureInfo_v2(a, nil, nil, nil, nil, nil))
    end)
  end)
end

if not simgpu.here then return end

describe("nodes of the simulated GPU", function()
  it("are set only as long as their graph is there", function()
    local output = process.run(([[
      local ffi, simgpu = require "ffi", require "spec.simgpu.driver"
      local cuda, must = simgpu.cuda, simgpu.must
      simgpu.enter(0)
      local stream = simgpu.stream(1)
      local append = simgpu.functions(%q, "append")
      local words = ffi.new("int64_t[2]", simgpu.alloc(64), 1)
      local pointers = ffi.new("void *[1]", ffi.cast("void *", words))
      must(cuda.cuStreamBeginCapture_v2(stream, 2))
      must(simgpu.launch(append, 1, words, stream))
      local state, nodes = ffi.new "int[1]", ffi.new "void *const *[1]"
      must(cuda.cuStreamGetCaptureInfo_v2(stream, state, nil, nil, nodes, nil))
      local node = nodes[0][0]
      local graph = simgpu.out("void *", function(to) return cuda.cuStreamEndCapture(stream, to) end)
      local instance = simgpu.out("void *", cuda.cuGraphInstantiateWithFlags, graph, 0)
      local params = ffi.new("struct simgpu_node_params", { append, { 1, 1, 1 }, { 256, 1, 1 }, 0, pointers, nil })
      print(cuda.cuGraphExecKernelNodeSetParams(instance, node, params))
      must(cuda.cuGraphDestroy(graph))
      print(cuda.cuGraphExecKernelNodeSetParams(instance, node, params))]]):format(KERNEL))
    assert.equal("0\n1\n", output)
  end)
end)
