--- zip.lua: zip archives: reads the directory of members, and writes the records around new members.
--
-- An archive ends with a directory of its members, which is found from the end of the file. Sizes and offsets beyond 32
-- bits are in 64-bit fields (zip64). The directory is checked against the file before it is used. Names are keys only,
-- and never become paths. Follows PKWARE's APPNOTE.
--
-- Compression and checksums are zlib's (runtime/work/file_part.c), which does not read archives. A library that does
-- (libzip, minizip) would be one more dependency, for a few kinds of records, and would copy elements through buffers,
-- which here are read directly into arrays.
local check = require "cuna.base.check"

local M = {}

local fail = check.fail

local LOCAL, CENTRAL, END, END64, LOCATOR64 = "PK\3\4", "PK\1\2", "PK\5\6", "PK\6\6", "PK\6\7"
local FULL16, FULL32 = 0xffff, 0xffffffff
local MAX_DIRECTORY = 2 ^ 28
local ENCRYPTED, UTF8 = 0x1, 0x800
local STORED, DEFLATED = 0, 8
local DEFLATE_RATIO = 1032 -- maximum compression ratio of deflate
local FIRST_DAY = 33       -- 1980-01-01, the date of all members, so that equal arrays make equal files

local function refuse(file, format, ...) fail("%s: " .. format, file:label(), ...) end

-- ---- numbers ----

local function u16(text, at)
  local a, b = text:byte(at, at + 1)
  return a + b * 256
end

local function u32(text, at) return u16(text, at) + u16(text, at + 2) * 65536 end

--- Not exact beyond 2^53, but then larger than any file.
local function u64(text, at) return u32(text, at) + u32(text, at + 4) * 2 ^ 32 end

local function put16(n) return string.char(n % 256, math.floor(n / 256) % 256) end

local function put32(n) return put16(n % 65536) .. put16(math.floor(n / 65536)) end

local function put64(n) return put32(n % 2 ^ 32) .. put32(math.floor(n / 2 ^ 32)) end

-- ---- reading ----

local function read_at(file, place, nbytes)
  file:seek(place)
  local text = file:read(nbytes)
  if #text < nbytes then refuse(file, "the archive is cut off") end
  return text
end

--- The end record, whose comment must extend to the end of the file.
local function find_end(file, size)
  local length = math.min(size, 22 + FULL16)
  local tail = read_at(file, size - length, length)
  for at = length - 21, 1, -1 do
    if tail:sub(at, at + 3) == END and at + 21 + u16(tail, at + 20) == length then
      return tail:sub(at, at + 21), size - length + at - 1
    end
  end
  refuse(file, "no zip archive, or one that is cut off")
end

--- Number of members, size and offset of the directory, and the offset of the records after it.
local function read_end(file, size)
  local record, place = find_end(file, size)
  local disks, count, nbytes, offset = u32(record, 5), u16(record, 11), u32(record, 13), u32(record, 17)
  local locator = place >= 20 and read_at(file, place - 20, 20)
  if locator and locator:sub(1, 4) == LOCATOR64 then
    place = u64(locator, 9)
    if place + 56 > size then refuse(file, "the archive is damaged: its directory lies outside of it") end
    record = read_at(file, place, 56)
    if record:sub(1, 4) ~= END64 then refuse(file, "the archive is damaged: its zip64 record is missing") end
    disks, count, nbytes, offset = u32(record, 17) + u32(record, 21), u64(record, 33), u64(record, 41), u64(record, 49)
  end
  if disks ~= 0 then refuse(file, "archives of several disks are not read") end
  if offset + nbytes > place or count * 46 > nbytes then
    refuse(file, "the archive is damaged: its directory lies outside of it")
  end
  if nbytes > MAX_DIRECTORY then refuse(file, "a directory of %.0f bytes is too large", nbytes) end
  return count, nbytes, offset
end

--- Replaces 32-bit sizes and offsets that mark a 64-bit field.
local function read_zip64(file, member, extra)
  local at = 1
  while at + 3 <= #extra do
    local id, length = u16(extra, at), u16(extra, at + 2)
    if id == 1 then
      local field, next = extra:sub(at + 4, at + 3 + length), 1
      for _, name in ipairs {"nbytes", "packed", "offset"} do
        if member[name] == FULL32 then
          if next + 7 > #field then refuse(file, "the archive is damaged: a zip64 field is cut off") end
          member[name], next = u64(field, next), next + 8
        end
      end
    end
    at = at + 4 + length
  end
end

--- The member whose record begins at `at`, and the position of the next record.
local function read_member(file, directory, at)
  if at + 45 > #directory or directory:sub(at, at + 3) ~= CENTRAL then
    refuse(file, "the archive's directory is damaged")
  end
  local name_length, extra_length = u16(directory, at + 28), u16(directory, at + 30)
  local behind = at + 46 + name_length + extra_length + u16(directory, at + 32)
  if behind > #directory + 1 then refuse(file, "the archive's directory is damaged") end
  local member = {
    flags = u16(directory, at + 8), method = u16(directory, at + 10), crc = u32(directory, at + 16),
    packed = u32(directory, at + 20), nbytes = u32(directory, at + 24), offset = u32(directory, at + 42),
    name = directory:sub(at + 46, at + 45 + name_length),
  }
  read_zip64(file, member, directory:sub(at + 46 + name_length, at + 45 + name_length + extra_length))
  return member, behind
end

--- Rejects a member whose record is impossible, before memory is allocated for it.
local function check_member(file, member, last)
  if member.offset + 30 + #member.name + member.packed > last then
    refuse(file, "the archive is damaged: '%s' lies outside of it", member.name)
  end
  local most = member.method == STORED and member.packed or (member.packed + 1) * DEFLATE_RATIO
  if member.method ~= STORED and member.method ~= DEFLATED then return end
  if member.nbytes > most then
    refuse(file, "the archive is damaged: '%s' has %.0f bytes in the file, which cannot stand for %.0f", member.name,
      member.packed, member.nbytes)
  end
end

--- Reads the directory of an archive.
---@return table[] members name, nbytes, packed (bytes in the file), offset, crc, flags, method
function M.read_directory(file)
  local count, nbytes, offset = read_end(file, file:size())
  local directory, at, members = read_at(file, offset, nbytes), 1, {}
  for k = 1, count do
    members[k], at = read_member(file, directory, at)
    check_member(file, members[k], offset)
  end
  return members
end

--- Opens a member as a part of the file, which then is read.
function M.begin_member(file, member)
  if member.flags % 2 == ENCRYPTED then refuse(file, "'%s' is encrypted", member.name) end
  if member.method ~= STORED and member.method ~= DEFLATED then
    refuse(file, "'%s' is compressed by method %d; stored and deflated ones are read", member.name, member.method)
  end
  local record = read_at(file, member.offset, 30)
  local name = read_at(file, member.offset + 30, u16(record, 27))
  if record:sub(1, 4) ~= LOCAL or name ~= member.name then
    refuse(file, "the archive is damaged where '%s' should be", member.name)
  end
  file:seek(member.offset + 30 + #name + u16(record, 29))
  file:begin_part(false, member.method == DEFLATED, member.packed)
end

--- Ends reading a member, all of whose bytes have been read.
function M.end_member(file, member)
  local crc, nbytes, _, is_whole = file:end_part()
  if not is_whole or nbytes ~= member.nbytes then
    refuse(file, "'%s' does not end where its array does", member.name)
  elseif crc ~= member.crc then
    refuse(file, "'%s' is damaged: its check sum is %08x, and should be %08x", member.name, crc, member.crc)
  end
end

-- ---- writing ----

local function fields(member)
  return put16(member.flags) .. put16(member.method) .. put16(0) .. put16(FIRST_DAY) .. put32(member.crc)
end

--- Writes the record before a member. If the member may be large, the record has 64-bit fields for sizes.
local function write_local(file, member)
  local sizes = member.is_large and put32(FULL32) .. put32(FULL32) or put32(member.packed) .. put32(member.nbytes)
  file:write(LOCAL .. put16(member.is_large and 45 or 20) .. fields(member) .. sizes .. put16(#member.name)
    .. put16(member.is_large and 20 or 0) .. member.name)
  if member.is_large then file:write(put16(1) .. put16(16) .. put64(member.nbytes) .. put64(member.packed)) end
end

--- Writes a member of nbytes bytes, which write() writes to the file. Its record is written first with the
--- known fields, and again when all fields are known.
function M.write_member(file, name, nbytes, deflated, write)
  local member = {
    name = name, offset = file:place(), flags = name:find "[\128-\255]" and UTF8 or 0, crc = 0, packed = 0, nbytes = 0,
    method = deflated and DEFLATED or STORED, is_large = nbytes * 1.001 + 1024 >= FULL32,
  }
  write_local(file, member)
  file:begin_part(true, deflated)
  write()
  member.crc, member.nbytes, member.packed = file:end_part()
  local behind = file:place()
  file:seek(member.offset)
  write_local(file, member)
  file:seek(behind)
  return member
end

local function limited(n, full) return n >= full and full or n end

local function write_central(file, member)
  local extra = ""
  for _, name in ipairs {"nbytes", "packed", "offset"} do
    if member[name] >= FULL32 then extra = extra .. put64(member[name]) end
  end
  if extra ~= "" then extra = put16(1) .. put16(#extra) .. extra end
  local version = (extra ~= "" or member.is_large) and 45 or 20
  file:write(CENTRAL .. put16(3 * 256 + version) .. put16(version) .. fields(member)
    .. put32(limited(member.packed, FULL32)) .. put32(limited(member.nbytes, FULL32)) .. put16(#member.name)
    .. put16(#extra) .. put16(0) .. put16(0) .. put16(0) .. put32(tonumber("600", 8) * 65536)
    .. put32(limited(member.offset, FULL32)) .. member.name .. extra)
end

--- Writes the directory after the members.
function M.write_directory(file, members)
  local offset = file:place()
  for _, member in ipairs(members) do write_central(file, member) end
  local behind = file:place()
  local count, nbytes = #members, behind - offset
  if count >= FULL16 or nbytes >= FULL32 or offset >= FULL32 then
    file:write(END64 .. put64(44) .. put16(3 * 256 + 45) .. put16(45) .. put32(0) .. put32(0) .. put64(count)
      .. put64(count) .. put64(nbytes) .. put64(offset) .. LOCATOR64 .. put32(0) .. put64(behind) .. put32(1))
  end
  file:write(END .. put32(0) .. put16(limited(count, FULL16)) .. put16(limited(count, FULL16))
    .. put32(limited(nbytes, FULL32)) .. put32(limited(offset, FULL32)) .. put16(0))
end

return M
