--- words.lua: what functions of NumPy, SciPy, CuPy, PyTorch and others are called in cuna, for the errors about unknown
--- names.
--
-- Names that stand in one of cuna's own namespaces, as `rand` in cn.random, are found there and are not in this list.
return {
  -- NumPy
  genfromtxt = "cn.loadtxt(path, {names = true, missing = 0})", fromstring = "cn.loadtxt {text = s}",
  index_exp = "cn.s_", asanyarray = "cn.asarray", asmatrix = "cn.asarray", show_config = "cn.help() or `cuna doctor`",
  asarray_chkfinite = "cn.isfinite(x):all()", mat = "cn.array",
  float = "cn.float64", double = "cn.float64", single = "cn.float32", half = "cn.float16", int = "cn.int64",
  long = "cn.int64", uint = "cn.uint64", bool_ = "cn.bool", float_ = "cn.float64",
  info = "cn.help", time = "cn.clock()", timeit = "cn.profiler.benchmark(fn)",
  lib = "cn.sliding_window_view, cn.as_strided and other names without their folder",
  emath = "cn.sqrt(cn.complex(x, 0)): operations on complex numbers have complex results",
  errstate = "plain code: cuna gives no warnings", seterr = "plain code: cuna gives no warnings",
  datetime64 = "numbers, such as seconds: cuna has no dates", ["repeat"] = "cn.repeat_interleave",
  len = "#x", NaN = "cn.nan", NAN = "cn.nan", Inf = "cn.inf", Infinity = "cn.inf", PI = "cn.pi", tau = "2 * cn.pi",
  product = "cn.prod", cumproduct = "cn.cumprod", alltrue = "cn.all", sometrue = "cn.any", asscalar = "x:item()",
  mask_indices = "cn.nonzero(mask)", newbyteorder = "cn.frombuffer", unstack = "x:iter()",
  -- CuPy
  scatter_add = "x:add_at(key, v)", scatter_max = "x:maximum_at(key, v)", scatter_min = "x:minimum_at(key, v)",
  get_array_module = "cn", cupy = "cn",
  -- matplotlib, imageio and tqdm
  imshow = "cn.plot.figure():imshow(x)", plt = "cn.plot", hist = "cn.plot.figure():hist(x)", colormaps = "cn.cm",
  imwrite = "cn.imsave", tqdm = "cn.progress",
  -- PyTorch and TensorFlow
  sigmoid = "cn.special.expit", softmax = "cn.special.softmax", log_softmax = "cn.special.log_softmax",
  relu = "cn.maximum(x, 0)", cat = "cn.concatenate", mm = "cn.matmul", bmm = "cn.matmul", narrow = "x[{{first, last}}]",
  numpy = "x:get()", unsqueeze = "cn.expand_dims", dim = "cn.ndim", tensor = "cn.array", from_numpy = "cn.asarray",
  clamp = "cn.clip", logsumexp = "cn.special.logsumexp", randn = "cn.random.randn", manual_seed = "cn.random.seed",
  no_grad = "plain code: cuna has no gradients", Tensor = "cn.array", index_select = "cn.take",
  masked_select = "x[mask]", masked_fill = "cn.where(mask, value, x)", gather = "cn.take_along_axis",
  scatter = "cn.put_along_axis", expand = "cn.broadcast_to",
  reduce_sum = "cn.sum", reduce_mean = "cn.mean", conv2d = "cn.ndimage.convolve",
}
