--- Linear filters of cn.ndimage.
require("spec.support.ndimage").check_group "linear"
