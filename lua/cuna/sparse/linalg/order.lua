--- order.lua: orders of rows and columns in which factors of a sparse matrix have few elements, by AMD and COLAMD of
--- SuiteSparse. Opened when first needed; Debian's package of UMFPACK brings both. Without them lines keep their order.
--
-- AMD (P. Amestoy, T. Davis, I. Duff, 2004) is for a matrix whose pattern is about symmetric, COLAMD (T. Davis,
-- J. Gilbert, S. Larimore, E. Ng, 2004) for others. Both take positions from 0 as int32.
local ffi = require "ffi"

local M = {}

ffi.cdef [[
int amd_order(int32_t size, const int32_t *starts, const int32_t *at, int32_t *order, double *control, double *info);
int colamd(int32_t rows, int32_t columns, int32_t length, int32_t *at, int32_t *starts, double *knobs, int32_t *stats);
size_t colamd_recommended(int32_t count, int32_t rows, int32_t columns);
]]

M.libraries = {amd = {"libamd.so.2", "libamd.so.3", "libamd.so"},
  colamd = {"libcolamd.so.2", "libcolamd.so.3", "libcolamd.so"}}

local INFO, SYMMETRY = 20, 3 -- the length of AMD's array; where it has the part of elements that have a twin
local STATS = 20             -- the length of COLAMD's
local LEAST_SYMMETRY = 0.5   -- from which AMD serves
local MOST = 2 ^ 28          -- elements: COLAMD's memory is counted in int32

local opened = {}

--- A library, or nil where it is not installed.
local function open(what)
  if opened[what] == nil then
    opened[what] = false
    for _, file in ipairs(M.libraries[what]) do
      local loaded, found = pcall(ffi.load, file)
      if loaded then
        opened[what] = found
        break
      end
    end
  end
  return opened[what] or nil
end

--- Forgets which libraries are open.
function M.forget() opened = {} end

local function positions(f)
  local starts = ffi.new("int32_t[?]", f.size + 1)
  for i = 0, f.size do starts[i] = f.starts[i] end
  return starts
end

--- AMD's order, and how symmetric the pattern is; nil without it.
local function by_amd(f)
  local library = open "amd"
  if not library then return nil end
  local order, info = ffi.new("int32_t[?]", f.size), ffi.new("double[?]", INFO)
  if library.amd_order(f.size, positions(f), f.at, order, nil, info) < 0 then return nil end
  return order, info[SYMMETRY]
end

--- COLAMD's order of rows, which it takes for columns.
local function by_colamd(f)
  local library = open "colamd"
  if not library then return nil end
  local length = tonumber(library.colamd_recommended(f.count, f.size, f.size))
  local order, at, stats = positions(f), ffi.new("int32_t[?]", length), ffi.new("int32_t[?]", STATS)
  ffi.copy(at, f.at, f.count * 4)
  return library.colamd(f.size, f.size, length, at, order, nil, stats) ~= 0 and order or nil
end

local function by_pattern(f)
  local order, symmetry = by_amd(f)
  if order and symmetry >= LEAST_SYMMETRY then return order end
  return by_colamd(f) or order
end

local function natural() return nil end

--- The orders that users may ask for, by SciPy's names.
M.kinds = {NATURAL = natural, COLAMD = by_colamd, MMD_ATA = by_colamd, MMD_AT_PLUS_A = by_amd}

--- The row and column for each place, from 0; nil where they keep their order.
---@param f cuna.HostMatrix by rows, starts as numbers, positions as int32
---@param kind string|nil one of `kinds`; default: what serves the pattern
---@return ffi.cdata*|nil
function M.of(f, kind)
  if f.count > MOST then return nil end
  return (M.kinds[kind] or by_pattern)(f)
end

return M
