-- Written by sparse_incomplete.py.
return {side = 24, rtol = 1e-08, cases = {
  {drop_tol = 0.0001, fill_factor = 10, fill = 4.274784482758621, gmres = 3, bicgstab = 1},
  {drop_tol = 0.01, fill_factor = 10, fill = 3.0750718390804597, gmres = 6, bicgstab = 3},
  {drop_tol = 0.001, fill_factor = 3, fill = 2.09375, gmres = 24, bicgstab = 15},
  {drop_tol = 0.10000000000000001, fill_factor = 2, fill = 1.1217672413793103, gmres = 33, bicgstab = 16},
  {gmres = 101, bicgstab = 34},
}}
