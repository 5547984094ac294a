/* lapack_small.c: operations over small real matrices by cuna's own kernels (kernels/factor_lanes.cuh,
 * jacobi_lanes.cuh), in one launch for a stack. Libraries take many launches, most for what stands around them
 * (lapack_stack.c). */
#include "kernel/launch.h"
#include "work/lapack.h"

#define LEAST_SIDE_LOG2 2 /* of matrices that kernels are made for */

/* The structs of kernels; NULL: there is none. */
static const char *const kernels[CUNA_LAPACK_OPS] = {
    [CUNA_LAPACK_getrf] = "Lu<Program>",
    [CUNA_LAPACK_getrs] = "LuSolve<Program, false>",
    [CUNA_LAPACK_getri] = "LuSolve<Program, true>",
    [CUNA_LAPACK_potrf] = "Cholesky<Program>",
    [CUNA_LAPACK_trsm] = "Triangle<Program>",
    [CUNA_LAPACK_gesvd] = "Singular<Program>",
    [CUNA_LAPACK_syevd] = "Eigen<Program>",
};

bool cuna__lapack_is_small(const cuna_lapack *table, cuna_lapack_op op, cuna_dtype dtype, int64_t m, int64_t n)
{
    bool suits = m == n || op == CUNA_LAPACK_gesvd;
    return cuna_dtype_kind(dtype) == 'f' && suits && cuna__max(m, n) <= table->small[op];
}

static cuna_status find_program(const cuna_program **out, const cuna__lapack_request *r)
{
    static const cuna_program *cached[CUNA_LAPACK_OPS][2];
    const cuna_program **kept = &cached[r->call.op][r->call.dtype == CUNA_FLOAT64];
    *out = __atomic_load_n(kept, __ATOMIC_ACQUIRE);
    if (*out != NULL)
        return CUNA_OK;
    cuna_program_text text = {.kind = CUNA_PROGRAM_FACTOR, .ninputs = 1, .noutputs = 1, .ninstructions = 1};
    text.input_dtype[0] = text.output_dtype[0] = text.instruction[0].dtype = (uint8_t)r->call.dtype;
    CUNA_TRY(cuna_operation_define(&text.instruction[0].operation, r->operation, 0, kernels[r->call.op]));
    CUNA_TRY(cuna_program_intern(out, &text));
    __atomic_store_n(kept, *out, __ATOMIC_RELEASE);
    return CUNA_OK;
}

static int side_log2(int64_t length)
{
    int log2 = LEAST_SIDE_LOG2;
    while ((int64_t)1 << log2 < length)
        log2++;
    return log2;
}

/* What the operation's options say: the members of struct Factor from k on. */
static void add_options(cuna_words *words, const cuna_lapack_call *c)
{
    bool is_eigen = c->op == CUNA_LAPACK_syevd;
    char transposition = c->options[c->op == CUNA_LAPACK_trsm];
    cuna__words_add(words, is_eigen ? c->options[0] == 'V' : c->k);
    cuna__words_add(words, c->options[is_eigen] == 'L');
    cuna__words_add(words, transposition == 'T' || transposition == 'C');
    cuna__words_add(words, c->options[2] == 'U');
}

cuna_status cuna__lapack_run_small(const cuna__lapack_request *r)
{
    const cuna_lapack_call *c = &r->call;
    const cuna_program *program;
    const cuna_kernel *kernel;
    cuna_words words;
    cuna_variant variant = {.form = CUNA_FORM_FACTOR, .resident = (uint8_t)side_log2(cuna__max(c->m, c->n))};
    CUNA_TRY(find_program(&program, r));
    CUNA_TRY(cuna__kernel_get(&kernel, r->context, r->device, program, &variant, 0));
    if (kernel == NULL)
        return CUNA_OK;
    CUNA_TRY(cuna__lapack_claim(r, 0, NULL));
    /* The order of the members of struct Factor. */
    const int64_t arguments[] = {(int64_t)c->at[0],
                                 (int64_t)c->at[1],
                                 (int64_t)c->at[2],
                                 (int64_t)c->at[3],
                                 (int64_t)c->info,
                                 c->batch,
                                 c->m,
                                 c->n};
    cuna__words_begin(&words);
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        cuna__words_add(&words, arguments[i]);
    add_options(&words, c);
    int64_t blocks = cuna__ceil_div(c->batch, r->device->driver->facts.lanes >> variant.resident);
    CUNA_TRY(cuna__launch(r->context, r->device, r->name, kernel->functions[0], blocks, &words));
    *r->began = true;
    return CUNA_OK;
}
