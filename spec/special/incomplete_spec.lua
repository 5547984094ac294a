--- Values of the rows of kernels/special_incomplete.cuh.
require("spec.support.special").check_family "incomplete"
