/* c_interface.c: cuna from C, without Lua: a fused operation and a product of matrices, on cuna's default device.
 *
 *     make install PREFIX=$HOME/.local
 *     export PKG_CONFIG_PATH=$HOME/.local/lib/pkgconfig
 *     cc examples/c_interface.c $(pkg-config --cflags --libs cuna) -o c_interface && ./c_interface
 *
 * cuna.h describes each function. An array's struct belongs to the caller, zeroed; a function fills it. */
#include <cuna.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with cuna's line about what went wrong. */
static void check(cuna_status status)
{
    if (status == CUNA_OK)
        return;
    fprintf(stderr, "c_interface: %s %s\n", cuna_status_word(status), cuna_message());
    exit(EXIT_FAILURE);
}

/* A program of two steps: x * y, then + a number. Values count from 0: three inputs, then one for each step. */
static const cuna_program *make_program(void)
{
    enum { X, Y, NUMBER, PRODUCT, SUM };
    const cuna_program *program;
    uint16_t multiply, add;
    check(cuna_operation_define(&multiply, "multiply", 2, "a * b"));
    check(cuna_operation_define(&add, "add", 2, "a + b"));
    cuna_program_text text = {
        .kind = CUNA_PROGRAM_MAP,
        .ninputs = 3,
        .noutputs = 1,
        .ninstructions = 2,
        .input_dtype = {CUNA_FLOAT64, CUNA_FLOAT64, CUNA_FLOAT64},
        .input_scalar = {[NUMBER] = CUNA_SCALAR_NUMBER},
        .output_value = {SUM},
        .output_dtype = {CUNA_FLOAT64},
        .instruction =
            {
                {.operation = multiply,
                 .nargs = 2,
                 .dtype = CUNA_FLOAT64,
                 .arg = {X, Y},
                 .arg_dtype = {CUNA_FLOAT64, CUNA_FLOAT64}},
                {.operation = add,
                 .nargs = 2,
                 .dtype = CUNA_FLOAT64,
                 .arg = {PRODUCT, NUMBER},
                 .arg_dtype = {CUNA_FLOAT64, CUNA_FLOAT64}},
            },
    };
    check(cuna_program_intern(&program, &text));
    return program;
}

/* Copies a 2-by-2 array to the host and prints it. */
static void show(const char *name, cuna_context *context, const cuna_array *array)
{
    double host[4];
    check(cuna_array_get(context, array, host));
    printf("%s = [%g %g; %g %g]\n", name, host[0], host[1], host[2], host[3]);
}

int main(void)
{
    const int64_t shape[] = {2, 2};
    const double values[] = {1, 2, 3, 4};
    cuna_context *context;
    cuna_array x = {0}, fused = {0}, product = {0};

    check(cuna_context_create(&context));
    check(cuna_array_create(&x, context, CUNA_FLOAT64, 2, shape));
    check(cuna_array_set(context, &x, values));

    const cuna_program *program = make_program();
    cuna_operand inputs[] = {{.array = &x}, {.array = &x}, {.number = {.kind = CUNA_NUMBER_FLOAT, .f = 0.5}}};
    check(cuna_elementwise(context, "multiply_add", program, inputs, (cuna_array *[]){&fused}, -1, NULL));
    check(cuna_matmul(context, "matmul", NULL, &x, &x, &product));

    printf("on %s\n", cuna_device_kind(cuna_context_device(context)));
    show("x * x + 0.5", context, &fused);
    show("x @ x", context, &product);

    cuna_array_release(&product);
    cuna_array_release(&fused);
    cuna_array_release(&x);
    cuna_program_release(program);
    cuna_context_destroy(context);
    return EXIT_SUCCESS;
}
