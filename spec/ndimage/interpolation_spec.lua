--- Interpolation of images in cn.ndimage.
require("spec.support.ndimage").check_group "spline"
