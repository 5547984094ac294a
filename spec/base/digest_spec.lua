-- runtime/base/digest.h from plain C.
local process = require "spec.support.process"

describe("digests", function()
  it("are libmd's, by the processor's instructions or without", function()
    local folder = process.folder()
    local text, status = process.shell(("cc -std=gnu11 -O1 -Wall -Wextra -Werror -Iruntime -I. -o %s/test "
      .. "spec/support/digest_test.c runtime/base/digest.c -lmd && %s/test"):format(folder, folder))
    process.remove(folder)
    assert.same({"", 0}, {text, status})
  end)
end)
