std = "luajit"
max_line_length = 120
files["spec"] = { std = "luajit+busted" }
files[".busted"] = { std = "luajit" }
exclude_files = { "spec/golden" }
