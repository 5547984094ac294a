--- waiting.lua: waiting for a device: cn.no_sync forbids it, and functions that streams call run then.
local check = require "cuna.base.check"
local core = require "cuna.core"
local devices = require "cuna.device"
local with = require "cuna.base.with"

local M = {functions = {}}
local F = M.functions

--- Runs fn(...), and raises an error if it would wait for a device; the message names the function that would wait.
--- This includes the cpu device. These wait: item, totable, tobytes, get, to("cpu") from another device, iter over
--- a vector, tostring and similar functions, savetxt, save, savez, savez_compressed, tofile, x[i] that reads one
--- element, x[mask], ==, <, <=, any and all over all axes, array_equal, array_equiv, allclose, unique, intersect1d,
--- setdiff1d, setxor1d, union1d, nanargmin and nanargmax of floats, place without values, bincount without
--- minlength, histograms by a rule, real_if_close, linalg.expm, poly of complex roots and of matrices, roots,
--- trim_zeros, poly1d, arrays as split points, as counts of repeat_interleave, or as positions of delete and
--- insert, pointer, to_dlpack for stream 2, synchronize, clock, copy_to_host, cn.graph where it records again,
--- random.bytes, multivariate_normal of arrays or by another method than "cholesky", benchmark, trace.
---@param fn function
---@param ... any its arguments
---@return any ... its results
---@usage cn.no_sync(function(x) return x + 1 end, cn.zeros(2)) --> [1. 1.]
---@usage pcall(cn.no_sync, cn.item, cn.zeros(1)) == false --> true
function F.no_sync(fn, ...)
  check.callable(fn, "no_sync")
  local before
  local function enter() before = core.forbid_waiting "cn.no_sync" end
  local function leave() core.forbid_waiting(before) end
  return with.run(enter, leave, fn, ...)
end

--- Runs the functions that streams have called so far (add_callback, launch_host_func), which otherwise run when the
--- script next waits for a device.
---@return integer count the number of functions that ran
---@usage cn.poll() >= 0 --> true
function F.poll() return core.poll() end

devices.watchers[#devices.watchers + 1] = core.poll

return M
