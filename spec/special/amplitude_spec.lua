--- Values of the rows of kernels/special_incomplete_elliptic.cuh.
require("spec.support.special").check_family "amplitude"
