--- lazy.lua: functions whose files are loaded when one of them is first called, which most scripts never pay for.
--
-- A row is a file, its functions of cuna, and its methods of arrays: the functions of these names, unless the file has
-- others in a table `methods`. Stand-ins load the file when they are called; they stay, so that nothing that keeps a
-- function notices. Each has one variable of its own, its name: a collection marks them all.
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local reducers = require "cuna.reducers"

local M = {functions = {}, methods = {}}

M.rows = {
  {"packbits", "packbits unpackbits", ""},
  {"linalg.multi_dot", "multi_dot matrix_power", ""},
  {"linalg.tensordot", "dot inner vdot outer kron tensordot", "dot inner vdot outer kron tensordot"},
  {"convolve", "convolve correlate", ""},
  {"cross", "cross", ""},
  {"difference", "diff ediff1d", "diff"},
  {"device.dlpack", "from_dlpack", "to_dlpack"},
  {"base.dtype_info", "finfo iinfo result_type issubdtype isdtype", ""},
  {"edit", "append delete insert resize trim_zeros", "append delete insert resize trim_zeros"},
  {"linalg.einsum", "einsum einsum_path", ""},
  {"io.files", "load save savez savez_compressed fromfile", "tofile"},
  {"functional", "apply_along_axis apply_over_axes piecewise fromfunction", ""},
  {"gradient", "gradient", ""},
  {"tools.help", "help", ""},
  {"histogram", "histogram histogram_bin_edges histogram2d histogramdd bincount", ""},
  {"integrate", "trapezoid trapz trapz2d simpson", ""},
  {"interp", "interp", ""},
  {"logic", "isclose allclose array_equiv isrealobj iscomplexobj isscalar", "isclose allclose array_equiv"},
  {"mask", "compress extract putmask place copyto", "compress putmask place copyto"},
  {"nan_to_num", "nan_to_num real_if_close unwrap", "nan_to_num nan_to_num_ real_if_close unwrap"},
  {"pad", "pad", "pad"},
  {"poly1d", "poly1d", ""},
  {"linalg.polyfit", "polyfit", ""},
  {"polynomial", "poly polyadd polyder polyint polymul polysub polyval roots vander", ""},
  {"positions", "nonzero flatnonzero argwhere where unravel_index ravel_multi_index ix_ indices tril_indices "
    .. "triu_indices tril_indices_from triu_indices_from diag_indices diag_indices_from",
    "nonzero flatnonzero argwhere unravel_index tril_indices_from triu_indices_from diag_indices_from"},
  {"linalg.products", "matmul vecdot matvec vecmat set_tf32", "matmul vecdot matvec vecmat"},
  {"quantile", "median percentile quantile nanmedian nanpercentile nanquantile", "median percentile quantile"},
  {"rearrange", "tile repeat_interleave roll", "tile repeat_interleave roll"},
  {"search", "searchsorted digitize", "searchsorted"},
  {"sets", "isin in1d intersect1d setdiff1d setxor1d union1d", "isin"},
  {"sort", "sort argsort msort sort_complex lexsort partition argpartition topk",
    "sort sort_ argsort partition argpartition topk"},
  {"split", "split array_split hsplit vsplit dsplit", "split array_split hsplit vsplit dsplit"},
  {"stack", "vstack row_stack hstack dstack column_stack block", ""},
  {"statistics", "average cov corrcoef", ""},
  {"strides", "diagonal trace fill_diagonal as_strided sliding_window_view",
    "diagonal trace fill_diagonal as_strided sliding_window_view"},
  {"take", "take put take_along_axis put_along_axis choose select",
    "take put take_along_axis put_along_axis choose"},
  {"unique", "unique", "unique"},
  {"views", "permute_dims matrix_transpose rollaxis flipud fliplr rot90 atleast_1d atleast_2d atleast_3d "
    .. "broadcast_arrays broadcast_shapes", "permute_dims matrix_transpose rollaxis flipud fliplr rot90"},
  {"windows", "bartlett blackman hamming hanning kaiser", ""},
}

--- The row of the operations at positions, one for each that two operands and an in-place form have.
local function at_row()
  local names = {}
  for _, row in ipairs(elementwise.rows) do
    if row.nargs == 2 and row.inplace then
      for _, name in ipairs {row.name, unpack(row.alias)} do names[#names + 1] = name .. "_at" end
    end
  end
  names = table.concat(names, " ")
  return {"at", names, names}
end

M.rows[#M.rows + 1] = at_row()

--- The row of running results.
local function cumulative_row()
  local names, methods = {}, {}
  for _, row in ipairs(reducers.rows) do
    if row.of then
      for _, name in ipairs {row.name, unpack(row.alias)} do names[#names + 1] = name end
      if row.method then methods[#methods + 1] = row.name end
    end
  end
  return {"cumulative", table.concat(names, " "), table.concat(methods, " ")}
end

M.rows[#M.rows + 1] = cumulative_row()

--- The names in a column of the rows, with the file of each.
local function files_of(column)
  local files = {}
  for _, row in ipairs(M.rows) do
    for name in row[column]:gmatch "%S+" do files[name] = row[1] end
  end
  return files
end

--- A table that gets functions from their files: one when it is first asked for.
local function loading(kind, files)
  return setmetatable({}, {__index = function(functions, name)
    local module = require("cuna." .. files[name])
    local fn = module[kind] and module[kind][name] or module.functions[name]
    functions[name] = fn
    return fn
  end})
end

local functions = loading("functions", files_of(2))

local function stand_in(name)
  return function(...) return functions[name](...) end
end

for name in pairs(files_of(2)) do M.functions[name] = stand_in(name) end

M.method_files = files_of(3)
M.methods = loading("methods", M.method_files) -- method.lua makes their stand-ins

core.hook("assign", function(...) return require("cuna.gather").at_key(...) end)

return M
