--- Values of the rows of kernels/special_noncentral.cuh and special_noncentral_ratio.cuh.
require("spec.support.special").check_family "noncentral"
