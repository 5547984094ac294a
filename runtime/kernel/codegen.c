/* codegen.c: assembles translation units: the common texts, and one struct Program per kernel. */
#include "kernel/codegen.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

extern const char cuna__text_scalar[], cuna__text_complex[], cuna__text_walk[], cuna__text_reduce[],
    cuna__text_walk_runs[], cuna__text_elementwise_runs[], cuna__text_reduce_runs[], cuna__text_walk_lanes[],
    cuna__text_elementwise_lanes[], cuna__text_reduce_lanes[], cuna__text_stages_runs[], cuna__text_stages_lanes[],
    cuna__text_scan[], cuna__text_scan_runs[], cuna__text_scan_columns_runs[], cuna__text_scan_lanes[],
    cuna__text_scan_columns_lanes[], cuna__text_statement[], cuna__text_gather[], cuna__text_search[],
    cuna__text_weigh[], cuna__text_select[], cuna__text_factor[], cuna__text_sort[], cuna__text_sort_runs[],
    cuna__text_sort_lanes[], cuna__text_product[], cuna__text_product_runs[], cuna__text_product_lanes[],
    cuna__text_random_math[], cuna__text_random[], cuna__text_random_legacy[], cuna__text_random_checked[],
    cuna__text_random_shapes[], cuna__text_random_counts[];

static const char *const templates[] = {"flat",       "rows",       "tiles",      "fold_rows",  "fold_columns",
                                        "fold_tiles", "stages",     "scan_rows",  "scan_tiles", "scan_columns",
                                        "sort_rows",  "sort_short", "sort_count", "sort_place", "product"};

/* Whether lanes of a block work together; above 1, how many blocks a multiprocessor shall have room for. */
static int team_of(const cuna_codegen_item *item)
{
    if (item->variant->form == CUNA_FORM_SORT_PLACE)
        return cuna_dtype_size(item->program->text.input_dtype[0]) > 4 ? 2 : 3;
    return item->variant->form >= CUNA_FORM_TILES;
}

void cuna__codegen_kernel(cuna_strbuf *out, int number, const cuna_codegen_item *item, bool lanes)
{
    const cuna_program_text *text = &item->program->text;
    cuna__strbuf_printf(out, "namespace cuna {\nnamespace k%d {\n", number);
    (text->sorts        ? cuna__codegen_sort
     : text->multiplies ? cuna__codegen_product
                        : cuna__codegen_program)(out, item, lanes);
    cuna__strbuf_printf(out, "CUNA_ENTRY(%s, Program::Args, %s<%s>, %d)\n", item->entry, templates[item->variant->form],
                        text->stages ? "Stages" : "Program", team_of(item));
    if (text->reduces && !text->scans)
        cuna__strbuf_printf(out, "CUNA_ENTRY(%s_merge, Program::Args, merge<Program>, 1)\n", item->entry);
    cuna__strbuf_add(out, "}\n}\n");
}

static bool is_complex(uint8_t dtype)
{
    return cuna_dtype_kind(dtype) == 'c';
}

static bool uses_complex(const cuna_program_text *text)
{
    bool found = (text->reduces && is_complex(text->accumulator)) || text->statement;
    for (int i = 0; i < text->ninputs; i++)
        found = found || is_complex(text->input_dtype[i]);
    for (int i = 0; i < text->noutputs; i++)
        found = found || is_complex(text->output_dtype[i]);
    for (int k = 0; k < text->ninstructions; k++) {
        found = found || is_complex(text->instruction[k].dtype);
        for (int i = 0; i < text->instruction[k].nargs; i++)
            found = found || is_complex(text->instruction[k].arg_dtype[i]);
    }
    return found;
}

/* Whether some step names what is in kernels/random*.cuh. */
static bool draws(const cuna_program_text *text)
{
    for (int k = 0; k < text->ninstructions; k++)
        if (!text->instruction[k].folds &&
            strstr(cuna__operation_get(text->instruction[k].operation)->expression, "random::") != NULL)
            return true;
    return false;
}

static void add_random(cuna_strbuf *out, bool gather)
{
    cuna__strbuf_add(out, cuna__text_random_math);
    cuna__strbuf_add(out, cuna__text_random);
    cuna__strbuf_add(out, cuna__text_random_shapes);
    cuna__strbuf_add(out, cuna__text_random_counts);
    cuna__strbuf_add(out, cuna__text_random_legacy);
    if (gather)
        cuna__strbuf_add(out, cuna__text_random_checked);
}

/* What host and templates must agree on, decided in program.h alone. */
static void print_constants(cuna_strbuf *out)
{
    cuna__strbuf_printf(out,
                        "namespace cuna {\nenum { TILE_SIDE = %d, TILE_STRIP = %d, FOLD_COLUMNS = %d, FOLD_PASS = %d, "
                        "STATE_NBYTES = %d, SCAN_TILE = %d, SCAN_SHORT = %d, SCAN_COLUMNS = %d, SORT_ROW = %d, "
                        "SORT_TILE = %d };\n}\n",
                        CUNA_TILE_SIDE, CUNA_TILE_STRIP, CUNA_FOLD_COLUMNS, CUNA_FOLD_PASS, CUNA_STATE_NBYTES,
                        CUNA_SCAN_TILE, CUNA_SCAN_SHORT, CUNA_SCAN_COLUMNS, CUNA_SORT_ROW, CUNA_SORT_TILE);
}

cuna_status cuna__codegen_unit(cuna_strbuf *out, int nitems, const cuna_codegen_item *items, bool lanes)
{
    bool gather = false, complex = false, elementwise = false, reduce = false, stages = false, scan = false,
         statement = false, sort = false, product = false, random = false;
    for (int i = 0; i < nitems; i++) {
        complex = complex || uses_complex(&items[i].program->text);
        stages = stages || items[i].program->text.stages;
        elementwise = elementwise || !(items[i].program->text.reduces || items[i].program->text.sorts ||
                                       items[i].program->text.multiplies);
        reduce = reduce || items[i].program->text.reduces || items[i].program->text.stages;
        scan = scan || items[i].program->text.scans;
        statement = statement || items[i].program->text.statement;
        gather = gather || items[i].program->text.gathers;
        sort = sort || items[i].program->text.sorts;
        product = product || items[i].program->text.multiplies;
        random = random || draws(&items[i].program->text);
    }
    cuna__strbuf_add(out, cuna__text_scalar);
    if (complex)
        cuna__strbuf_add(out, cuna__text_complex);
    print_constants(out);
    cuna__strbuf_add(out, cuna__text_walk);
    cuna__strbuf_add(out, lanes ? cuna__text_walk_lanes : cuna__text_walk_runs);
    if (elementwise)
        cuna__strbuf_add(out, lanes ? cuna__text_elementwise_lanes : cuna__text_elementwise_runs);
    if (reduce) {
        cuna__strbuf_add(out, cuna__text_reduce);
        cuna__strbuf_add(out, lanes ? cuna__text_reduce_lanes : cuna__text_reduce_runs);
    }
    if (scan) {
        cuna__strbuf_add(out, cuna__text_scan);
        cuna__strbuf_add(out, lanes ? cuna__text_scan_lanes : cuna__text_scan_runs);
        cuna__strbuf_add(out, lanes ? cuna__text_scan_columns_lanes : cuna__text_scan_columns_runs);
    }
    if (stages)
        cuna__strbuf_add(out, lanes ? cuna__text_stages_lanes : cuna__text_stages_runs);
    if (statement)
        cuna__strbuf_add(out, cuna__text_statement);
    if (gather) {
        cuna__strbuf_add(out, cuna__text_gather);
        cuna__strbuf_add(out, cuna__text_search);
        cuna__strbuf_add(out, cuna__text_weigh);
        cuna__strbuf_add(out, cuna__text_select);
        cuna__strbuf_add(out, cuna__text_factor);
    }
    if (random)
        add_random(out, gather);
    if (sort) {
        cuna__strbuf_add(out, cuna__text_sort);
        cuna__strbuf_add(out, lanes ? cuna__text_sort_lanes : cuna__text_sort_runs);
    }
    if (product) {
        cuna__strbuf_add(out, cuna__text_product);
        cuna__strbuf_add(out, lanes ? cuna__text_product_lanes : cuna__text_product_runs);
    }
    for (int i = 0; i < nitems; i++)
        cuna__codegen_kernel(out, i, &items[i], lanes);
    return cuna__strbuf_status(out);
}

/* Appends a word, letters and digits only. */
static void append(char *name, size_t nbytes, const char *word)
{
    size_t length = strlen(name);
    for (; *word != '\0' && length + 1 < nbytes; word++)
        if (isalnum((unsigned char)*word) || *word == '_')
            name[length++] = *word;
    name[length] = '\0';
}

void cuna__codegen_name(cuna_codegen_item *item, int number)
{
    const cuna_program_text *text = &item->program->text;
    size_t room = sizeof item->entry - 12;
    snprintf(item->entry, sizeof item->entry, "cuna");
    for (int k = 0; k < text->ninstructions; k++) {
        append(item->entry, room, "_");
        uint16_t id = text->instruction[k].operation;
        append(item->entry, room,
               text->instruction[k].folds ? cuna__reducer_get(id)->name : cuna__operation_get(id)->name);
    }
    if (text->sorts == CUNA_SORTS_POSITIONS)
        append(item->entry, room, "_arg");
    if (text->statement) {
        append(item->entry, room, "_");
        append(item->entry, room, cuna__statement_get(text->statement)->name);
    }
    if (text->reduces && !text->statement) {
        append(item->entry, room, "_");
        append(item->entry, room, cuna__reducer_get(text->reducer)->name);
    }
    for (int i = 0; i < text->ninputs; i++) {
        append(item->entry, room, "_");
        append(item->entry, room, cuna_dtype_name(text->input_dtype[i]));
    }
    append(item->entry, room, "_");
    append(item->entry, room, templates[item->variant->form]);
    size_t length = strlen(item->entry);
    snprintf(item->entry + length, sizeof item->entry - length, "_%d", number);
}
