/* nvrtc.c: NVRTC's rows, implemented with the cpu device's compiler.
 *
 * Options are checked as the real one does; those of a user's source, and the headers that it includes, are the cpu
 * device's business as well, which has headers of its own. An image carries a stamp of all that decided its meaning
 * besides the source: cached images of another stamp are refused. */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/compile/include.h"
#include "simgpu.h"

#define MAX_OPTIONS 64

extern const char cuna__text_prelude_cpu[], cuna__text_services_sim[], cuna__text_block_sim[];

static const int archs[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

struct simgpu_program {
    struct simgpu_handle handle;
    struct simgpu_text text; /* with expressions it is a user's whole source */
    char *log;
    char *image;
    size_t nbytes;
    bool virtual_arch; /* PTX only */
    bool was_compiled;
    char **lowered; /* the symbols of the expressions */
    int (*is_ended)(void *payload, void *reserved);
    void *payload;
};

static void *find(nvrtc_program program)
{
    return simgpu__handle_find(SIMGPU_PROGRAMS, program);
}

cu_result simgpu__row_nvrtc_version(int *major, int *minor)
{
    SIMGPU_ENTER(nvrtc_version, SIMGPU_NEED_NOTHING);
    if (major == NULL || minor == NULL)
        return NVRTC_INVALID_INPUT;
    *major = 13;
    *minor = 0;
    return NVRTC_SUCCESS;
}

cu_result simgpu__row_nvrtc_get_num_supported_archs(int *count)
{
    SIMGPU_ENTER(nvrtc_get_num_supported_archs, SIMGPU_NEED_NOTHING);
    if (count == NULL)
        return NVRTC_INVALID_INPUT;
    *count = sizeof archs / sizeof *archs;
    return NVRTC_SUCCESS;
}

cu_result simgpu__row_nvrtc_get_supported_archs(int *out)
{
    SIMGPU_ENTER(nvrtc_get_supported_archs, SIMGPU_NEED_NOTHING);
    if (out == NULL)
        return NVRTC_INVALID_INPUT;
    memcpy(out, archs, sizeof archs);
    return NVRTC_SUCCESS;
}

static char **copy_texts(int count, const char *const *texts)
{
    char **copies = calloc((size_t)count + 1, sizeof *copies);
    for (int i = 0; i < count && copies != NULL; i++)
        copies[i] = strdup(texts[i]);
    return copies;
}

static void free_texts(int count, char **texts)
{
    for (int i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

cu_result simgpu__row_nvrtc_create_program(nvrtc_program *program, const char *source, const char *name, int nheaders,
                                           const char *const *headers, const char *const *include_names)
{
    SIMGPU_ENTER(nvrtc_create_program, SIMGPU_NEED_NOTHING);
    if (program == NULL || source == NULL || nheaders < 0 || (nheaders > 0 && (headers == NULL || !include_names)))
        return NVRTC_INVALID_INPUT;
    struct simgpu_program *created = simgpu__handle_create(SIMGPU_PROGRAMS, NULL, sizeof *created);
    if (created == NULL)
        return NVRTC_OUT_OF_MEMORY;
    created->text.source = strdup(source);
    created->text.name = strdup(name != NULL ? name : "default_program");
    created->text.headers = copy_texts(nheaders, headers);
    created->text.include_names = copy_texts(nheaders, include_names);
    created->text.nheaders = nheaders;
    *program = (nvrtc_program)created;
    return NVRTC_SUCCESS;
}

static void forget_results(struct simgpu_program *program)
{
    free(program->log);
    free(program->image);
    for (int i = 0; i < program->text.nexpressions; i++) {
        free(program->lowered[i]);
        program->lowered[i] = NULL;
    }
    program->log = program->image = NULL;
    program->nbytes = 0;
}

cu_result simgpu__row_nvrtc_destroy_program(nvrtc_program *program)
{
    SIMGPU_ENTER(nvrtc_destroy_program, SIMGPU_NEED_NOTHING);
    struct simgpu_program *found = program != NULL ? find(*program) : NULL;
    if (found == NULL)
        return NVRTC_INVALID_PROGRAM;
    forget_results(found);
    free_texts(found->text.nexpressions, found->text.expressions);
    free_texts(found->text.nheaders, found->text.headers);
    free_texts(found->text.nheaders, found->text.include_names);
    free(found->lowered);
    free(found->text.source);
    free(found->text.name);
    simgpu__handle_destroy(found);
    *program = NULL;
    return NVRTC_SUCCESS;
}

cu_result simgpu__row_nvrtc_set_flow_callback(nvrtc_program handle, int (*is_ended)(void *, void *), void *payload)
{
    SIMGPU_ENTER(nvrtc_set_flow_callback, SIMGPU_NEED_NOTHING);
    struct simgpu_program *program = find(handle);
    if (program == NULL || is_ended == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    program->is_ended = is_ended;
    program->payload = payload;
    return NVRTC_SUCCESS;
}

cu_result simgpu__row_nvrtc_add_name_expression(nvrtc_program handle, const char *expression)
{
    SIMGPU_ENTER(nvrtc_add_name_expression, SIMGPU_NEED_NOTHING);
    struct simgpu_program *program = find(handle);
    if (program == NULL || expression == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    if (program->was_compiled)
        return NVRTC_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    size_t count = (size_t)program->text.nexpressions + 1;
    /* Both lists are as long, and nexpressions grows only when both have room. */
    char **expressions = realloc(program->text.expressions, count * sizeof *expressions);
    program->text.expressions = expressions != NULL ? expressions : program->text.expressions;
    char **lowered = realloc(program->lowered, count * sizeof *lowered);
    program->lowered = lowered != NULL ? lowered : program->lowered;
    if (expressions == NULL || lowered == NULL)
        return NVRTC_OUT_OF_MEMORY;
    expressions[count - 1] = strdup(expression);
    lowered[count - 1] = NULL;
    program->text.nexpressions++;
    return NVRTC_SUCCESS;
}

cu_result simgpu__row_nvrtc_get_lowered_name(nvrtc_program handle, const char *expression, const char **name)
{
    SIMGPU_ENTER(nvrtc_get_lowered_name, SIMGPU_NEED_NOTHING);
    struct simgpu_program *program = find(handle);
    if (program == NULL || expression == NULL || name == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    if (!program->was_compiled)
        return NVRTC_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (int i = 0; i < program->text.nexpressions; i++) {
        if (strcmp(program->text.expressions[i], expression) == 0 && program->lowered[i] != NULL) {
            *name = program->lowered[i];
            return NVRTC_SUCCESS;
        }
    }
    return NVRTC_NAME_EXPRESSION_NOT_VALID;
}

/* All options of NVRTC 13.0, by their long and short names, without dashes and values. */
static const char known_options[] =
    " gpu-architecture arch device-c dc device-w dw relocatable-device-code rdc extensible-whole-program ewp "
    "device-debug G generate-line-info lineinfo dopt Ofast-compile Ofc ptxas-options Xptxas maxrregcount ftz prec-sqrt "
    "prec-div fmad use_fast_math extra-device-vectorization modify-stack-limit dlink-time-opt dlto gen-opt-lto "
    "optix-ir "
    "jump-table-density jtd device-stack-protector define-macro D undefine-macro U include-path I pre-include include "
    "no-source-include std builtin-move-forward builtin-initializer-list disable-warnings w Werror restrict "
    "device-as-default-execution-space default-device device-int128 device-float128 optimization-info opt-info "
    "display-error-number err-no no-display-error-number no-err-no diag-error diag-suppress diag-warn "
    "brief-diagnostics brief-diag time split-compile fdevice-syntax-only minimal frandom-seed fdevice-time-trace pch "
    "create-pch use-pch pch-dir pch-verbose pch-messages instantiate-templates-in-pch version-ident no-cache ";

static bool is_known(const char *option)
{
    char word[80];
    size_t dashes = strspn(option, "-");
    const char *name = option + dashes;
    int length = (int)strcspn(name, "= ");
    if (dashes == 1 && length > 1 && strchr("DUI", *name) != NULL && strstr(known_options, name) == NULL)
        length = 1; /* -DNAME */
    snprintf(word, sizeof word, " %.*s ", length, name);
    return dashes >= 1 && dashes <= 2 && length > 0 && strstr(known_options, word) != NULL;
}

static const char *value_of(const char *option, const char *name)
{
    size_t dashes = strspn(option, "-"), length = strlen(name);
    bool same = strncmp(option + dashes, name, length) == 0 && option[dashes + length] == '=';
    return same ? option + dashes + length + 1 : NULL;
}

/* "sm_90", "compute_90", also with suffix letters. */
static bool read_arch(const char *text, bool *is_virtual)
{
    int number = 0;
    *is_virtual = strncmp(text, "compute_", 8) == 0;
    if (sscanf(text, *is_virtual ? "compute_%d" : "sm_%d", &number) != 1)
        return false;
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        if (archs[i] == number)
            return true;
    return false;
}

/* Without an architecture the real one makes PTX for the oldest. */
static cu_result check_options(struct simgpu_program *program, int noptions, const char *const *options)
{
    program->virtual_arch = true;
    for (int i = 0; i < noptions; i++) {
        const char *arch = value_of(options[i], "gpu-architecture");
        arch = arch != NULL ? arch : value_of(options[i], "arch");
        bool is_value = *options[i] != '-' && i > 0 && strchr(options[i - 1], '=') == NULL;
        if (!is_value && !is_known(options[i]) &&
            asprintf(&program->log, "nvrtc: error: unrecognized option %s found\n", options[i]))
            return NVRTC_INVALID_OPTION;
        if (arch != NULL && !read_arch(arch, &program->virtual_arch) &&
            asprintf(&program->log, "nvrtc: error: invalid value for --gpu-architecture (-arch)\n"))
            return NVRTC_INVALID_OPTION;
    }
    return NVRTC_SUCCESS;
}

/* "name:12:5: error" becomes "name(12): error", as NVRTC writes it. */
static char *rewrite_log(const char *log, const char *name)
{
    char *out = NULL;
    size_t nbytes = 0, length = strlen(name);
    FILE *stream = open_memstream(&out, &nbytes);
    while (stream != NULL && *log != '\0') {
        int line, column, used = 0, end = (int)strcspn(log, "\n");
        if (strncmp(log, name, length) == 0 && sscanf(log + length, ":%d:%d:%n", &line, &column, &used) == 2 &&
            used > 0)
            fprintf(stream, "%s(%d):%.*s\n", name, line, end - (int)length - used, log + length + used);
        else
            fprintf(stream, "%.*s\n", end, log);
        log += (size_t)end + (log[end] == '\n');
    }
    if (stream != NULL)
        fclose(stream);
    return out;
}

static void keep_log(struct simgpu_program *program, nvrtc_program unit)
{
    const cuna_driver *cpu = cuna__driver_cpu();
    size_t nbytes = 0;
    cpu->nvrtc_get_program_log_size(unit, &nbytes);
    char *log = calloc(1, nbytes + 1);
    if (log != NULL)
        cpu->nvrtc_get_program_log(unit, log);
    program->log = log != NULL ? rewrite_log(log, program->text.name) : NULL;
    free(log);
}

/* Makes room for the bytes of an image, behind its head. */
static char *make_image(struct simgpu_program *program, size_t nbytes, bool is_fast)
{
    struct simgpu_image head = {.magic = SIMGPU_MAGIC,
                                .stamp = simgpu__image_stamp(is_fast),
                                .is_ptx = program->virtual_arch,
                                .is_raw = program->text.nexpressions > 0,
                                .is_fast = is_fast,
                                .nbytes = nbytes};
    program->image = malloc(sizeof head + nbytes);
    if (program->image == NULL)
        return NULL;
    memcpy(program->image, &head, sizeof head);
    program->nbytes = sizeof head + nbytes;
    return program->image + sizeof head;
}

static cu_result keep_image(struct simgpu_program *program, nvrtc_program unit)
{
    const cuna_driver *cpu = cuna__driver_cpu();
    size_t nbytes = 0;
    cu_result result = cpu->nvrtc_get_cubin_size(unit, &nbytes);
    char *image = result == NVRTC_SUCCESS ? make_image(program, nbytes, false) : NULL;
    if (image == NULL)
        return result != NVRTC_SUCCESS ? result : NVRTC_OUT_OF_MEMORY;
    return cpu->nvrtc_get_cubin(unit, image);
}

static cu_result keep_lowered(struct simgpu_program *program, nvrtc_program unit)
{
    cu_result result = NVRTC_SUCCESS;
    for (int i = 0; i < program->text.nexpressions && result == NVRTC_SUCCESS; i++) {
        const char *name = NULL;
        result = cuna__driver_cpu()->nvrtc_get_lowered_name(unit, program->text.expressions[i], &name);
        program->lowered[i] = result == NVRTC_SUCCESS ? strdup(name) : NULL;
    }
    return result;
}

/* By the compiler for programs. */
static cu_result compile_fast(struct simgpu_program *program, const char *text, const char *const *words)
{
    struct simgpu_compiled made = {0};
    cu_result result = simgpu__compile(&made, text, words);
    program->log = made.log != NULL ? rewrite_log(made.log, program->text.name) : NULL;
    char *image = result == NVRTC_SUCCESS ? make_image(program, made.nbytes, true) : NULL;
    if (image != NULL)
        memcpy(image, made.image, made.nbytes);
    else if (result == NVRTC_SUCCESS)
        result = NVRTC_OUT_OF_MEMORY;
    free(made.image);
    free(made.log);
    return result;
}

/* As the cpu device compiles. */
static cu_result compile_slow(struct simgpu_program *program, const char *text, int nwords, const char *const *words)
{
    const cuna_driver *cpu = cuna__driver_cpu();
    nvrtc_program unit;
    cu_result result = cpu->nvrtc_create_program(&unit, text, program->text.name, 0, NULL, NULL);
    if (result != NVRTC_SUCCESS)
        return result;
    for (int i = 0; i < program->text.nexpressions && result == NVRTC_SUCCESS; i++)
        result = cpu->nvrtc_add_name_expression(unit, program->text.expressions[i]);
    if (result == NVRTC_SUCCESS)
        result = cpu->nvrtc_compile_program(unit, nwords, words);
    /* Whatever the result is: the log explains a failure. */
    keep_log(program, unit);
    if (result == NVRTC_SUCCESS)
        result = keep_lowered(program, unit);
    if (result == NVRTC_SUCCESS)
        result = keep_image(program, unit);
    cpu->nvrtc_destroy_program(&unit);
    return result;
}

/* Raw kernels with all options but the default, without which both devices compile them in the same way; programs with
 * what says what the text means. The cpu device has headers, and explains the errors in users' texts. */
static cu_result compile(struct simgpu_program *program, const char *text, int noptions, const char *const *options)
{
    bool is_raw = program->text.nexpressions > 0;
    const char *words[MAX_OPTIONS + 1];
    int nwords = 0;
    for (int i = 0; i < noptions && nwords < MAX_OPTIONS; i++)
        if (is_raw ? strcmp(options[i], "--std=c++17") != 0 : strncmp(options[i], "-D", 2) == 0)
            words[nwords++] = options[i];
    words[nwords] = NULL;
    if (!is_raw && simgpu__compile_is_set() && !cuna__cpu_include_has_any(program->text.source)) {
        cu_result result = compile_fast(program, text, words);
        if (result == NVRTC_SUCCESS || simgpu__text_is_own(&program->text))
            return result;
        forget_results(program);
    }
    return compile_slow(program, text, nwords, words);
}

cu_result simgpu__row_nvrtc_compile_program(nvrtc_program handle, int noptions, const char *const *options)
{
    SIMGPU_ENTER(nvrtc_compile_program, SIMGPU_NEED_NOTHING);
    struct simgpu_program *program = find(handle);
    simgpu__call_leave(&call); /* any number may compile at once */
    if (program == NULL)
        return NVRTC_INVALID_PROGRAM;
    if (noptions < 0 || (noptions > 0 && options == NULL))
        return NVRTC_INVALID_INPUT;
    forget_results(program);
    cu_result result = check_options(program, noptions, options);
    char *text = result == NVRTC_SUCCESS ? simgpu__text_translate(&program->log, &program->text) : NULL;
    if (text == NULL)
        return result == NVRTC_SUCCESS ? NVRTC_COMPILATION : result;
    program->was_compiled = true;
    /* At exit a thread in the background would be in the middle of the real NVRTC, which ends before it does. */
    bool is_background = program->payload != NULL;
    struct simgpu_check *check = is_background ? NULL : simgpu__check_start(&program->text, noptions, options);
    result = compile(program, text, noptions, options);
    char *failure = simgpu__check_finish(check);
    if (failure != NULL) {
        free(program->log);
        program->log = failure;
        result = NVRTC_COMPILATION;
    }
    free(text);
    return program->is_ended != NULL && program->is_ended(program->payload, NULL) != 0 ? NVRTC_CANCELLED : result;
}

static uint64_t hash(uint64_t state, const char *text)
{
    for (; *text != '\0'; text++)
        state = (state ^ (unsigned char)*text) * 0x100000001b3u;
    return state;
}

/* What an image depends on of the cpu device's target; another compiler's images on what follows the cpu device's. */
static const char *part_of_target(const char *text, bool is_fast)
{
    const char *machine = is_fast ? strstr(text, "\nmachine ") : NULL;
    return machine != NULL ? machine : text;
}

uint64_t simgpu__image_stamp(bool is_fast)
{
    static _Atomic uint64_t stamps[2];
    if (stamps[is_fast] != 0)
        return stamps[is_fast];
    cuna_target target = {.text = ""};
    cuna__driver_cpu()->facts.target(&target, 0);
    uint64_t state = hash(0xcbf29ce484222325u, part_of_target(target.text, is_fast));
    state = hash(state, cuna__text_prelude_cpu);
    state = hash(hash(state, cuna__text_services_sim), cuna__text_block_sim);
    for (const char *const *text = cuna__driver_cpu()->facts.raw_preludes; *text != NULL; text++)
        state = hash(state, *text);
    state = hash(state, simgpu__compile_is_set() ? getenv("SIMGPU_CXX") : "");
    stamps[is_fast] = hash(state, getenv("SIMGPU_NVRTC") != NULL ? "checked" : "not checked") | 1;
    return stamps[is_fast];
}

cu_result simgpu__row_nvrtc_get_program_log_size(nvrtc_program handle, size_t *nbytes)
{
    SIMGPU_ENTER(nvrtc_get_program_log_size, SIMGPU_NEED_NOTHING);
    struct simgpu_program *program = find(handle);
    if (program == NULL || nbytes == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    *nbytes = program->log != NULL ? strlen(program->log) + 1 : 1;
    return NVRTC_SUCCESS;
}

cu_result simgpu__row_nvrtc_get_program_log(nvrtc_program handle, char *log)
{
    SIMGPU_ENTER(nvrtc_get_program_log, SIMGPU_NEED_NOTHING);
    struct simgpu_program *program = find(handle);
    if (program == NULL || log == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    strcpy(log, program->log != NULL ? program->log : "");
    return NVRTC_SUCCESS;
}

/* A virtual architecture has no cubin: its size is 0. A real one has its PTX as well. */
static cu_result answer_size(nvrtc_program handle, size_t *nbytes, bool cubin)
{
    struct simgpu_program *program = find(handle);
    if (program == NULL || nbytes == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    if (program->image == NULL)
        return NVRTC_INVALID_PROGRAM;
    *nbytes = cubin && program->virtual_arch ? 0 : program->nbytes;
    return NVRTC_SUCCESS;
}

static cu_result answer_image(nvrtc_program handle, char *image, bool cubin)
{
    struct simgpu_program *program = find(handle);
    if (program == NULL || image == NULL)
        return program == NULL ? NVRTC_INVALID_PROGRAM : NVRTC_INVALID_INPUT;
    if (program->image == NULL || (cubin && program->virtual_arch))
        return NVRTC_INVALID_PROGRAM;
    memcpy(image, program->image, program->nbytes);
    return NVRTC_SUCCESS;
}

cu_result simgpu__row_nvrtc_get_cubin_size(nvrtc_program program, size_t *nbytes)
{
    SIMGPU_ENTER(nvrtc_get_cubin_size, SIMGPU_NEED_NOTHING);
    return answer_size(program, nbytes, true);
}

cu_result simgpu__row_nvrtc_get_cubin(nvrtc_program program, char *image)
{
    SIMGPU_ENTER(nvrtc_get_cubin, SIMGPU_NEED_NOTHING);
    return answer_image(program, image, true);
}

cu_result simgpu__row_nvrtc_get_ptx_size(nvrtc_program program, size_t *nbytes)
{
    SIMGPU_ENTER(nvrtc_get_ptx_size, SIMGPU_NEED_NOTHING);
    return answer_size(program, nbytes, false);
}

cu_result simgpu__row_nvrtc_get_ptx(nvrtc_program program, char *image)
{
    SIMGPU_ENTER(nvrtc_get_ptx, SIMGPU_NEED_NOTHING);
    return answer_image(program, image, false);
}
