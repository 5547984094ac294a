/* interpret.c: turns images that name loops into code that runs them.
 *
 * Values get places. A value of a block has a slot until its last use; a result may take the slot of an argument that
 * ends there and has elements of its size, because loops read an element before they write it. Values of a launch or of
 * a run keep their slots. */
#include "cpu/interpret/interpret.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cpu/execute/error.h"
#include "cpu/execute/module.h"
#include "cpu/interpret/library.h"
#include "seam/loop_image.h"

#define CU_TRY(call)                \
    do {                            \
        cu_result result_ = (call); \
        if (result_ != CU_SUCCESS)  \
            return result_;         \
    } while (0)

#define NO_SLOT      (-1)
#define WHOLE_BLOCK  16384      /* elements, of code without slots: a block of a launch */
#define SHORT_NBYTES 2048       /* of a slot, where several steps share the first cache */
#define LONG_NBYTES  4096       /* where one or two do */
#define ROOM_NBYTES  (64 << 10) /* of all slots */
#define LEAST_BLOCK  128        /* elements: the most states that a fold keeps side by side */
#define MAX_VALUES   1024
#define RESERVED     2          /* places behind the slots: the buffer; squares or panels */
#define PADDING      LOOP_ALIGN /* between slots, which would otherwise share sets of the cache */

/* What the functions share while they turn one image into code. */
typedef struct assembly {
    const cuna_loop_image *image;
    const cuna_loop_library *library;
    cuna_loop_code *code;
    int last[MAX_VALUES];       /* line that uses a value last */
    int slot[MAX_VALUES];       /* of a value; NO_SLOT */
    bool taken[LOOP_PLACES];    /* slots */
    int nfixed, nblock, widest; /* first free place; steps of blocks; bytes of the largest value */
} assembly;

bool cuna__cpu_interpret_accepts(const void *image)
{
    return memcmp(image, CUNA_LOOP_MAGIC, sizeof((cuna_loop_image *)0)->magic) == 0;
}

/* Where each value is used last. Uses of values that outlive blocks do not end. */
static void find_last_uses(assembly *a)
{
    for (int i = 0; i < a->image->nlines; i++) {
        const cuna_loop_line *line = &a->image->line[i];
        for (int k = 0; k < line->nargs; k++)
            a->last[line->arg[k]] = i;
    }
    for (int i = 0; i < a->image->nlines; i++)
        if (a->image->line[i].when != LOOP_BLOCK)
            a->last[a->image->line[i].value] = a->image->nlines;
    if (a->image->fold != 0)
        a->last[a->image->folded] = a->image->nlines;
}

static int take_slot(assembly *a)
{
    int slot = 0, most = LOOP_PLACES - a->nfixed - RESERVED;
    while (slot < most && a->taken[slot])
        slot++;
    if (slot == most)
        return NO_SLOT;
    a->taken[slot] = true;
    a->code->nslots = slot >= a->code->nslots ? slot + 1 : a->code->nslots;
    return slot;
}

/* Bytes of an element of a value: operands' are theirs. */
static int size_of(const assembly *a, int value)
{
    if (value < a->image->noperands)
        return a->image->itemsize[value];
    for (int i = 0; i < a->image->nlines; i++)
        if (a->image->line[i].value == value)
            return a->image->line[i].itemsize;
    return 0;
}

/* The slot of a line's result. */
static int place_result(assembly *a, int number)
{
    const cuna_loop_line *line = &a->image->line[number];
    int reused = NO_SLOT;
    for (int k = 0; k < line->nargs && reused == NO_SLOT; k++)
        if (a->slot[line->arg[k]] != NO_SLOT && a->last[line->arg[k]] == number && line->when == LOOP_BLOCK &&
            size_of(a, line->arg[k]) == line->itemsize)
            reused = a->slot[line->arg[k]];
    int slot = reused != NO_SLOT ? reused : take_slot(a);
    for (int k = 0; k < line->nargs; k++) {
        int argument = line->arg[k];
        if (a->slot[argument] != NO_SLOT && a->last[argument] == number && a->slot[argument] != slot)
            a->taken[a->slot[argument]] = false;
    }
    return slot;
}

static int place_of(const assembly *a, int value)
{
    return a->slot[value] != NO_SLOT ? a->nfixed + a->slot[value] : value;
}

static cu_result fail_missing(const char *name)
{
    char words[400];
    snprintf(words, sizeof words, "no loop was compiled for '%.300s'", name);
    return cuna__cpu_error_keep(CU_ERROR_NOT_FOUND, words);
}

/* A line whose result is an operand stores to it and has no slot. */
static cu_result add_step(assembly *a, int number, cuna_loop_step *step)
{
    const cuna_loop_line *line = &a->image->line[number];
    const char *name = (const char *)a->image + line->name;
    step->run = (cuna_loop)(uintptr_t)cuna__cpu_library_find(a->library, name);
    if (step->run == NULL)
        return fail_missing(name);
    for (int k = 0; k < line->nargs; k++)
        step->at[k + 1] = (unsigned char)place_of(a, line->arg[k]);
    int slot = line->value >= a->nfixed ? place_result(a, number) : NO_SLOT;
    if (line->value >= a->nfixed && slot == NO_SLOT)
        return CU_ERROR_NOT_FOUND;
    a->slot[line->value] = slot;
    step->itemsize = line->itemsize;
    step->at[0] = (unsigned char)place_of(a, line->value);
    a->widest = line->itemsize > a->widest ? line->itemsize : a->widest;
    a->nblock += line->when == LOOP_BLOCK;
    return CU_SUCCESS;
}

/* Slots are taken in the order of lines, which is that of time within a kind of step. */
static cu_result add_steps(assembly *a)
{
    int count = 0;
    for (int when = 0; when < LOOP_TIMES; when++) {
        for (int i = 0; i < a->image->nlines; i++) {
            if (a->image->line[i].when != when)
                continue;
            cu_result result = add_step(a, i, &a->code->steps[count++]);
            if (result != CU_SUCCESS)
                return result;
        }
        a->code->end[when] = count;
    }
    return CU_SUCCESS;
}

/* Bytes that an operand moves along a run; any number of class ANY. */
static int run_stride(const cuna_loop_code *code, int operand)
{
    static const int elements[] = {[LOOP_STRIDE_UNIT] = 1,
                                   [LOOP_STRIDE_UNIFORM] = 0,
                                   [LOOP_STRIDE_ANY] = 0,
                                   [LOOP_STRIDE_TWO] = 2,
                                   [LOOP_STRIDE_TILED] = 1};
    return elements[code->stride_class[operand]] * code->itemsize[operand];
}

static void choose_room(cuna_loop_code *code)
{
    code->room_nbytes = LOOP_BUFFER_NBYTES + code->nslots * code->slot_nbytes;
    for (int k = 0; k < code->noperands; k++)
        if (code->stride_class[k] == LOOP_STRIDE_TILED)
            code->room_nbytes += LOOP_SQUARE * code->itemsize[k];
        else
            code->room_nbytes += code->panel * (code->stride[k] > 0 ? code->stride[k] : code->itemsize[k]);
}

/* A loop of a fold, whose name `offset` is followed by `word`. */
static cu_result find_loop(void **loop, const assembly *a, uint32_t offset, const char *word)
{
    cuna_strbuf name = {0};
    cuna__strbuf_printf(&name, "%s%s", (const char *)a->image + offset, word);
    if (cuna__strbuf_status(&name) != CUNA_OK) {
        cuna__strbuf_free(&name);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    *loop = cuna__cpu_library_find(a->library, name.text);
    cu_result result = *loop != NULL ? CU_SUCCESS : fail_missing(name.text);
    cuna__strbuf_free(&name);
    return result;
}

/* Results of the dtype that finish gives go to memory as they are. */
static cu_result add_fold(assembly *a)
{
    void *fold, *finish, *convert, *store;
    const cuna_loop_image *image = a->image;
    if (image->fold == 0)
        return CU_SUCCESS;
    CU_TRY(find_loop(&fold, a, image->fold, ""));
    CU_TRY(find_loop(&finish, a, image->finish, ""));
    a->code->fold = fold;
    a->code->finish = finish;
    a->code->folded = place_of(a, image->folded);
    if (image->pairs != 0)
        a->code->pairs = cuna__cpu_library_find(a->library, (const char *)image + image->pairs);
    const char *given = a->code->finish->type, *wanted = strchr((const char *)image + image->convert, '\t') + 1;
    if (strncmp(given, wanted, strlen(given)) == 0 && wanted[strlen(given)] == '\t')
        return CU_SUCCESS;
    CU_TRY(find_loop(&convert, a, image->convert, given));
    CU_TRY(find_loop(&store, a, image->store, ""));
    a->code->convert = (cuna_loop)(uintptr_t)convert;
    a->code->store = (cuna_loop)(uintptr_t)store;
    return CU_SUCCESS;
}

static void choose_block(const assembly *a)
{
    cuna_loop_code *code = a->code;
    if (code->nslots == 0) {
        code->block = WHOLE_BLOCK;
        return;
    }
    int block = (a->nblock > 2 ? SHORT_NBYTES : LONG_NBYTES) / (a->widest > 0 ? a->widest : 1);
    while (block > LEAST_BLOCK && code->nslots * block * a->widest > ROOM_NBYTES)
        block /= 2;
    code->block = block > LEAST_BLOCK ? block : LEAST_BLOCK;
    code->slot_nbytes = code->block * a->widest + PADDING;
}

static void copy_head(assembly *a)
{
    const cuna_loop_image *image = a->image;
    cuna_loop_code *code = a->code;
    code->noperands = image->noperands;
    code->noutputs = image->noutputs;
    code->nscalars = image->nscalars;
    code->table = image->table;
    code->rank = image->rank;
    code->reduced_rank = image->reduced_rank;
    code->streams = image->streams;
    for (int k = 0; k < image->noperands; k++) {
        code->itemsize[k] = image->itemsize[k];
        code->stride_class[k] = image->stride_class[k];
        code->stride[k] = run_stride(code, k);
    }
    a->nfixed = image->noperands + image->nscalars + 1;
    for (int i = 0; i < MAX_VALUES; i++) {
        a->last[i] = -1;
        a->slot[i] = NO_SLOT;
    }
}

static cu_result assemble(cuna_loop_code *code, const cuna_loop_image *image, const cuna_loop_library *library)
{
    assembly a = {.image = image, .library = library, .code = code};
    copy_head(&a);
    find_last_uses(&a);
    CU_TRY(add_steps(&a));
    CU_TRY(add_fold(&a));
    choose_block(&a);
    if (image->form == LOOP_ROWS && !image->addresses)
        code->panel = code->block < LOOP_PANEL ? code->block : LOOP_PANEL;
    choose_room(code);
    return CU_SUCCESS;
}

static cu_result load_whole(cu_module *module, const cuna_loop_image *image, const cuna_loop_library *library)
{
    const char *name = (const char *)image + image->line[0].name;
    const cuna_loop_whole *kernel = cuna__cpu_library_find(library, name);
    return kernel != NULL ? cuna__cpu_module_adopt(module, kernel->run, NULL, kernel->nbytes, NULL)
                          : fail_missing(name);
}

cu_result cuna__cpu_interpret_load(cu_module *module, const void *bytes)
{
    const cuna_loop_image *image = bytes;
    const cuna_loop_library *library = cuna__cpu_library_get();
    if (library == NULL)
        return cuna__cpu_error_keep(CU_ERROR_NOT_FOUND, "cuna was built without loops for this processor");
    if (image->form == LOOP_WHOLE)
        return load_whole(module, image, library);
    cuna_loop_code *code = calloc(1, sizeof *code + image->nlines * sizeof *code->steps);
    if (code == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    code->steps = (cuna_loop_step *)(code + 1);
    cu_result result = assemble(code, image, library);
    if (result == CU_SUCCESS)
        result = cuna__cpu_module_adopt(module, library->entry[image->form], code->fold != NULL ? library->merge : NULL,
                                        library->measure[image->form](code), code);
    if (result != CU_SUCCESS)
        free(code);
    return result;
}
