--- Values of the rows of kernels/special_integral.cuh.
require("spec.support.special").check_family "integral"
