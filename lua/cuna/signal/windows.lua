--- windows.lua: windows that signals are multiplied with, as cn.signal.windows, and the one of a name.
--
-- Most windows are one formula of the position. A window with sym = false is one period of a sequence that continues:
-- the symmetric window of one number more, without its last number.
local args = require "cuna.base.args"
local check = require "cuna.base.check"
local core = require "cuna.core"
local formula = require "cuna.base.formula"
local given = require "cuna.signal.given"
local slepian = require "cuna.signal.slepian"

local M = {functions = {}, windows = {}}
local F = M.windows   -- cn.signal.windows
local G = M.functions -- cn.signal

local fail = check.fail

-- ---- formulas ----

--- The count of a window and of the symmetric one that it is the beginning of.
local function counts(m, sym, name)
  m = check.count(m, name, "m")
  return m, check.boolean(sym, true, name, "sym") and m or m + 1
end

local PI = ("%.17g"):format(math.pi)

local function ones(m, name) return core.full({m}, nil, nil, name, 1) end

--- A window of one formula: of the position a from 0, the last position b of the symmetric window, and parameters c, d.
---@param parameters string[]|nil their names, in front of sym
---@param check_values fun(name: string, ...: any): ...|nil returns the formula's numbers for the parameters
local function from(word, text, parameters, check_values)
  local name, names = "signal.windows." .. word, {"m"}
  for _, parameter in ipairs(parameters or {}) do names[#names + 1] = parameter end
  names[#names + 1] = "sym"
  local count = #names - 2
  local read = args.reader(name, names)
  return function(...)
    local values = {read(...)}
    local m, whole = counts(values[1], values[count + 2], name)
    local numbers = check_values and {check_values(name, unpack(values, 2, count + 1))} or {}
    if m <= 1 then return ones(m, name) end
    return formula.make(name, m, nil, nil, text, "float64", whole - 1, unpack(numbers))
  end
end

--- A sum of cosines whose factors are fixed.
local function cosines(word, ...)
  local terms = {}
  for k, factor in ipairs {...} do
    terms[k] = ("%.17g * cos(%d * %s * (2 * a - b) / b)"):format(factor, k - 1, PI)
  end
  return from(word, table.concat(terms, " + "))
end

local function number(value, default, name, what)
  return check.real(value == nil and default or value, name, what)
end

--- A rectangle of ones. Follows scipy.signal.windows.boxcar.
---@param m integer how many numbers
---@param sym boolean|nil default true; false: one period, for spectra
---@return cuna.Array 1-d, of the default float dtype, as all windows
---@usage cn.signal.windows.boxcar(3) --> [1. 1. 1.]
F.boxcar = from("boxcar", "a - a + 1")

--- A triangle without zeros at its ends. Follows scipy.signal.windows.triang.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.triang(4) --> [0.25 0.75 0.75 0.25]
F.triang = from("triang", "fmod(b, 2) == 0 ? 2 * (fmin(a, b - a) + 1) / (b + 2) : (2 * fmin(a, b - a) + 1) / (b + 1)")

--- The Parzen window, a piecewise cubic. Follows scipy.signal.windows.parzen.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.parzen(3):round(4) --> [0.0741 1. 0.0741]
F.parzen = from("parzen", "2 * fabs(2 * a - b) <= b ? 1 - 6 * pow(fabs(2 * a - b) / (b + 1), 2.0) "
  .. "+ 6 * pow(fabs(2 * a - b) / (b + 1), 3.0) : 2 * pow(1 - fabs(2 * a - b) / (b + 1), 3.0)")

--- The Bohman window. Follows scipy.signal.windows.bohman.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.bohman(5):round(4) --> [0. 0.3183 1. 0.3183 0. ]
F.bohman = from("bohman", (("fabs(2 * a - b) == b ? 0.0 : (1 - fabs(2 * a - b) / b) * cos(PI * (fabs(2 * a - b) / b)) "
  .. "+ 1 / PI * sin(PI * (fabs(2 * a - b) / b))"):gsub("PI", PI)))

--- The Blackman window. Follows scipy.signal.windows.blackman.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.blackman(4, false):round(4) --> [-0. 0.34 1. 0.34]
F.blackman = cosines("blackman", 0.42, 0.5, 0.08)

--- The Nuttall window of four terms. Follows scipy.signal.windows.nuttall.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.nuttall(3):round(4) --> [4.e-04 1.e+00 4.e-04]
F.nuttall = cosines("nuttall", 0.3635819, 0.4891775, 0.1365995, 0.0106411)

--- The Blackman-Harris window of four terms. Follows scipy.signal.windows.blackmanharris.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.blackmanharris(3):round(4) --> [1.e-04 1.e+00 1.e-04]
F.blackmanharris = cosines("blackmanharris", 0.35875, 0.48829, 0.14128, 0.01168)

--- A window whose spectrum has a flat top. Follows scipy.signal.windows.flattop.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.flattop(3):round(4) --> [-4.e-04 1.e+00 -4.e-04]
F.flattop = cosines("flattop", 0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)

--- A triangle with zeros at its ends. Follows scipy.signal.windows.bartlett.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.bartlett(5) --> [0. 0.5 1. 0.5 0. ]
F.bartlett = from("bartlett", "2 * a <= b ? 2 * a / b : 2 - 2 * a / b")

--- The Hann window, a raised cosine. Follows scipy.signal.windows.hann.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.hann(4, false):round(4) --> [0. 0.5 1. 0.5]
F.hann = cosines("hann", 0.5, 0.5)

--- The Hamming window, a cosine above 0.08. Follows scipy.signal.windows.hamming.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.hamming(3):round(4) --> [0.08 1. 0.08]
F.hamming = cosines("hamming", 0.54, 0.46)

--- Half a period of a sine. Follows scipy.signal.windows.cosine.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.cosine(3):round(4) --> [0.5 1. 0.5]
F.cosine = from("cosine", ("sin(%.17g / (b + 1) * (a + 0.5))"):format(math.pi))

--- The Bartlett-Hann window. Follows scipy.signal.windows.barthann.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.barthann(5):round(4) --> [0. 0.5 1. 0.5 0. ]
F.barthann = from("barthann", ("0.62 - 0.48 * fabs(a / b - 0.5) + 0.38 * cos(%.17g * fabs(a / b - 0.5))"):format(
  2 * math.pi))

--- The Lanczos window, the middle of a sinc. Follows scipy.signal.windows.lanczos.
---@param m integer
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.lanczos(5):round(4) --> [0. 0.6366 1. 0.6366 0. ]
F.lanczos = from("lanczos", (("2 * a == b ? 1.0 : sin(PI * fabs((2 * a - b) / b)) / (PI * fabs((2 * a - b) / b))")
  :gsub("PI", PI)))

--- A cosine above 1 - 2 alpha. Follows scipy.signal.windows.general_hamming.
---@param m integer
---@param alpha number
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.general_hamming(3, 0.75):round(4) --> [0.5 1. 0.5]
F.general_hamming = from("general_hamming", ("c + (1 - c) * cos(%.17g * (2 * a - b) / b)"):format(math.pi), {"alpha"},
  function(name, alpha) return number(alpha, nil, name, "alpha") end)

--- The Kaiser window, of Bessel functions. Follows scipy.signal.windows.kaiser.
---@param m integer
---@param beta number its shape: 0 is a rectangle, 5 like hamming, 8.6 like blackman
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.kaiser(3, 0) --> [1. 1. 1.]
F.kaiser = from("kaiser", "special::i0(c * sqrt(1 - (2 * a - b) / b * ((2 * a - b) / b))) / special::i0(c)", {"beta"},
  function(name, beta) return number(beta, nil, name, "beta") end)

--- A Gaussian. Follows scipy.signal.windows.gaussian.
---@param m integer
---@param std number its standard deviation in positions
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.gaussian(3, 1):round(4) --> [0.6065 1. 0.6065]
F.gaussian = from("gaussian", "exp(-((a - b / 2) * (a - b / 2)) / (2 * c * c))", {"std"},
  function(name, std) return number(std, nil, name, "std") end)

--- exp(-|n / sig| ^ (2 p) / 2). Follows scipy.signal.windows.general_gaussian.
---@param m integer
---@param p number 1 is a Gaussian, 0.5 a Laplace distribution's shape
---@param sig number
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.general_gaussian(3, 1, 1):round(4) --> [0.6065 1. 0.6065]
F.general_gaussian = from("general_gaussian", "exp(-0.5 * pow(fabs((a - b / 2) / d), 2 * c))", {"p", "sig"},
  function(name, p, sig) return number(p, nil, name, "p"), number(sig, nil, name, "sig") end)

local tapered = from("tukey", (("a <= d ? 0.5 * (1 + cos(PI * (-1 + 2 * a / c / b))) : a < b - d ? 1.0 : "
  .. "0.5 * (1 + cos(PI * (-2 / c + 1 + 2 * a / c / b)))"):gsub("PI", PI)), {"c", "d"},
  function(_, c, d) return c, d end)
local read_tukey = args.reader("signal.windows.tukey", {"m", "alpha", "sym"})

--- The Tukey window: ones between two halves of a Hann window. Follows scipy.signal.windows.tukey.
---@param m integer
---@param alpha number|nil the part that is not 1, default 0.5
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.tukey(5) --> [0. 1. 1. 1. 0.]
function F.tukey(...)
  local m, alpha, sym = read_tukey(...)
  local name = "signal.windows.tukey"
  local _, whole = counts(m, sym, name)
  alpha = number(alpha, 0.5, name, "alpha")
  if alpha <= 0 then return ones(m, name) end
  if alpha >= 1 then return F.hann(m, sym) end
  return tapered(m, alpha, math.floor(alpha * (whole - 1) / 2), sym)
end

local decaying = from("exponential", "exp(-fabs(a - c) / d)", {"c", "d"}, function(_, c, d) return c, d end)
local read_exponential = args.reader("signal.windows.exponential", {"m", "center", "tau", "sym"})

--- An exponential decay to both sides. Follows scipy.signal.windows.exponential.
---@param m integer
---@param center number|nil a distance from the first number, only with sym = false; default: the middle
---@param tau number|nil default 1
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.exponential(3):round(4) --> [0.3679 1. 0.3679]
function F.exponential(...)
  local m, center, tau, sym = read_exponential(...)
  local name = "signal.windows.exponential"
  local _, whole = counts(m, sym, name)
  if sym ~= false and center ~= nil then fail("%s: a center is given with sym = false only", name) end
  return decaying(m, number(center, (whole - 1) / 2, name, "center"), number(tau, 1, name, "tau"), sym)
end

-- ---- windows of several steps ----

--- The first m numbers of a window that was computed in float64, in the default float dtype.
local function finish(w, m, name)
  if w.size ~= m then w = w[{{1, m}}] end
  return core.cast(w, core.default_dtype(), name)
end

local function places(first, last) return args.namespace.arange(first, last + 1, 1, "float64") end

local read_general_cosine = args.reader("signal.windows.general_cosine", {"m", "a", "sym"}, 2)

--- A sum of cosines: a[1] + a[2] cos(x) + a[3] cos(2 x) + ..., x from -pi to pi. Follows
--- scipy.signal.windows.general_cosine.
---@param m integer
---@param a cuna.Operand a vector; one on a GPU is fetched
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.general_cosine(3, {0.5, 0.5}) --> [0. 1. 0.]
function F.general_cosine(...)
  local m, a, sym = read_general_cosine(...)
  local name, cn = "signal.windows.general_cosine", args.namespace
  local count, whole = counts(m, sym, name)
  local factors = given.reals(a, name, "a factor")
  if count <= 1 then return ones(count, name) end
  local x, sum = cn.linspace(-math.pi, math.pi, whole, {dtype = "float64"}), nil
  for k, factor in ipairs(factors) do
    local term = factor * cn.cos((k - 1) * x)
    sum = sum and sum + term or term
  end
  return finish(sum or x * 0, count, name)
end

local read_derived = args.reader("signal.windows.kaiser_bessel_derived", {"m", "beta", "sym"}, 2)

--- The Kaiser-Bessel derived window: roots of running sums of a Kaiser window. Follows
--- scipy.signal.windows.kaiser_bessel_derived.
---@param m integer even
---@param beta number
---@param sym boolean|nil true
---@return cuna.Array
---@usage cn.signal.windows.kaiser_bessel_derived(4, 2):round(4) --> [0.4834 0.8754 0.8754 0.4834]
function F.kaiser_bessel_derived(...)
  local m, beta, sym = read_derived(...)
  local name, cn = "signal.windows.kaiser_bessel_derived", args.namespace
  m = check.count(m, name, "m")
  if sym == false then fail("%s: the window is symmetric, got sym = false", name) end
  if m % 2 == 1 then fail("%s: the window has an even number of points, got %d", name, m) end
  if m == 0 then return ones(0, name) end
  local sums = F.kaiser(m / 2 + 1, beta):astype("float64"):cumsum()
  local half = cn.sqrt(sums[{{1, -2}}] / sums[{{-1}}])
  return finish(cn.concatenate {half, half[{{-1, 1, -1}}]}, m, name)
end

local read_chebwin = args.reader("signal.windows.chebwin", {"m", "at", "sym"}, 2)

-- The Chebyshev polynomial of degree c at d cos(pi a / (c + 1)), b being c.
local CHEBYSHEV = "(fabs(X) <= 1 ? cos(b * acos(X)) : (X > 0 || fmod(b, 2) == 0 ? 1 : -1) * cosh(b * acosh(fabs(X))))"

--- The Dolph-Chebyshev window, whose side lobes have one height. Follows scipy.signal.windows.chebwin.
---@param m integer
---@param at number the attenuation of the side lobes in dB, from 45 on for spectra
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.chebwin(3, 100):round(4) --> [0.5 1. 0.5]
function F.chebwin(...)
  local m, at, sym = read_chebwin(...)
  local name, cn = "signal.windows.chebwin", args.namespace
  local count, whole = counts(m, sym, name)
  at = math.abs(number(at, nil, name, "at"))
  if count <= 1 then return ones(count, name) end
  local level = 10 ^ (at / 20)
  local base = math.log(level + math.sqrt(level * level - 1)) / (whole - 1)
  local text = CHEBYSHEV:gsub("X", ("(c * cos(%.17g * a / (b + 1)))"):format(math.pi))
  local p = formula.make(name, whole, "float64", nil, text, "float64", whole - 1,
    (math.exp(base) + math.exp(-base)) / 2)
  local is_even, middle = whole % 2 == 0, math.floor(whole / 2) + 1
  if is_even then p = p * cn.exp(places(0, whole - 1) * cn.complex(0, math.pi / whole)) end
  local w = cn.fft.fft(p).real
  local right = w[{{is_even and 2 or 1, is_even and middle or (whole + 1) / 2}}]
  local left = w[{{is_even and middle or (whole + 1) / 2, 2, -1}}]
  w = cn.concatenate {left, right}
  return finish(w / w:max(), count, name)
end

--- The factors of the cosines of a Taylor window.
local function taylor_factors(nbar, sll)
  local level = 10 ^ (sll / 20)
  local A = math.log(level + math.sqrt(level * level - 1)) / math.pi
  local s2, factors = nbar ^ 2 / (A ^ 2 + (nbar - 0.5) ^ 2), {}
  for m = 1, nbar - 1 do
    local above, below = m % 2 == 1 and 1 or -1, 2
    for k = 1, nbar - 1 do
      above = above * (1 - m * m / s2 / (A ^ 2 + (k - 0.5) ^ 2))
      if k ~= m then below = below * (1 - m * m / (k * k)) end
    end
    factors[m] = above / below
  end
  return factors
end

local read_taylor = args.reader("signal.windows.taylor", {"m", "nbar", "sll", "norm", "sym"})

--- The Taylor window of radar. Follows scipy.signal.windows.taylor.
---@param m integer
---@param nbar integer|nil side lobes of nearly one height, default 4
---@param sll number|nil their suppression in dB, default 30
---@param norm boolean|nil whether the middle is 1, default true
---@param sym boolean|nil default true
---@return cuna.Array
---@usage cn.signal.windows.taylor(5):round(4) --> [0.3325 0.772 1. 0.772 0.3325]
function F.taylor(...)
  local m, nbar, sll, norm, sym = read_taylor(...)
  local name, cn = "signal.windows.taylor", args.namespace
  local count, whole = counts(m, sym, name)
  nbar, sll = check.few(nbar == nil and 4 or nbar, 4096, name, "nbar"), number(sll, 30, name, "sll")
  norm = check.boolean(norm, true, name, "norm")
  if count <= 1 then return ones(count, name) end
  local factors, scale = taylor_factors(nbar, sll), 1
  local x, w = (places(0, whole - 1) - whole / 2 + 0.5) * (2 * math.pi / whole), nil
  for k, factor in ipairs(factors) do
    local term = 2 * factor * cn.cos(k * x)
    w, scale = w and w + term or term, scale + 2 * factor
  end
  w = 1 + (w or x * 0)
  return finish(norm and w / scale or w, count, name)
end

local NORMS = {approximate = true, subsample = true, [2] = true}
local read_dpss = args.reader("signal.windows.dpss", {"m", "NW", "Kmax", "sym", "norm", "return_ratios"}, 2)

--- Factor of windows of an even count whose greatest value is 1.
local function dpss_correction(windows, whole, NW, norm)
  if whole % 2 == 1 then return 1 end
  if norm == "approximate" then return whole ^ 2 / (whole ^ 2 + NW) end
  local cn = args.namespace
  local s = cn.fft.rfft(windows[1])
  local turn = cn.exp(places(1, whole / 2) * cn.complex(0, math.pi * (1 - 1 / whole)))
  return whole / cn.add(s[{{1, 1}}].real:sum(), (s[{{2, -1}}] * turn * 2).real:sum()):item()
end

--- The Slepian sequences (discrete prolate spheroidal ones), which have the greatest part of their energy within a
--- bandwidth. Follows scipy.signal.windows.dpss.
---@param m integer at most 2^24
---@param NW number half of the bandwidth times m, below m / 2
---@param Kmax integer|nil how many sequences; nil: one window
---@param sym boolean|nil default true
---@param norm "approximate"|"subsample"|2|nil 2 (default with Kmax): of norm 1; else the greatest value is 1
---@param return_ratios boolean|nil whether the parts of the energy within the band are returned too
---@return cuna.Array shape (m,), or (Kmax, m)
---@return cuna.Array|nil ratios
---@usage cn.signal.windows.dpss(5, 1):round(4) --> [0.4432 0.831 1. 0.831 0.4432]
function F.dpss(...)
  local m, NW, Kmax, sym, norm, return_ratios = read_dpss(...)
  local name, cn = "signal.windows.dpss", args.namespace
  local count, whole = counts(m, sym, name)
  if norm == nil then norm = Kmax == nil and "approximate" or 2 end
  if not NORMS[norm] then fail("%s: norm is \"approximate\", \"subsample\" or 2, got %s", name, check.show(norm)) end
  NW = number(NW, nil, name, "NW")
  if count <= 1 then return ones(count, name) end
  if whole > slepian.MOST then fail("%s: m is at most %d, got %d", name, slepian.MOST, m) end
  local wanted = check.count(Kmax == nil and 1 or Kmax, name, "Kmax")
  if wanted < 1 or wanted > count then fail("%s: Kmax is from 1 to %d, got %d", name, count, wanted) end
  if NW <= 0 or NW >= count / 2 then fail("%s: NW is above 0 and below m / 2 = %g, got %g", name, count / 2, NW) end
  local w = core.as_array(slepian.sequences(whole, NW, wanted), "float64", nil, name)
  local ratios = return_ratios and slepian.ratios(w, NW) or nil
  if norm ~= 2 then w = w / w:max() * dpss_correction(w / w:max(), whole, NW, norm) end
  w = core.cast(whole ~= count and w[{{}, {1, count}}] or w, core.default_dtype(), name)
  if Kmax ~= nil then return w, ratios end
  return cn.reshape(w, -1), ratios and ratios:reshape({}) or nil
end

-- ---- by name ----

-- Words of SciPy; those whose window has parameters that must be given.
local WORDS = {
  barthann = "brthan bth", bartlett = "bart brt", blackman = "black blk", blackmanharris = "blackharr bkh",
  bohman = "bman bmn", boxcar = "box ones rect rectangular", chebwin = "cheb", cosine = "halfcosine", dpss = "",
  exponential = "poisson", flattop = "flat flt", gaussian = "gauss gss", general_cosine = "", general_gaussian =
  "general_gauss ggs", general_hamming = "", hamming = "hamm ham", hann = "han", kaiser = "ksr",
  kaiser_bessel_derived = "kbd", lanczos = "sinc", nuttall = "nutl nut", parzen = "parz par", taylor = "taylorwin",
  triang = "triangle tri", tukey = "tuk",
}
local NEEDS = {chebwin = 1, dpss = 1, gaussian = 1, general_cosine = 1, general_gaussian = 2, general_hamming = 1,
  kaiser = 1, kaiser_bessel_derived = 1}
local window_of = {}
for word, others in pairs(WORDS) do
  window_of[word] = word
  for other in others:gmatch "%S+" do window_of[other] = word end
end

local read_get_window = args.reader("signal.get_window", {"window", "Nx", "fftbins"}, 2)

--- The name and parameters of a window that was asked for.
local function asked_for(window, name)
  if type(window) == "number" then return "kaiser", {window} end
  local word, parameters = window, {}
  if type(window) == "table" and not core.is_array(window) then word, parameters = window[1], {unpack(window, 2)} end
  local found = type(word) == "string" and window_of[(word:gsub(" ", "_"))]
  if not found then
    fail("%s: unknown window %s; known are %s", name, check.show(word), args.names(WORDS))
  end
  if #parameters < (NEEDS[found] or 0) then
    fail("%s: the window %q takes parameters: {%q, %s}", name, word, word, NEEDS[found] == 1 and "x" or "x, y")
  end
  return found, parameters
end

--- A window by name. Follows scipy.signal.get_window.
---@param window string|number|table a name; a number: beta of a Kaiser window; with parameters: {"tukey", 0.25}
---@param Nx integer how many numbers
---@param fftbins boolean|nil true (default): one period, for spectra; false: symmetric
---@return cuna.Array
---@usage cn.signal.get_window("hann", 4):round(4) --> [0. 0.5 1. 0.5]
---@usage cn.signal.get_window({"kaiser", 0}, 3) --> [1. 1. 1.]
function G.get_window(...)
  local window, Nx, fftbins = read_get_window(...)
  local name = "signal.get_window"
  local found, parameters = asked_for(window, name)
  Nx = check.count(Nx, name, "Nx")
  local sym = not check.boolean(fftbins, true, name, "fftbins")
  parameters[#parameters + 1] = {sym = sym}
  return (F[found](Nx, unpack(parameters)))
end

F.get_window = G.get_window

return M
