-- A first walk through cuna: making arrays, arithmetic, elements, sums, functions.
--
--   make run SCRIPT=examples/basics.lua
local cn = require "cuna"

local function show(title, value)
  print(title)
  print(value)
  print()
end

-- Arrays come from tables or from functions; Lua numbers make float64 unless a dtype is given.
local x = cn.array { 1, 2, 3, 4 }
local y = cn.array { 10, 20, 30, 40 }
show("x", x)
show("zeros, 2 by 3, float32", cn.zeros({ 2, 3 }, "float32"))
show("ones", cn.ones(3))
show("identity(3)", cn.identity(3))
show("arange(0, 1, 0.25)", cn.arange(0, 1, 0.25))

-- Operators work element by element; a number may stand on either side.
show("x + 10", x + 10)
show("10 * x", 10 * x)
show("x + y", x + y)
show("x - y", x - y)
show("x * y", x * y)
show("x / y", x / y)

-- Positions count from 1, -1 is the last, ranges include both ends, and a range is a view.
show("x[2], a Lua number", x[2])
show("x[-1]", x[-1])
show('x["2:3"]', x["2:3"])
x[2] = 20
show("x after x[2] = 20", x)

-- Two dimensions: axes count from 1 too. axis 1 runs down the rows, so its sum has one entry per column.
local m = cn.arange(6):reshape(2, 3)
show("m = arange(6):reshape(2, 3)", m)
show("m.T", m.T)
show("m:sum()", m:sum())
show("m:sum { axis = 1 }", m:sum { axis = 1 })
show("m:sum { axis = 2 }", m:sum { axis = 2 })

-- Functions of each element, and a condition without == (which gives one boolean in Lua).
local angles = cn.linspace(0, cn.pi, 5)
show("cos", cn.cos(angles))
show("sin", cn.sin(angles))
show("sqrt", cn.sqrt(y))
show("where x > 3, x, else 0", cn.where(x:gt(3), x, 0))

-- The dot product of two vectors is a sum of products; item() fetches it as a Lua number.
local dot = (x * y):sum():item()
print("x . y = " .. dot)
assert(dot == 1 * 10 + 20 * 20 + 3 * 30 + 4 * 40)
