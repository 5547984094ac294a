/* describe.c: facts, for display, about the compiler, processor and libraries of the cpu device. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/compile/compiler.h"
#include "cpu/compile/target.h"
#include "cpu/execute/error.h"
#include "cpu/execute/install.h"
#include "cpu/execute/module.h"
#include "cpu/execute/threads.h"
#include "cpu/interpret/library.h"
#include "seam/dft.h"
#include "seam/driver.h"

/* "/usr/lib/cuna/libcuna_lanes_avx512.a" says avx512. */
static bool find_instructions(char *out, size_t nbytes)
{
    char path[CUNA_FOLDER_NBYTES];
    if (!cuna__cpu_compiler_lanes(path))
        return false;
    const char *word = strrchr(path, '_') + 1;
    snprintf(out, nbytes, "%.*s", (int)strcspn(word, "."), word);
    return true;
}

/* Of the loops that run programs before their kernels are compiled, or without a compiler. */
static void describe_loops(void (*emit)(void *data, const char *name, const char *value), void *data)
{
    char path[CUNA_FOLDER_NBYTES];
    const char *problem = "no libcuna_loops_*.so for this processor beside cuna's library; every kernel is compiled at "
                          "first use; build with make";
    bool is_there = cuna__cpu_install_find(path, "loops", ".so", true);
    if (is_there)
        problem = "the library is of another version of cuna; build again with make";
    if (cuna__cpu_library_get() != NULL)
        emit(data, "loops", path);
    else
        emit(data, "loops_missing", problem);
}

static void describe_compiler(void (*emit)(void *data, const char *name, const char *value), void *data)
{
    cuna_compiler compiler;
    char command[sizeof compiler.text] = "";
    if (!cuna__cpu_compiler_find(&compiler)) {
        emit(data, "remedy", cuna__driver_cpu()->facts.remedy);
        return;
    }
    size_t length = 0;
    for (int i = 0; i < compiler.nwords && length < sizeof command; i++)
        length += (size_t)snprintf(command + length, sizeof command - length, "%s%s", i ? " " : "", compiler.words[i]);
    emit(data, "compiler", command);
    const char *version, *words = cuna__driver_cpu()->facts.remedy;
    cu_result result = cuna__cpu_target_version(&version, &compiler);
    if (result == CU_ERROR_OPERATING_SYSTEM)
        cuna__cpu_error_string(result, &words);
    emit(data, result == CU_SUCCESS ? "compiler_version" : "remedy", result == CU_SUCCESS ? version : words);
}

/* Writes as much as a small compilation does, as a test of the folder; records its path. */
static const char *try_folder(void *data, const char *folder)
{
    static const char bytes[64 << 10];
    if (!cuna__folder_write(folder, "try", bytes, sizeof bytes))
        return strerror(errno);
    snprintf(data, CUNA_FOLDER_NBYTES, "%.*s", (int)(strrchr(folder, '/') - folder), folder);
    return NULL;
}

/* The folder of temporary compilation files, from which images are loaded. */
static void describe_places(void (*emit)(void *data, const char *name, const char *value), void *data)
{
    char place[CUNA_FOLDER_NBYTES] = "", image_place[CUNA_FOLDER_NBYTES] = "memory";
    char *lacks = cuna__folder_with(false, try_folder, place);
    emit(data, lacks == NULL ? "place" : "place_missing", lacks == NULL ? place : lacks);
    free(lacks);
    lacks = cuna__cpu_module_uses_memory() ? NULL : cuna__folder_with(true, try_folder, image_place);
    emit(data, lacks == NULL ? "image_place" : "image_place_missing", lacks == NULL ? image_place : lacks);
    free(lacks);
}

void cuna__driver_cpu_describe(void (*emit)(void *data, const char *name, const char *value), void *data)
{
    char text[64];
    bool has_fftw;
    const char *fftw = cuna__dft_fftw_describe(&has_fftw);
    emit(data, has_fftw ? "fft" : "fft_missing", fftw);
    snprintf(text, sizeof text, "%d", cuna__cpu_threads_count());
    emit(data, "threads", text);
    if (find_instructions(text, sizeof text))
        emit(data, "instructions", text);
    else
        emit(data, "missing", "the archive of vector functions (libcuna_lanes_*.a) beside cuna's library");
    describe_loops(emit, data);
    describe_compiler(emit, data);
    describe_places(emit, data);
}
