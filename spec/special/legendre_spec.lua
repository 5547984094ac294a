--- Values of the rows of kernels/special_legendre.cuh and special_harmonics.cuh.
require("spec.support.special").check_family "legendre"
