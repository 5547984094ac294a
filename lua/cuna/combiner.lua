--- combiner.lua: the text of a function of two values: an old one and an element. It is a part of the kernel that
-- calls it; loops call it by its address, so that those of all operations of a dtype are one (tools/loops.lua).
local M = {}

local COMBINER = [[CUNA_COMBINER([](value_of<%s>::type old, value_of<%s>::type element) {
    typedef %s D; typedef value_of<D>::type R; typedef %s E; typedef value_of<E>::type T;
    const T a = old;
    const auto b = element;
    return convert<D>(%s);
})]]

--- The function for kernel text's types of the result, the old value and the element.
function M.text(D, E, S, expr) return COMBINER:format(E, S, D, E, expr) end

return M
