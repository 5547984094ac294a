/* fault.c: any row fails on demand.
 *
 * SIMGPU_FAIL="cuMemAlloc_v2:3=2,cuLaunchKernel:1=719!" lets the third allocation fail with code 2 and all launches
 * with 719; simgpu_fail does the same at run time and counts from its call. A context returns a sticky code for ever;
 * for queued work it appears when the work runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simgpu.h"

static const char *const symbols[] = {
#define ROW(symbol, field, parameters) symbol,
    SIMGPU_ROWS(ROW)
#undef ROW
};

static struct rule {
    unsigned n; /* calls until it fails; 0: never */
    bool forever;
    cu_result code;
} rules[SIMGPU_NROWS];

static unsigned counts[SIMGPU_NROWS];

const char *simgpu_symbol(unsigned row)
{
    return row < SIMGPU_NROWS ? symbols[row] : NULL;
}

static int find_row(const char *symbol, size_t length)
{
    for (int row = 0; row < SIMGPU_NROWS; row++)
        if (strlen(symbols[row]) == length && memcmp(symbols[row], symbol, length) == 0)
            return row;
    return -1;
}

/* Lets call n of a row, from now on, and with `forever` all that follow, fail with `code`; n = 0 lets it be. 0, or -1
 * when there is no such row. */
int simgpu_fail(const char *symbol, unsigned n, int code, int forever)
{
    int row = find_row(symbol, strlen(symbol));
    if (row < 0)
        return -1;
    rules[row] = (struct rule){n, forever != 0, code};
    return 0;
}

/* How often a row was called since the last reset. */
unsigned simgpu_calls(const char *symbol)
{
    int row = find_row(symbol, strlen(symbol));
    return row < 0 ? 0 : counts[row];
}

/* Forgets rules and counts; a dead context stays dead. */
void simgpu_reset(void)
{
    memset(rules, 0, sizeof rules);
    memset(counts, 0, sizeof counts);
}

static void read_environment(void)
{
    static bool done;
    const char *text = done ? NULL : getenv("SIMGPU_FAIL");
    done = true;
    while (text != NULL && *text != '\0') {
        char symbol[64], mark = 0;
        unsigned n = 0;
        int code = 0;
        int fields = sscanf(text, "%63[^:]:%u=%d%c", symbol, &n, &code, &mark);
        if (fields < 3 || simgpu_fail(symbol, n, code, mark == '!') != 0)
            fprintf(stderr, "simgpu: SIMGPU_FAIL says '%s'; write row:n=code, followed by ! for every later call\n",
                    text);
        text = strchr(text, ',');
        text = text != NULL ? text + 1 : NULL;
    }
}

cu_result simgpu__fault_count(enum simgpu_row row)
{
    read_environment();
    counts[row]++;
    struct rule *rule = &rules[row];
    if (rule->n == 0)
        return CU_SUCCESS;
    if (rule->n > 1) {
        rule->n--;
        return CU_SUCCESS;
    }
    if (!rule->forever)
        rule->n = 0;
    return rule->code;
}

/* As cuda.h documents for each: the process must be restarted. */
bool simgpu__fault_is_sticky(cu_result code)
{
    switch (code) {
    case CU_ERROR_ECC_UNCORRECTABLE:
    case CU_ERROR_CONTAINED:
    case CU_ERROR_ILLEGAL_ADDRESS:
    case CU_ERROR_LAUNCH_TIMEOUT:
    case CU_ERROR_ASSERT:
    case CU_ERROR_HARDWARE_STACK_ERROR:
    case CU_ERROR_ILLEGAL_INSTRUCTION:
    case CU_ERROR_MISALIGNED_ADDRESS:
    case CU_ERROR_INVALID_ADDRESS_SPACE:
    case CU_ERROR_INVALID_PC:
    case CU_ERROR_LAUNCH_FAILED:
    case CU_ERROR_TENSOR_MEMORY_LEAK:
    case CU_ERROR_MPS_CLIENT_TERMINATED:
    case CU_ERROR_EXTERNAL_DEVICE:
        return true;
    default:
        return false;
    }
}
