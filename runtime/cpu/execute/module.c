/* module.c: modules of the cpu device, which are shared objects in memory.
 *
 * The loader takes files only: an image is written to a file in memory, loaded and closed; the mapping keeps the inode,
 * so the loader cannot confuse a later file with it. On systems without files in memory, or without /proc, the file is
 * in a private folder, under a unique name. */
#define _GNU_SOURCE 1
#include "cpu/execute/module.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/folder.h"
#include "cpu/execute/error.h"
#include "cpu/execute/shared.h"
#include "seam/driver_image.h"
#include "seam/loop_image.h"

#if defined(__x86_64__)
#define NATIVE_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#elif defined(__powerpc64__)
#define NATIVE_MACHINE EM_PPC64
#elif defined(__riscv)
#define NATIVE_MACHINE EM_RISCV
#endif

#define PATH_NBYTES      320
#define LIBRARY_MAPPINGS 5          /* of a small kernel's image */
#define SHARED_NBYTES    (48 << 10) /* dynamic, available to kernels by default */

struct cu_module_s {
    void *library; /* NULL: adopted */
    void *code;    /* that is interpreted; or NULL */
    unsigned shared_nbytes;
    _Atomic(cu_function) functions;
};

/* Bytes of a shared object for this machine, or 0. */
static size_t measure_image(const void *image)
{
    ElfW(Ehdr) header;
    size_t nbytes = cuna__image_measure(image, SIZE_MAX);
    if (nbytes == 0)
        return 0;
    memcpy(&header, image, sizeof header); /* the image may be unaligned */
#ifdef NATIVE_MACHINE
    if (header.e_machine != NATIVE_MACHINE)
        return 0;
#endif
    return header.e_type == ET_DYN ? nbytes : 0;
}

static long read_number(const char *path)
{
    long number = 0;
    FILE *file = fopen(path, "r");
    if (file != NULL && fscanf(file, "%ld", &number) != 1)
        number = 0;
    if (file != NULL)
        fclose(file);
    return number;
}

static long count_mappings(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    long count = 0;
    for (int c; file != NULL && (c = getc(file)) != EOF;)
        count += c == '\n';
    if (file != NULL)
        fclose(file);
    return count;
}

/* Why the loader cannot map a library: mostly because the process has reached the system's limit of mappings. */
static cu_result explain_failure(void)
{
    char words[256];
    long most = read_number("/proc/sys/vm/max_map_count"), count = count_mappings();
    if (most == 0 || count + LIBRARY_MAPPINGS < most)
        return CU_ERROR_INVALID_IMAGE;
    snprintf(words, sizeof words,
             "the process has %ld memory mappings, the system allows %ld, and a kernel takes %d; drop kernels that are "
             "not needed, or raise vm.max_map_count",
             count, most, LIBRARY_MAPPINGS);
    return cuna__cpu_error_keep(CU_ERROR_OUT_OF_MEMORY, words);
}

/* An image being loaded. */
struct image {
    const void *bytes;
    size_t nbytes;
    uint64_t serial;
    void *library; /* NULL: the loader failed, with the message `words` */
    char words[200];
};

static void open_library(struct image *image, const char *path)
{
    image->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *words = image->library == NULL ? dlerror() : NULL;
    snprintf(image->words, sizeof image->words, "%.199s", words != NULL ? words : "");
}

static _Atomic uint64_t serials = 1;

static char *spell(char *path, uint64_t number)
{
    for (int i = 0; i < 64; i++, number >>= 1)
        path = stpcpy(path, number & 1 ? "/." : "/");
    return path;
}

/* A file in memory has a path with its descriptor's number, which is reused after closing. Extra slashes encode a
 * serial and the library: a process may have several libraries that contain this file. */
static void spell_path(char path[PATH_NBYTES], int fd, uint64_t serial)
{
    sprintf(spell(spell(stpcpy(path, "/proc/self/fd"), (uintptr_t)&serials), serial), "/%d", fd);
}

bool cuna__cpu_module_uses_memory(void)
{
    char path[PATH_NBYTES];
    int fd = memfd_create("cuna", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    spell_path(path, fd, 1);
    bool has_path = access(path, R_OK) == 0;
    close(fd);
    return has_path;
}

/* NULL on success, else the reason. */
static const char *load_memory(struct image *image)
{
    char path[PATH_NBYTES];
    int fd = memfd_create("cuna", MFD_CLOEXEC);
    if (fd < 0)
        return strerror(errno);
    const char *lack = cuna__folder_fill(fd, image->bytes, image->nbytes) ? NULL : strerror(errno);
    if (lack == NULL) {
        spell_path(path, fd, image->serial);
        open_library(image, path);
        lack = image->library == NULL ? image->words : NULL;
    }
    close(fd);
    return lack;
}

static const char *load_file(void *data, const char *folder)
{
    struct image *image = data;
    char name[40], path[CUNA_FOLDER_NBYTES + 40];
    snprintf(name, sizeof name, "%llu.so", (unsigned long long)image->serial);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!cuna__folder_write(folder, name, image->bytes, image->nbytes))
        return strerror(errno);
    open_library(image, path);
    return NULL;
}

static cu_result fail_loading(const char *memory, const char *places)
{
    char words[900];
    snprintf(words, sizeof words, "no place for an image: memory: %.200s; %.600s", memory, places);
    return cuna__cpu_error_keep(CU_ERROR_OPERATING_SYSTEM, words);
}

/* The loader also identifies libraries by path: two images of a process may not share one, not even in turn. */
static cu_result load_library(void **library, const void *bytes, size_t nbytes)
{
    struct image image = {.bytes = bytes, .nbytes = nbytes, .serial = atomic_fetch_add(&serials, 1)};
    char memory[sizeof image.words];
    cuna__cpu_error_forget();
    const char *lack = load_memory(&image);
    *library = image.library;
    if (lack == NULL)
        return CU_SUCCESS;
    snprintf(memory, sizeof memory, "%s", lack);
    char *lacks = cuna__folder_with(true, load_file, &image);
    cu_result result = lacks != NULL ? fail_loading(memory, lacks) : CU_SUCCESS;
    free(lacks);
    *library = image.library;
    return result == CU_SUCCESS && *library == NULL ? explain_failure() : result;
}

cu_result cuna__cpu_module_load(cu_module *module, const void *image)
{
    if (module == NULL || image == NULL)
        return CU_ERROR_INVALID_VALUE;
    size_t nbytes = measure_image(image);
    if (nbytes == 0)
        return CU_ERROR_INVALID_IMAGE;
    cu_module loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    loaded->shared_nbytes = cuna__cpu_shared_nbytes(image, nbytes);
    cu_result result = load_library(&loaded->library, image, nbytes);
    if (result == CU_SUCCESS)
        *module = loaded;
    else
        free(loaded);
    return result;
}

cu_result cuna__cpu_module_unload(cu_module module)
{
    if (module == NULL)
        return CU_ERROR_INVALID_HANDLE;
    for (cu_function function = module->functions, next; function != NULL; function = next) {
        next = function->next;
        free(function);
    }
    if (module->library != NULL)
        dlclose(module->library);
    free(module->code);
    free(module);
    return CU_SUCCESS;
}

/* A function of interpreted code, before the others in the list. */
static bool add_function(cu_module module, cuna__module_entry entry, unsigned nbytes)
{
    cu_function function = calloc(1, sizeof *function);
    if (function == NULL)
        return false;
    function->entry = entry;
    function->code = module->code;
    function->nbytes = nbytes;
    function->next = atomic_load(&module->functions);
    atomic_init(&module->functions, function);
    return true;
}

cu_result cuna__cpu_module_adopt(cu_module *module, cuna__module_entry entry, cuna__module_entry merge, unsigned nbytes,
                                 void *code)
{
    cu_module made = calloc(1, sizeof *made);
    if (made == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    made->code = code;
    if ((merge != NULL && !add_function(made, merge, nbytes)) || !add_function(made, entry, nbytes)) {
        made->code = NULL; /* the caller's still */
        cuna__cpu_module_unload(made);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    *module = made;
    return CU_SUCCESS;
}

/* The entry is the first in the list, the merge, which not all code has, the second. */
static cu_result find_adopted(cu_function *function, cu_module module, const char *name)
{
    *function = atomic_load(&module->functions);
    if (strcmp(name, CUNA_LOOP_ENTRY) == 0)
        return CU_SUCCESS;
    *function = (*function)->next;
    return strcmp(name, CUNA_LOOP_MERGE) == 0 && *function != NULL ? CU_SUCCESS : CU_ERROR_NOT_FOUND;
}

static cu_function find_function(cu_module module, cuna__module_entry entry, const cuna_raw_export *raw)
{
    cu_function function = atomic_load(&module->functions);
    while (function != NULL && (function->entry != entry || function->raw != raw))
        function = function->next;
    return function;
}

/* A symbol that the module itself defines, and its entry in the symbol table: dlsym also searches the libraries it
 * needs. */
static void *find_symbol(const ElfW(Sym) * *row, cu_module module, const char *name)
{
    struct link_map *map;
    Dl_info info;
    void *symbol = dlsym(module->library, name);
    if (symbol == NULL || dlinfo(module->library, RTLD_DI_LINKMAP, &map) != 0 ||
        dladdr1(symbol, &info, (void **)row, RTLD_DL_SYMENT) == 0 || *row == NULL)
        return NULL;
    return (uintptr_t)info.dli_fbase == (uintptr_t)map->l_addr ? symbol : NULL;
}

/* The symbol of a kernel or variable requested from a user's source; only these are functions. */
static const cuna_raw_export *find_export(cu_module module, const char *name)
{
    const ElfW(Sym) * row;
    const cuna_raw_export *symbol = find_symbol(&row, module, name);
    bool good = symbol != NULL && strncmp(name, CUNA_RAW_PREFIX, strlen(CUNA_RAW_PREFIX)) == 0 &&
                row->st_size == sizeof *symbol;
    return good ? symbol : NULL;
}

/* Whether the module is a user's source, which has exports. Sets its pointers to driver functions, which programs with a
 * user's text have too. */
static bool connect(cu_module module)
{
    const ElfW(Sym) * row;
    const cuna_raw_services **services = find_symbol(&row, module, "cuna_raw_services");
    if (services != NULL)
        __atomic_store_n(services, &cuna__cpu_raw_services, __ATOMIC_RELEASE);
    return services != NULL && find_export(module, CUNA_RAW_PREFIX "0") != NULL;
}

/* The size of a kernel's argument block, which CUNA_ENTRY exports. */
static unsigned read_nbytes(cu_module module, const char *name)
{
    const ElfW(Sym) * row;
    char symbol[256];
    int length = snprintf(symbol, sizeof symbol, "%s_nbytes", name);
    const unsigned *nbytes = length < (int)sizeof symbol ? find_symbol(&row, module, symbol) : NULL;
    return nbytes != NULL && row->st_size == sizeof *nbytes ? *nbytes : 0;
}

static cu_result make_function(cu_function *out, cu_module module, const char *name, cuna__module_entry entry,
                               const cuna_raw_export *raw)
{
    cu_function made = malloc(sizeof *made);
    if (made == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    made->entry = entry;
    made->code = NULL;
    atomic_init(&made->block_ns, 0);
    made->raw = raw;
    made->shared_nbytes = raw != NULL && find_export(module, CUNA_RAW_PREFIX "1") == NULL ? module->shared_nbytes : 0;
    made->nbytes = raw == NULL ? read_nbytes(module, name) : 0;
    atomic_init(&made->max_shared_nbytes, SHARED_NBYTES);
    made->next = atomic_load(&module->functions);
    while (!atomic_compare_exchange_weak(&module->functions, &made->next, made))
        continue;
    *out = made;
    return CU_SUCCESS;
}

/* Concurrent calls may return two handles of one function; both are valid until the module is unloaded. */
cu_result cuna__cpu_module_function(cu_function *function, cu_module module, const char *name)
{
    const ElfW(Sym) * row;
    if (function == NULL || name == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (module == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (module->library == NULL)
        return find_adopted(function, module, name);
    bool is_raw = connect(module);
    const cuna_raw_export *raw = is_raw ? find_export(module, name) : NULL;
    void *symbol = is_raw ? NULL : find_symbol(&row, module, name);
    if (is_raw ? raw == NULL || raw->variable != NULL : symbol == NULL)
        return CU_ERROR_NOT_FOUND;
    cuna__module_entry entry = (cuna__module_entry)(uintptr_t)symbol;
    *function = find_function(module, entry, raw);
    return *function != NULL ? CU_SUCCESS : make_function(function, module, name, entry, raw);
}

/* A variable by its exported name, or by its own name. */
cu_result cuna__cpu_module_global(cu_deviceptr *ptr, size_t *nbytes, cu_module module, const char *name)
{
    const ElfW(Sym) * row;
    if (name == NULL || (ptr == NULL && nbytes == NULL))
        return CU_ERROR_INVALID_VALUE;
    if (module == NULL)
        return CU_ERROR_INVALID_HANDLE;
    if (module->library == NULL)
        return CU_ERROR_NOT_FOUND;
    const cuna_raw_export *raw = find_export(module, name);
    void *symbol = raw != NULL ? (void *)raw->variable : find_symbol(&row, module, name);
    if (symbol == NULL || (raw == NULL && ELF64_ST_TYPE(row->st_info) != STT_OBJECT))
        return CU_ERROR_NOT_FOUND;
    if (ptr != NULL)
        *ptr = (cu_deviceptr)(uintptr_t)symbol;
    if (nbytes != NULL)
        *nbytes = raw != NULL ? raw->variable_nbytes : row->st_size;
    return CU_SUCCESS;
}
