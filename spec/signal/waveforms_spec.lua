--- Waveforms of cn.signal.
require("spec.support.signal").check_group "waveforms"
