--- subjects.lua: assigns files to subjects, which are the pages of docs/reference/ and the list of cn.help.
--
-- A row is a page, its title and the files of lua/cuna/ whose functions it documents, in this order. Add a new file
-- with public functions to a row here, and to OWNERS if its variables have other meanings than the usual ones.
local M = {}

M.rows = {
  {"arrays", "Arrays: elements, printing, comparison", "array"},
  {"creation", "Making arrays", "create matrix ranges visit frombuffer"},
  {"dtypes", "Dtypes, numbers and settings", "init base/cdata base/dtype_info about"},
  {"elementwise", "Elementwise operations", "clip elementwise nan_to_num ops"},
  {"special", "Special functions", "special/init special/ops"},
  {"sums", "Sums, means, extremes, truth and running results over axes", "reduce reducers ufunc"},
  {"calculus", "Differences, integrals, convolution, interpolation, cross products",
    "difference gradient integrate convolve interp cross"},
  {"linalg", "Linear algebra", "linalg/init linalg/solve linalg/lu linalg/factor linalg/norm linalg/lstsq linalg/expm "
    .. "linalg/roots linalg/schur linalg/spaces linalg/patterns linalg/named_matrices"},
  {"products", "Products of vectors and matrices", "linalg/products linalg/tensordot linalg/multi_dot linalg/einsum"},
  {"fft", "Fourier, cosine and sine transforms", "fft/init fft/cosine"},
  {"ndimage", "Images: filters, morphology, interpolation, measurements",
    "ndimage/filters ndimage/ranks ndimage/generic ndimage/binary ndimage/interpolation ndimage/measurements "
    .. "ndimage/fourier"},
  {"signal", "Signals: filters, their design, convolutions, spectra, peaks",
    "signal/convolution signal/filters signal/resampling signal/smoothing signal/iir signal/orders signal/fir "
    .. "signal/prototypes signal/transforms signal/response signal/spectra signal/short_time "
    .. "signal/short_time_fft signal/zoom signal/wavelets signal/peaks signal/ridges signal/envelope "
    .. "signal/waveforms signal/windows"},
  {"sparse", "Sparse matrices", "sparse/formats sparse/build sparse/blocks sparse/arrays sparse/files sparse/object "
    .. "sparse/convert sparse/elements sparse/arithmetic sparse/index sparse/fold"},
  {"sparse_linalg", "Linear algebra of sparse matrices", "sparse/linalg/operator sparse/linalg/direct "
    .. "sparse/linalg/krylov sparse/linalg/gmres sparse/linalg/minres sparse/linalg/lsqr sparse/linalg/lsmr "
    .. "sparse/linalg/eigen sparse/linalg/arnoldi sparse/linalg/lobpcg sparse/linalg/exponential sparse/linalg/norm"},
  {"stats", "Statistics: summaries, correlations, tests, distributions, densities", "stats/summary stats/ranks "
    .. "stats/averages stats/correlation stats/kendall stats/tests stats/kolmogorov stats/density stats/distributions "
    .. "stats/discrete stats/distribution"},
  {"interpolate", "Interpolation: splines, piecewise polynomials, grids, scattered points", "interpolate/line "
    .. "interpolate/cubic interpolate/bspline interpolate/piecewise interpolate/grid interpolate/scattered "
    .. "interpolate/object"},
  {"logic", "Comparing arrays: allclose, isclose, array_equiv", "logic"},
  {"statistics", "Averages, quantiles, covariances, histograms, searches", "statistics quantile histogram search"},
  {"polynomials", "Polynomials, windows, bits", "polynomial linalg/polyfit poly1d windows packbits"},
  {"functional", "Functions of functions", "functional"},
  {"sorting", "Sorting, unique elements, sets", "sort unique sets"},
  {"indexing", "Positions, masks, diagonals and views by strides", "take mask positions at strides"},
  {"manipulation", "Shapes, axes and joining", "manipulate views join stack split rearrange edit pad"},
  {"random", "Random numbers", "random/init random/generator random/distributions random/distribution_shapes "
    .. "random/distribution_counts random/distribution_vectors random/multivariate_normal random/integers "
    .. "random/permutation random/random_state"},
  {"text", "Text files", "io/text io/csv factorize"},
  {"files", "NumPy's files, bytes and numbers as text", "io/files io/npz io/number_text"},
  {"pictures", "Pictures, colour maps, plots, progress", "picture/files picture/cm plot/figure progress"},
  {"safetensors", "Safetensors files: the tensors of models", "io/safetensors io/safetensors_file"},
  {"h5", "HDF5 files", "io/h5/init io/h5/group io/h5/dataset"},
  {"dlpack", "Memory shared with other libraries", "device/dlpack"},
  {"devices", "Devices and transfers", "device/init device/cuda device/transfer"},
  {"streams", "Streams, events, graphs and waiting",
    "device/stream device/event device/graph device/waiting device/recording"},
  {"memory", "Memory: scopes, pools, pointers", "base/scope device/pool device/memory device/memory_hook"},
  {"distributed", "Several processes and GPUs: MPI and NCCL", "distributed/init distributed/communicator "
    .. "distributed/fold distributed/move distributed/message distributed/request distributed/group distributed/mesh "
    .. "distributed/array/object distributed/array/move distributed/array/fold distributed/array/norm "
    .. "distributed/array/running distributed/array/compare distributed/array/sort distributed/array/product "
    .. "distributed/array/fft distributed/array/draw distributed/array/show"},
  {"fuse", "Fused functions", "fuse/init"},
  {"kernels", "Kernels of your own in C++", "kernel/elementwise_kernel kernel/reduction_kernel "
    .. "kernel/scan_kernel kernel/raw_kernel kernel/source_module"},
  {"jit", "Kernels of your own in Lua", "jit/init jit/group jit/cub jit/thrust"},
  {"textures", "Textures and surfaces for kernels", "device/texture device/texture_descriptor"},
  {"runtime", "CUDA's runtime by CuPy's names", "device/runtime device/runtime_device device/runtime_memory "
    .. "device/runtime_stream"},
  {"testing", "Testing", "testing"},
  {"profiling", "Profiling", "device/profiler"},
  {"help", "Help", "tools/help"},
}

-- The meanings of a file's variables: functions of a namespace, or methods of a class.
local USUAL = {F = "cn", cn = "cn", methods = "cuna.Array"}
local OWNERS = {
  ["device/cuda"] = {F = "cn.cuda"},
  ["random/permutation"] = {methods = "cuna.Generator"},
  ["device/init"] = {F = "cn", methods = "cuna.Device"},
  ["random/distribution_counts"] = {methods = "cuna.Generator"},
  ["random/distribution_shapes"] = {methods = "cuna.Generator"},
  ["random/distribution_vectors"] = {methods = "cuna.Generator"},
  ["random/distributions"] = {methods = "cuna.Generator"},
  ["distributed/communicator"] = {methods = "cuna.Communicator"},
  ["distributed/array/object"] = {methods = "cuna.DistributedArray"},
  ["distributed/array/move"] = {methods = "cuna.DistributedArray"},
  ["distributed/array/fold"] = {methods = "cuna.DistributedArray"},
  ["distributed/array/norm"] = {methods = "cuna.DistributedArray"},
  ["distributed/array/compare"] = {methods = "cuna.DistributedArray"},
  ["distributed/array/running"] = {methods = "cuna.DistributedArray"},
  ["distributed/array/product"] = {methods = "cuna.DistributedArray"},
  ["distributed/array/fft"] = {methods = "cuna.DistributedArray"},
  ["distributed/array/sort"] = {methods = "cuna.DistributedArray"},
  ["distributed/array/show"] = {methods = "cuna.DistributedArray"},
  ["distributed/group"] = {methods = "cuna.DeviceGroup"},
  ["distributed/init"] = {F = "cn.distributed"},
  ["distributed/message"] = {methods = "cuna.Communicator"},
  ["distributed/move"] = {methods = "cuna.Communicator"},
  ["distributed/fold"] = {methods = "cuna.Communicator"},
  ["distributed/request"] = {methods = "cuna.Request"},
  ["device/dlpack"] = {F = "cn", methods = "cuna.Array", capsule = "cuna.DLPack"},
  ["device/event"] = {F = "cn.cuda", methods = "cuna.Event"},
  ["fft/init"] = {F = "cn.fft"},
  ["fft/cosine"] = {F = "cn.fft"},
  ["random/generator"] = {methods = "cuna.Generator"},
  ["device/graph"] = {F = "cn", methods = "cuna.CapturedGraph", G = "cuna.Graph", ["streams.methods"] = "cuna.Stream"},
  ["ndimage/binary"] = {F = "cn.ndimage"},
  ["ndimage/filters"] = {F = "cn.ndimage"},
  ["ndimage/interpolation"] = {F = "cn.ndimage"},
  ["ndimage/measurements"] = {F = "cn.ndimage"},
  ["ndimage/fourier"] = {F = "cn.ndimage"},
  ["ndimage/generic"] = {F = "cn.ndimage"},
  ["ndimage/ranks"] = {F = "cn.ndimage"},
  ["signal/convolution"] = {F = "cn.signal"},
  ["signal/envelope"] = {F = "cn.signal"},
  ["signal/filters"] = {F = "cn.signal"},
  ["signal/fir"] = {F = "cn.signal"},
  ["signal/iir"] = {F = "cn.signal"},
  ["signal/orders"] = {F = "cn.signal"},
  ["signal/peaks"] = {F = "cn.signal"},
  ["signal/prototypes"] = {F = "cn.signal"},
  ["signal/resampling"] = {F = "cn.signal"},
  ["signal/response"] = {F = "cn.signal"},
  ["signal/ridges"] = {F = "cn.signal"},
  ["signal/short_time"] = {F = "cn.signal"},
  ["signal/short_time_fft"] = {F = "cn.signal", methods = "cuna.ShortTimeFFT"},
  ["signal/smoothing"] = {F = "cn.signal"},
  ["signal/spectra"] = {F = "cn.signal"},
  ["signal/transforms"] = {F = "cn.signal"},
  ["signal/waveforms"] = {F = "cn.signal"},
  ["signal/wavelets"] = {F = "cn.signal"},
  ["signal/zoom"] = {F = "cn.signal"},
  ["signal/windows"] = {F = "cn.signal.windows", G = "cn.signal"},
  ["sparse/arithmetic"] = {methods = "cuna.SparseMatrix"},
  ["sparse/arrays"] = {F = "cn.sparse"},
  ["sparse/blocks"] = {F = "cn.sparse"},
  ["sparse/build"] = {F = "cn.sparse"},
  ["sparse/convert"] = {methods = "cuna.SparseMatrix"},
  ["sparse/elements"] = {F = "cn.sparse", methods = "cuna.SparseMatrix"},
  ["sparse/files"] = {F = "cn.sparse"},
  ["sparse/fold"] = {methods = "cuna.SparseMatrix"},
  ["sparse/index"] = {methods = "cuna.SparseMatrix"},
  ["sparse/formats"] = {F = "cn.sparse"},
  ["sparse/linalg/arnoldi"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/direct"] = {F = "cn.sparse.linalg", methods = "cuna.SparseLU"},
  ["sparse/linalg/eigen"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/exponential"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/lobpcg"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/gmres"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/krylov"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/lsmr"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/lsqr"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/minres"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/norm"] = {F = "cn.sparse.linalg"},
  ["sparse/linalg/operator"] = {F = "cn.sparse.linalg", methods = "cuna.LinearOperator"},
  ["random/integers"] = {methods = "cuna.Generator"},
  ["jit/init"] = {F = "cn.jit", methods = "cuna.jit.Kernel"},
  ["linalg/init"] = {F = "cn.linalg", C = "cn"},
  ["linalg/expm"] = {F = "cn.linalg"},
  ["linalg/factor"] = {F = "cn.linalg"},
  ["linalg/lstsq"] = {F = "cn.linalg"},
  ["linalg/lu"] = {F = "cn.linalg"},
  ["linalg/named_matrices"] = {F = "cn.linalg"},
  ["linalg/patterns"] = {F = "cn.linalg"},
  ["linalg/roots"] = {F = "cn.linalg"},
  ["linalg/schur"] = {F = "cn.linalg"},
  ["linalg/spaces"] = {F = "cn.linalg"},
  ["linalg/norm"] = {F = "cn.linalg"},
  ["linalg/solve"] = {F = "cn.linalg"},
  ["device/memory"] = {F = "cn.cuda", methods = "cuna.MemoryPointer"},
  ["device/memory_hook"] = {F = "cn.cuda"},
  ["random/multivariate_normal"] = {methods = "cuna.Generator"},
  ["io/npz"] = {methods = "cuna.Npz"},
  ["io/h5/init"] = {F = "cn.h5"},
  ["io/h5/group"] = {methods = "cuna.H5Group"},
  ["io/h5/dataset"] = {methods = "cuna.H5Dataset"},
  ["io/safetensors_file"] = {methods = "cuna.Safetensors"},
  ["device/pool"] = {F = "cn.cuda", methods = "cuna.MemoryPool"},
  ["picture/cm"] = {F = "cn.cm"},
  ["plot/figure"] = {F = "cn.plot", methods = "cuna.Figure"},
  progress = {F = "cn", methods = "cuna.Progress"},
  poly1d = {F = "cn", methods = "cuna.Poly1d"},
  ["device/profiler"] = {F = "cn.profiler", Result = "cuna.Benchmark"},
  ["random/init"] = {F = "cn.random"},
  ["random/random_state"] = {F = "cn.random", methods = "cuna.RandomState"},
  ["device/texture"] = {F = "cn.cuda.texture", methods = "cuna.CUDAarray",
    texture_methods = "cuna.TextureObject", surface_methods = "cuna.SurfaceObject"},
  ["device/texture_descriptor"] = {F = "cn.cuda.texture", channel_methods = "cuna.ChannelFormatDescriptor",
    resource_methods = "cuna.ResourceDescriptor", texture_methods = "cuna.TextureDescriptor"},
  ["device/runtime"] = {},
  ["device/runtime_device"] = {F = "cn.cuda.runtime"},
  ["device/runtime_memory"] = {F = "cn.cuda.runtime"},
  ["device/runtime_stream"] = {F = "cn.cuda.runtime"},
  ["kernel/raw_kernel"] = {F = "cn", methods = "cuna.RawKernel", module_methods = "cuna.RawModule"},
  ["kernel/source_module"] = {F = "cn.cuda", methods = "cuna.SourceFunction", module_methods = "cuna.SourceModule"},
  ["special/init"] = {F = "cn.special"},
  ["interpolate/bspline"] = {F = "cn.interpolate", methods = "cuna.BSpline"},
  ["interpolate/cubic"] = {F = "cn.interpolate"},
  ["interpolate/grid"] = {F = "cn.interpolate"},
  ["interpolate/line"] = {F = "cn.interpolate"},
  ["interpolate/object"] = {},
  ["interpolate/piecewise"] = {F = "cn.interpolate", methods = "cuna.PPoly"},
  ["interpolate/scattered"] = {F = "cn.interpolate"},
  ["stats/correlation"] = {F = "cn.stats"},
  ["stats/density"] = {F = "cn.stats", methods = "cuna.GaussianKde"},
  ["stats/distribution"] = {methods = "cuna.Distribution"},
  ["stats/distributions"] = {F = "cn.stats"}, ["stats/discrete"] = {F = "cn.stats"},
  ["stats/averages"] = {F = "cn.stats"}, ["stats/kendall"] = {F = "cn.stats"},
  ["stats/kolmogorov"] = {F = "cn.stats"},
  ["stats/ranks"] = {F = "cn.stats"},
  ["stats/summary"] = {F = "cn.stats"},
  ["stats/tests"] = {F = "cn.stats"},
  ["device/stream"] = {F = "cn.cuda", methods = "cuna.Stream"},
  testing = {M = "cn.testing"},
}

--- The tables of functions: cn and those in it, in order.
M.namespaces = {"cn"}
for _, variables in pairs(OWNERS) do
  for _, owner in pairs(variables) do
    if owner:find "^cn%." and not M.namespaces[owner] then
      M.namespaces[owner], M.namespaces[#M.namespaces + 1] = true, owner
    end
  end
end
table.sort(M.namespaces)
-- Namespaces whose functions are methods of a shared object: {namespace, class, file}.
M.shared = {{"cn.random", "cuna.Generator", "random/init"}}

--- The meanings of a file's variables.
---@param file string
---@return table<string, string>
function M.owners(file) return OWNERS[file] or USUAL end

local page_of = {}
for _, part in ipairs {"[^/]+$", ".+"} do -- a path is stronger than the same name at the end of another
  for _, row in ipairs(M.rows) do
    for file in row[3]:gmatch "%S+" do page_of[file:match(part)] = row[1] end
  end
end

--- The name of a file's module.
---@param file string such as "fft/init"
---@return string
function M.module(file) return file == "init" and "cuna" or "cuna." .. file:gsub("/init$", ""):gsub("/", ".") end

--- The page of a file's functions; nil if no row has it.
---@param file string its path in lua/cuna/, or only its name
---@return string|nil
function M.page(file) return page_of[file] end

return M
