--- Values of the rows of kernels/special_bessel.cuh.
require("spec.support.special").check_family "bessel"
