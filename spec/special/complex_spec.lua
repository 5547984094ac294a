--- Values of the rows of kernels/special_complex.cuh.
require("spec.support.special").check_family "complex"
