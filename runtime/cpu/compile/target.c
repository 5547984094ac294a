/* target.c: everything besides source and options that determines a cpu image. */
#define _GNU_SOURCE 1
#include "cpu/compile/target.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "cache/cache.h"
#include "cpu/compile/compile.h"
#include "cpu/compile/compiler.h"
#include "cpu/execute/error.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

/* A compiler's version by its identity; queried once per process, or once per installation if it can be cached. Entries
 * are never removed, so the list needs no lock and a fork cannot break it. */
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

/* A query and its result. */
struct asking {
    const cuna_compiler *compiler;
    char *line; /* NULL: the query failed */
};

static const char *ask_in(void *data, const char *folder)
{
    struct asking *asking = data;
    const cuna_compiler *compiler = asking->compiler;
    const char *argv[CUNA_COMPILER_WORDS + 2];
    size_t nbytes;
    memcpy(argv, compiler->words, (size_t)compiler->nwords * sizeof *argv);
    argv[compiler->nwords] = "--version";
    argv[compiler->nwords + 1] = NULL;
    int status = cuna__cpu_compiler_run(folder, argv, false);
    if (status < 0 && errno != 0)
        return cuna__folder_lack(folder, strerror(errno));
    char *line = cuna__folder_read(&nbytes, folder, CUNA_COMPILER_LOG);
    if (line != NULL)
        line[strcspn(line, "\n")] = 0;
    if (status == 0 && line != NULL && *line != 0) {
        asking->line = line;
        return NULL;
    }
    free(line);
    return cuna__folder_lack(folder, "");
}

/* Whether the command is a compiler's executable, and not a script or a launcher that may start any. */
static bool is_itself(const cuna_compiler *compiler)
{
    char real[PATH_MAX], magic[SELFMAG] = "";
    if (realpath(compiler->words[0], real) == NULL)
        return false;
    const char *name = strrchr(real, '/');
    FILE *file = strstr(name, "++") != NULL || strstr(name, "clang") != NULL ? fopen(real, "re") : NULL;
    if (file == NULL)
        return false;
    bool is_binary = fread(magic, 1, SELFMAG, file) == SELFMAG && memcmp(magic, ELFMAG, SELFMAG) == 0;
    fclose(file);
    return is_binary;
}

/* Results are cached like images, by their dependencies: NULL when this one is not cached. */
static char *read_version(const char *key)
{
    size_t nbytes;
    char *kept = cuna__cache_load(&nbytes, key), *line = kept != NULL ? strndup(kept, nbytes) : NULL;
    free(kept);
    return line;
}

static cu_result fail_asking(const char *lacks)
{
    char words[900];
    snprintf(words, sizeof words, "no place for the compiler's files: %.800s", lacks);
    return cuna__cpu_error_keep(CU_ERROR_OPERATING_SYSTEM, words);
}

static cu_result find_version(char **line, const cuna_compiler *compiler, const char *identity)
{
    struct asking asking = {.compiler = compiler};
    char key[CUNA_KEY_LENGTH + 1];
    bool keeps = is_itself(compiler);
    cuna__cache_key(key, 2, (const char *const[]){"cuna compiler version 1", identity});
    *line = keeps ? read_version(key) : NULL;
    if (*line != NULL)
        return CU_SUCCESS;
    char *lacks = cuna__folder_with(false, ask_in, &asking);
    cu_result result = lacks != NULL ? fail_asking(lacks) : asking.line != NULL ? CU_SUCCESS : CU_ERROR_NOT_FOUND;
    free(lacks);
    if (asking.line != NULL && keeps)
        cuna__cache_store(key, asking.line, strlen(asking.line));
    *line = asking.line;
    return result;
}

static cu_result learn_version(const char **out, const cuna_compiler *compiler, const char *identity)
{
    char *line = NULL;
    cu_result result = find_version(&line, compiler, identity);
    if (result != CU_SUCCESS)
        return result;
    struct version *version = malloc(sizeof *version);
    char *copy = strdup(identity);
    if (version == NULL || copy == NULL) {
        free(version);
        free(line);
        free(copy);
        return CU_ERROR_OUT_OF_MEMORY;
    }
    version->identity = copy;
    version->line = line;
    /* Two threads may add the same version; readers find the first, and both lines are equal. */
    version->next = atomic_load(&versions);
    while (!atomic_compare_exchange_weak(&versions, &version->next, version))
        continue;
    *out = line;
    return CU_SUCCESS;
}

/* Writes nothing for a word that is not a file. */
static void print_file(FILE *out, const char *label, const char *path)
{
    struct stat file;
    char real[PATH_MAX];
    if (realpath(path, real) != NULL && stat(real, &file) == 0)
        fprintf(out, "%s %s %lld %lld.%09ld\n", label, real, (long long)file.st_size, (long long)file.st_mtim.tv_sec,
                file.st_mtim.tv_nsec);
}

/* Identifies a cuna archive by its contents, which become part of images, independent of where and when it was
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

/* The command and its program's file. A launcher ("ccache g++") hides the compiler, which is looked up as well. */
static void print_identity(FILE *out, const cuna_compiler *compiler)
{
    char path[PATH_MAX];
    print_file(out, "compiler", compiler->words[0]);
    fputs("command", out);
    for (int i = 0; i < compiler->nwords; i++)
        fprintf(out, " %s", compiler->words[i]);
    fputc('\n', out);
    for (int i = 1; i < compiler->nwords; i++)
        if (cuna__cpu_compiler_program(path, compiler->words[i]))
            print_file(out, "compiler", path);
}

#if defined(__x86_64__) || defined(__i386__)
/* What -march=native sees. Leaf 1's ebx is excluded: it identifies the current core. */
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
    if (cuna__cpu_compiler_lanes(lanes))
        print_archive(out, "lanes", lanes);
    fputs("flags", out);
    cuna__cpu_compile_print_flags(out);
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

static cu_result version_of(const char **out, const cuna_compiler *compiler, const char *identity)
{
    *out = known_version(identity);
    return *out != NULL ? CU_SUCCESS : learn_version(out, compiler, identity);
}

cu_result cuna__cpu_target_version(const char **out, const cuna_compiler *compiler)
{
    char *identity = identify(compiler);
    if (identity == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    cu_result result = version_of(out, compiler, identity);
    free(identity);
    return result;
}

cu_result cuna__cpu_target_describe(char *text, size_t nbytes)
{
    cuna_compiler compiler;
    const char *version;
    if (text == NULL || nbytes == 0)
        return CU_ERROR_INVALID_VALUE;
    if (!cuna__cpu_compiler_find(&compiler))
        return CU_ERROR_NOT_FOUND;
    char *identity = identify(&compiler);
    if (identity == NULL)
        return CU_ERROR_OUT_OF_MEMORY;
    cu_result result = version_of(&version, &compiler, identity);
    if (result == CU_SUCCESS)
        result = describe(text, nbytes, identity, version);
    free(identity);
    return result;
}
