--- Values of the rows of kernels/special_airy.cuh and special_hankel.cuh.
require("spec.support.special").check_family "airy"
