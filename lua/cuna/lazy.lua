--- lazy.lua: the files that are loaded when one of their functions is first called; stand_in.lua loads them.
--
-- A row is a file, its functions of cuna, and its methods of arrays: the functions with these names, unless the file
-- defines others in a table `methods`.
local core = require "cuna.core"
local elementwise = require "cuna.elementwise"
local reductions = require("cuna.base.later").value "reductions"

local rows = {
  {"about", "ndim shape size isfortran asfortranarray require min_scalar_type common_type", ""},
  {"ranges", "mgrid ogrid r_ c_ s_", ""},
  {"visit", "ndindex ndenumerate fromiter", ""},
  {"io.number_text", "format_float_positional format_float_scientific base_repr binary_repr", ""},
  {"packbits", "packbits unpackbits", ""},
  {"frombuffer", "frombuffer", ""},
  {"linalg.multi_dot", "multi_dot matrix_power", ""},
  {"clip", "angle around clip round", "angle clip clip_ round around"},
  {"linalg.tensordot", "dot inner vdot outer kron tensordot", "dot inner vdot outer kron tensordot"},
  {"convolve", "convolve correlate", ""},
  {"cross", "cross", ""},
  {"difference", "diff ediff1d", "diff"},
  {"device.dlpack", "from_dlpack", "to_dlpack"},
  {"base.dtype_info", "finfo iinfo result_type issubdtype isdtype", ""},
  {"edit", "append delete insert resize trim_zeros", "append delete insert resize trim_zeros"},
  {"linalg.einsum", "einsum einsum_path", ""},
  {"io.safetensors", "load_safetensors open_safetensors save_safetensors", ""},
  {"io.csv", "read_csv write_csv", ""},
  {"factorize", "factorize", ""},
  {"io.files", "load save savez savez_compressed fromfile", "tofile"},
  {"functional", "apply_along_axis apply_over_axes piecewise fromfunction", ""},
  {"gradient", "gradient", ""},
  {"tools.help", "help", ""},
  {"histogram", "histogram histogram_bin_edges histogram2d histogramdd bincount", ""},
  {"integrate", "trapezoid trapz trapz2d simpson", ""},
  {"interp", "interp", ""},
  {"join", "concat concatenate stack", ""},
  {"logic", "isclose allclose array_equal array_equiv isrealobj iscomplexobj isscalar",
    "isclose allclose array_equal array_equiv"},
  {"mask", "compress extract putmask place copyto", "compress putmask place copyto"},
  {"matrix", "diag diagflat eye identity meshgrid tri tril triu", "tril triu diag"},
  {"nan_to_num", "nan_to_num real_if_close unwrap", "nan_to_num nan_to_num_ real_if_close unwrap"},
  {"pad", "pad", "pad"},
  {"picture.files", "imread imsave", ""},
  {"poly1d", "poly1d", ""},
  {"linalg.polyfit", "polyfit", ""},
  {"polynomial", "poly polyadd polyder polydiv polyint polymul polysub polyval roots vander", ""},
  {"positions", "nonzero flatnonzero argwhere where unravel_index ravel_multi_index ix_ indices tril_indices "
    .. "triu_indices tril_indices_from triu_indices_from diag_indices diag_indices_from",
    "nonzero flatnonzero argwhere unravel_index tril_indices_from triu_indices_from diag_indices_from"},
  {"linalg.products", "matmul vecdot matvec vecmat set_tf32", "matmul vecdot matvec vecmat"},
  {"progress", "progress", ""},
  {"quantile", "median percentile quantile nanmedian nanpercentile nanquantile", "median percentile quantile"},
  {"rearrange", "tile repeat_interleave roll", "tile repeat_interleave roll"},
  {"base.scope", "gc_stats keep scope", ""},
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
  {"device.transfer", "asnumpy empty_like_pinned empty_pinned to zeros_like_pinned zeros_pinned", "get set to"},
  {"unique", "unique unique_all unique_counts unique_inverse unique_values", "unique"},
  {"views", "permute_dims matrix_transpose rollaxis flipud fliplr rot90 atleast_1d atleast_2d atleast_3d "
    .. "broadcast_arrays broadcast_shapes", "permute_dims matrix_transpose rollaxis flipud fliplr rot90"},
  {"windows", "bartlett blackman hamming hanning kaiser", ""},
}

--- The row of the operations at positions: one for each operation with two operands and an in-place form.
local function at_row()
  local names = {}
  for _, row in ipairs(elementwise.rows()) do
    if row.nargs == 2 and row.inplace then
      for _, name in ipairs {row.name, unpack(row.alias)} do names[#names + 1] = name .. "_at" end
    end
  end
  names = table.concat(names, " ")
  return {"at", names, names}
end

rows[#rows + 1] = at_row()

--- The rows of reductions, which have fronts in C, and cumulative reductions.
local function reduction_rows()
  local reduce, running = {"reduce", {}, {}}, {"cumulative", {}, {}}
  for _, row in ipairs(reductions().rows) do
    local names = row.of and running or reduce
    for _, name in ipairs {row.name, unpack(row.alias)} do
      table.insert(names[2], name)
      if not row.of then core.fold(name, row.name) end
    end
    if row.method then table.insert(names[3], row.name) end
  end
  for _, row in ipairs {reduce, running} do
    rows[#rows + 1] = {row[1], table.concat(row[2], " "), table.concat(row[3], " ")}
  end
end

reduction_rows()

return {rows = rows}
