/* driver_cpu_target.c: what besides source and options decides the meaning of a cpu image. */
#define _GNU_SOURCE 1
#include "driver_cpu_target.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "driver_cpu_compile.h"
#include "driver_cpu_compiler.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* A compiler's version by its identity; asked for once. Entries are never removed, so the list needs no lock and a fork
 * cannot break it. */
struct version {
    struct version *next;
    char *identity, *line;
};

static _Atomic(struct version *) versions;

static const char *known_version(const char *identity)
{
    struct version *version = atomic_load(&versions);
    while (version != NULL && strcmp(version->identity, identity) != 0)
        version = version->next;
    return version != NULL ? version->line : NULL;
}

static char *ask_version(const cuna_compiler *compiler)
{
    char folder[CUNA_FOLDER_NBYTES], *line = NULL;
    const char *argv[CUNA_COMPILER_WORDS + 2];
    size_t nbytes;
    if (!cuna__folder_create(folder))
        return NULL;
    memcpy(argv, compiler->words, (size_t)compiler->nwords * sizeof *argv);
    argv[compiler->nwords] = "--version";
    argv[compiler->nwords + 1] = NULL;
    if (cuna__compiler_run(folder, argv, false) == 0)
        line = cuna__folder_read(&nbytes, folder, CUNA_COMPILER_LOG);
    cuna__folder_remove(folder);
    if (line != NULL)
        line[strcspn(line, "\n")] = 0;
    return line;
}

static const char *learn_version(const cuna_compiler *compiler, const char *identity)
{
    struct version *version = malloc(sizeof *version);
    char *line = ask_version(compiler), *copy = strdup(identity);
    if (version == NULL || line == NULL || copy == NULL) {
        free(version);
        free(line);
        free(copy);
        return NULL;
    }
    version->identity = copy;
    version->line = line;
    version->next = atomic_load(&versions);
    while (!atomic_compare_exchange_weak(&versions, &version->next, version))
        continue;
    return line;
}

/* Nothing for a word that is no file. */
static void print_file(FILE *out, const char *label, const char *path)
{
    struct stat file;
    char real[PATH_MAX];
    if (realpath(path, real) != NULL && stat(real, &file) == 0)
        fprintf(out, "%s %s %lld %lld.%09ld\n", label, real, (long long)file.st_size, (long long)file.st_mtim.tv_sec,
                file.st_mtim.tv_nsec);
}

/* An archive of cuna's own by its contents, which become part of images: it is the same wherever and whenever it was
 * installed. The sum is FNV-1a (Fowler, Noll and Vo). */
static void print_archive(FILE *out, const char *label, const char *path)
{
    unsigned char bytes[4096];
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return;
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, file)) > 0;)
        for (size_t i = 0; i < count; i++)
            sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    fprintf(out, "%s %s %ld %016llx\n", label, strrchr(path, '/') + 1, ftell(file), (unsigned long long)sum);
    fclose(file);
}

/* The command and its program's file. A launcher ("ccache g++") hides the compiler: that one is looked up as well. */
static void print_identity(FILE *out, const cuna_compiler *compiler)
{
    char path[PATH_MAX];
    print_file(out, "compiler", compiler->words[0]);
    fputs("command", out);
    for (int i = 0; i < compiler->nwords; i++)
        fprintf(out, " %s", compiler->words[i]);
    fputc('\n', out);
    for (int i = 1; i < compiler->nwords; i++)
        if (cuna__compiler_program(path, compiler->words[i]))
            print_file(out, "compiler", path);
}

#if defined(__x86_64__) || defined(__i386__)
/* What -march=native sees. Leaf 1's ebx is left out: it names the core that happens to run. */
static void print_features(FILE *out)
{
    unsigned a, b, c, d;
    fputs("features", out);
    if (__get_cpuid(1, &a, &b, &c, &d))
        fprintf(out, " %08x %08x %08x", a, c, d);
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d))
        fprintf(out, " %08x %08x %08x", b, c, d);
    if (__get_cpuid_count(7, 1, &a, &b, &c, &d))
        fprintf(out, " %08x %08x", a, d);
    fputc('\n', out);
}
#else
static void print_features(FILE *out)
{
    char line[4096];
    bool found = false;
    FILE *info = fopen("/proc/cpuinfo", "re");
    while (info != NULL && !found && fgets(line, sizeof line, info) != NULL)
        found = strncmp(line, "Features", 8) == 0 && fputs(line, out) >= 0;
    if (info != NULL)
        fclose(info);
}
#endif

static void print_machine(FILE *out)
{
    struct utsname machine;
    char lanes[CUNA_FOLDER_NBYTES];
    if (uname(&machine) == 0)
        fprintf(out, "machine %s\n", machine.machine);
    print_features(out);
    if (cuna__compiler_lanes(lanes))
        print_archive(out, "lanes", lanes);
    fputs("flags", out);
    cuna__compile_print_flags(out);
    fputc('\n', out);
}

/* The compiler's identity as a string that the caller frees; NULL when there is no memory. */
static char *identify(const cuna_compiler *compiler)
{
    char *identity = NULL;
    size_t nbytes;
    FILE *out = open_memstream(&identity, &nbytes);
    if (out == NULL)
        return NULL;
    print_identity(out, compiler);
    return fclose(out) == 0 ? identity : NULL;
}

static cu_result describe(char *text, size_t nbytes, const char *identity, const char *version)
{
    FILE *out = fmemopen(text, nbytes, "w");
    if (out == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    fprintf(out, "%sversion %s\n", identity, version);
    print_machine(out);
    long length = ftell(out);
    bool whole = fclose(out) == 0 && length > 0 && (size_t)length < nbytes;
    return whole ? CU_SUCCESS : CU_ERROR_INVALID_VALUE;
}

static const char *version_of(const cuna_compiler *compiler, const char *identity)
{
    const char *version = known_version(identity);
    return version != NULL ? version : learn_version(compiler, identity);
}

const char *cuna__target_version(const cuna_compiler *compiler)
{
    char *identity = identify(compiler);
    const char *version = identity != NULL ? version_of(compiler, identity) : NULL;
    free(identity);
    return version;
}

cu_result cuna__target_describe(char *text, size_t nbytes)
{
    cuna_compiler compiler;
    if (text == NULL || nbytes == 0)
        return CU_ERROR_INVALID_VALUE;
    if (!cuna__compiler_find(&compiler))
        return CU_ERROR_NOT_FOUND;
    char *identity = identify(&compiler);
    if (identity == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    const char *version = version_of(&compiler, identity);
    cu_result result = version != NULL ? describe(text, nbytes, identity, version) : CU_ERROR_NOT_FOUND;
    free(identity);
    return result;
}
