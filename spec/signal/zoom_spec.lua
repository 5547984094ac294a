--- Transforms at other frequencies and wavelets, of cn.signal.
require("spec.support.signal").check_group "zoom"
