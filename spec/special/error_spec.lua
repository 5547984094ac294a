--- Values of the rows of kernels/special_error.cuh.
require("spec.support.special").check_family "error"
