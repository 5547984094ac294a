--- maps.lua: the colours of colour maps, as points between which colours are interpolated.
--
-- A point is its position in a table of 256 colours, from 0, and its colour. The points of maps that matplotlib has as
-- tables are fitted so that each colour is within 2 of 255 of matplotlib's (spec/golden/color_maps.py); the others are
-- its own points. viridis, magma, inferno, plasma (by Nathaniel Smith and Stefan van der Walt) and twilight are in the
-- public domain by CC0; cividis is by Nunez, Anderton and Renslow, turbo by Mikhailov (Apache 2.0), coolwarm by
-- Moreland; RdBu and tab10 are ColorBrewer's and Tableau's colours as matplotlib has them.
local M = {}

M.points = {
  viridis = "0:450155 33:482e7e 75:345e8e 139:1c9b8b 142:1c9d89 164:2ab27e 195:62cc5f 240:d6e317 251:f4e51c "
    .. "255:fde724",
  magma = "0:000002 19:0c0a27 42:2a125f 58:470e79 88:762182 91:7a2281 102:8c2981 106:922b7f 113:9e2d80 155:e14968 "
    .. "165:ec585e 173:f3655c 174:f56659 200:fe9766 203:fd9d6c 211:ffac73 255:fbfcbd",
  inferno = "0:000001 19:0c0a2a 41:300a5e 64:570d6f 72:63156e 75:68166e 78:6d186e 82:731a6d 83:751a6f 116:a92d5f "
    .. "137:c93d4b 168:ed6427 196:fb9504 207:fbaa0d 214:fbb71c 215:fcb91d 234:f3df50 248:f1f689 255:fcfea4",
  plasma = "0:0e0787 15:300496 22:3b049a 25:41039e 57:7400aa 79:930ea2 91:a31e99 93:a51f97 94:a92197 152:e16262 "
    .. "178:f1824c 204:fda534 234:fcd422 251:f2f127 255:eff821",
  cividis = "0:00224d 9:00285c 10:00295f 22:003172 26:0a3370 29:16366f 57:3d496b 61:404c6b 76:4f566c 77:50576a "
    .. "128:7c7b78 177:aca073 223:dcc85a 228:e2cd52 229:e3cd54 252:fde334 255:fde737",
  gray = "0:000000 255:ffffff",
  hot = "0:0b0000 93.095:ff0000 190.238:ffff00 255:ffffff",
  jet = "0:000080 28.05:0000ff 31.875:0000ff 86.7:00dbff 89.25:00e5f7 95.625:15ffe2 163.2:efff08 165.75:f7f600 "
    .. "168.3:ffec00 226.95:ff1300 232.05:e80000 255:800000",
  turbo = "0:31123d 15:3f3d9e 18:4145ab 24:4456c9 38:477af4 49:4296ff 62:2bb7f1 78:15dac7 90:20ebaa 106:53fb76 "
    .. "108:5efc6d 125:9cfe3e 138:bef432 151:dee036 168:fabf3b 189:fe8825 190:fb8323 191:fd7e20 215:e23e07 "
    .. "240:ab1400 244:9d1001 253:810601 255:7a0402",
  coolwarm = "0:394cc2 40:6c8ff3 61:89acfd 80:a3c2ff 114:cedbed 136:e6d9d1 168:f8bb9f 202:f0896a 205:ed8365 "
    .. "228:d95645 232:d34d40 244:c43132 252:b81329 255:b30326",
  RdBu = "0:67001e 26:b2182b 45:ce4f43 76:f3a380 102:fcdac6 127:f7f7f6 156:cbe2ee 185:7fbad7 204:4292c2 "
    .. "210:3b88bd 230:2064aa 255:053060",
  twilight = "0:e3dae4 13:cbd3d6 36:88adc3 52:6a8ebf 53:698cbf 72:5e62b5 77:5e57b0 90:5d369d 105:501773 118:391047 "
    .. "128:2d1134 146:501345 166:862351 190:b2524f 208:c37e62 227:cead93 230:d0b39f 235:d4beb0 240:d9c9c3 "
    .. "252:e1d9e0 255:e1d8e1",
}

--- Colours of a map that has no others between them.
M.lists = {
  tab10 = "1f77b4 ff7f0e 2ca02c d62728 9467bd 8c564b e377c2 7f7f7f bcbd22 17becf",
}

return M
