--- Values of the rows of kernels/special_hypergeometric.cuh, special_carlson.cuh and special_kolmogorov.cuh.
require("spec.support.special").check_family "hypergeometric"
