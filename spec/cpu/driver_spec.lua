local process = require "spec.support.process"

describe("the seam and the public header, from plain C", function()
  it("hold what their headers say", function()
    local folder = process.folder()
    local text, status = process.shell(("cc -std=gnu11 -g -Wall -Wextra -Werror %s -Iruntime -I. -o %s/seam_test "
      .. "spec/support/seam_test.c %s -l:libmd.a -l:libz.a -ldl -lpthread -lm")
      :format(process.sanitizers(), folder, process.objects "runtime"))
    assert(status == 0, text)
    text, status = process.capture("CUNA_CACHE_DIR=off " .. folder .. "/seam_test")
    process.remove(folder)
    assert.same({ "", 0 }, { text, status })
  end)
end)
