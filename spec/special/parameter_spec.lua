--- Values of the rows of kernels/special_parameter.cuh.
require("spec.support.special").check_family "parameter"
