--- Values of the rows of kernels/special_betainc.cuh.
require("spec.support.special").check_family "betainc"
