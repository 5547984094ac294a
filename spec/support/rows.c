/* rows.c: the cpu device's table, for spec/support/rows.lua: rows by number, in the order of seam/driver.h. */
#include <stddef.h>

#include "seam/driver.h"

#define SPEC_PUBLIC __attribute__((visibility("default")))

static const size_t places[] = {
#define ROW(symbol, field, parameters) offsetof(cuna_driver, field),
    CUNA_DRIVER_ROWS(ROW)
#undef ROW
};

static const char *const symbols[] = {
#define ROW(symbol, field, parameters) symbol,
    CUNA_DRIVER_ROWS(ROW)
#undef ROW
};

SPEC_PUBLIC const char *cpu_symbol(unsigned row)
{
    return row < sizeof symbols / sizeof *symbols ? symbols[row] : NULL;
}

SPEC_PUBLIC void *cpu_row(unsigned row)
{
    return *(void *const *)((const char *)cuna__driver_cpu() + places[row]);
}

/* Texts that precede kernels, built-in or raw; NULL ends them. */
SPEC_PUBLIC const char *const *cpu_preludes(int whole)
{
    const cuna_driver_facts *facts = &cuna__driver_cpu()->facts;
    return whole ? facts->raw_preludes : facts->preludes;
}
