/* program_check.c: whether the text of a program is well-formed. */
#include "kernel/program.h"

static cuna_status check_fold(const cuna_instruction *step, int nvalues)
{
    bool good = cuna__reducer_get(step->operation) != NULL && step->nargs >= 1 && step->nargs <= 2 &&
                step->dtype < CUNA_DTYPES && step->arg[0] < nvalues && step->arg_dtype[0] < CUNA_DTYPES &&
                (step->nargs == 1 || step->arg[1] < nvalues);
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "a malformed fold");
}

static cuna_status check_instruction(const cuna_instruction *step, int nvalues)
{
    const cuna_operation *operation = cuna__operation_get(step->operation);
    if (step->folds)
        return check_fold(step, nvalues);
    bool good = operation != NULL && step->nargs == operation->nargs && step->dtype < CUNA_DTYPES &&
                step->stored <= (step->nargs == 1 ? CUNA_STORED_PART : CUNA_STORED_WHOLE);
    for (int i = 0; good && i < step->nargs; i++)
        good = step->arg[i] < nvalues && step->arg_dtype[i] < CUNA_DTYPES;
    return good ? CUNA_OK
                : cuna_fail(CUNA_VALUE, "%s: a malformed instruction", operation ? operation->name : "program");
}

static cuna_status check_statement(const cuna_program_text *text)
{
    const cuna_statement *statement = cuna__statement_get(text->statement);
    bool good = statement != NULL && text->noutputs + text->nraws > 0 &&
                text->ninputs + text->noutputs <= CUNA_MAX_OPERANDS && text->nraws <= CUNA_MAX_RAWS &&
                text->ninstructions == 0 && text->kind <= CUNA_PROGRAM_SCAN_BEFORE &&
                cuna__program_combines(text) == (statement->state[0] != '\0');
    for (int i = 0; good && i < text->ninputs; i++)
        good = text->input_dtype[i] < CUNA_DTYPES;
    for (int i = 0; good && i < text->noutputs; i++)
        good = text->output_dtype[i] < CUNA_DTYPES;
    for (int i = 0; good && i < text->nraws; i++)
        good = text->raw_dtype[i] < CUNA_DTYPES && text->raw_ndim[i] <= CUNA_MAX_NDIM;
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "a malformed program around a statement");
}

/* The count of stages is the folds', and what an output of a row names is the same for the row. */
static cuna_status check_stages(const cuna_program_text *text)
{
    cuna_levels levels;
    int stages = 0, first = text->ninputs + (text->uses_index != 0);
    cuna__program_find_levels(&levels, text);
    bool good = text->stages > 0 && !text->uses_index;
    for (int k = 0; k < text->ninstructions; k++)
        if (text->instruction[k].folds)
            stages = levels.level[first + k] > stages ? levels.level[first + k] : stages;
    for (int k = 0; k < text->noutputs; k++)
        good = good && (!text->output_row[k] || levels.row[text->output_value[k]]);
    return good && stages == text->stages ? CUNA_OK : cuna_fail(CUNA_VALUE, "a malformed program in stages");
}

/* Of inputs that are arrays, without conversion. */
static bool is_good_product(const cuna_program_text *text, const cuna_instruction *step, uint8_t dtype)
{
    bool good = step->nargs == 2 && step->dtype == dtype;
    for (int i = 0; good && i < 2; i++)
        good = step->arg[i] < text->ninputs && step->arg_dtype[i] == dtype &&
               text->input_dtype[step->arg[i]] == dtype && !text->input_scalar[step->arg[i]];
    return good;
}

bool cuna__program_multiplies(const cuna_program_text *text)
{
    int nproducts = 0, dtype = CUNA_DTYPES;
    bool good = !text->uses_index && text->gathers == CUNA_GATHERS_NOT;
    for (int k = 0; good && k < text->ninstructions; k++) {
        const cuna_instruction *step = &text->instruction[k];
        if (!step->multiplies)
            continue;
        dtype = nproducts++ == 0 ? step->dtype : dtype;
        good = is_good_product(text, step, (uint8_t)dtype);
    }
    return good && nproducts <= CUNA_MAX_PRODUCTS && (dtype == CUNA_FLOAT32 || dtype == CUNA_FLOAT64);
}

bool cuna__program_reads_elements(const cuna_program_text *text, int input)
{
    if (text->input_scalar[input])
        return false;
    for (int k = 0; k < text->ninstructions; k++)
        for (int i = 0; i < text->instruction[k].nargs && !text->instruction[k].multiplies; i++)
            if (text->instruction[k].arg[i] == input)
                return true;
    for (int k = 0; k < text->noutputs; k++)
        if (text->output_value[k] == input)
            return true;
    return false;
}

static cuna_status check_sort(const cuna_program_text *text)
{
    bool good = text->ninputs == 1 && text->noutputs == 1 && text->ninstructions == 0 &&
                text->input_dtype[0] < CUNA_DTYPES && cuna_dtype_kind(text->input_dtype[0]) != 'c' &&
                text->sorts_above < cuna_dtype_size(text->input_dtype[0]) &&
                text->output_dtype[0] == (text->kind == CUNA_PROGRAM_ARGSORT ? CUNA_INT64 : text->input_dtype[0]);
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "a malformed program that sorts");
}

static cuna_status check_selection(const cuna_program_text *text)
{
    bool good = text->ninputs == 1 && text->noutputs == 1 && text->ninstructions == 0 &&
                text->input_dtype[0] < CUNA_DTYPES && cuna_dtype_kind(text->input_dtype[0]) != 'c' &&
                text->output_dtype[0] == (text->kind == CUNA_PROGRAM_ARGPART ? CUNA_INT64 : text->input_dtype[0]);
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "a malformed program that selects");
}

static cuna_status check_product(const cuna_program_text *text)
{
    bool good = text->ninputs == 2 && text->noutputs == 1 && text->ninstructions == 0 &&
                text->input_dtype[0] < CUNA_DTYPES && text->input_dtype[0] == text->input_dtype[1] &&
                text->input_dtype[0] == text->output_dtype[0] && cuna_dtype_kind(text->input_dtype[0]) != 'c' &&
                (cuna_dtype_kind(text->input_dtype[0]) != 'f' || text->input_dtype[0] == CUNA_FLOAT32 ||
                 text->input_dtype[0] == CUNA_FLOAT64);
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "a malformed program that multiplies matrices");
}

static cuna_status check_factor(const cuna_program_text *text)
{
    bool good = text->ninputs == 1 && text->noutputs == 1 && text->ninstructions == 1 &&
                (text->input_dtype[0] == CUNA_FLOAT32 || text->input_dtype[0] == CUNA_FLOAT64);
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "a malformed program over small matrices");
}

static cuna_status check_convolution(const cuna_program_text *text)
{
    bool good =
        text->ninputs == 2 && text->noutputs == 1 && text->ninstructions == 1 && text->instruction[0].nargs == 2;
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "a malformed program that moves a vector along another");
}

static cuna_status check_compact(const cuna_program_text *text)
{
    bool good = (text->ninputs == 1 || text->ninputs == 2) && text->noutputs == 1 && text->ninstructions == 0 &&
                text->input_dtype[0] == CUNA_BOOL && text->input_dtype[1] < CUNA_DTYPES &&
                text->output_dtype[0] == (text->ninputs == 1 ? CUNA_INT64 : text->input_dtype[1]);
    return good ? CUNA_OK : cuna_fail(CUNA_VALUE, "a malformed program that selects by a mask");
}

/* Its table is one input of an elementwise program. */
static bool has_good_table(const cuna_program_text *text)
{
    int tables = 0;
    for (int i = 0; i < text->ninputs; i++)
        if (text->input_scalar[i] == CUNA_SCALAR_TABLE)
            tables += text->input_dtype[i] == CUNA_INT64 ? 1 : 2;
    return tables == (text->table > 0) && text->table <= CUNA_MAX_TABLE &&
           (tables == 0 || text->kind == CUNA_PROGRAM_MAP);
}

/* Its table and what says how long that is; the step that adds. */
static bool has_good_tally(const cuna_program_text *text)
{
    int last = text->ninputs - 1;
    return text->tally_nbytes == 0 ||
           (text->kind == CUNA_PROGRAM_MAP && text->gathers && text->noutputs == 0 && text->ninstructions > 0 &&
            last > 0 && text->input_address[0] && text->input_scalar[last] && text->input_dtype[last] == CUNA_INT64);
}

/* Lanes past the end load nothing, and store nothing but what the step stores. */
static bool has_good_lanes(const cuna_program_text *text)
{
    bool good = text->together == 0 ||
                (text->kind == CUNA_PROGRAM_MAP && text->gathers && text->noutputs == 0 && text->tally_nbytes == 0);
    for (int i = 0; good && text->together && i < text->ninputs; i++)
        good = text->input_address[i] || text->input_scalar[i];
    return good;
}

/* What is recorded has to know which elements it reads. */
static bool has_good_heads(const cuna_program_text *text)
{
    bool good = true;
    for (int i = 0; i < text->ninputs; i++)
        good = good && (text->input_address[i] != CUNA_ADDRESS_HEAD ||
                        (text->kind == CUNA_PROGRAM_MAP && text->gathers == CUNA_GATHERS));
    return good;
}

static cuna_status check_steps(const cuna_program_text *text)
{
    int nvalues = text->ninputs + (text->uses_index != 0);
    bool good = (text->noutputs > 0 || text->gathers) && text->ninputs + text->noutputs <= CUNA_MAX_OPERANDS &&
                text->ninstructions <= CUNA_MAX_INSTRUCTIONS;
    if (cuna__program_combines(text))
        good = good && text->noutputs == 1 && text->accumulator < CUNA_DTYPES && cuna__reducer_get(text->reducer);
    for (int i = 0; good && i < text->ninputs; i++)
        good = text->input_dtype[i] < CUNA_DTYPES;
    if (!good || !has_good_table(text) || !has_good_tally(text) || !has_good_lanes(text) || !has_good_heads(text))
        return cuna_fail(CUNA_VALUE, "a malformed program");
    for (int i = 0; i < text->ninstructions; i++) {
        if (text->instruction[i].folds && text->kind != CUNA_PROGRAM_STAGES)
            return cuna_fail(CUNA_VALUE, "a step folds in a program without stages");
        if (text->instruction[i].multiplies && text->kind != CUNA_PROGRAM_PRODUCTS)
            return cuna_fail(CUNA_VALUE, "a step multiplies matrices in a program of elements");
        /* A step may use only the values before it, so there are no cycles. */
        CUNA_TRY(check_instruction(&text->instruction[i], nvalues++));
    }
    for (int i = 0; i < text->noutputs; i++)
        if (text->output_value[i] >= nvalues || text->output_dtype[i] >= CUNA_DTYPES)
            return cuna_fail(CUNA_VALUE, "a program's output names no value");
    if (text->kind == CUNA_PROGRAM_PRODUCTS && !cuna__program_multiplies(text))
        return cuna_fail(CUNA_VALUE, "a malformed program that multiplies matrices");
    return text->kind == CUNA_PROGRAM_STAGES ? check_stages(text) : CUNA_OK;
}

cuna_status cuna__program_check(const cuna_program_text *text)
{
    if (text->kind >= CUNA_PROGRAM_KINDS || (text->kind != CUNA_PROGRAM_STAGES && text->stages != 0))
        return cuna_fail(CUNA_VALUE, "a malformed program");
    if (text->statement != 0)
        return check_statement(text);
    if (cuna__program_sorts(text))
        return check_sort(text);
    if (text->kind == CUNA_PROGRAM_COMPACT)
        return check_compact(text);
    if (text->kind == CUNA_PROGRAM_CONVOLVE)
        return check_convolution(text);
    if (text->kind == CUNA_PROGRAM_FACTOR)
        return check_factor(text);
    if (cuna__program_selects(text))
        return check_selection(text);
    return (text->kind == CUNA_PROGRAM_PRODUCT ? check_product : check_steps)(text);
}
