-- The spectrogram of a melody as a picture: time from left to right, frequencies from the bottom up.
--
--   build/cuna examples/spectrogram.lua [picture.png]
local cn = require "cuna"

local path = arg[1]
local rate, length = 8000, 0.25 -- samples a second, seconds of a note

-- ---- the melody ----

local NOTES = { C = 261.63, D = 293.66, E = 329.63, F = 349.23, G = 392, A = 440, B = 493.88, c = 523.25 }
local TUNE = "CCGGAAG FFEEDDC "

--- A note with two overtones that fades; a blank is silence.
local function note(name)
  local t = cn.arange(rate * length) / rate
  local frequency = NOTES[name]
  if not frequency then return t * 0 end
  local sound = t * 0
  for overtone = 1, 3 do sound = sound + cn.sin(t * (2 * math.pi * frequency * overtone)) / overtone end
  return sound * cn.exp(t * -6) * cn.signal.windows.tukey(t.size, 0.1)
end

local notes = {}
for name in TUNE:gmatch "." do notes[#notes + 1] = note(name) end
local melody = cn.concatenate(notes)
print(("%d samples, %.1f s"):format(melody.size, melody.size / rate))

-- ---- its spectra ----

local f, t, S = cn.signal.spectrogram(melody, rate, { window = "hann", nperseg = 512, noverlap = 384 })
print(("%d frequencies up to %.0f Hz, %d times"):format(f.size, f[-1], t.size))

-- What is played: the frequency with the greatest density in the middle of each note.
local step = t[2] - t[1]
local heard = {}
for k = 1, #TUNE do
  local at = math.floor(((k - 0.5) * length - t[1]) / step) + 1
  local column = S[{ {}, at }]
  local best, name = f[column:argmax():item()], " "
  if column:max():item() > 1e-6 then
    for candidate, frequency in pairs(NOTES) do
      if name == " " or math.abs(frequency - best) < math.abs(NOTES[name] - best) then name = candidate end
    end
  end
  heard[k] = name
end
print("played: " .. TUNE)
print("heard:  " .. table.concat(heard))

-- ---- the picture ----

-- Up to 2000 Hz, from -60 dB (dark) to 0 dB (light) of the greatest density.
local shown = S[{ { 1, math.floor(2000 / f[2]) + 1 } }]
local decibels = cn.log10(cn.maximum(shown / shown:max(), 1e-6)) * 10
local rows, columns = unpack(decibels.shape)
if path then
  cn.imsave(path, cn.flipud(decibels), {cmap = "magma", vmin = -60, vmax = 0})
  print(("%s: %d x %d"):format(path, columns, rows))
end
