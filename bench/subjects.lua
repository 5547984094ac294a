-- Workloads in files of their own: each answers, from (spread, length), the makers of its inputs and its rows {name,
-- bytes read, bytes written, inputs, function of the inputs}. Their twins are listed in subject_peers.py.
local SUBJECTS = { "fft", "files", "gather", "linalg", "products", "programs", "quantile", "random", "shapes", "sort",
  "statistics", "sums" }

return function(folder, spread, length)
  local makers, rows = {}, {}
  for _, subject in ipairs(SUBJECTS) do
    local own_makers, own_rows = dofile(folder .. subject .. ".lua")(spread, length)
    for name, make in pairs(own_makers) do
      assert(not makers[name], "two subjects have an input named " .. name)
      makers[name] = make
    end
    for _, row in ipairs(own_rows) do rows[#rows + 1] = row end
  end
  return makers, rows
end
