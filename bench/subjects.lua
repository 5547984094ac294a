-- Workloads in separate files: each returns, from (spread, length), the makers of its inputs and its rows {name,
-- bytes read, bytes written, inputs, function of the inputs}. Their twins are listed in subject_peers.py.
local SUBJECTS = { "fft", "files", "gather", "interpolate", "linalg", "ndimage", "nets", "products", "programs",
  "quantile", "random", "shapes", "signal", "sort", "sparse", "special", "statistics", "stats", "sums" }

--- Adds the rows of a file that are wanted and the makers of their inputs. The others become garbage, since every
--- collection marks all live objects, which would affect the figures.
local function add(makers, rows, own_makers, own_rows, is_wanted)
  for _, row in ipairs(own_rows) do
    if is_wanted(row[1]) then
      rows[#rows + 1] = row
      for name in row[4]:gmatch "%S+" do makers[name] = makers[name] or own_makers[name] end
    end
  end
end

return function(folder, spread, length, is_wanted, only)
  local makers, rows, owners = {}, {}, {}
  local common = dofile(folder .. "common.lua")
  for _, subject in ipairs(SUBJECTS) do
    local own_makers, own_rows = common.workloads(folder .. subject .. ".lua", only)(spread, length)
    for name in pairs(own_makers) do
      assert(not owners[name], "two subjects have an input named " .. name)
      owners[name] = subject
    end
    add(makers, rows, own_makers, own_rows, is_wanted)
  end
  return makers, rows
end
