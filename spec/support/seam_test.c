/* Tests the cpu device's table, and the public functions, from plain C: exits with status 0 and no output on
 * success. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "cuna.h"
#include "seam/driver.h"

static const cuna_driver *d;

static void check_device(void)
{
    int count = 0, version = 0, value = 0;
    cu_device device = -1;
    char name[64] = "";
    size_t total = 0, free_nbytes = 0;
    const char *text = NULL;
    cu_context context = NULL, current = NULL;
    CHECK(strcmp(d->facts.kind, "cpu") == 0 && d->facts.host_memory && d->facts.remedy != NULL);
    CHECK(d->init(0) == CU_SUCCESS && d->init(1) == CU_ERROR_INVALID_VALUE);
    CHECK(d->driver_get_version(&version) == CU_SUCCESS && version > 0);
    CHECK(d->device_get_count(&count) == CU_SUCCESS && count == 1);
    CHECK(d->device_get(&device, 0) == CU_SUCCESS && device == 0);
    CHECK(d->device_get(&device, 1) == CU_ERROR_INVALID_DEVICE);
    CHECK(d->device_get_name(name, sizeof name, 0) == CU_SUCCESS && name[0] != '\0');
    CHECK(d->device_get_name(name, 4, 0) == CU_SUCCESS && strlen(name) <= 3);
    CHECK(d->device_get_attribute(&value, CU_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0) == CU_SUCCESS && value >= 1);
    CHECK(d->device_get_attribute(&value, 12345, 0) == CU_ERROR_INVALID_VALUE);
    CHECK(d->device_total_mem(&total, 0) == CU_SUCCESS && total > 0);
    CHECK(d->mem_get_info(&free_nbytes, &total) == CU_SUCCESS && free_nbytes <= total);
    CHECK(d->get_error_name(CU_ERROR_OUT_OF_MEMORY, &text) == CU_SUCCESS && strstr(text, "OUT_OF_MEMORY"));
    CHECK(d->get_error_string(-77, &text) == CU_ERROR_INVALID_VALUE && text == NULL);
    CHECK(d->device_primary_ctx_retain(&context, 0) == CU_SUCCESS && context != NULL);
    CHECK(d->ctx_set_current(context) == CU_SUCCESS && d->ctx_set_current(NULL) == CU_SUCCESS);
    CHECK(d->ctx_set_current((cu_context)&count) == CU_ERROR_INVALID_CONTEXT);
    CHECK(d->ctx_set_current(context) == CU_SUCCESS && d->ctx_synchronize() == CU_SUCCESS);
    CHECK(d->ctx_get_current(&current) == CU_SUCCESS && current == context);
    CHECK(d->device_primary_ctx_release(0) == CU_SUCCESS);
}

static void check_memory(void)
{
    unsigned char sent[1000], got[1000];
    cu_deviceptr a = 0, b = 0;
    void *pinned = NULL;
    for (int i = 0; i < 1000; i++)
        sent[i] = (unsigned char)(7 * i);
    CHECK(d->mem_alloc(&a, 0) == CU_ERROR_INVALID_VALUE);
    CHECK(d->mem_alloc(&a, (size_t)1 << 60) == CU_ERROR_OUT_OF_MEMORY);
    CHECK(d->mem_alloc(&a, 1000) == CU_SUCCESS && a % 64 == 0);
    CHECK(d->mem_alloc(&b, 3 << 20) == CU_SUCCESS && b % 64 == 0);
    CHECK(d->memcpy_htod_async(a, sent, 1000, NULL) == CU_SUCCESS);
    CHECK(d->memcpy_dtod_async(b + 5, a, 1000, NULL) == CU_SUCCESS);
    CHECK(d->memcpy_dtoh_async(got, b + 5, 1000, NULL) == CU_SUCCESS && memcmp(sent, got, 1000) == 0);
    CHECK(d->memset_d8_async(b, 0xab, 10, NULL) == CU_SUCCESS);
    CHECK(d->memcpy_dtoh_async(got, b, 11, NULL) == CU_SUCCESS && got[9] == 0xab && got[10] == sent[5]);
    CHECK(d->memcpy_htod_async(a, sent, 0, NULL) == CU_SUCCESS);
    CHECK(d->mem_free(a) == CU_SUCCESS && d->mem_free(b) == CU_SUCCESS);
    CHECK(d->mem_free(a) == CU_ERROR_INVALID_VALUE);
    CHECK(d->mem_host_alloc(&pinned, 100, 0) == CU_SUCCESS && pinned != NULL);
    CHECK(d->mem_free_host(pinned) == CU_SUCCESS);
}

static void count_call(void *data)
{
    ++*(int *)data;
}

static void check_streams(void)
{
    struct timespec pause = {0, 20000000};
    cu_stream stream = NULL;
    cu_event start = NULL, end = NULL, untimed = NULL;
    float ms = -1;
    int calls = 0;
    CHECK(d->stream_create_with_priority(&stream, CU_STREAM_NON_BLOCKING, 0) == CU_SUCCESS && stream != NULL);
    CHECK(d->stream_create_with_priority(&stream, 99, 0) == CU_ERROR_INVALID_VALUE);
    CHECK(d->event_create(&start, CU_EVENT_DEFAULT) == CU_SUCCESS && d->event_create(&end, 0) == CU_SUCCESS);
    CHECK(d->event_create(&untimed, CU_EVENT_DISABLE_TIMING) == CU_SUCCESS);
    CHECK(d->event_create(&untimed, 64) == CU_ERROR_INVALID_VALUE);
    CHECK(d->event_elapsed_time(&ms, start, end) == CU_ERROR_INVALID_HANDLE);
    CHECK(d->event_record(start, stream) == CU_SUCCESS);
    nanosleep(&pause, NULL);
    CHECK(d->launch_host_func(stream, count_call, &calls) == CU_SUCCESS);
    CHECK(d->event_record(end, stream) == CU_SUCCESS && d->event_record(untimed, stream) == CU_SUCCESS);
    CHECK(d->event_synchronize(end) == CU_SUCCESS && calls == 1);
    CHECK(d->event_query(end) == CU_SUCCESS && d->stream_query(stream) == CU_SUCCESS);
    CHECK(d->event_elapsed_time(&ms, start, end) == CU_SUCCESS && ms >= 19 && ms < 10000);
    CHECK(d->event_elapsed_time(&ms, start, untimed) == CU_ERROR_INVALID_HANDLE);
    CHECK(d->stream_wait_event(NULL, end, 0) == CU_SUCCESS);
    CHECK(d->stream_wait_event(stream, NULL, 0) == CU_ERROR_INVALID_HANDLE);
    CHECK(d->launch_host_func(stream, NULL, NULL) == CU_ERROR_INVALID_VALUE);
    CHECK(d->stream_synchronize(stream) == CU_SUCCESS && d->stream_synchronize(NULL) == CU_SUCCESS);
    CHECK(d->event_destroy(start) == CU_SUCCESS && d->event_destroy(end) == CU_SUCCESS);
    CHECK(d->event_destroy(untimed) == CU_SUCCESS && d->event_destroy(NULL) == CU_ERROR_INVALID_HANDLE);
    CHECK(d->stream_destroy(stream) == CU_SUCCESS && d->stream_destroy(NULL) == CU_ERROR_INVALID_HANDLE);
}

/* Kernel text that adds a number to n longs, 1000 of them a block. */
static const char source[] =
    "extern \"C\" __attribute__((visibility(\"default\")))\n"
    "void shift(void **params, unsigned first, unsigned last)\n"
    "{ long *data = *(long **)params[0], n = *(long *)params[1], add = *(long *)params[2];\n"
    "  for (long i = 1000l * first; i < n && i < 1000l * last; i++) data[i] += add; }\n";

static char *compile(const char *text, int noptions, const char *const *options, int *result)
{
    nvrtc_program program = NULL;
    size_t nbytes = 0;
    char *image = NULL;
    CHECK(d->nvrtc_create_program(&program, text, "shift.cu", 0, NULL, NULL) == 0);
    CHECK(d->nvrtc_get_cubin_size(program, &nbytes) != 0);
    *result = d->nvrtc_compile_program(program, noptions, options);
    if (*result == 0) {
        CHECK(d->nvrtc_get_cubin_size(program, &nbytes) == 0 && nbytes > 0);
        image = malloc(nbytes);
        CHECK(d->nvrtc_get_cubin(program, image) == 0);
    } else {
        CHECK(d->nvrtc_get_program_log_size(program, &nbytes) == 0 && nbytes > 1);
        char *log = malloc(nbytes);
        CHECK(d->nvrtc_get_program_log(program, log) == 0 && strlen(log) + 1 == nbytes);
        free(log);
    }
    CHECK(d->nvrtc_destroy_program(&program) == 0 && program == NULL);
    CHECK(d->nvrtc_destroy_program(&program) != 0);
    return image;
}

static void check_launches(cu_function shift)
{
    enum { N = 100500 };
    cu_deviceptr data = 0;
    long n = N, add = 3, *host = calloc(N, sizeof *host);
    void *params[] = {&data, &n, &add};
    CHECK(d->mem_alloc(&data, N * sizeof *host) == CU_SUCCESS);
    CHECK(d->memset_d8_async(data, 0, N * sizeof *host, NULL) == CU_SUCCESS);
    for (int i = 0; i < 50; i++)
        CHECK(d->launch_kernel(shift, (N + 999) / 1000, 1, 1, 1, 1, 1, 0, NULL, params, NULL) == CU_SUCCESS);
    CHECK(d->launch_kernel(shift, 0, 1, 1, 1, 1, 1, 0, NULL, params, NULL) == CU_ERROR_INVALID_VALUE);
    CHECK(d->launch_kernel(shift, 1, 1, 1, 2, 1, 1, 0, NULL, params, NULL) == CU_ERROR_INVALID_VALUE);
    CHECK(d->launch_kernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL) == CU_ERROR_INVALID_HANDLE);
    CHECK(d->memcpy_dtoh_async(host, data, N * sizeof *host, NULL) == CU_SUCCESS);
    for (int i = 0; i < N; i++)
        if (host[i] != 150)
            failures++;
    CHECK(d->mem_free(data) == CU_SUCCESS);
    free(host);
}

static void check_modules(void)
{
    const char *const good[] = {"--std=c++14", "-arch=sm_80", "-O1"}, *const bad[] = {"--no-such-option"};
    cu_module module = NULL, other = NULL;
    cu_function shift = NULL;
    int result, major = 0, minor = 0;
    CHECK(d->nvrtc_version(&major, &minor) == 0 && major >= 1);
    char *image = compile(source, 3, good, &result);
    CHECK(result == 0 && compile(source, 1, bad, &result) == NULL && result == 5);
    CHECK(compile("this is not a kernel", 0, NULL, &result) == NULL && result == 6);
    CHECK(compile("extern \"C\" int none(); int f() { return none(); }", 0, NULL, &result) == NULL && result == 6);
    CHECK(d->module_load_data(&module, "no image") == CU_ERROR_INVALID_IMAGE);
    CHECK(d->module_load_data(&module, "") == CU_ERROR_INVALID_IMAGE && module == NULL);
    CHECK(d->module_load_data(&module, NULL) == CU_ERROR_INVALID_VALUE);
    CHECK(d->module_load_data(&module, image) == CU_SUCCESS && d->module_load_data(&other, image) == CU_SUCCESS);
    image[18] ^= 0x55; /* the machine */
    CHECK(d->module_load_data(&other, image) == CU_ERROR_INVALID_IMAGE);
    free(image);
    CHECK(d->module_get_function(&shift, module, "shift") == CU_SUCCESS);
    CHECK(d->module_get_function(&shift, module, "shift") == CU_SUCCESS && shift != NULL);
    CHECK(d->module_get_function(&shift, module, "malloc") == CU_ERROR_NOT_FOUND);
    CHECK(d->module_get_function(&shift, NULL, "shift") == CU_ERROR_INVALID_HANDLE);
    check_launches(shift);
    CHECK(d->module_unload(module) == CU_SUCCESS && d->module_unload(other) == CU_SUCCESS);
    CHECK(d->module_unload(NULL) == CU_ERROR_INVALID_HANDLE);
}

/* Two arrays, added by a program and read back, through cuna.h alone. */
static void check_door(void)
{
    cuna_context *context = NULL;
    cuna_array a = {0}, b = {0}, sum = {0}, *outputs[] = {&sum};
    cuna_program_text text = {.ninputs = 2, .noutputs = 1, .ninstructions = 1};
    const cuna_program *program = NULL;
    const int64_t rows[] = {3, 1}, columns[] = {4};
    float left[] = {10, 20, 30}, right[] = {1, 2, 3, 4}, got[12];
    CHECK(cuna_context_create(&context) == CUNA_OK);
    CHECK(cuna_array_create(&a, context, CUNA_FLOAT32, 2, rows) == CUNA_OK);
    CHECK(cuna_array_create(&b, context, CUNA_FLOAT32, 1, columns) == CUNA_OK);
    CHECK(cuna_array_set(context, &a, left) == CUNA_OK && cuna_array_set(context, &b, right) == CUNA_OK);
    CHECK(cuna_operation_define(&text.instruction[0].operation, "plus", 2, "a + b") == CUNA_OK);
    text.input_dtype[0] = text.input_dtype[1] = text.output_dtype[0] = CUNA_FLOAT32;
    text.output_value[0] = 2;
    text.instruction[0].nargs = 2;
    text.instruction[0].arg[1] = 1;
    text.instruction[0].dtype = text.instruction[0].arg_dtype[0] = text.instruction[0].arg_dtype[1] = CUNA_FLOAT32;
    CHECK(cuna_program_intern(&program, &text) == CUNA_OK);
    const cuna_operand inputs[] = {{.array = &a}, {.array = &b}};
    CHECK(cuna_elementwise(context, "plus", program, inputs, outputs, -1, NULL) == CUNA_OK);
    CHECK(sum.size == 12 && cuna_array_get(context, &sum, got) == CUNA_OK && got[0] == 11 && got[11] == 34);
    cuna_array_release(&b);
    CHECK(cuna_array_create(&b, context, CUNA_FLOAT32, 1, (const int64_t[]){5}) == CUNA_OK);
    cuna_array_release(&sum);
    CHECK(cuna_elementwise(context, "plus", program, inputs, outputs, -1, NULL) == CUNA_OK && sum.size == 15);
    cuna_array_release(&a), cuna_array_release(&b), cuna_array_release(&sum), cuna_array_release(&sum);
    cuna_context_destroy(context);
}

int main(void)
{
    d = cuna__driver_cpu();
    check_device();
    check_memory();
    check_streams();
    check_modules();
    check_door();
    return failures != 0;
}
