--- array/init.lua: the rooms of arrays over ranks, and what cn.distributed makes by them.
local later = require "cuna.base.later"
local make = require "cuna.distributed.array.make"

for _, room in ipairs {"object", "move", "fold", "norm", "running", "compare", "sort", "product", "fft", "show"} do
  require("cuna.distributed.array." .. room)
end

local checkpoints, draws, files = later.functions "distributed.array.checkpoint",
  later.functions "distributed.array.draw", later.functions "distributed.array.file"

return {array = make.array, from_block = make.from_block, full = make.full, default_rng = draws.default_rng,
  load = files.load, save = files.save,
  save_checkpoint = checkpoints.save, load_checkpoint = checkpoints.load}
