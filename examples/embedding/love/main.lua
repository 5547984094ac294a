-- main.lua: cuna writes the pixels of a LÖVE image, in LÖVE's own memory.
--
--     love examples/embedding/love
--
-- An ImageData is shared, not copied: cuna's array is its memory. It must live as long as the array does. A program
-- that shows the image calls image:replacePixels(data) after cn.synchronize().
-- luacheck: globals love
local cn = require "cuna"

local WIDTH, HEIGHT = 64, 32

function love.load()
  local data = love.image.newImageData(WIDTH, HEIGHT)
  local bytes = cn.frombuffer(data:getFFIPointer(), "uint8", data:getSize(), 0, false)
  local pixels = bytes:reshape(HEIGHT, WIDTH, 4) -- red, green, blue, alpha

  pixels["..., 1"] = cn.arange(WIDTH) * 4
  pixels["..., 2"] = cn.arange(HEIGHT):reshape(HEIGHT, 1) * 8
  pixels["..., 4"] = 255
  cn.synchronize() -- before LÖVE reads the memory

  local red, green, blue, alpha = data:getPixel(WIDTH - 1, HEIGHT - 1)
  print(("%d %d %d %d"):format(red * 255, green * 255, blue * 255, alpha * 255))
  love.event.quit()
end
