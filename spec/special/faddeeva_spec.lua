--- Values of the rows of kernels/special_faddeeva.cuh, special_wofz.cuh and special_powers.cuh.
require("spec.support.special").check_family "faddeeva"
