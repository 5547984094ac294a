/* program.c: the process-wide registries of operations, reducers and programs.
 *
 * Ids of operations and reducers stay valid for ever, so that callers may keep them without counting. Programs are counted,
 * for the sake of user kernels: programs of cuna's own vocabulary are kept for ever. Registries are lists under one
 * lock. Kernels hang on their program in a list that readers walk without the lock: each reader has a share of the
 * program. */
#include "kernel/program.h"

#include "kernel/codegen.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_INSTRUCTIONS 16
#define SHORT_TEXT         300 /* characters of a user's text */
#define MAX_OPERATIONS     4096
#define MAX_REDUCERS       256
#define PROGRAM_BINS       1024

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cuna_operation operations[MAX_OPERATIONS];
static int noperations;
static cuna_reducer reducers[MAX_REDUCERS];
static int nreducers;
static cuna_program *bins[PROGRAM_BINS];

static int find_operation(const char *name, int nargs, const char *expression)
{
    for (int i = 0; i < noperations; i++) {
        const cuna_operation *at = &operations[i];
        if (at->nargs == nargs && strcmp(at->name, name) == 0 && strcmp(at->expression, expression) == 0)
            return i;
    }
    return -1;
}

static cuna_status add_operation(const char *name, int nargs, const char *expression)
{
    if (noperations == MAX_OPERATIONS)
        return cuna_fail(CUNA_VALUE, "%s: more than %d operations are declared", name, MAX_OPERATIONS);
    cuna_operation made = {strdup(name), strdup(expression), NULL, nargs};
    if (made.name == NULL || made.expression == NULL) {
        free(made.name);
        free(made.expression);
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for an operation");
    }
    operations[noperations] = made;
    __atomic_store_n(&noperations, noperations + 1, __ATOMIC_RELEASE);
    return CUNA_OK;
}

cuna_status cuna_operation_define(uint16_t *id, const char *name, int nargs, const char *expression)
{
    if (nargs < 0 || nargs > CUNA_MAX_ARGUMENTS)
        return cuna_fail(CUNA_VALUE, "%s: an operation has 0 to %d arguments, not %d", name, CUNA_MAX_ARGUMENTS, nargs);
    cuna_status status = CUNA_OK;
    pthread_mutex_lock(&lock);
    int found = find_operation(name, nargs, expression);
    if (found < 0) {
        status = add_operation(name, nargs, expression);
        found = noperations - 1;
    }
    pthread_mutex_unlock(&lock);
    *id = (uint16_t)found;
    return status;
}

cuna_status cuna_operation_on_loops(uint16_t id, const char *expression)
{
    cuna_status status = CUNA_OK;
    pthread_mutex_lock(&lock);
    if (operations[id].on_loops == NULL) {
        char *text = strdup(expression);
        if (text == NULL)
            status = cuna_fail(CUNA_MEMORY, "the host has no memory left for an operation");
        __atomic_store_n(&operations[id].on_loops, text, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

const char *cuna__operation_on_loops(uint16_t id)
{
    const char *text = __atomic_load_n(&operations[id].on_loops, __ATOMIC_ACQUIRE);
    return text != NULL ? text : operations[id].expression;
}

static bool same_reducer(const cuna_reducer *a, const cuna_reducer *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->state, b->state) == 0 && strcmp(a->identity, b->identity) == 0 &&
           strcmp(a->lift, b->lift) == 0 && strcmp(a->combine, b->combine) == 0 && strcmp(a->finish, b->finish) == 0;
}

/* Copies of a reducer's texts live as long as the process. */
static cuna_status add_reducer(const cuna_reducer *reducer)
{
    if (nreducers == MAX_REDUCERS)
        return cuna_fail(CUNA_VALUE, "%s: more than %d reducers are declared", reducer->name, MAX_REDUCERS);
    cuna_reducer made = {strdup(reducer->name), strdup(reducer->state),   strdup(reducer->identity),
                         strdup(reducer->lift), strdup(reducer->combine), strdup(reducer->finish)};
    if (!made.name || !made.state || !made.identity || !made.lift || !made.combine || !made.finish)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a reducer");
    reducers[nreducers] = made;
    __atomic_store_n(&nreducers, nreducers + 1, __ATOMIC_RELEASE);
    return CUNA_OK;
}

cuna_status cuna_reducer_define(uint16_t *id, const cuna_reducer *reducer)
{
    cuna_status status = CUNA_OK;
    int found = 0;
    pthread_mutex_lock(&lock);
    while (found < nreducers && !same_reducer(&reducers[found], reducer))
        found++;
    if (found == nreducers)
        status = add_reducer(reducer);
    pthread_mutex_unlock(&lock);
    *id = (uint16_t)found;
    return status;
}

const cuna_operation *cuna__operation_get(uint16_t id)
{
    return id < __atomic_load_n(&noperations, __ATOMIC_ACQUIRE) ? &operations[id] : NULL;
}

const cuna_reducer *cuna__reducer_get(uint16_t id)
{
    return id < __atomic_load_n(&nreducers, __ATOMIC_ACQUIRE) ? &reducers[id] : NULL;
}

/* Bytes that identify a program: the instructions after the last one are not compared. */
static size_t text_nbytes(const cuna_program_text *text)
{
    return offsetof(cuna_program_text, instruction) + text->ninstructions * sizeof(cuna_instruction);
}

static uint64_t hash_bytes(const void *bytes, size_t nbytes)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < nbytes; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return hash;
}

/* Which values folds need. */
static void find_early(cuna_levels *out, const cuna_program_text *text)
{
    for (int k = text->ninstructions - 1, first = text->ninputs + (text->uses_index != 0); k >= 0; k--) {
        const cuna_instruction *step = &text->instruction[k];
        for (int i = 0; i < step->nargs; i++)
            out->early[step->arg[i]] |= step->folds || out->early[first + k];
    }
}

void cuna__program_find_levels(cuna_levels *out, const cuna_program_text *text)
{
    memset(out, 0, sizeof *out);
    find_early(out, text);
    for (int k = 0; k < text->ninputs; k++)
        out->row[k] = text->input_scalar[k] != 0;
    for (int k = 0, value = text->ninputs + (text->uses_index != 0); k < text->ninstructions; k++, value++) {
        const cuna_instruction *step = &text->instruction[k];
        out->row[value] = true;
        for (int i = 0; i < step->nargs; i++) {
            uint8_t level = out->level[step->arg[i]];
            out->level[value] = level > out->level[value] ? level : out->level[value];
            out->row[value] = out->row[value] && out->row[step->arg[i]];
        }
        out->row[value] = out->row[value] || step->folds;
        out->level[value] += step->folds;
    }
}

/* Whether a program makes one value of elements' values and positions, and of nothing else: others can have it for steps. */
static bool is_plain(const cuna_program *program)
{
    const cuna_program_text *text = &program->text;
    return (text->kind == CUNA_PROGRAM_MAP || cuna__program_combines(text)) && text->noutputs == 1 &&
           text->statement == 0 && text->gathers != CUNA_GATHERS && text->span_log2 == 0 && text->table == 0 &&
           text->nraws == 0 && (text->uses_index == 0 || text->kind == CUNA_PROGRAM_MAP) && !program->stores;
}

/* Whether an element's text may be long: steps that name other namespaces call functions of whole files there, and lanes
 * keep what they read at positions. */
static bool is_long(const cuna_program_text *text)
{
    bool found = text->ninstructions > SHORT_INSTRUCTIONS || text->gathers != 0;
    if (text->statement != 0)
        return found || strlen(cuna__statement_get(text->statement)->text) > SHORT_TEXT;
    for (int i = 0; i < text->ninstructions && !found; i++)
        found = !text->instruction[i].folds &&
                strstr(cuna__operation_get(text->instruction[i].operation)->expression, "::") != NULL;
    return found;
}

static cuna_program *make_program(const cuna_program_text *text, uint64_t hash)
{
    size_t nbytes = text_nbytes(text);
    cuna_program *program = calloc(1, offsetof(cuna_program, text) + nbytes);
    if (program == NULL)
        return NULL;
    memcpy(&program->text, text, nbytes);
    program->hash = hash;
    if (text->statement != 0)
        cuna__statement_retain(text->statement);
    for (int i = 0; i < text->ninputs; i++)
        program->nscalars += text->input_scalar[i] != 0;
    cuna__program_find_levels(&program->levels, text);
    for (int i = 0; i < text->ninstructions; i++)
        program->stores = program->stores || text->instruction[i].stored != CUNA_STORED_NOT;
    program->noperands = text->noutputs + text->ninputs - program->nscalars;
    program->calls = cuna__codegen_calls(text);
    program->is_plain = is_plain(program);
    program->is_long = is_long(text);
    return program;
}

cuna_status cuna_program_intern(const cuna_program **out, const cuna_program_text *text)
{
    CUNA_TRY(cuna__program_check(text));
    size_t nbytes = text_nbytes(text);
    uint64_t hash = hash_bytes(text, nbytes);
    pthread_mutex_lock(&lock);
    cuna_program **bin = &bins[hash % PROGRAM_BINS], *found = *bin;
    while (found != NULL && (found->hash != hash || memcmp(&found->text, text, nbytes) != 0))
        found = found->next;
    if (found == NULL && (found = make_program(text, hash)) != NULL) {
        found->next = *bin;
        *bin = found;
    }
    if (found != NULL)
        cuna_program_retain(found);
    pthread_mutex_unlock(&lock);
    *out = found;
    return found ? CUNA_OK : cuna_fail(CUNA_MEMORY, "the host has no memory left for a program");
}

/* States that share a program say the same of it. */
void cuna_program_set_filler(const cuna_program *program, bool many_lanes, const cuna_program *filler,
                             int64_t nelements, int64_t npositions)
{
    cuna_filler *slot = &((cuna_program *)program)->filler[many_lanes];
    slot->nelements = nelements;
    slot->npositions = npositions;
    __atomic_store_n(&slot->program, filler, __ATOMIC_RELEASE);
}

void cuna_program_retain(const cuna_program *program)
{
    __atomic_add_fetch(&((cuna_program *)program)->references, 1, __ATOMIC_RELAXED);
}

static void free_program(cuna_program *program)
{
    for (cuna_kernel *kernel = program->kernels, *next; kernel != NULL; kernel = next) {
        next = kernel->next;
        cuna__loaded_release(kernel->loaded);
        free(kernel);
    }
    if (program->text.statement != 0)
        cuna_statement_release(program->text.statement);
    free(program);
}

/* Gives a reference up that is not the last one. */
static bool drop_shared(cuna_program *program)
{
    int64_t count = __atomic_load_n(&program->references, __ATOMIC_RELAXED);
    while (count > 1 && !__atomic_compare_exchange_n(&program->references, &count, count - 1, true, __ATOMIC_RELEASE,
                                                     __ATOMIC_RELAXED)) {
    }
    return count > 1;
}

/* The last reference goes under the lock, under which others find the program. */
void cuna_program_release(const cuna_program *program)
{
    if (drop_shared((cuna_program *)program))
        return;
    cuna_program **at = &bins[program->hash % PROGRAM_BINS];
    pthread_mutex_lock(&lock);
    bool last = __atomic_sub_fetch(&((cuna_program *)program)->references, 1, __ATOMIC_ACQ_REL) == 0;
    while (last && *at != program)
        at = &(*at)->next;
    if (last)
        *at = program->next;
    pthread_mutex_unlock(&lock);
    if (last)
        free_program((cuna_program *)program);
}

const cuna_program_text *cuna_program_get_text(const cuna_program *program)
{
    return &program->text;
}

const cuna_kernel *cuna__program_find_kernel(const cuna_program *program, int device, uint64_t key)
{
    const cuna_kernel *at = __atomic_load_n(&program->kernels, __ATOMIC_ACQUIRE);
    while (at != NULL && (at->key != key || at->device != device))
        at = at->next;
    return at;
}

void cuna__program_add_kernel(const cuna_program *program, cuna_kernel *kernel)
{
    cuna_kernel **head = &((cuna_program *)program)->kernels;
    kernel->next = __atomic_load_n(head, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(head, &kernel->next, kernel, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
}
