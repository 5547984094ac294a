/* lapack.c: LAPACK's operations over stacks of matrices, on any device.
 *
 * seam/lapack.h spells what operands an operation has; here arrays are held against that, and the spelling's lengths (m, n, k)
 * read off them. lapack_run.c runs the request. */
#include <string.h>

#include "kernel/launch.h"
#include "kernels/report.h"
#include "work/lapack.h"

/* ---- the request ---- */

static const struct cuna__lapack_row {
    const char *name, *operands, *options;
} rows[] = {
#define ROW(name, operands, options) {#name, operands, options},
    CUNA_LAPACK_ROWS(ROW)
#undef ROW
};

static cuna_status refuse(const cuna__lapack_request *r, int operand, const char *why)
{
    return cuna_fail(CUNA_VALUE, "%s: operand %d of %s %s", r->name, operand + 1, r->row->name, why);
}

static cuna_dtype dtype_of(cuna_dtype dtype, char type)
{
    bool single = dtype == CUNA_FLOAT32 || dtype == CUNA_COMPLEX64;
    switch (type | 0x20) {
    case 'p':
        return CUNA_INT64;
    case 'r':
        return single ? CUNA_FLOAT32 : CUNA_FLOAT64;
    case 'c':
        return single ? CUNA_COMPLEX64 : CUNA_COMPLEX128;
    default:
        return dtype;
    }
}

static bool is_of_lapack(cuna_dtype dtype)
{
    return dtype == CUNA_FLOAT32 || dtype == CUNA_FLOAT64 || dtype == CUNA_COMPLEX64 || dtype == CUNA_COMPLEX128;
}

/* Holds one length against its letter, which gets it where it had none (-1). */
static bool fits(cuna_lapack_call *call, char letter, int64_t length)
{
    int64_t *known = letter == 'm' ? &call->m : letter == 'n' ? &call->n : &call->k;
    if (letter == 'q')
        return length == cuna__min(call->m, call->n);
    if (*known < 0)
        *known = length;
    return *known == length;
}

/* `text` begins with the operand's spelling. */
static cuna_status add_operand(cuna__lapack_request *r, int operand, const char *text)
{
    const cuna_array *x = r->arrays[operand], *first = r->arrays[0];
    int naxes = (int)strspn(text + 1, "mnkq");
    CUNA_TRY(cuna__array_use_device(&r->device, x, r->name));
    if (operand == 0)
        r->nbatch = x->ndim - naxes;
    if (x->dtype != dtype_of(r->call.dtype, *text))
        return refuse(r, operand, "has another dtype");
    if (r->nbatch < 0 || x->ndim != r->nbatch + naxes || !(x->flags & CUNA_ARRAY_CONTIGUOUS) ||
        !cuna__same_lengths(cuna_array_shape(x), cuna_array_shape(first), r->nbatch))
        return refuse(r, operand, "is not a row-major stack as long as the first");
    if (*text < 'a')
        CUNA_TRY(cuna__array_check_writable(x, r->name));
    int64_t nbytes = cuna_dtype_size(x->dtype);
    for (int i = 0; i < naxes; i++) { /* rows come first in the spelling, and last in the shape */
        int64_t length = cuna_array_shape(x)[x->ndim - 1 - i];
        if (!fits(&r->call, text[1 + i], length))
            return refuse(r, operand, "has another length than its neighbours");
        nbytes *= length;
    }
    r->call.at[operand] = cuna__array_data(x);
    r->call.nbytes[operand] = nbytes;
    return CUNA_OK;
}

static cuna_status read_operands(cuna__lapack_request *r)
{
    const char *text = r->row->operands;
    int count = 0;
    bool may_end = false;
    r->call.m = r->call.n = r->call.k = -1;
    for (; *text != '\0' && *text != '!'; text += strcspn(text, " "), text += *text == ' ') {
        may_end |= *text == '|';
        if (*text == '|' || (may_end && count >= r->narrays))
            continue;
        if (count >= r->narrays)
            return cuna_fail(CUNA_VALUE, "%s: %s has more operands than %d", r->name, r->row->name, r->narrays);
        CUNA_TRY(add_operand(r, count++, text));
    }
    if (count != r->narrays || (*text == '!') != (r->info != NULL))
        return cuna_fail(CUNA_VALUE, "%s: %s has %d operands%s", r->name, r->row->name, count,
                         *text == '!' ? ", and info" : "");
    return CUNA_OK;
}

/* Lengths that are in none of the operands, and those that do not go together. */
static cuna_status settle_lengths(cuna__lapack_request *r)
{
    cuna_lapack_call *c = &r->call;
    cuna_lapack_op op = c->op;
    c->m = c->m < 0 ? c->n : c->m;
    c->k = c->k < 0 ? op == CUNA_LAPACK_geev && r->narrays > 2 ? c->n : 0 : c->k;
    bool good = true;
    if (op == CUNA_LAPACK_gesvd)
        good = c->m >= c->n && (c->k == 0 || c->k == c->n || c->k == c->m);
    else if (op == CUNA_LAPACK_orgqr)
        good = c->m >= c->n && c->n >= c->k;
    else if (op == CUNA_LAPACK_ormqr)
        good = c->m >= c->k;
    if (!good)
        return cuna_fail(CUNA_VALUE, "%s: %s does not take lengths m = %lld, n = %lld, k = %lld", r->name, r->row->name,
                         (long long)c->m, (long long)c->n, (long long)c->k);
    return CUNA_OK;
}

static cuna_status read_options(cuna__lapack_request *r, const char *options)
{
    const char *allowed = r->row->options;
    size_t count = 0, given = strlen(options);
    for (; *allowed != '\0'; allowed += strcspn(allowed, " "), allowed += *allowed == ' ', count++) {
        const char *found = count < given ? strchr(allowed, options[count]) : NULL;
        if (found == NULL || *found == ' ' || found >= allowed + strcspn(allowed, " "))
            return cuna_fail(CUNA_VALUE, "%s: %s takes the options '%s', not '%s'", r->name, r->row->name,
                             r->row->options, options);
        r->call.options[count] = options[count];
    }
    return count == given ? CUNA_OK
                          : cuna_fail(CUNA_VALUE, "%s: %s takes no options '%s'", r->name, r->row->name, options);
}

static cuna_status read_info(cuna__lapack_request *r)
{
    const cuna_array *info = r->info;
    if (info == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__array_use_device(&r->device, info, r->name));
    CUNA_TRY(cuna__array_check_writable(info, r->name));
    if (info->dtype != CUNA_INT32 || info->ndim != r->nbatch || !(info->flags & CUNA_ARRAY_CONTIGUOUS) ||
        !cuna__same_lengths(cuna_array_shape(info), cuna_array_shape(r->arrays[0]), r->nbatch))
        return cuna_fail(CUNA_VALUE, "%s: info is not a row-major int32 array with an element for each matrix",
                         r->name);
    r->call.info = cuna__array_data(info);
    return CUNA_OK;
}

static cuna_lapack_op find_op(const char *operation)
{
    cuna_lapack_op op = 0;
    while (op < CUNA_LAPACK_OPS && strcmp(rows[op].name, operation) != 0)
        op++;
    return op;
}

static cuna_status read_request(cuna__lapack_request *r, const char *operation, const char *options)
{
    cuna_lapack_op op = find_op(operation);
    if (op == CUNA_LAPACK_OPS || r->narrays < 1 || r->narrays > CUNA_LAPACK_OPERANDS)
        return cuna_fail(CUNA_VALUE, "%s: no operation of LAPACK is called '%s' and has %d operands", r->name,
                         operation, r->narrays);
    r->row = &rows[op];
    r->operation = operation;
    r->call.op = op;
    r->call.dtype = r->arrays[0]->dtype;
    if (!is_of_lapack(r->call.dtype))
        return cuna_fail(CUNA_VALUE, "%s: %s is not supported; cast to float32 or float64", r->name,
                         cuna_dtype_name(r->call.dtype));
    /* Operands come first: they set the lengths and the axes of the stack, which the steps after them use. */
    CUNA_TRY(read_operands(r));
    CUNA_TRY(settle_lengths(r));
    CUNA_TRY(read_options(r, options));
    CUNA_TRY(read_info(r));
    r->call.batch = 1;
    for (int i = 0; i < r->nbatch; i++)
        r->call.batch *= cuna_array_shape(r->arrays[0])[i];
    return CUNA_OK;
}

/* ---- functions for other files ---- */

/* Nothing can go wrong with a matrix that has no elements. */
static cuna_status clear_info(const cuna__lapack_request *r)
{
    static const cuna_number zero = {.kind = CUNA_NUMBER_INT};
    return r->info != NULL ? cuna_array_fill(r->context, r->info, &zero) : CUNA_OK;
}

/* The table writes real vectors, which become complex ones afterwards. */
static cuna_status do_real_geev(cuna__lapack_request *r)
{
    cuna_array packed = {0};
    const cuna_array *w = r->arrays[1];
    cuna_array *v = r->arrays[2];
    CUNA_TRY(cuna__lapack_make_packed(&packed, r->context, v));
    r->call.at[2] = cuna__array_data(&packed) + (uint64_t)r->call.nbytes[0] / (uint64_t)r->call.n;
    r->call.nbytes[2] = r->call.nbytes[0];
    cuna_status status = cuna__lapack_run(r);
    if (status == CUNA_OK)
        status = cuna__lapack_unpack(r->context, r->name, &packed, w, v);
    cuna_array_release(&packed);
    return status;
}

/* Callers retry on MEMORY, which is too late here: operands were written to. */
static cuna_status refuse_retry(const cuna__lapack_request *r)
{
    return cuna_fail(CUNA_DEVICE, "%s: there was not enough memory on %s to finish; what was to be written is spoilt",
                     r->name, r->device->name);
}

cuna_status cuna_lapack_call_stack(cuna_context *context, const char *name, const char *operation, int narrays,
                                   cuna_array *const *arrays, cuna_array *info, const char *options)
{
    bool began = false;
    cuna__lapack_request r = {
        .context = context, .name = name, .narrays = narrays, .arrays = arrays, .info = info, .began = &began};
    CUNA_TRY(read_request(&r, operation, options));
    for (int i = 0; i < narrays; i++)
        if (arrays[i]->size == 0)
            return clear_info(&r);
    bool real = cuna_dtype_kind(r.call.dtype) == 'f';
    cuna_status status =
        r.call.op == CUNA_LAPACK_geev && r.call.k > 0 && real ? do_real_geev(&r) : cuna__lapack_run(&r);
    return status == CUNA_MEMORY && began ? refuse_retry(&r) : status;
}

bool cuna_lapack_lacks(const cuna_device *device, const char *operation)
{
    return device->driver->facts.lapack->lacks >> find_op(operation) & 1;
}

char cuna_lapack_triangle(const cuna_device *device)
{
    return device->driver->facts.lapack->triangle;
}

/* ---- how matrices ended ---- */

bool cuna_lapack_loses_nan(const cuna_array *a, const char *operation)
{
    const cuna_lapack *table = cuna_array_device(a)->driver->facts.lapack;
    const int64_t *lengths = cuna_array_shape(a) + a->ndim - 2;
    if (cuna__lapack_is_small(table, find_op(operation), a->dtype, lengths[1], lengths[0]))
        return false;
    bool stacked = cuna__lapack_is_stacked(table, find_op(operation), a->size / cuna__max(lengths[0] * lengths[1], 1),
                                           lengths[1], lengths[0]);
    return (stacked ? table->stacks_lose : table->loses_nan) >> find_op(operation) & 1;
}

/* Its inputs are info, a mark for reports, the code to report, and how many matrices are counted before the first. */
static cuna_status check_program(const cuna_program **out)
{
    static const cuna_program *cached;
    static const uint8_t dtypes[] = {CUNA_INT32, CUNA_INT64, CUNA_INT64, CUNA_INT64};
    static const cuna__lapack_step judged = {"judged", "judged(a, b, c, d + e)", 4, dtypes, true, CUNA_DTYPES};
    return cuna__lapack_program(out, &cached, &judged);
}

_Static_assert((int)REPORT_INDEFINITE == REPORT_SINGULAR + (int)CUNA_INDEFINITE &&
                   (int)REPORT_UNCONVERGED == REPORT_SINGULAR + (int)CUNA_UNCONVERGED,
               "codes are in the order of verdicts");

cuna_status cuna_lapack_check(cuna_context *context, const char *name, cuna_lapack_verdict verdict,
                              const cuna_array *info, const char *place)
{
    const cuna_program *program;
    uint64_t mark;
    CUNA_TRY(check_program(&program));
    CUNA_TRY(cuna_device_report_mark(&mark, context, cuna_array_device(info), name, place));
    cuna_operand inputs[] = {{.array = info},
                             {.number = {.kind = CUNA_NUMBER_INT, .i = (int64_t)mark}},
                             {.number = {.kind = CUNA_NUMBER_INT, .i = REPORT_SINGULAR + (int)verdict}},
                             {.number = {.kind = CUNA_NUMBER_INT, .i = info->ndim > 0}}};
    return cuna_elementwise(context, name, program, inputs, NULL, -1, NULL);
}

cuna_status cuna_lapack_open(const char **library, const char **where, cuna_device *device)
{
    const cuna_lapack *table = device->driver->facts.lapack;
    *library = table->name;
    *where = "";
    CUNA_TRY(table->open());
    *where = table->where();
    return CUNA_OK;
}
