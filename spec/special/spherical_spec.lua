--- Values of the rows of kernels/special_spherical.cuh and special_wright.cuh.
require("spec.support.special").check_family "spherical"
