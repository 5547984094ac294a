--- Values of the rows of kernels/special_gamma.cuh.
require("spec.support.special").check_family "gamma"
