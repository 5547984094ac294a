--- tree.lua: tables in tables, by one key after another: plans and programs are found by what their arguments are.
local M = {}

--- The table below a node at a key; made when it is not there.
function M.branch(node, key)
  local next_node = node[key]
  if not next_node then
    next_node = {}
    node[key] = next_node
  end
  return next_node
end

return M
