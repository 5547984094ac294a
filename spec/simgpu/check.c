/* check.c: compiles every text of the simulated GPU also with the real NVRTC, if available, for sm_80 or sm_90.
 *
 * SIMGPU_NVRTC names the library. The check runs in a thread beside the cpu device's compiler. Its front end reads one
 * in eight of the texts with several kernels and of those with a user's text, which specs give in many variants, and
 * one in 32 of single kernels: what they consist of stands in other texts as well. Code generation costs 15 times as
 * much and takes one text of SIMGPU_NVRTC_EVERY (default 64), with some optimisations: all of them take longer, and so
 * does the assembly of code that none has made smaller. The hash of a text decides that, and the architecture. With
 * SIMGPU_NVRTC_EVERY=1 both architectures get everything, optimised. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simgpu.h"

#define MAX_OPTIONS  64
#define UNITS_READ   8 /* one in as many */
#define USERS_READ   8
#define SINGLES_READ 32

static struct {
    cu_result (*create)(nvrtc_program *program, const char *source, const char *name, int nheaders,
                        const char *const *headers, const char *const *include_names);
    cu_result (*destroy)(nvrtc_program *program);
    cu_result (*add_expression)(nvrtc_program program, const char *expression);
    cu_result (*compile)(nvrtc_program program, int noptions, const char *const *options);
    cu_result (*log_size)(nvrtc_program program, size_t *nbytes);
    cu_result (*log)(nvrtc_program program, char *log);
} real;

struct simgpu_check {
    pthread_t thread;
    const struct simgpu_text *text;
    const char *options[MAX_OPTIONS];
    int noptions; /* the first is the architecture */
    uint64_t hash, every;
    char *failure;
};

static void load(void)
{
    const char *path = getenv("SIMGPU_NVRTC");
    if (path == NULL || *path == '\0')
        return;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "simgpu: SIMGPU_NVRTC: %s\n", dlerror());
        return;
    }
    *(void **)&real.create = dlsym(library, "nvrtcCreateProgram");
    *(void **)&real.destroy = dlsym(library, "nvrtcDestroyProgram");
    *(void **)&real.log_size = dlsym(library, "nvrtcGetProgramLogSize");
    *(void **)&real.log = dlsym(library, "nvrtcGetProgramLog");
    *(void **)&real.add_expression = dlsym(library, "nvrtcAddNameExpression");
    *(void **)&real.compile = dlsym(library, "nvrtcCompileProgram");
}

static char *read_log(nvrtc_program program, const char *arch)
{
    size_t nbytes = 0;
    char *text = NULL, *log = real.log_size(program, &nbytes) == NVRTC_SUCCESS ? malloc(nbytes) : NULL;
    if (log == NULL || real.log(program, log) != NVRTC_SUCCESS ||
        asprintf(&text, "%s\nsimgpu: this is the real NVRTC's log, %s\n", log, arch) < 0)
        text = strdup("simgpu: the real NVRTC failed without a log\n");
    free(log);
    return text;
}

static void compile_for(struct simgpu_check *check, const char *arch)
{
    nvrtc_program program;
    const struct simgpu_text *text = check->text;
    check->options[0] = arch;
    if (real.create(&program, text->source, text->name, text->nheaders, (const char *const *)text->headers,
                    (const char *const *)text->include_names) != NVRTC_SUCCESS) {
        check->failure = strdup("simgpu: the real nvrtcCreateProgram failed\n");
        return;
    }
    for (int i = 0; i < text->nexpressions; i++)
        real.add_expression(program, text->expressions[i]);
    if (real.compile(program, check->noptions, check->options) != NVRTC_SUCCESS)
        check->failure = read_log(program, arch);
    real.destroy(&program);
}

static void *run(void *data)
{
    struct simgpu_check *check = data;
    if (check->every == 1 || check->hash % 2 == 0)
        compile_for(check, "--gpu-architecture=sm_80");
    if (check->failure == NULL && (check->every == 1 || check->hash % 2 == 1))
        compile_for(check, "--gpu-architecture=sm_90");
    return NULL;
}

static uint64_t hash_of(const char *text)
{
    uint64_t state = 0xcbf29ce484222325u;
    for (; *text != '\0'; text++)
        state = (state ^ (unsigned char)*text) * 0x100000001b3u;
    return state >> 32;
}

/* Of texts of this kind the front end reads one in as many. */
static uint64_t sample_of(const struct simgpu_text *text)
{
    if (strstr(text->source, "\nnamespace k1 {") != NULL)
        return UNITS_READ;
    return simgpu__text_is_own(text) ? SINGLES_READ : USERS_READ;
}

/* A check with all options but the architecture, the first, which its thread sets; NULL: nothing is checked. */
static struct simgpu_check *plan(const struct simgpu_text *text, int noptions, const char *const *options)
{
    struct simgpu_check check = {.text = text, .noptions = 1, .hash = hash_of(text->source)};
    check.every = simgpu__setting("SIMGPU_NVRTC_EVERY", 64);
    /* Bit 0 of the hash chooses the architecture, so the others choose texts. */
    bool is_coded = check.every != 0 && check.hash / 2 % check.every == 0;
    if (!is_coded && check.hash / 2 % sample_of(text) != 0)
        return NULL;
    for (int i = 0; i < noptions; i++)
        if (strstr(options[i], "-arch") == NULL && strstr(options[i], "gpu-architecture") == NULL)
            check.options[check.noptions++] = options[i];
    if (!is_coded || check.every > 1)
        check.options[check.noptions++] = is_coded ? "--Ofast-compile=mid" : "-fdevice-syntax-only";
    struct simgpu_check *kept = malloc(sizeof *kept);
    if (kept != NULL)
        *kept = check;
    return kept;
}

struct simgpu_check *simgpu__check_start(const struct simgpu_text *text, int noptions, const char *const *options)
{
    static pthread_once_t loaded = PTHREAD_ONCE_INIT;
    pthread_once(&loaded, load);
    struct simgpu_check *check = NULL;
    if (real.compile != NULL && noptions + 2 < MAX_OPTIONS)
        check = plan(text, noptions, options);
    if (check != NULL && pthread_create(&check->thread, NULL, run, check) != 0) {
        free(check);
        return NULL;
    }
    return check;
}

char *simgpu__check_finish(struct simgpu_check *check)
{
    if (check == NULL)
        return NULL;
    pthread_join(check->thread, NULL);
    char *failure = check->failure;
    free(check);
    return failure;
}

/* The real NVRTC asks any libcuda that it finds for tables, and does without them when there are none. */
SIMGPU_PUBLIC cu_result cuGetExportTable(const void **table, const void *id);

cu_result cuGetExportTable(const void **table, const void *id)
{
    (void)id;
    *table = NULL;
    return CU_ERROR_NOT_FOUND;
}
