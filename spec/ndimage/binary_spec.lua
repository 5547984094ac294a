--- Morphology of binary images in cn.ndimage.
local cn = require "cuna"
local devices = require "spec.support.devices"

require("spec.support.ndimage").check_group "binary"

devices.each_device(function()
  it("great numbers of iterations end where nothing changes, or pairs of them do not", function()
    local dilation = cn.ndimage.binary_dilation
    local image = cn.array {{false, true, false, true, false, false}}
    assert.is_true(dilation(image, {iterations = 2 ^ 53}):all())
    local odd, apart = cn.array {{true, false, true, false, true, false}}, {{true, false, true}}
    assert.is_true(dilation(odd, apart, 2 ^ 53 - 2) == odd)
    assert.is_true(dilation(odd, apart, 2 ^ 53 - 1) == odd:logical_not())
    assert.is_true(dilation(odd, apart, 101) == odd:logical_not())
  end)
end)
