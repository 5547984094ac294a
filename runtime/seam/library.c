/* library.c: shared libraries that are opened at run time.
 *
 * The first one that opens is used and never closed: threads and state that a library creates last as long as the
 * process. */
#define _GNU_SOURCE 1
#include "seam/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

/* The error of a library that exists and does not open is more useful than that of a missing one. */
static void keep_reason(cuna_library *library, const char *reason)
{
    if (reason == NULL)
        return;
    bool first = library->words[0] == '\0';
    if (first || (strstr(library->words, "No such file") != NULL && strstr(reason, "No such file") == NULL))
        snprintf(library->words, sizeof library->words, "%s", reason);
}

bool cuna__library_open(cuna_library *library, const char *path)
{
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL)
        keep_reason(library, dlerror());
    else
        snprintf(library->name, sizeof library->name, "%s", path);
    return library->handle != NULL;
}

void cuna__library_explain(cuna_library *library, const char *sought)
{
    char reason[300];
    snprintf(reason, sizeof reason, "%.299s", library->words);
    snprintf(library->words, sizeof library->words, "looked for %.600s%s%s%s", sought,
             *reason != '\0' ? " (dlopen says: " : "", reason, *reason != '\0' ? ")" : "");
}

static void open_first(cuna_library *library, const char *const *names)
{
    char sought[600] = "";
    size_t length = 0;
    for (; *names != NULL && !cuna__library_open(library, *names); names++)
        length += (size_t)snprintf(sought + length, sizeof sought - length, "%s%s", length > 0 ? ", " : "", *names);
    if (library->handle == NULL)
        cuna__library_explain(library, sought);
}

void cuna__library_search(cuna_library *out, const char *variable, const char *const *names)
{
    const char *asked = cuna__environment_text(variable);
    char sought[300];
    memset(out, 0, sizeof *out);
    if (asked == NULL) {
        open_first(out, names);
    } else if (strcmp(asked, "off") == 0 || !cuna__library_open(out, asked)) {
        snprintf(sought, sizeof sought, "$%s (%.200s) and nothing else", variable, asked);
        cuna__library_explain(out, sought);
    }
}

void cuna__library_file(char *text, size_t nbytes, const void *function)
{
    Dl_info found;
    char *path = dladdr(function, &found) != 0 ? realpath(found.dli_fname, NULL) : NULL;
    snprintf(text, nbytes, "%s", path != NULL ? path : "a file without a name");
    free(path);
}

const char *cuna__library_bind(const cuna_library *library, const cuna_symbol *symbols, size_t count)
{
    const char *lacking = NULL;
    for (size_t i = 0; i < count; i++) {
        void *function = dlsym(library->handle, symbols[i].name);
        if (function != NULL)
            memcpy(symbols[i].at, &function, sizeof function);
        else if (lacking == NULL)
            lacking = symbols[i].name;
    }
    return lacking;
}

cuna_status cuna__library_once(cuna_opening *opening, cuna_status (*open)(void))
{
    if (!__atomic_load_n(&opening->tried, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&opening->lock);
        if (!opening->tried) {
            opening->outcome = open();
            if (opening->outcome != CUNA_OK)
                snprintf(opening->words, sizeof opening->words, "%s", cuna_message());
        }
        __atomic_store_n(&opening->tried, true, __ATOMIC_RELEASE);
        pthread_mutex_unlock(&opening->lock);
    }
    return opening->outcome == CUNA_OK ? CUNA_OK : cuna_fail(opening->outcome, "%s", opening->words);
}
