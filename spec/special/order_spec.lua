--- Values of the rows of kernels/special_order.cuh and special_order_ik.cuh.
require("spec.support.special").check_family "order"
