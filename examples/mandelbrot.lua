-- The Mandelbrot set in colour: a kernel of one element counts steps, operators make colours of the counts.
--
--   build/cuna examples/mandelbrot.lua                    -- 480 points wide; prints what it found
--   build/cuna examples/mandelbrot.lua 960 set.png        -- width; writes a picture
local cn = require "cuna"

local width = tonumber(arg[1] or 480)
if not width or width < 1 or width % 1 ~= 0 then
  error("usage: build/cuna examples/mandelbrot.lua [width [file.png]]", 0)
end
local height = math.ceil(width * 5 / 8)
local STEPS = 400

-- From the point c = x + iy on: z becomes z^2 + c until |z| > 16. The fraction makes the colours continuous.
local escape = cn.ElementwiseKernel("float64 x, float64 y, int32 most", "float64 steps", [[
  double a = 0, b = 0;
  int k = 0;
  for (; k < most && a * a + b * b <= 256; k++) {
    double t = a * a - b * b + x;
    b = 2 * a * b + y;
    a = t;
  }
  steps = k == most ? -1 : k + 1 - log2(log2(a * a + b * b) / 2)]], "escape")

local x = cn.linspace(-2.05, 0.75, width)
local y = cn.linspace(0.875, -0.875, height):reshape(-1, 1)
local steps = escape(x, y, STEPS)
local inside = steps:lt(0)

--- (height, width, 3): three waves of the logarithm of the steps, one for each colour; black inside.
local function coloured()
  local t = cn.log(steps:maximum(1)):reshape(height, width, 1)
  local wave = 0.5 - 0.5 * cn.cos(1.9 * t + cn.array {0.1, 0.55, 1.1})
  return (wave * 255 * inside:logical_not():reshape(height, width, 1)):rint():astype "uint8"
end

print(("%d x %d points on %s, %d of them in the set (area %.3f)"):format(width, height, steps.device.name,
  inside:sum():item(), inside:mean():item() * 2.8 * 1.75))
if arg[2] then cn.imsave(arg[2], coloured()) end
