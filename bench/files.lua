-- Workloads of files, as subjects.lua describes. Their twins are in files_peers.py. The files are in $TMPDIR, else
-- /tmp, and were just written, so they are read from the page cache, not from a disk; a folder in memory
-- (TMPDIR=/dev/shm) also excludes the disk from writing. Saved files are new ones: when a file is replaced, ext4
-- immediately writes the new one to the disk, so that a crash leaves one of the two. Compressed files and text count
-- with the bytes of their arrays.
local cn = require "cuna"
local common = dofile((arg[0]:match("^.*/") or "") .. "common.lua")

--- A file that does not exist yet; it is removed with the object.
local function new_file(suffix)
  local name = common.lines_of("mktemp")[1]
  local file = newproxy(true)
  local meta = getmetatable(file)
  local fields = { path = name .. suffix }
  function fields.free()
    os.remove(name)
    os.remove(fields.path)
  end
  meta.__index, meta.__gc = fields, fields.free
  return file
end

local function new_files(suffix)
  return function() return new_file(suffix) end
end

--- Creates files with write(path, x), where x is the array that make() returns.
local function written_files(suffix, make, write)
  return function()
    local file, x = new_file(suffix), make()
    write(file.path, x)
    x:free()
    return file
  end
end

return function(spread, length)
  local n, compressed, numbers = length(1e8), length(1e7), length(1e6)

  local function large() return spread(n) end
  local function middle() return spread(compressed) end
  local function few() return spread(numbers, "float64") end
  local function write_text(path, x) x:tofile(path, ",") end

  local makers = {
    fx = large, fz = middle, ft = few,
    new_npy = new_files ".npy", new_npz = new_files ".npz", new_text = new_files ".txt",
    npy = written_files(".npy", large, cn.save),
    npz = written_files(".npz", middle, function(path, x) cn.savez_compressed(path, { x = x }) end),
    text = written_files(".txt", few, write_text),
  }

  return makers, {
    { "save_f32_1e8", 4 * n, 4 * n, "fx new_npy", function(x, file)
      os.remove(file.path)
      cn.save(file.path, x)
    end },
    { "load_f32_1e8", 4 * n, 4 * n, "npy", function(file) return cn.load(file.path) end },
    { "load_map_f32_1e8", 0, 0, "npy", function(file) return cn.load(file.path, "r") end },
    { "load_map_sum_f32_1e8", 4 * n, 0, "npy", function(file) return cn.load(file.path, "r"):sum() end },
    { "savez_compressed_f32_1e7", 4 * compressed, 0, "fz new_npz", function(x, file)
      cn.savez_compressed(file.path, { x = x })
    end },
    { "load_compressed_f32_1e7", 0, 4 * compressed, "npz", function(file) return cn.load(file.path).x end },
    { "tofile_text_f64_1e6", 8 * numbers, 0, "ft new_text", function(x, file) write_text(file.path, x) end },
    { "fromfile_text_f64_1e6", 0, 8 * numbers, "text", function(file)
      return cn.fromfile(file.path, { sep = "," })
    end },
  }
end
