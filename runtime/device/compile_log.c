/* compile_log.c: counts of compilations and of cache hits, and what is said about them on stderr.
 *
 * The counts change atomically, each by itself. */
#include "device/compile_log.h"

#include <string.h>

#include "base/environment.h"
#include "base/interrupt.h"
#include "base/strbuf.h"
#include "cache/cache.h"
#include "device/compile_wait.h"

static struct {
    int64_t compiled, background, failed, loaded; /* units */
    int64_t kernels, ns;
} counts;

static void count(int64_t *which, int64_t more)
{
    __atomic_fetch_add(which, more, __ATOMIC_RELAXED);
}

static int64_t read_count(const int64_t *which)
{
    return __atomic_load_n(which, __ATOMIC_RELAXED);
}

void cuna_compile_get_stats(cuna_compile_stats *out)
{
    *out = (cuna_compile_stats){.compiled = read_count(&counts.compiled),
                                .background = read_count(&counts.background),
                                .failed = read_count(&counts.failed),
                                .loaded = read_count(&counts.loaded),
                                .kernels = read_count(&counts.kernels),
                                .compile_s = 1e-9 * (double)read_count(&counts.ns),
                                .wait_s = 1e-9 * (double)cuna__compile_wait_ns()};
}

void cuna__compile_log_loaded(void)
{
    count(&counts.loaded, 1);
}

/* ---- CUNA_LOG ---- */

static void add_line(cuna_strbuf *line, const cuna_compilation *c, int64_t ns, cuna_status status)
{
    const char *message = status != CUNA_OK ? cuna_message() : "";
    cuna__strbuf_printf(line, "cuna: compile: %s: %.*s", c->device->name, (int)strcspn(c->name, "\n"), c->name);
    if (c->nkernels > 1)
        cuna__strbuf_printf(line, " and %d more", c->nkernels - 1);
    cuna__strbuf_printf(line, ", %.0f ms%s", 1e-6 * (double)ns, cuna_is_background() ? ", background" : "");
    if (status == CUNA_INTERRUPTED)
        cuna__strbuf_add(line, ", interrupted");
    else if (status != CUNA_OK)
        cuna__strbuf_printf(line, ", failed: %.*s", (int)strcspn(message, "\n"), message);
    cuna__strbuf_add(line, "\n");
}

static void write_line(const cuna_compilation *c, int64_t ns, cuna_status status)
{
    cuna_strbuf line = {0};
    add_line(&line, c, ns, status);
    if (!line.failed)
        cuna__compile_wait_write(line.text);
    cuna__strbuf_free(&line);
}

/* ---- compilations ---- */

void cuna__compile_log_begin(cuna_compilation *c, const cuna_device *device, const char *name, int nkernels)
{
    count(&counts.compiled, 1);
    count(&counts.background, cuna_is_background());
    *c = (cuna_compilation){.device = device, .name = name, .nkernels = nkernels, .begin_ns = cuna__compile_now_ns()};
}

void cuna__compile_log_end(const cuna_compilation *c, cuna_status status)
{
    int64_t ns = cuna__compile_now_ns() - c->begin_ns;
    count(&counts.ns, ns);
    count(&counts.kernels, status == CUNA_OK ? c->nkernels : 0);
    count(&counts.failed, status != CUNA_OK && status != CUNA_INTERRUPTED);
    if (cuna__environment_logs("compile"))
        write_line(c, ns, status);
}

/* ---- images that are not kept ---- */

void cuna__compile_log_store(const char *key, const void *image, size_t nbytes)
{
    static bool was_said;
    cuna_strbuf line = {0};
    if (cuna__cache_store(key, image, nbytes) == CUNA_OK || __atomic_exchange_n(&was_said, true, __ATOMIC_RELAXED))
        return;
    cuna__strbuf_printf(&line, "cuna: kernels are not kept: %s; set CUNA_CACHE_DIR\n", cuna_message());
    if (!line.failed)
        cuna__compile_wait_write(line.text);
    cuna__strbuf_free(&line);
}
