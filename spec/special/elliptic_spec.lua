--- Values of the rows of kernels/special_elliptic.cuh.
require("spec.support.special").check_family "elliptic"
