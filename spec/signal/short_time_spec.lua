--- ShortTimeFFT of cn.signal.
local cn = require "cuna"
local devices = require "spec.support.devices"
local golden = require "spec.support.golden"
local raises = require("spec.support.raises").raises
local it = devices.rehearsed_it()

local written = dofile "spec/golden/signals_newer.lua"

devices.each_device(function()
  local signal = cn.signal

  local function made(case)
    local win, is_dual = case.win, case.is_dual
    if case.win_im then win = cn.array(win) + cn.scalar(2i) / 2 * cn.array(case.win_im) end
    return signal.ShortTimeFFT(not is_dual and win or nil, case.hop, case.fs, {fft_mode = case.fft_mode,
      mfft = case.mfft, scale_to = case.scale_to, phase_shift = case.phase_shift, dual_win = is_dual and win or nil})
  end

  describe("ShortTimeFFT", function()
    for number, case in ipairs(written.short_times) do
      local function same(place, result, what) golden.same(written.pool[place], result, what, 1e-9) end

      it(("%d: %d numbers, hop %d, %s: has SciPy's facts"):format(number, #case.win, case.hop, case.fft_mode or "-"),
        function()
          local s, n = made(case), case.n
          local k, p = s:lower_border_end()
          local facts = {s.p_min, s.k_min, s:p_max(n), s:k_max(n), s:p_num(n), k, p, s:upper_border_begin(n)}
          assert.same(case.facts, facts)
          for i, value in ipairs {s.fac_magnitude, s.fac_psd, s.delta_f, s.delta_t} do
            assert.is_true(math.abs(value - case.factors[i]) <= 1e-12 * value)
          end
          same(case.f, s.f, "f")
          same(case.t, s:t(n), "t")
          assert.equal(case.dual_win ~= nil, s.invertible)
          if case.dual_win then same(case.dual_win, s.dual_win, "dual_win") end
          if case.extent then
            assert.is_true(cn.allclose(cn.array {s:extent(n, "ft", true)}, cn.array(case.extent)))
          end
        end)

      it(("%d: transforms, and back"):format(number), function()
        local s, x = made(case), golden.array(written.pool[case.x])
        local z = s:stft(x, {padding = case.padding})
        same(case.stft, z, "stft")
        same(case.spectrogram, s:spectrogram(x.T, {detr = "linear", axis = 1}), "spectrogram")
        if case.istft then same(case.istft, s:istft(z, 2, case.n - 1), "istft") end
      end)
    end

    it("takes windows by name, parts of slices, other axes and dtypes", function()
      local s = signal.ShortTimeFFT("hann", 4, 10, {nperseg = 8, symmetric_win = true})
      assert.is_true(s.win:allclose(signal.get_window("hann", 8, false)))
      local x = cn.arange(3 * 40, {dtype = "float32"}):reshape(3, 40)
      local z = s:stft(x)
      assert.is_true(z.dtype == "complex64" and z:has_shape(3, 5, s:p_num(40)))
      assert.is_true(s:stft(x, 2, 4):allclose(z["..., " .. 3 - s.p_min .. ":" .. 5 - s.p_min]))
      assert.is_true(s:stft(x.T, {axis = 1}):allclose(cn.moveaxis(z, 1, 2)))
      assert.is_true(s:istft(z, {k1 = 40}):allclose(x, 1e-4, 1e-3))
      assert.is_true(s:istft(cn.moveaxis(z, 1, 3), {f_axis = 1, t_axis = 2, k1 = 40}).T:allclose(x, 1e-4, 1e-3))
      assert.is_true(s:spectrogram(x, x + 1):allclose(z * s:stft(x + 1):conj(), 1e-4, 1e-2))
      local p0, p1 = s:p_range(40, 1)
      assert.is_true(p0 == 1 and p1 == s:p_max(40) and s:nearest_k_p(7) == 5 and s:nearest_k_p(7, false) == 9)
      assert.equal("ShortTimeFFT(window of 8, hop 4, fs 10, onesided)", tostring(s))
      local own = signal.ShortTimeFFT({1, 2, 1}, 1, 1, {dual_win = {0, 0.5, 0}})
      assert.is_true(own:istft(own:stft {1, 2, 3, 4}, 1, 4):allclose {1, 2, 3, 4})
    end)
  end)

  it("ShortTimeFFT rejects what does not fit", function()
    local name = "signal.ShortTimeFFT"
    local s = signal.ShortTimeFFT({1, 2, 1, 0}, 2, 1)
    local function refused(text, ...)
      local values, count = {...}, select("#", ...)
      raises(text, function() return signal.ShortTimeFFT(unpack(values, 1, count)), 1 end)
    end
    refused(name .. ": hop is from 1 on, got 0", {1, 2}, 0, 1)
    refused(name .. ": fs is above 0, got -1", {1, 2}, 1, -1)
    refused(name .. ": win has finite numbers, number 2 is inf", {1, math.huge}, 1, 1)
    refused(name .. ": win has a number other than 0", {0, 0}, 1, 1)
    refused(name .. ": a window that is named takes nperseg", "hann", 1, 1)
    refused(name .. ": nperseg is for windows that are named", {1, 2}, 1, 1, {nperseg = 2})
    refused(name .. ": mfft is at least the window's length, 2, got 1", {1, 2}, 1, 1, {mfft = 1})
    refused(name .. ": fft_mode is \"onesided\", \"onesided2X\", \"twosided\" or \"centered\", got \"both\"", {1, 2}, 1,
      1, "both")
    refused(name .. ": fft_mode \"onesided2X\" takes scale_to", {1, 2}, 1, 1, "onesided2X")
    refused(name .. ": phase_shift is below mfft = 2 in size, got 2", {1, 2}, 1, 1, {phase_shift = 2})
    refused(name .. ": the window's sum is 0, which cannot be scaled", {1, -1}, 1, 1, {scale_to = "magnitude"})
    refused(name .. ": win is numbers or the name of a window", nil, 1, 1)
    refused(name .. ": the window is complex, and fft_mode is \"onesided\"", {1, cn.complex(0, 1)}, 1, 1)
    refused(name .. ": slices of a dual window of 2 that go on by 3 have no window", nil, 3, 1, {dual_win = {1, 2}})
    refused(name .. ": dual_win has 3 numbers, and win 2", {1, 2}, 1, 1, {dual_win = {1, 2, 3}})
    raises("ShortTimeFFT.stft: a signal has at least half of the window's samples, 2, got 1", function()
      return s:stft {1}, 1
    end)
    raises("ShortTimeFFT.stft: x is complex, and fft_mode is \"onesided\"", function()
      return s:stft(cn.ones(9, "complex64")), 1
    end)
    raises("ShortTimeFFT.stft: slices of 9 samples are from 0 to 5, got p0 = 3 and p1 = 2", function()
      return s:stft(cn.ones(9), 3, 2), 1
    end)
    raises("ShortTimeFFT.stft: padding is", function() return s:stft(cn.ones(9), {padding = "wrap"}), 1 end)
    raises("ShortTimeFFT.stft: no sample lies within the slices", function()
      return s:stft(cn.ones(9), {k_offset = 100}), 1
    end)
    raises("ShortTimeFFT.istft: 3 frequencies along axis 1, got 2", function() return s:istft(cn.ones {2, 9}), 1 end)
    raises("ShortTimeFFT.istft: at least", function() return s:istft(cn.ones {3, 1}), 1 end)
    raises("ShortTimeFFT.istft: 9 slices have samples from", function()
      return s:istft(cn.ones {3, 9}, {k1 = 100}), 1
    end)
    raises("ShortTimeFFT.istft: slices of a window of 2 that go on by 3 cannot be inverted", function()
      return signal.ShortTimeFFT({1, 1}, 3, 1):istft(cn.ones {2, 3}), 1
    end)
    raises("ShortTimeFFT.extent: frequencies of fft_mode \"twosided\" do not rise", function()
      return signal.ShortTimeFFT({1, 1}, 1, 1, "twosided"):extent(9), 1
    end)
    raises("'fs' of a short-time transform cannot be set", function() s.fs = 3 end)
    raises("a short-time transform has no method 'stftt'; did you mean 'stft'?", function() return s.stftt, 1 end)
  end)
end)
