--- Signals at other rates, of cn.signal.
require("spec.support.signal").check_group "resampling"
