--- A good call of every function of cuna, and of every method of arrays, that takes an array: tables of misuse replace
--- its arguments one by one.
--
-- The functions come from the catalog, which knows their parameters and types. Where all that must be given is arrays,
-- the call is made of them; the others stand in CALLS, as the text of their arguments: names in it are OPERANDS'.
local catalog = require "cuna.tools.catalog"
local cn = require "cuna"
local core = require "cuna.core"

local M = {}

for _, name in ipairs {"fuse", "evaluate", "graph", "cuda", "add_reduce"} do
  assert(cn[name]) -- loads what is loaded when it is asked for
end

--- Tables of functions of arrays, by owner in the catalog.
M.OWNERS = {["cn"] = cn, ["cn.fft"] = cn.fft, ["cn.linalg"] = cn.linalg, ["cuna.Array"] = core.methods()}

--- What stands in the text of arguments, by name; float64 where the name does not say more.
local function operands(device)
  return {
    m = cn.array({{4, 1, 3}, {2, 6, 5}}, "float64", device), -- without two that are equal
    n = cn.array({{1, 2, 3}, {4, 5, 6}}, "float64", device),
    v = cn.array({3, 1, 2}, "float64", device),
    u = cn.array({1, 2, 3}, "float64", device), -- rises
    s = cn.array({{2, 7, 6}, {9, 5, 1}, {4, 3, 8}}, "float64", device),
    d = cn.array({{4, 1, 0}, {1, 3, 1}, {0, 1, 2}}, "float64", device), -- positive definite
    c = cn.arange(24, nil, nil, "float64", device):reshape(2, 3, 4),
    one = cn.array({{5, 6, 7}}, "float64", device), -- a row
    mask = cn.array({{true, false, true}, {false, true, true}}, nil, device),
    flags = cn.array({true, false, true}, nil, device),
    z = cn.array(1, "float64", device),
    p = cn.array({1, 3}, "int64", device), -- positions
    i = cn.array({1, 2, 3}, "int64", device),
    q = cn.array({{1, 3}, {2, 2}}, "int64", device),
    k = cn.array({0, 1, 1, 3}, "int64", device), -- counts
    octets = cn.array({1, 2, 255}, "uint8", device),
    parts = cn.array({0.25, 0.75}, "float64", device),
    sum_over = function(x, axis) return x:sum(axis, {keepdims = true}) end,
    cn = cn,
    other = device == cn.device "cpu" and "cuda:0" or "cpu",
  }
end

-- Arguments of functions that need more than arrays, and of those whose further arrays are worth trying.
M.CALLS = {
  ["x:fill"] = "m, 3", ["x:has_shape"] = "m, 2, 3", ["x:set"] = "m, n", ["x:clip_"] = "m, v, v",
  ["x:compress"] = "m, flags, 2", ["cn.item"] = "v[{{1}}], v[{{2}}]", ["cn.full"] = "{2, 3}, v",
  ["cn.full_like"] = "m, v",
  ["x:item"] = "v[{{1}}]", ["cn.array"] = "m", ["cn.asarray"] = "m",
  ["cn.clip"] = "m, v, v", ["cn.meshgrid"] = "v, u",
  ["cn.add_reduce"] = "m, 2, nil, nil, nil, z, mask", ["cn.add_outer"] = "v, u",
  ["cn.add_reduceat"] = "m, p, 2", ["cn.add_at"] = "m, p[{{1}}], v",
  ["cn.diff"] = "m, 1, 1, one, one", ["cn.ediff1d"] = "v, u, u", ["cn.gradient"] = "m",
  ["cn.trapezoid"] = "m, v", ["cn.simpson"] = "m, v", ["cn.trapz2d"] = "m, v, v[{{2, 3}}]",
  ["cn.convolve"] = "v, u", ["cn.correlate"] = "v, u", ["cn.interp"] = "m, u, v", ["cn.cross"] = "m, n",
  ["cn.einsum"] = "'ij,kj', m, n", ["cn.einsum_path"] = "'ij,kj', m, n",
  ["cn.lexsort"] = "{v, u}", ["cn.partition"] = "m, 2", ["cn.argpartition"] = "m, 2", ["cn.topk"] = "m, 2",
  ["cn.take"] = "m, p, 2", ["cn.put"] = "m, p, v", ["cn.take_along_axis"] = "m, q, 2",
  ["cn.put_along_axis"] = "m, q, q, 2", ["cn.choose"] = "p[{{1}}], {v, u}", ["cn.select"] = "{flags, flags}, {v, u}, v",
  ["cn.compress"] = "flags, m, 2", ["cn.extract"] = "mask, m", ["cn.putmask"] = "m, mask, v",
  ["cn.place"] = "m, mask, v", ["cn.copyto"] = "m, n, nil, mask", ["cn.where"] = "mask, m, n",
  ["cn.unravel_index"] = "q, {2, 3}", ["cn.ravel_multi_index"] = "{p, p}, {3, 3}", ["cn.ix_"] = "p, p",
  ["cn.tril_indices_from"] = "s", ["cn.triu_indices_from"] = "s", ["cn.diag_indices_from"] = "s",
  ["cn.fill_diagonal"] = "s, v", ["cn.sliding_window_view"] = "m, 2, 2", ["cn.sort_complex"] = "v",
  ["cn.reshape"] = "m, 3, 2", ["cn.transpose"] = "m, 2, 1", ["cn.permute_dims"] = "m, 2, 1",
  ["cn.swapaxes"] = "m, 1, 2", ["cn.moveaxis"] = "m, 1, 2", ["cn.squeeze"] = "one", ["cn.expand_dims"] = "m, 1",
  ["cn.broadcast_to"] = "m, 2, 2, 3", ["cn.astype"] = "m, \"float32\"", ["cn.rollaxis"] = "m, 2",
  ["cn.concatenate"] = "{m, n}", ["cn.stack"] = "{m, n}", ["cn.vstack"] = "{m, n}", ["cn.row_stack"] = "{m, n}",
  ["cn.hstack"] = "{m, n}", ["cn.dstack"] = "{m, n}", ["cn.column_stack"] = "{m, n}", ["cn.block"] = "{{m, n}}",
  ["cn.split"] = "m, 3, 2", ["cn.array_split"] = "m, 2, 2", ["cn.hsplit"] = "m, 3", ["cn.vsplit"] = "m, 2",
  ["cn.dsplit"] = "c, 2", ["cn.tile"] = "m, 2", ["cn.repeat_interleave"] = "m, p, 1",
  ["cn.roll"] = "m, 1, 2", ["cn.append"] = "m, n, 1", ["cn.delete"] = "m, p, 2", ["cn.insert"] = "m, p, v, 1",
  ["cn.resize"] = "m, {3, 3}", ["cn.trim_zeros"] = "v", ["cn.pad"] = "m, 1",
  ["cn.cumulative_sum"] = "v", ["cn.cumulative_prod"] = "v", ["cn.round_decimals"] = "v, i", ["cn.ldexp"] = "v, i",
  ["cn.unpackbits"] = "octets", ["cn.packbits"] = "mask", ["cn.finfo"] = "m", ["cn.iinfo"] = "p",
  ["cn.issubdtype"] = "m, \"float64\"", ["cn.isdtype"] = "m, \"float64\"", ["cn.result_type"] = "m, p",
  ["cn.apply_along_axis"] = "cn.sum, 1, m", ["cn.apply_over_axes"] = "sum_over, m, 1",
  ["cn.piecewise"] = "v, {flags, flags}, {1, 2}", ["cn.histogram"] = "v, u, nil, v",
  ["cn.histogram2d"] = "v, u, 2, nil, v",
  ["cn.histogramdd"] = "m, 2", ["cn.histogram_bin_edges"] = "v, 2", ["cn.bincount"] = "i, v",
  ["cn.isclose"] = "m, n", ["cn.searchsorted"] = "u, m, nil, i", ["cn.digitize"] = "m, u",
  ["cn.average"] = "m, 2, v", ["cn.cov"] = "m, n, nil, nil, nil, i, v", ["cn.corrcoef"] = "m, n",
  ["cn.polyval"] = "v, u", ["cn.polyadd"] = "v, u", ["cn.polysub"] = "v, u", ["cn.polymul"] = "v, u",
  ["cn.polydiv"] = "v, u",
  ["cn.quantile"] = "m, parts", ["cn.nanquantile"] = "m, parts", ["cn.percentile"] = "m, parts",
  ["cn.nanpercentile"] = "m, parts", ["cn.isin"] = "m, v", ["cn.in1d"] = "v, u", ["cn.intersect1d"] = "v, u",
  ["cn.setdiff1d"] = "v, u", ["cn.setxor1d"] = "v, u", ["cn.union1d"] = "v, u",
  ["x:nan_to_num_"] = "m", ["cn.poly"] = "v", ["cn.roots"] = "v",
  ["cn.polyfit"] = "v, u, 1, {w = i}", ["cn.polyder"] = "v", ["cn.polyint"] = "v", ["cn.vander"] = "v",
  ["cn.linalg.solve"] = "s, v", ["cn.linalg.inv"] = "s", ["cn.linalg.det"] = "s", ["cn.linalg.slogdet"] = "s",
  ["cn.linalg.lu_solve"] = "{s, i}, v", ["cn.linalg.cho_factor"] = "d", ["cn.linalg.cho_solve"] = "{d}, v",
  ["cn.linalg.cholesky"] = "d", ["cn.linalg.solve_triangular"] = "s, v", ["cn.linalg.tensorinv"] = "s, 1",
  ["cn.linalg.tensorsolve"] = "s, v", ["cn.linalg.eigh"] = "s", ["cn.linalg.eigvalsh"] = "s", ["cn.linalg.eig"] = "s",
  ["cn.linalg.eigvals"] = "s", ["cn.linalg.lstsq"] = "s, v", ["cn.linalg.expm"] = "s",
  ["cn.linalg.toeplitz"] = "v, u", ["cn.linalg.hankel"] = "v, u", ["cn.linalg.companion"] = "v",
  ["cn.linalg.leslie"] = "v, parts", ["cn.linalg.convolution_matrix"] = "v, 3", ["cn.linalg.fiedler_companion"] = "v",
  ["cn.linalg.khatri_rao"] = "m, n", ["cn.linalg.block_diag"] = "m, v", ["cn.linalg.schur"] = "s",
  ["cn.linalg.hessenberg"] = "s", ["cn.linalg.sqrtm"] = "d", ["cn.linalg.logm"] = "d",
  ["cn.linalg.matrix_rank"] = "m", ["cn.linalg.pinv"] = "m",
  ["cn.shares_memory"] = "m, n", ["cn.array_equal"] = "m, n", ["cn.to"] = "m, other",
  ["cn.matmul"] = "m, s", ["cn.dot"] = "m, s", ["cn.matvec"] = "m, v",
  ["cn.vecmat"] = "v, s", ["cn.multi_dot"] = "{m, s}",
  ["cn.matrix_power"] = "s, 2",
}

-- Functions that take arrays, but whose arguments no table can replace one by one; the spec that tries them.
M.ELSEWHERE = {
  ["cn.save"] = "files_error_spec", ["cn.savez"] = "files_error_spec", ["cn.savez_compressed"] = "files_error_spec",
  ["cn.savetxt"] = "text_spec", ["cn.save_safetensors"] = "safetensors_spec", ["cn.write_csv"] = "csv_spec",
  ["x:tofile"] = "files_error_spec", ["cn.from_dlpack"] = "dlpack_spec",
  ["x:free"] = "scope_spec", ["cn.imsave"] = "picture/files_spec", ["cn.progress"] = "progress_spec",
}

--- Whether a parameter is an array, or may be one: "array", "list" (a table of arrays), or nil.
local function kind_of(param)
  if param.name == "out" then return nil end
  if param.type:find "cuna.Operand%[%]" or param.type:find "cuna.Array%[%]" then return "list" end
  return (param.type:find "cuna.Operand" or param.type:find "cuna.Array") and "array" or nil
end

--- An operand that an operation has a loop for.
local function operand_of(entry)
  return entry.kind == "operation" and not entry.row.kinds:find "f" and "i" or "m"
end

local function arguments_of(entry, params)
  if M.CALLS[entry.title] then return M.CALLS[entry.title] end
  local list = {}
  for _, param in ipairs(params) do
    if param.optional or param.rest then break end
    if kind_of(param) ~= "array" then return nil end
    list[#list + 1] = operand_of(entry)
  end
  return table.concat(list, ", ")
end

--- The parameters of an entry, with the array before the colon.
local function params_of(entry)
  if entry.owner ~= "cuna.Array" then return entry.params end
  return {{name = "self", type = "cuna.Array", text = ""}, unpack(entry.params)}
end

local function new(entry)
  local params = params_of(entry)
  local kinds, has_array = {}, entry.owner == "cuna.Array"
  for at, param in ipairs(params) do
    kinds[at] = kind_of(param) or false
    has_array = has_array or kinds[at] ~= false
  end
  if not has_array or M.ELSEWHERE[entry.title] then return nil end
  local arguments = arguments_of(entry, params)
  local one = {entry = entry, title = entry.title, call = M.OWNERS[entry.owner][entry.name], params = params,
    name = entry.owner:find "^cn%." and entry.title:gsub("^cn%.", "") or entry.name, -- as messages begin
    kinds = kinds, arguments = arguments}
  if arguments then
    one.chunk = assert(loadstring("local pack = ... return pack(" .. arguments .. ")", entry.title))
  end
  return one
end

--- Every function of OWNERS that takes an array: entry (of the catalog), title, name, call, params (with the array
--- before a colon), kinds ("array" or "list" by parameter), arguments (text).
function M.functions()
  local list = {}
  for _, entry in ipairs(catalog.load().entries) do
    if M.OWNERS[entry.owner] and entry.kind ~= "class" and entry.kind ~= "alias" then list[#list + 1] = new(entry) end
  end
  return list
end

--- The place of a parameter; nil if there is no such parameter.
function M.place(one, name)
  for at, param in ipairs(one.params) do
    if param.name == name then return at end
  end
end

--- New operands on a device.
M.operands = operands

local function pack(...) return {...}, select("#", ...) end

--- The arguments of a good call, which the caller may change, and how many they are.
function M.arguments(one, set)
  setfenv(one.chunk, set)
  return one.chunk(pack)
end

return M
