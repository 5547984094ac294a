/* driver_cpu_describe.c: what the cpu device's kernels are made by and run on, for people. */
#include <stdio.h>
#include <string.h>

#include "dft.h"
#include "driver.h"
#include "driver_cpu_compiler.h"
#include "driver_cpu_target.h"
#include "driver_cpu_threads.h"

/* "/usr/lib/cuna/libcuna_lanes_avx512.a" says avx512. */
static bool find_instructions(char *out, size_t nbytes)
{
    char path[CUNA_FOLDER_NBYTES];
    if (!cuna__compiler_lanes(path))
        return false;
    const char *word = strrchr(path, '_') + 1;
    snprintf(out, nbytes, "%.*s", (int)strcspn(word, "."), word);
    return true;
}

static void describe_compiler(void (*emit)(void *data, const char *name, const char *value), void *data)
{
    cuna_compiler compiler;
    char command[sizeof compiler.text] = "";
    if (!cuna__compiler_find(&compiler)) {
        emit(data, "remedy", cuna__driver_cpu()->facts.remedy);
        return;
    }
    size_t length = 0;
    for (int i = 0; i < compiler.nwords && length < sizeof command; i++)
        length += (size_t)snprintf(command + length, sizeof command - length, "%s%s", i ? " " : "", compiler.words[i]);
    emit(data, "compiler", command);
    const char *version = cuna__target_version(&compiler);
    emit(data, version != NULL ? "compiler_version" : "remedy",
         version != NULL ? version : cuna__driver_cpu()->facts.remedy);
}

void cuna__driver_cpu_describe(void (*emit)(void *data, const char *name, const char *value), void *data)
{
    char text[64];
    bool has_fftw;
    const char *fftw = cuna__dft_fftw_describe(&has_fftw);
    emit(data, has_fftw ? "fft" : "fft_missing", fftw);
    snprintf(text, sizeof text, "%d", cuna__threads_count());
    emit(data, "threads", text);
    if (find_instructions(text, sizeof text))
        emit(data, "instructions", text);
    else
        emit(data, "missing", "the archive of vector functions (libcuna_lanes_*.a) beside cuna's library");
    describe_compiler(emit, data);
}
