--- Convolutions and correlations of cn.signal.
require("spec.support.signal").check_group "convolution"
