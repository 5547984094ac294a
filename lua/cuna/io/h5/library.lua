--- library.lua: the HDF5 library, opened when it is first needed; its errors as one line, its identifiers as objects.
--
-- Identifiers have 64 bits from version 1.10 on; older libraries are refused. All functions are declared under names of
-- cuna's, so that a script may declare HDF5's own. Negative results are errors, whose causes the library keeps on a
-- stack: the outermost and the innermost one make the message.
local ffi = require "ffi"

local check = require "cuna.base.check"

local M = {}

local fail = check.fail

local DECLARATIONS = [[
int H5open(void);
int H5get_libversion(unsigned *major, unsigned *minor, unsigned *release);
int H5free_memory(void *memory);
int H5Eset_auto2(int64_t stack, void *function, void *data);
int H5Eprint2(int64_t stack, void *stream);
int64_t H5Fopen(const char *path, unsigned flags, int64_t access);
int64_t H5Fcreate(const char *path, unsigned flags, int64_t creation, int64_t access);
int H5Fclose(int64_t file);
int64_t H5Fget_obj_count(int64_t file, unsigned kinds);
int H5Fget_vfd_handle(int64_t file, int64_t access, void **handle);
int H5Fflush(int64_t object, int scope);
int64_t H5Oopen(int64_t place, const char *name, int64_t access);
int H5Oclose(int64_t object);
int H5Iget_type(int64_t object);
int64_t H5Iget_name(int64_t object, char *name, size_t size);
int H5Lexists(int64_t place, const char *name, int64_t access);
int H5Ldelete(int64_t place, const char *name, int64_t access);
int64_t H5Lget_name_by_idx(int64_t place, const char *group, int index, int order, uint64_t n, char *name, size_t size,
                           int64_t access);
int64_t H5Gcreate2(int64_t place, const char *name, int64_t links, int64_t creation, int64_t access);
int H5Gget_info(int64_t group, void *info);
int64_t H5Dcreate2(int64_t place, const char *name, int64_t type, int64_t space, int64_t links, int64_t creation,
                   int64_t access);
int H5Dread(int64_t dataset, int64_t type, int64_t memory, int64_t file, int64_t transfer, void *data);
int H5Dwrite(int64_t dataset, int64_t type, int64_t memory, int64_t file, int64_t transfer, const void *data);
int H5Dset_extent(int64_t dataset, const uint64_t *shape);
int64_t H5Dget_space(int64_t dataset);
int64_t H5Dget_type(int64_t dataset);
int64_t H5Dget_create_plist(int64_t dataset);
int H5Dclose(int64_t dataset);
int64_t H5Screate(int kind);
int64_t H5Screate_simple(int ndim, const uint64_t *shape, const uint64_t *most);
int H5Sget_simple_extent_type(int64_t space);
int H5Sget_simple_extent_ndims(int64_t space);
int H5Sget_simple_extent_dims(int64_t space, uint64_t *shape, uint64_t *most);
int H5Sselect_hyperslab(int64_t space, int how, const uint64_t *start, const uint64_t *stride, const uint64_t *count,
                        const uint64_t *block);
int H5Sclose(int64_t space);
int64_t H5Tcopy(int64_t type);
int64_t H5Tcreate(int kind, size_t size);
int H5Tclose(int64_t type);
int H5Tget_class(int64_t type);
size_t H5Tget_size(int64_t type);
int H5Tget_sign(int64_t type);
size_t H5Tget_ebias(int64_t type);
int H5Tset_size(int64_t type, size_t size);
int H5Tset_ebias(int64_t type, size_t bias);
int H5Tset_fields(int64_t type, size_t sign, size_t exponent, size_t exponent_size, size_t mantissa,
                  size_t mantissa_size);
int H5Tset_cset(int64_t type, int set);
int H5Tget_strpad(int64_t type);
int H5Tis_variable_str(int64_t type);
int64_t H5Tget_super(int64_t type);
int H5Tinsert(int64_t type, const char *name, size_t offset, int64_t member);
int H5Tget_nmembers(int64_t type);
char *H5Tget_member_name(int64_t type, unsigned k);
int64_t H5Tget_member_type(int64_t type, unsigned k);
int64_t H5Tenum_create(int64_t base);
int H5Tenum_insert(int64_t type, const char *name, const void *value);
int64_t H5Acreate2(int64_t object, const char *name, int64_t type, int64_t space, int64_t creation, int64_t access);
int64_t H5Aopen(int64_t object, const char *name, int64_t access);
int64_t H5Aopen_by_idx(int64_t place, const char *object, int index, int order, uint64_t n, int64_t access,
                       int64_t links);
int H5Aread(int64_t attribute, int64_t type, void *data);
int H5Awrite(int64_t attribute, int64_t type, const void *data);
int H5Aclose(int64_t attribute);
int64_t H5Aget_space(int64_t attribute);
int64_t H5Aget_type(int64_t attribute);
int64_t H5Aget_name(int64_t attribute, size_t size, char *name);
int H5Aexists(int64_t object, const char *name);
int H5Adelete(int64_t object, const char *name);
int64_t H5Pcreate(int64_t kind);
int H5Pclose(int64_t list);
int H5Pset_fapl_core(int64_t list, size_t increment, bool writes);
int H5Pset_fapl_sec2(int64_t list);
int H5Pset_fclose_degree(int64_t list, int degree);
int H5Pset_create_intermediate_group(int64_t list, unsigned creates);
int H5Pset_char_encoding(int64_t list, int set);
int H5Pset_chunk(int64_t list, int ndim, const uint64_t *shape);
int H5Pget_chunk(int64_t list, int most, uint64_t *shape);
int H5Pget_layout(int64_t list);
int H5Pset_deflate(int64_t list, unsigned level);
int H5Pset_shuffle(int64_t list);
int H5Zfilter_avail(int filter);
]]

local IDENTIFIERS = "H5T_STD_I8LE_g H5T_STD_I16LE_g H5T_STD_I32LE_g H5T_STD_I64LE_g H5T_STD_U8LE_g H5T_STD_U16LE_g "
  .. "H5T_STD_U32LE_g H5T_STD_U64LE_g H5T_IEEE_F32LE_g H5T_IEEE_F64LE_g H5T_C_S1_g H5P_CLS_DATASET_CREATE_ID_g "
  .. "H5P_CLS_LINK_CREATE_ID_g H5P_CLS_FILE_ACCESS_ID_g"

ffi.cdef((DECLARATIONS:gsub("(H5[%w_]+)(%b());", "cuna_%1%2 __asm__(\"%1\");")))
for name in IDENTIFIERS:gmatch "%S+" do ffi.cdef(("extern int64_t cuna_%s __asm__(%q);"):format(name, name)) end
ffi.cdef [[
typedef struct cuna_h5_group_info { int storage; uint64_t nlinks; int64_t order; bool mounted; } cuna_h5_group_info;
void *cuna_h5_open_memstream(char **text, size_t *size) __asm__("open_memstream");
int cuna_h5_fclose(void *stream) __asm__("fclose");
int cuna_h5_poll(void *files, unsigned long count, int timeout_ms) __asm__("poll");
void cuna_h5_free(void *memory) __asm__("free");
int cuna_h5_dup(int file) __asm__("dup");
int cuna_h5_close(int file) __asm__("close");
int cuna_h5_flock(int file, int operation) __asm__("flock");
]]

M.libraries = {"libhdf5_serial.so.103", "libhdf5.so.103", "libhdf5_serial.so.310", "libhdf5.so.310", "libhdf5.so.200",
  "libhdf5.so.320", "libhdf5_serial.so", "libhdf5.so"}

local FIRST_MINOR = 10 -- of version 1

--- Rejects a library with other identifiers.
local function check_version(library, file)
  local major, minor, release = ffi.new "unsigned[1]", ffi.new "unsigned[1]", ffi.new "unsigned[1]"
  library.cuna_H5get_libversion(major, minor, release)
  if major[0] == 1 and minor[0] < FIRST_MINOR then
    fail("h5: %s is HDF5 %d.%d.%d; cuna needs 1.10 or later, Debian's package libhdf5-103-1", file, major[0], minor[0],
      release[0])
  end
end

local opened

local function open()
  for _, file in ipairs(M.libraries) do
    local found, library = pcall(ffi.load, file)
    if found then
      check_version(library, file)
      library.cuna_H5open()
      library.cuna_H5Eset_auto2(0, nil, nil) -- errors are not printed
      return library
    end
  end
  fail("h5: needs HDF5, whose library is not found (%s); Debian's package is libhdf5-103-1 (Debian 12) or libhdf5-310",
    table.concat(M.libraries, ", "))
end

--- HDF5's functions and identifiers by their names, such as M.lib.H5Fopen and M.lib.H5T_C_S1_g.
M.lib = setmetatable({}, {__index = function(lib, name)
  opened = opened or open()
  local value = opened["cuna_" .. name]
  lib[name] = value
  return value
end})
local lib = M.lib

--- What the library says about the last error, from the outermost function to the innermost.
local function read_causes()
  local text, size = ffi.new "char *[1]", ffi.new "size_t[1]"
  local stream = ffi.C.cuna_h5_open_memstream(text, size)
  lib.H5Eprint2(0, stream)
  ffi.C.cuna_h5_fclose(stream)
  local causes = {}
  for cause in ffi.string(text[0], size[0]):gmatch "#%d+: [^\n]- line %d+ in [^\n]-: ([^\n]*)" do
    causes[#causes + 1] = cause:gsub("unable to synchronously ", "unable to ") -- HDF5 1.14's word
  end
  ffi.C.cuna_h5_free(text[0])
  return causes
end

--- Raises an error about the last call.
---@param label string what messages begin with
function M.raise(label)
  local causes = read_causes()
  local first, last = causes[1] or "HDF5 gives no reason", causes[#causes]
  if last == nil or last:sub(1, #first) == first then fail("%s: %s", label, last or first) end
  fail("%s: %s: %s", label, first, last)
end

local TRIES, PAUSE_MS = 50, 10

--- The result of a call that opens a file, tried again while another process has it locked for a moment.
---@param call fun(): ffi.cdata*
---@return ffi.cdata* id negative after an error
function M.patiently(call)
  for _ = 1, TRIES do
    local id = call()
    if id >= 0 or not table.concat(read_causes(), "\n"):find "unable to lock file" then return id end
    ffi.C.cuna_h5_poll(nil, 0, PAUSE_MS)
  end
  return call()
end

local FILES, UNLOCK = 1, 8 -- H5F_OBJ_FILE, LOCK_UN

--- Another descriptor of a file on disk that is open once.
local function duplicate(id)
  local handle = ffi.new "void *[1]"
  if lib.H5Fget_obj_count(id, FILES) > 1 or lib.H5Fget_vfd_handle(id, 0, handle) < 0 then return end
  local copy = ffi.C.cuna_h5_dup(ffi.cast("int *", handle[0])[0])
  return copy >= 0 and copy or nil
end

--- Closes a file and takes its lock away, which would last as long as any process that was started meanwhile: they all
--- have the file.
---@param id ffi.cdata* int64
---@param on_disk boolean
---@return integer result negative after an error
function M.close_file(id, on_disk)
  local copy = on_disk and duplicate(id)
  local result = lib.H5Fclose(id)
  if copy then
    ffi.C.cuna_h5_flock(copy, UNLOCK)
    ffi.C.cuna_h5_close(copy)
  end
  return result
end

--- The result of a call, which is negative after an error.
function M.check(result, label)
  if result < 0 then M.raise(label) end
  return result
end

--- Calls use(id), and closes the identifier also after an error.
---@param id ffi.cdata* int64, negative after an error
---@param close string the function that closes it, such as "H5Sclose"
---@param label string
---@param use function
function M.using(id, close, label, use)
  M.check(id, label)
  local ok, a, b = pcall(use, id)
  lib[close](id)
  if not ok then error(a, 0) end
  return a, b
end

--- The text that a call writes: fill(buffer or nil, size) returns its length.
function M.text(label, fill)
  local length = tonumber(M.check(fill(nil, 0), label))
  local buffer = ffi.new("char[?]", length + 1)
  fill(buffer, length + 1)
  return ffi.string(buffer, length)
end

return M
