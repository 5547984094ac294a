--- Morphology of binary images in cn.ndimage.
require("spec.support.ndimage").check_group "binary"
