--- Arguments of cn.signal: devices, fused functions, long lines, bad input.
local cn = require "cuna"
local devices = require "spec.support.devices"
local raises = require("spec.support.raises").raises

devices.each_device(function()
  local signal = cn.signal

  --- The recurrence on the host.
  local function recur(b, a, x)
    local y, values = {}, x:totable()
    for n = 1, #values do
      local sum = 0
      for k = 1, #b do sum = sum + b[k] * (values[n + 1 - k] or 0) end
      for k = 2, #a do sum = sum - a[k] * (y[n + 1 - k] or 0) end
      y[n] = sum / a[1]
    end
    return cn.array(y)
  end

  it("filters long lines in parts, as whole", function()
    local x = cn.random.default_rng(3):standard_normal(20011)
    local b, a = signal.butter(3, 0.1)
    local y = signal.lfilter(b, a, x)
    assert.is_true(y:allclose(recur(b:totable(), a:totable(), x), 1e-9, 1e-11))
    local sos = signal.butter(6, {0.2, 0.4}, "bandpass", {output = "sos"})
    local whole = signal.sosfilt(sos, x)
    local zero = cn.zeros {6, 2}
    local first, state = signal.sosfilt(sos, x[{{1, 9000}}], {zi = zero})
    local last, final = signal.sosfilt(sos, x[{{9001, -1}}], {zi = state})
    assert.is_true(cn.concatenate {first, last}:allclose(whole, 1e-9, 1e-11))
    assert.is_true(final:allclose(select(2, signal.sosfilt(sos, x, {zi = zero})), 1e-9, 1e-11))
  end)

  it("filters long lines as whole where the filter's state grows", function()
    local x = cn.ones(10000)
    local y = signal.lfilter({1}, {1, -1.01}, x)
    assert.is_true(math.abs(y[2] - 2.01) < 1e-12)
    assert.is_true(y[10000] > 1e40)
    assert.is_true(signal.lfilter({1}, {1, -1}, cn.ones(9000)):array_equal(cn.arange(1, 9001)))
  end)

  it("keeps what follows a NaN apart from what precedes it", function()
    local x = cn.ones(16384)
    x[9001] = cn.nan
    local y = signal.lfilter({1}, {1, -0.5}, x)
    assert.is_true(cn.isfinite(y[{{1, 9000}}]):all())
    assert.is_true(cn.isnan(y[{{9001, -1}}]):all())
  end)

  it("computes where the signal is", function()
    local x = cn.random.default_rng(2):standard_normal(300)
    local function results()
      local b, a = signal.butter(2, 0.3)
      return {signal.convolve(x, x[{{1, 9}}]), signal.hilbert(x), signal.resample_poly(x, 3, 2),
        signal.savgol_filter(x, 7, 2), signal.detrend(x), (select(2, signal.welch(x, {nperseg = 64}))),
        (signal.find_peaks(x, {prominence = 1})), signal.lfilter({0.2, 0.1}, {1, -0.5}, x),
        b:to(x.device) and a:to(x.device)}
    end
    local expected = results()
    cn.device("cpu"):with(function()
      for k, result in ipairs(results()) do
        assert.equal(x.device, result.device, k)
        assert.is_true(result == expected[k], k)
      end
    end)
  end)

  it("is called in fused functions", function()
    local f = cn.fuse(function(x) return signal.detrend(x * 2) + signal.hilbert(x).real end)
    for seed = 1, 4 do
      local x = cn.random.default_rng(seed):random(50)
      assert.is_true(f(x):allclose(signal.detrend(x * 2) + x, 1e-9), seed)
    end
  end)

  it("says what is wrong", function()
    local x = cn.ones {4, 5}
    for text, call in pairs {
      ["signal.get_window: unknown window \"hat\"; known are barthann"] = function()
        return signal.get_window("hat", 4)
      end,
      ["signal.get_window: the window \"gaussian\" takes parameters: {\"gaussian\", x}"] = function()
        return signal.get_window("gaussian", 4)
      end,
      ["signal.windows.kaiser_bessel_derived: the window has an even number of points, got 5"] = function()
        return signal.windows.kaiser_bessel_derived(5, 2)
      end,
      ["signal.convolve: mode is \"full\", \"valid\" or \"same\", got \"all\""] = function()
        return signal.convolve({1}, {1}, "all")
      end,
      ["signal.convolve: both arrays have as many axes, got shapes (4, 5) and (2,)"] = function()
        return signal.convolve(x, {1, 2})
      end,
      ["signal.convolve: in mode \"valid\" one shape is at least the other along all axes, got (4, 5) and (5, 4)"] =
        function() return signal.convolve(x, cn.ones {5, 4}, "valid") end,
      ["signal.butter: a frequency is above 0 and below 1, got 1.5"] = function() return signal.butter(2, 1.5) end,
      ["signal.butter: a bandpass filter takes two frequencies, got 1"] = function()
        return signal.butter(2, 0.5, "bandpass")
      end,
      ["signal.butter: an order is from 0 to 500, got -1"] = function() return signal.butter(-1, 0.5) end,
      ["signal.iircomb: fs / w0 is at most 1000000, got 10000000"] = function()
        return signal.iircomb(1, 0.5, {fs = 1e7})
      end,
      ["signal.iirfilter: a filter of ftype \"cheby1\" takes rp"] = function()
        return signal.iirfilter(2, 0.5, {btype = "low", ftype = "cheby1"})
      end,
      ["signal.ellip: rp is above 0 and below rs, got 40 and 1 dB"] = function() return signal.ellip(3, 40, 1, 0.5) end,
      ["signal.firwin: an even number of taps passes nothing at fs / 2, got 4"] = function()
        return signal.firwin(4, 0.5, {pass_zero = false})
      end,
      ["signal.firwin: frequencies rise between 0 and fs / 2 = 1; number 2 is 0.2"] = function()
        return signal.firwin(5, {0.3, 0.2})
      end,
      ["signal.remez: bands rise between 0 and fs / 2 = 0.5; number 4 is 0.7"] = function()
        return signal.remez(5, {0, 0.1, 0.2, 0.7}, {1, 0})
      end,
      ["signal.zpk2sos: a complex number is without its conjugate"] = function()
        return signal.zpk2sos(cn.array {cn.complex(0, 1)}, {0.5}, 1)
      end,
      ["signal.lfilter: the first coefficient of a is 0"] = function() return signal.lfilter({1}, {0, 1}, x) end,
      ["signal.lfilter: zi has shape (4, 1), got (4, 2)"] = function()
        return signal.lfilter({1}, {1, 2}, x, {zi = cn.ones {4, 2}})
      end,
      ["signal.lfilter_zi: the filter does not settle: it has a pole at 1"] = function()
        return signal.lfilter_zi({1}, {1, -1})
      end,
      ["signal.sosfilt: sections have shape (n, 6), n from 1 on, got (4, 5)"] = function()
        return signal.sosfilt(x, x)
      end,
      ["signal.sosfilt: section 1 has 2 in column 4, which is 1"] = function()
        return signal.sosfilt({{1, 0, 0, 2, 0, 0}}, x)
      end,
      ["signal.filtfilt: an axis of length 5, and padlen is 6, which is less; give another padlen"] = function()
        return signal.filtfilt({1, 1}, {1, 0.5}, x)
      end,
      ["signal.welch: noverlap is below nperseg, 4, got 4"] = function()
        return signal.welch(x, {nperseg = 4, noverlap = 4})
      end,
      ["signal.welch: nfft is at least nperseg, 4, got 3"] = function()
        return signal.welch(x, {nperseg = 4, nfft = 3})
      end,
      ["signal.periodogram: detrend made shape () of segments of shape (4, 1, 5)"] = function()
        return signal.periodogram(x, {detrend = function() return 1 end})
      end,
      ["signal.windows.dpss: m is at most 16777216, got 9000000000000000"] = function()
        return signal.windows.dpss(9e15, 0.5)
      end,
      ["signal.savgol_filter: polyorder is below window_length, got 3 and 3"] = function()
        return signal.savgol_filter(x, 3, 3)
      end,
      ["signal.butter: Wn is missing"] = function() return signal.butter(4) end,
      ["signal.resample: num is from 1 on, got 0"] = function() return signal.resample(x, 0) end,
      ["signal.freqz: b is missing"] = function() return signal.freqz(nil, {1, 0.5}) end,
      ["signal.medfilt: kernel_size is odd, got 4"] = function() return signal.medfilt(x, 4) end,
      ["signal.find_peaks: x is a vector, got shape (4, 5)"] = function() return signal.find_peaks(x) end,
      ["signal.peak_widths: peaks are positions from 1 to 3"] = function()
        return signal.peak_widths({1, 2, 1}, {0})
      end,
      ["signal.hilbert: x is real, got complex128"] = function() return signal.hilbert(x:astype "complex128") end,
      ["signal.max_len_seq: length is at most 1073741824, got 2147483648"] = function()
        return signal.max_len_seq(3, nil, 2 ^ 31)
      end,
      ["signal.chirp: method is \"linear\", \"quadratic\", \"logarithmic\" or \"hyperbolic\", got \"odd\""] = function()
        return signal.chirp(x, 1, 1, 2, "odd")
      end,
    } do
      raises(text, function()
        local _ = call()
      end)
    end
  end)
end)
