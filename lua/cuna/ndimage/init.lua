--- init.lua: cn.ndimage, functions of images with any number of axes. Loaded when it is first named.
local namespace = require "cuna.base.namespace"

local M = {namespace = {}}
local F = M.namespace -- cn.ndimage

namespace.fill(F, "ndimage", {"filters", "ranks", "binary", "interpolation", "measurements", "generic", "fourier"})

namespace.make("ndimage", F)

return M
