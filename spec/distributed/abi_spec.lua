-- The tables of MPI's constants against the headers of implementations, where these are installed. Handles of Open MPI
-- are symbols, which the library itself is asked for.
local process = require "spec.support.process"

-- The folder of headers, the column, the header if it is not mpi.h, how many constants are compared.
local HEADERS = {
  {"/usr/lib/*/openmpi/include", 1, 5}, {"/usr/include/*/mpich", 2, 24},
  {os.getenv "MPI_ABI_INCLUDE" or "/usr/include/mpi_abi", 3, 24},
}

describe("the constants of MPI", function()
  for _, row in ipairs(HEADERS) do
    local header = io.popen("ls " .. row[1] .. "/mpi.h " .. row[1] .. "/mpi_abi.h 2>/dev/null"):read "*l"
    local run = header and function()
      local folder = process.folder()
      process.shell(("ln -s %s %s/mpi.h; ln -s $(dirname %s)/* %s/ 2>/dev/null"):format(header, folder, header, folder))
      local text, status = process.shell(("gcc -std=gnu11 -DCOLUMN=%d -Iruntime -I%s spec/support/mpi_rows.c "
        .. "-o %s/rows && %s/rows"):format(row[2], folder, folder, folder))
      process.remove(folder)
      assert.are.equal(row[3] .. " compared", (text:gsub("%s+$", "")))
      assert.are.equal(0, status, text)
    end
    if run then it("are those of " .. row[1], run) else pending("are those of " .. row[1]) end
  end
end)
