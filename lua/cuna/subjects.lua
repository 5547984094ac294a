--- subjects.lua: what the functions of each file are about: the pages of docs/reference/ and what cn.help lists.
--
-- A row is a page, its title and the files of lua/cuna/ whose functions stand there, in this order. A new file with
-- public functions joins a row here, and where its variables are not the usual ones, OWNERS.
local M = {}

M.rows = {
  {"arrays", "Arrays: elements, printing, comparison", "array"},
  {"creation", "Making arrays", "create matrix buffer"},
  {"dtypes", "Dtypes, numbers and settings", "init cdata dtype_info"},
  {"elementwise", "Elementwise operations", "choose elementwise numbers"},
  {"sums", "Sums, means, extremes, truth and running results over axes", "reduce cumulative ufunc"},
  {"calculus", "Differences, integrals, convolution, interpolation, cross products",
    "difference gradient integrate convolve interp cross"},
  {"linalg", "Linear algebra", "linalg linalg_solve linalg_lu linalg_factor linalg_norm linalg_lstsq linalg_expm"},
  {"products", "Products of vectors and matrices", "products contract chain einsum"},
  {"fft", "Fourier transforms", "fft"},
  {"logic", "Closeness, and what decides about whole arrays", "logic"},
  {"statistics", "Averages, quantiles, covariances, histograms, searches", "statistics quantile histogram search"},
  {"polynomials", "Polynomials, windows, bits", "polynomial polyfit poly1d windows bits"},
  {"functional", "Functions of functions", "functional"},
  {"sorting", "Sorting, unique elements, sets", "sort unique sets"},
  {"indexing", "Positions, masks, diagonals and views by strides", "take mask positions at strides"},
  {"manipulation", "Shapes, axes and joining", "manipulate views join stack split rearrange edit pad"},
  {"random", "Random numbers", "random generator distributions distribution_shapes distribution_counts "
    .. "distribution_vectors multivariate_normal integers choice random_state"},
  {"text", "Text files", "text"},
  {"files", "NumPy's files, bytes and numbers as text", "files npz"},
  {"dlpack", "Memory shared with other libraries", "dlpack"},
  {"devices", "Devices and transfers", "device cuda transfer"},
  {"streams", "Streams, events, graphs and waiting", "stream event graph waiting"},
  {"memory", "Memory: scopes, pools, pointers", "scope pool memory memory_hook"},
  {"fuse", "Fused functions", "fuse"},
  {"kernels", "Kernels of your own in C++", "elementwise_kernel reduction_kernel scan_kernel raw_kernel source_module"},
  {"jit", "Kernels of your own in Lua", "jit"},
  {"testing", "Testing", "testing"},
  {"profiling", "Profiling", "profiler"},
  {"help", "Help", "help"},
}

-- What a file's variables hold: functions of a namespace, or methods of a class.
local USUAL = {F = "cn", cn = "cn", methods = "cuna.Array"}
local OWNERS = {
  cuda = {F = "cn.cuda"},
  choice = {methods = "cuna.Generator"},
  device = {F = "cn", methods = "cuna.Device"},
  distribution_counts = {methods = "cuna.Generator"},
  distribution_shapes = {methods = "cuna.Generator"},
  distribution_vectors = {methods = "cuna.Generator"},
  distributions = {methods = "cuna.Generator"},
  dlpack = {F = "cn", methods = "cuna.Array", capsule = "cuna.DLPack"},
  event = {F = "cn.cuda", methods = "cuna.Event"},
  fft = {F = "cn.fft"},
  generator = {methods = "cuna.Generator"},
  graph = {F = "cn", methods = "cuna.CapturedGraph", G = "cuna.Graph", ["streams.methods"] = "cuna.Stream"},
  integers = {methods = "cuna.Generator"},
  jit = {F = "cn.jit", methods = "cuna.jit.Kernel"},
  linalg = {F = "cn.linalg", C = "cn"},
  linalg_expm = {F = "cn.linalg"},
  linalg_factor = {F = "cn.linalg"},
  linalg_lstsq = {F = "cn.linalg"},
  linalg_lu = {F = "cn.linalg"},
  linalg_norm = {F = "cn.linalg"},
  linalg_solve = {F = "cn.linalg"},
  memory = {F = "cn.cuda", methods = "cuna.MemoryPointer"},
  memory_hook = {F = "cn.cuda"},
  multivariate_normal = {methods = "cuna.Generator"},
  npz = {methods = "cuna.Npz"},
  pool = {F = "cn.cuda", methods = "cuna.MemoryPool"},
  poly1d = {F = "cn", methods = "cuna.Poly1d"},
  profiler = {F = "cn.profiler", Result = "cuna.Benchmark"},
  random = {F = "cn.random"},
  random_state = {F = "cn.random", methods = "cuna.RandomState"},
  raw_kernel = {F = "cn", methods = "cuna.RawKernel", module_methods = "cuna.RawModule"},
  source_module = {F = "cn.cuda", methods = "cuna.SourceFunction", module_methods = "cuna.SourceModule"},
  stream = {F = "cn.cuda", methods = "cuna.Stream"},
  testing = {M = "cn.testing"},
}

--- The tables of functions: cn and those in it, in their order.
M.namespaces = {"cn"}
for _, variables in pairs(OWNERS) do
  for _, owner in pairs(variables) do
    if owner:find "^cn%." and not M.namespaces[owner] then
      M.namespaces[owner], M.namespaces[#M.namespaces + 1] = true, owner
    end
  end
end
table.sort(M.namespaces)
-- Namespaces whose functions are methods of an object that all share: {namespace, class, file}.
M.shared = {{"cn.random", "cuna.Generator", "random"}}

--- What the variables of a file hold.
---@param file string
---@return table<string, string>
function M.owners(file) return OWNERS[file] or USUAL end

local page_of = {}
for _, row in ipairs(M.rows) do
  for file in row[3]:gmatch "%S+" do page_of[file] = row[1] end
end

--- The page of a file's functions; nil where subjects.lua does not name it.
---@param file string
---@return string|nil
function M.page(file) return page_of[file] end

return M
