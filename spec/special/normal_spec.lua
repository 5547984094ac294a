--- Values of the rows of kernels/special_normal.cuh and special_degrees.cuh.
require("spec.support.special").check_family "normal"
