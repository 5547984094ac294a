---@meta cuna
-- Made by `make docs` from the comments in lua/cuna/, for editors: nothing loads this file.

---@class cuna.cuda
---@field runtime cuna.cuda.runtime

---@class cuna.cuda
---@field texture cuna.cuda.texture

---@class cuna.signal
---@field windows cuna.signal.windows

---@class cuna.sparse
---@field linalg cuna.sparse.linalg

---@class cuna.linalg
---@field LinAlgError string

---@alias cuna.Dtype "bool"|"int8"|"int16"|"int32"|"int64"|"uint8"|"uint16"|"uint32"|"uint64"|"float16"|"bfloat16"|"float32"|"float64"|"complex64"|"complex128"

---@class cuna
---@field _VERSION string
---@field bfloat16 "bfloat16" a dtype
---@field bool "bool" a dtype
---@field complex128 "complex128" a dtype
---@field complex64 "complex64" a dtype
---@field e number
---@field ellipsis userdata
---@field euler_gamma number
---@field float16 "float16" a dtype
---@field float32 "float32" a dtype
---@field float64 "float64" a dtype
---@field inf number
---@field int16 "int16" a dtype
---@field int32 "int32" a dtype
---@field int64 "int64" a dtype
---@field int8 "int8" a dtype
---@field nan number
---@field newaxis userdata
---@field pi number
---@field uint16 "uint16" a dtype
---@field uint32 "uint32" a dtype
---@field uint64 "uint64" a dtype
---@field uint8 "uint8" a dtype
---@field cm cuna.cm
---@field cuda cuna.cuda
---@field distributed cuna.distributed
---@field fft cuna.fft
---@field h5 cuna.h5
---@field interpolate cuna.interpolate
---@field jit cuna.jit
---@field linalg cuna.linalg
---@field ndimage cuna.ndimage
---@field plot cuna.plot
---@field profiler cuna.profiler
---@field random cuna.random
---@field signal cuna.signal
---@field sparse cuna.sparse
---@field special cuna.special
---@field stats cuna.stats
---@field testing cuna.testing
local cn = {}

return cn
