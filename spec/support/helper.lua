-- Runs once before all spec files: what it loads stays loaded, though busted restores package.loaded for each file.
math.randomseed(tonumber(os.getenv("CUNA_SEED")) or 1)
require "cuna.luassert"
