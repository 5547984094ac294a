/* driver_cpu_module.c: modules of the cpu device, which are shared objects in memory.
 *
 * The loader takes files only: an image is written to a private folder under a name of its own, loaded and removed at
 * once; the mapping keeps the inode, and so no later file can be taken for this one. CUDA passes no length: the end of
 * an image is the farthest byte its ELF tables name. */
#define _GNU_SOURCE 1
#include "driver_cpu_module.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver_cpu_folder.h"

#define MAX_IMAGE_NBYTES ((uint64_t)1 << 31)

#if __SIZEOF_POINTER__ == 8
#define NATIVE_CLASS ELFCLASS64
#else
#define NATIVE_CLASS ELFCLASS32
#endif
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE_ORDER ELFDATA2LSB
#else
#define NATIVE_ORDER ELFDATA2MSB
#endif

#if defined(__x86_64__)
#define NATIVE_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#elif defined(__powerpc64__)
#define NATIVE_MACHINE EM_PPC64
#elif defined(__riscv)
#define NATIVE_MACHINE EM_RISCV
#endif

struct cu_module_s {
    void *library;
    _Atomic(cu_function) functions;
};

/* Reads no further than the first byte that is wrong, for what is no image may be shorter than a header. */
static bool read_header(ElfW(Ehdr) * header, const unsigned char *image)
{
    static const unsigned char expected[] = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, NATIVE_CLASS, NATIVE_ORDER};
    for (size_t i = 0; i < sizeof expected; i++)
        if (image[i] != expected[i])
            return false;
    memcpy(header, image, sizeof *header);
#ifdef NATIVE_MACHINE
    if (header->e_machine != NATIVE_MACHINE)
        return false;
#endif
    return header->e_type == ET_DYN && header->e_phentsize == sizeof(ElfW(Phdr)) &&
           header->e_shentsize == sizeof(ElfW(Shdr));
}

/* Raises *end to where a part of the file ends; false when that cannot be. */
static bool reach(uint64_t *end, uint64_t offset, uint64_t nbytes)
{
    if (offset > MAX_IMAGE_NBYTES || nbytes > MAX_IMAGE_NBYTES)
        return false;
    *end = offset + nbytes > *end ? offset + nbytes : *end;
    return true;
}

/* Bytes of the file, or 0. Tables are read through memcpy: nothing says that the image is aligned. */
static size_t measure_image(const unsigned char *image)
{
    ElfW(Ehdr) header;
    ElfW(Phdr) segment;
    ElfW(Shdr) section;
    uint64_t end = 0;
    bool good = read_header(&header, image) && reach(&end, header.e_phoff, (uint64_t)header.e_phnum * sizeof segment) &&
                reach(&end, header.e_shoff, (uint64_t)header.e_shnum * sizeof section);
    for (unsigned i = 0; good && i < header.e_phnum; i++) {
        memcpy(&segment, image + header.e_phoff + i * sizeof segment, sizeof segment);
        good = reach(&end, segment.p_offset, segment.p_filesz);
    }
    for (unsigned i = 0; good && i < header.e_shnum; i++) {
        memcpy(&section, image + header.e_shoff + i * sizeof section, sizeof section);
        good = reach(&end, section.sh_offset, section.sh_type == SHT_NOBITS ? 0 : section.sh_size);
    }
    return good ? (size_t)end : 0;
}

/* The loader knows libraries by path as well: no two images of a process may share one, not even one after another. */
static cu_result load_library(void **library, const void *image, size_t nbytes)
{
    static _Atomic uint64_t serial;
    char folder[CUNA_FOLDER_NBYTES], name[40], path[CUNA_FOLDER_NBYTES + 40];
    cu_result result = CU_ERROR_UNKNOWN;
    if (!cuna__folder_create(folder))
        return CU_ERROR_UNKNOWN;
    snprintf(name, sizeof name, "%llu.so", (unsigned long long)atomic_fetch_add(&serial, 1));
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (cuna__folder_write(folder, name, image, nbytes)) {
        *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        result = *library != NULL ? CU_SUCCESS : CU_ERROR_INVALID_IMAGE;
    }
    cuna__folder_remove(folder);
    return result;
}

cu_result cuna__module_load(cu_module *module, const void *image)
{
    if (module == NULL || image == NULL)
        return CU_ERROR_INVALID_VALUE;
    size_t nbytes = measure_image(image);
    if (nbytes == 0)
        return CU_ERROR_INVALID_IMAGE;
    cu_module loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    cu_result result = load_library(&loaded->library, image, nbytes);
    if (result == CU_SUCCESS)
        *module = loaded;
    else
        free(loaded);
    return result;
}

cu_result cuna__module_unload(cu_module module)
{
    if (module == NULL)
        return CU_ERROR_INVALID_HANDLE;
    for (cu_function function = module->functions, next; function != NULL; function = next) {
        next = function->next;
        free(function);
    }
    dlclose(module->library);
    free(module);
    return CU_SUCCESS;
}

static cu_function find_function(cu_module module, cuna__module_entry entry)
{
    cu_function function = atomic_load(&module->functions);
    while (function != NULL && function->entry != entry)
        function = function->next;
    return function;
}

/* A symbol that the module itself defines: dlsym answers for the libraries it needs as well. */
static void *find_symbol(cu_module module, const char *name)
{
    struct link_map *map;
    Dl_info info;
    void *symbol = dlsym(module->library, name);
    if (symbol == NULL || dlinfo(module->library, RTLD_DI_LINKMAP, &map) != 0 || dladdr(symbol, &info) == 0)
        return NULL;
    return (uintptr_t)info.dli_fbase == (uintptr_t)map->l_addr ? symbol : NULL;
}

/* Two threads that ask at once may get two handles of one function; both are good until the module goes. */
cu_result cuna__module_function(cu_function *function, cu_module module, const char *name)
{
    if (function == NULL || name == NULL)
        return CU_ERROR_INVALID_VALUE;
    if (module == NULL)
        return CU_ERROR_INVALID_HANDLE;
    void *symbol = find_symbol(module, name);
    if (symbol == NULL)
        return CU_ERROR_NOT_FOUND;
    cuna__module_entry entry = (cuna__module_entry)(uintptr_t)symbol;
    cu_function found = find_function(module, entry);
    if (found == NULL) {
        found = malloc(sizeof *found);
        if (found == NULL)
            return CU_ERROR_OUT_OF_MEMORY;
        found->entry = entry;
        found->next = atomic_load(&module->functions);
        while (!atomic_compare_exchange_weak(&module->functions, &found->next, found))
            continue;
    }
    *function = found;
    return CU_SUCCESS;
}
