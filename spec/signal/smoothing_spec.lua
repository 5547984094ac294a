--- Smoothing filters of cn.signal.
require("spec.support.signal").check_group "smoothing"
