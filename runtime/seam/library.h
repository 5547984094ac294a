/* library.h: shared libraries that are opened at run time, and stay open as long as the process. */
#ifndef CUNA_SEAM_LIBRARY_H
#define CUNA_SEAM_LIBRARY_H

#include <pthread.h>

#include "cuna.h"

typedef struct cuna_library {
    void *handle;     /* for dlsym; NULL when no such library can be opened */
    char name[512];   /* as opened: a bare name, found on the loader's path, or a path */
    char words[1024]; /* without a handle: the names searched for, and the loader's error */
} cuna_library;

/* Opens a name or path; keeps the reason of a failure, of several the most specific. */
bool cuna__library_open(cuna_library *library, const char *path);

/* Ends a search that found nothing: prefixes the names searched for to the loader's reason. */
void cuna__library_explain(cuna_library *library, const char *sought);

/* Opens the first library that exists of some names (NULL ends them), or, if the environment variable is set, only the
 * one it names; "off" opens nothing. */
void cuna__library_search(cuna_library *out, const char *variable, const char *const *names);

/* Writes the path of the file that contains a function, links resolved, for display: it has the library's version. */
void cuna__library_file(char *text, size_t nbytes, const void *function);

/* An opening that is tried once: later calls return the same failure with the same message. */
typedef struct cuna_opening {
    pthread_mutex_t lock;
    bool tried;
    cuna_status outcome;
    char words[1400];
} cuna_opening;

#define CUNA_OPENING                      \
    {                                     \
        .lock = PTHREAD_MUTEX_INITIALIZER \
    }

cuna_status cuna__library_once(cuna_opening *opening, cuna_status (*open)(void));

/* A function of a table, and its field. */
typedef struct cuna_symbol {
    const char *name;
    void *at; /* the address of a pointer to a function */
} cuna_symbol;

/* Fills in the functions that the library has; the first that it lacks, or NULL. */
const char *cuna__library_bind(const cuna_library *library, const cuna_symbol *symbols, size_t count);

#endif
