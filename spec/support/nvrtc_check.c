/* nvrtc_check.c: compiles kernel texts with the real NVRTC and prints its errors; needs no GPU.
 *
 *     nvrtc_check [-l LIBRARY] [-j THREADS] [-p FOLDER] [-a ARCHITECTURE]... [-o OPTION]... [-t] FILE...
 *
 * Each file is compiled for each architecture (default sm_80 and sm_90) with the options of CUDA devices and those
 * given. FOLDER receives the PTX; -t prints the time of each compilation. The exit status is the number of refusals,
 * 125 at most, or 126 when there is nothing to compile with. Threads take jobs, a file for an architecture, in turn. */
#include "seam/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 16, NOTHING_TO_RUN = 126 };

static cuna_driver nvrtc;
static const char *library, *folder, *archs[MOST], *extra[MOST];
static char **files;
static int nfiles, narchs, nextra, nthreads = 2, timed;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_job, refusals;

static const struct {
    const char *symbol;
    size_t offset;
} rows[] = {
#define ROW(symbol, field, parameters) {symbol, offsetof(cuna_driver, field)},
    CUNA_DRIVER_ROWS(ROW)
#undef ROW
};

static void *open_library(void)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    void *handle = library ? dlopen(library, RTLD_NOW) : NULL;
    for (size_t i = 0; !library && !handle && i < sizeof names / sizeof *names; i++)
        handle = dlopen(names[i], RTLD_NOW);
    return handle;
}

/* Fills the rows of NVRTC; false when one is missing. */
static bool load_rows(void)
{
    void *handle = open_library();
    if (!handle)
        fprintf(stderr, "no NVRTC: %s\n", dlerror());
    for (size_t i = 0; handle && i < sizeof rows / sizeof *rows; i++) {
        void *address = dlsym(handle, rows[i].symbol);
        if (strncmp(rows[i].symbol, "nvrtc", 5) != 0)
            continue;
        if (!address) {
            fprintf(stderr, "NVRTC has no %s\n", rows[i].symbol);
            return false;
        }
        memcpy((char *)&nvrtc + rows[i].offset, &address, sizeof address);
    }
    return handle != NULL;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long nbytes = ftell(file);
    rewind(file);
    char *text = calloc((size_t)nbytes + 1, 1);
    if (text && fread(text, 1, (size_t)nbytes, file) != (size_t)nbytes) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

static void refuse(const char *path, const char *arch, const char *why)
{
    pthread_mutex_lock(&lock);
    refusals++;
    printf("%s: %s for %s\n", path, why, arch);
    pthread_mutex_unlock(&lock);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void save_ptx(nvrtc_program program, const char *path, const char *arch)
{
    size_t nbytes = 0;
    char target[1024];
    snprintf(target, sizeof target, "%s/%s.%s.ptx", folder, name_of(path), arch);
    char *ptx = nvrtc.nvrtc_get_ptx_size(program, &nbytes) == CU_SUCCESS ? malloc(nbytes + 1) : NULL;
    FILE *file = fopen(target, "wb");
    if (ptx && file && nvrtc.nvrtc_get_ptx(program, ptx) == CU_SUCCESS)
        fwrite(ptx, 1, nbytes > 0 ? nbytes - 1 : 0, file);
    else
        refuse(path, arch, "no PTX");
    if (file)
        fclose(file);
    free(ptx);
}

static void refuse_with_log(nvrtc_program program, const char *path, const char *arch)
{
    size_t nbytes = 0;
    char *log = nvrtc.nvrtc_get_program_log_size(program, &nbytes) == CU_SUCCESS ? calloc(nbytes + 1, 1) : NULL;
    if (log)
        nvrtc.nvrtc_get_program_log(program, log);
    refuse(path, arch, log && *log ? log : "refused without a word");
    free(log);
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* The options are those of CUDA devices (cuda/target.c). */
static void compile(const char *source, const char *path, const char *arch)
{
    char architecture[64];
    const char *options[MOST + 4] = {architecture, "--fmad=false", "--std=c++17", "-diag-suppress=186"};
    nvrtc_program program = NULL;
    double start = now_ms();
    snprintf(architecture, sizeof architecture, "--gpu-architecture=%s", arch);
    memcpy(options + 4, extra, sizeof extra);
    if (nvrtc.nvrtc_create_program(&program, source, name_of(path), 0, NULL, NULL) != CU_SUCCESS)
        return refuse(path, arch, "no program");
    if (nvrtc.nvrtc_compile_program(program, 4 + nextra, options) != CU_SUCCESS)
        refuse_with_log(program, path, arch);
    else if (folder)
        save_ptx(program, path, arch);
    if (timed)
        printf("%s: %.0f ms for %s\n", path, now_ms() - start, arch);
    nvrtc.nvrtc_destroy_program(&program);
}

static void *work(void *unused)
{
    (void)unused;
    for (;;) {
        pthread_mutex_lock(&lock);
        int job = next_job++;
        pthread_mutex_unlock(&lock);
        if (job >= nfiles * narchs)
            return NULL;
        const char *path = files[job / narchs], *arch = archs[job % narchs];
        char *source = read_file(path);
        if (source)
            compile(source, path, arch);
        else
            refuse(path, arch, "cannot be read");
        free(source);
    }
}

static bool read_option(int letter, char *value)
{
    if (letter == 'l')
        library = value;
    else if (letter == 'p')
        folder = value;
    else if (letter == 'j')
        nthreads = atoi(value);
    else if (letter == 'a' && narchs < MOST)
        archs[narchs++] = value;
    else if (letter == 'o' && nextra < MOST)
        extra[nextra++] = value;
    else
        return false;
    return true;
}

static bool read_arguments(int argc, char **argv)
{
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++)
        if (strcmp(argv[at], "-t") == 0)
            timed = 1;
        else if (at + 1 >= argc || !read_option(argv[at][1], argv[at + 1]))
            return false;
        else
            at++;
    files = argv + at;
    nfiles = argc - at;
    if (narchs == 0) {
        archs[narchs++] = "sm_80";
        archs[narchs++] = "sm_90";
    }
    return nthreads > 0 && nthreads <= MOST;
}

int main(int argc, char **argv)
{
    pthread_t threads[MOST];
    int started = 0;
    if (!read_arguments(argc, argv) || !load_rows()) {
        fprintf(stderr,
                "usage: nvrtc_check [-l LIBRARY] [-j THREADS] [-p FOLDER] [-a ARCH]... [-o OPTION]... [-t] FILE...\n");
        return NOTHING_TO_RUN;
    }
    while (started < nthreads - 1 && pthread_create(&threads[started], NULL, work, NULL) == 0)
        started++;
    work(NULL);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return refusals < NOTHING_TO_RUN ? refusals : NOTHING_TO_RUN - 1;
}
