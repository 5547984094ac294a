--- Values of the rows of kernels/special_orthogonal.cuh.
require("spec.support.special").check_family "orthogonal"
