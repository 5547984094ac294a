/* program_statement.c: the registry of statements: users' texts, copied and kept while a program needs them.
 *
 * The same texts give the same id, so that programs made of them are the same program. A place that became free is used
 * again. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/program.h"

#define MAX_STATEMENTS 65535

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cuna_statement *statements[MAX_STATEMENTS]; /* id k is statements[k - 1]; NULL: free */
static int64_t references[MAX_STATEMENTS];
static int nstatements; /* places that were ever used */

/* The texts of a statement, in a fixed order. */
enum { TEXTS = 12 };
static void list_texts(const char *texts[TEXTS], const cuna_statement *s)
{
    const char *all[TEXTS] = {s->name,     s->text,  s->before, s->after,    s->types,   s->includes,
                              s->preamble, s->names, s->state,  s->identity, s->combine, s->finish};
    memcpy(texts, all, sizeof all);
}

static bool is_same(const cuna_statement *a, const cuna_statement *b)
{
    const char *ours[TEXTS], *theirs[TEXTS];
    list_texts(ours, a);
    list_texts(theirs, b);
    for (int k = 0; k < TEXTS; k++)
        if (strcmp(ours[k], theirs[k]) != 0)
            return false;
    return true;
}

/* A copy in one block, followed by its texts. */
static cuna_statement *copy_statement(const cuna_statement *statement)
{
    const char *texts[TEXTS], *copies[TEXTS];
    size_t nbytes = sizeof *statement;
    list_texts(texts, statement);
    for (int k = 0; k < TEXTS; k++)
        nbytes += strlen(texts[k]) + 1;
    cuna_statement *made = malloc(nbytes);
    if (made == NULL)
        return NULL;
    char *room = (char *)(made + 1);
    for (int k = 0; k < TEXTS; k++) {
        copies[k] = strcpy(room, texts[k]);
        room += strlen(texts[k]) + 1;
    }
    *made = (cuna_statement){copies[0], copies[1], copies[2], copies[3], copies[4],  copies[5],
                             copies[6], copies[7], copies[8], copies[9], copies[10], copies[11]};
    return made;
}

static cuna_status add_statement(int place, const cuna_statement *statement)
{
    if (place == MAX_STATEMENTS)
        return cuna_fail(CUNA_VALUE, "%s: more than %d kernels are in use", statement->name, MAX_STATEMENTS);
    cuna_statement *made = copy_statement(statement);
    if (made == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel's text");
    statements[place] = made;
    if (place == nstatements)
        __atomic_store_n(&nstatements, nstatements + 1, __ATOMIC_RELEASE);
    return CUNA_OK;
}

/* The place of a statement, or else a free one. */
static int find_place(const cuna_statement *statement)
{
    int vacant = nstatements;
    for (int place = nstatements - 1; place >= 0; place--) {
        if (statements[place] == NULL)
            vacant = place;
        else if (is_same(statements[place], statement))
            return place;
    }
    return vacant;
}

cuna_status cuna_statement_define(uint16_t *id, const cuna_statement *statement)
{
    cuna_status status = CUNA_OK;
    pthread_mutex_lock(&lock);
    int place = find_place(statement);
    if (place == nstatements || statements[place] == NULL)
        status = add_statement(place, statement);
    if (status == CUNA_OK)
        references[place]++;
    pthread_mutex_unlock(&lock);
    *id = (uint16_t)(place + 1);
    return status;
}

void cuna__statement_retain(uint16_t id)
{
    pthread_mutex_lock(&lock);
    references[id - 1]++;
    pthread_mutex_unlock(&lock);
}

void cuna_statement_release(uint16_t id)
{
    pthread_mutex_lock(&lock);
    if (--references[id - 1] == 0) {
        free(statements[id - 1]);
        statements[id - 1] = NULL;
    }
    pthread_mutex_unlock(&lock);
}

const cuna_statement *cuna__statement_get(uint16_t id)
{
    return id > 0 && id <= __atomic_load_n(&nstatements, __ATOMIC_ACQUIRE) ? statements[id - 1] : NULL;
}
