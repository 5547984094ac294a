--- Values of the rows of kernels/special_logistic.cuh.
require("spec.support.special").check_family "logistic"
