--- Values of the rows of kernels/special_lambert.cuh.
require("spec.support.special").check_family "lambert"
