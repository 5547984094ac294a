--- Filters of cn.ndimage by order: least, greatest and ranked values, morphology of gray images.
require("spec.support.ndimage").check_group "order"
