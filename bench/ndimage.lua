-- Workloads of images, as subjects.lua describes. Their twins are in ndimage_peers.py.
local cn = require "cuna"

return function(spread, length)
  local side = length(4096)
  local nbytes = 4 * side * side

  local makers = {
    picture = function() return spread { side, side } end,
    spots = function() return (spread { side, side } * 1e4 % 1):lt(0.55) end,
  }

  return makers, {
    { "ndimage_gaussian_f32_4096", nbytes, nbytes, "picture", function(x) return cn.ndimage.gaussian_filter(x, 2) end },
    { "ndimage_uniform5_f32_4096", nbytes, nbytes, "picture", function(x) return cn.ndimage.uniform_filter(x, 5) end },
    { "ndimage_sobel_f32_4096", nbytes, nbytes, "picture", function(x) return cn.ndimage.sobel(x) end },
    { "ndimage_median5_f32_4096", nbytes, nbytes, "picture", function(x) return cn.ndimage.median_filter(x, 5) end },
    { "ndimage_maximum15_f32_4096", nbytes, nbytes, "picture",
      function(x) return cn.ndimage.maximum_filter(x, 15) end },
    { "ndimage_rotate_f32_4096", nbytes, nbytes, "picture",
      function(x) return cn.ndimage.rotate(x, 30, { order = 1, reshape = false }) end },
    { "ndimage_zoom3_f32_4096", nbytes / 4, nbytes, "picture",
      function(x) return cn.ndimage.zoom(x["::2, ::2"], 2) end },
    { "ndimage_label_4096", nbytes / 4, nbytes, "spots", function(x) return (cn.ndimage.label(x)) end },
    { "ndimage_edt_4096", nbytes / 4, 2 * nbytes, "spots",
      function(x) return cn.ndimage.distance_transform_edt(x) end },
    { "ndimage_erosion_4096", nbytes / 4, nbytes / 4, "spots", function(x) return cn.ndimage.binary_erosion(x) end },
  }
end
