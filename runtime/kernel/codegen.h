/* codegen.h: the text of kernels: a generated struct Program over the templates in kernels/. */
#ifndef CUNA_KERNEL_CODEGEN_H
#define CUNA_KERNEL_CODEGEN_H

#include "base/strbuf.h"
#include "kernel/program.h"

/* One kernel of a translation unit. `entry` names it (and entry_merge the second kernel of a reduction) and must be
 * unique in the unit. */
typedef struct cuna_codegen_item {
    const cuna_program *program;
    const cuna_variant *variant;
    char entry[96];
    bool is_shared; /* in the library of loops, where what dtypes share counts more than what a kernel of one gains */
} cuna_codegen_item;

/* Writes a readable entry name made of the program's operations, its dtypes and the variant; `number` keeps the names of
 * a unit apart. */
void cuna__codegen_name(cuna_codegen_item *item, int number);

/* Writes the functions of the instructions and struct Program of one kernel. */
void cuna__codegen_program(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes);

/* The same of a program that sorts (codegen_sort.c). */
void cuna__codegen_sort(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes);

/* The same of one that multiplies matrices (codegen_product.c). */
void cuna__codegen_product(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes);

/* The same of one some of whose steps do (codegen_products.c). */
void cuna__codegen_products(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes);

/* The same of one that selects by a mask (codegen_compact.c). */
void cuna__codegen_compact(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes);

/* The same of one that moves a vector along another (codegen_convolve.c). */
void cuna__codegen_convolve(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes);

/* The same of one over small matrices (codegen_factor.c). */
void cuna__codegen_factor(cuna_strbuf *out, const cuna_codegen_item *item, bool lanes);

/* Writes the headers that a program's statement includes, before all namespaces (codegen_statement.c). */
void cuna__codegen_includes(cuna_strbuf *out, const cuna_program_text *text, bool lanes);

/* Whether steps of a program call functions. A compiler takes lanes for together again behind a call from which they
 * return one by one (ptxas 13.0): it keeps for all lanes of a warp what those ahead change. Kernels of many lanes have
 * such steps alone, once, and as the last that they do. */
bool cuna__codegen_calls(const cuna_program_text *text);

/* Writes what stands in a translation unit for one kernel alone, its number `number` there. */
void cuna__codegen_kernel(cuna_strbuf *out, int number, const cuna_codegen_item *item, bool lanes);

/* Writes the texts that units with these needs share (codegen.c). */
void cuna__codegen_texts(cuna_strbuf *out, unsigned needs, bool lanes);

/* Writes a translation unit, without the device's prelude; `lanes` says whether blocks have many of them, which work by
 * other templates than blocks of one lane. */
cuna_status cuna__codegen_unit(cuna_strbuf *out, int nitems, const cuna_codegen_item *items, bool lanes);

#endif
