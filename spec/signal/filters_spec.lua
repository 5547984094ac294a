--- Filters of cn.signal.
require("spec.support.signal").check_group "filters"
