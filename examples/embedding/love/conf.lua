-- conf.lua: this example draws nothing, so that it runs without a screen.
-- luacheck: globals love
function love.conf(t)
  t.window = false
  for _, name in ipairs {"audio", "graphics", "joystick", "sound", "touch", "video", "window"} do
    t.modules[name] = false
  end
end
