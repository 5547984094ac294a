/* shared.c: the size of a block's `__shared__` variables, in an image of the cpu device.
 *
 * `__shared__` variables are those of the thread that runs a block (kernels/raw_block_cpu.h), so an image's symbol
 * table lists them, with their sizes. Those in namespace cuna_raw are cuna's own. Data in an image may be unaligned. */
#define _GNU_SOURCE 1
#include "cpu/execute/shared.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct table {
    const unsigned char *symbols, *names;
    size_t count, names_nbytes;
};

static bool has(size_t nbytes, uint64_t offset, uint64_t length)
{
    return offset <= nbytes && length <= nbytes - offset;
}

static bool read_section(ElfW(Shdr) * section, const unsigned char *image, size_t nbytes, unsigned number)
{
    ElfW(Ehdr) header;
    memcpy(&header, image, sizeof header);
    uint64_t offset = header.e_shoff + (uint64_t)number * sizeof *section;
    if (number >= header.e_shnum || !has(nbytes, offset, sizeof *section))
        return false;
    memcpy(section, image + offset, sizeof *section);
    return section->sh_type == SHT_NOBITS || has(nbytes, section->sh_offset, section->sh_size);
}

static bool find_table(struct table *table, const unsigned char *image, size_t nbytes)
{
    ElfW(Shdr) section, names;
    for (unsigned number = 0; read_section(&section, image, nbytes, number); number++) {
        if (section.sh_type != SHT_SYMTAB)
            continue;
        if (!read_section(&names, image, nbytes, section.sh_link))
            return false;
        *table = (struct table){image + section.sh_offset, image + names.sh_offset, section.sh_size / sizeof(ElfW(Sym)),
                                names.sh_size};
        return true;
    }
    return false;
}

unsigned cuna__cpu_shared_nbytes(const void *image, size_t nbytes)
{
    struct table table;
    ElfW(Sym) symbol;
    uint64_t sum = 0;
    if (!find_table(&table, image, nbytes))
        return 0;
    for (size_t i = 0; i < table.count; i++) {
        memcpy(&symbol, table.symbols + i * sizeof symbol, sizeof symbol);
        if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS || symbol.st_name >= table.names_nbytes)
            continue;
        const char *name = (const char *)table.names + symbol.st_name;
        if (memmem(name, strnlen(name, table.names_nbytes - symbol.st_name), "8cuna_raw", 9) == NULL)
            sum += symbol.st_size;
    }
    return sum < INT32_MAX ? (unsigned)sum : INT32_MAX;
}
