/* compile.c: compiles programs by the compiler that SIMGPU_CXX names, in half of g++'s time when that is clang.
 *
 * Nothing is optimised: lanes that run one by one are slow in any case. Compiler and linker are started one after the
 * other, because a driver that links starts the compiler in another process of its own. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "cpu/compile/compiler.h"
#include "simgpu.h"

#define SOURCE "source.cc"
#define OBJECT "object~"
#define IMAGE  "image~"
#define MOST   96

/* Processors by the vector functions for them: clang takes a sixteenth of its time for the list of all features that
 * -march=native makes, which it compares for each function. */
static const char *const machines[][2] = {{"_avx512.a", "-march=skylake-avx512"}, {"_avx2.a", "-march=haswell"}};

/* What decides values is as in runtime/cpu/compile/compile.c. */
static const char *const flags[] = {
    "-std=c++14",
    "-O0",
    "-fPIC",
    "-w",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-ffp-contract=off",
    "-fsigned-char",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-asynchronous-unwind-tables",
    "-fno-stack-protector",
    "-fvisibility=hidden",
    "-c",
    "-o",
    OBJECT,
    SOURCE,
    NULL,
};

static const char *const libraries[] = {
    "--as-needed", "-z",
    "defs",
#if defined(__x86_64__)
    "-lmvec",
#endif
    "-lm",         "-l:libgcc_s.so.1",
    "-lc",         NULL,
};

struct job {
    const char *text, *const *words;
    struct simgpu_compiled *out;
    cu_result result;
};

bool simgpu__compile_is_set(void)
{
    const char *command = getenv("SIMGPU_CXX");
    return command != NULL && *command != '\0';
}

static const char *find_machine(void)
{
    char lanes[CUNA_FOLDER_NBYTES];
    bool found = cuna__cpu_compiler_lanes(lanes);
    for (size_t i = 0; i < sizeof machines / sizeof *machines && found; i++)
        if (strstr(lanes, machines[i][0]) != NULL)
            return machines[i][1];
    return "-march=native";
}

static bool run(const char *folder, const char *program, const char *const *first, const char *const *rest)
{
    char path[PATH_MAX];
    const char *words[MOST];
    int count = 0;
    if (!cuna__cpu_compiler_program(path, program))
        return false;
    words[count++] = path;
    for (; *first != NULL; first++)
        words[count++] = *first;
    for (; *rest != NULL; rest++)
        words[count++] = *rest;
    words[count] = NULL;
    return cuna__cpu_compiler_run(folder, words, true) == 0;
}

static bool link_in(const char *folder)
{
    char lanes[CUNA_FOLDER_NBYTES];
    const char *const objects[] = {
        "-shared", "-o", IMAGE, OBJECT, cuna__cpu_compiler_lanes(lanes) ? lanes : NULL, NULL,
    };
    return run(folder, "ld", objects, libraries);
}

static bool compile_text_in(const char *folder, const char *const *options)
{
    const char *words[MOST] = {find_machine()};
    for (int i = 0; options[i] != NULL && i < MOST - 2; i++)
        words[i + 1] = options[i];
    return run(folder, getenv("SIMGPU_CXX"), flags, words);
}

static const char *compile_in(void *data, const char *folder)
{
    struct job *job = data;
    size_t nbytes;
    if (!cuna__folder_write(folder, SOURCE, job->text, strlen(job->text)))
        return strerror(errno);
    bool made = compile_text_in(folder, job->words) && link_in(folder);
    job->out->log = cuna__folder_read(&nbytes, folder, CUNA_COMPILER_LOG);
    if (job->out->log == NULL) /* nothing ran */
        job->out->log = strdup("the compiler that SIMGPU_CXX names, or ld, was not found");
    if (made)
        job->out->image = cuna__folder_read(&job->out->nbytes, folder, IMAGE);
    job->result = job->out->image != NULL ? NVRTC_SUCCESS : NVRTC_COMPILATION;
    return job->out->image != NULL || cuna_is_cancelled() ? NULL : cuna__folder_lack(folder, job->out->log);
}

cu_result simgpu__compile(struct simgpu_compiled *out, const char *text, const char *const *words)
{
    struct job job = {.text = text, .words = words, .out = out};
    char *lacks = cuna__folder_with(false, compile_in, &job);
    if (lacks != NULL) {
        free(out->log);
        out->log = lacks;
        return NVRTC_COMPILATION;
    }
    return job.result;
}
