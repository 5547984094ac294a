/* library.h: shared libraries that are opened at run time, and stay open as long as the process. */
#ifndef CUNA_SEAM_LIBRARY_H
#define CUNA_SEAM_LIBRARY_H

#include <pthread.h>

#include "cuna.h"

typedef struct cuna_library {
    void *handle;     /* for dlsym; NULL when no such library can be opened */
    char name[512];   /* as it was opened: a bare name, found on the loader's path, or a path */
    char words[1024]; /* without a handle: what was looked for, and what the loader said */
} cuna_library;

/* Opens a name or path; a failure's reason is kept, of several the one that says most. */
bool cuna__library_open(cuna_library *library, const char *path);

/* Ends a search that found nothing: puts what was looked for in front of the loader's reason. */
void cuna__library_explain(cuna_library *library, const char *sought);

/* Opens the first of some names (NULL ends them) that there is, or, where the environment variable is set, what it names
 * and nothing else; "off" is nothing. */
void cuna__library_search(cuna_library *out, const char *variable, const char *const *names);

/* Writes the file that a function of a library lies in, without links, for people: it has the library's version. */
void cuna__library_file(char *text, size_t nbytes, const void *function);

/* An opening that is tried once: later questions get its failure again, in the same words. */
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

/* A function that a table is to have, and where. */
typedef struct cuna_symbol {
    const char *name;
    void *at; /* the address of a pointer to a function */
} cuna_symbol;

/* Fills in the functions that the library has; the first that it lacks, or NULL. */
const char *cuna__library_bind(const cuna_library *library, const cuna_symbol *symbols, size_t count);

#endif
