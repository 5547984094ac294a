/* program_statement.c: the registry of statements: users' texts, copied and kept for the life of the process.
 *
 * The same texts give the same id, so that programs made of them are the same program. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

#define MAX_STATEMENTS 65535

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cuna_statement *statements[MAX_STATEMENTS]; /* id k is statements[k - 1] */
static int nstatements;

/* The texts of a statement, in a fixed order. */
enum { TEXTS = 11 };
static void list_texts(const char *texts[TEXTS], const cuna_statement *s)
{
    const char *all[TEXTS] = {s->name,  s->text,  s->before,   s->after,   s->types, s->preamble,
                              s->names, s->state, s->identity, s->combine, s->finish};
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

/* A copy whose texts lie behind it. */
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
    *made = (cuna_statement){copies[0], copies[1], copies[2], copies[3], copies[4], copies[5],
                             copies[6], copies[7], copies[8], copies[9], copies[10]};
    return made;
}

static cuna_status add_statement(const cuna_statement *statement)
{
    if (nstatements == MAX_STATEMENTS)
        return cuna_fail(CUNA_VALUE, "%s: more than %d kernels were written", statement->name, MAX_STATEMENTS);
    cuna_statement *made = copy_statement(statement);
    if (made == NULL)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel's text");
    statements[nstatements] = made;
    __atomic_store_n(&nstatements, nstatements + 1, __ATOMIC_RELEASE);
    return CUNA_OK;
}

cuna_status cuna_statement_define(uint16_t *id, const cuna_statement *statement)
{
    cuna_status status = CUNA_OK;
    int found = 0;
    pthread_mutex_lock(&lock);
    while (found < nstatements && !is_same(statements[found], statement))
        found++;
    if (found == nstatements)
        status = add_statement(statement);
    pthread_mutex_unlock(&lock);
    *id = (uint16_t)(found + 1);
    return status;
}

const cuna_statement *cuna__statement_get(uint16_t id)
{
    return id > 0 && id <= __atomic_load_n(&nstatements, __ATOMIC_ACQUIRE) ? statements[id - 1] : NULL;
}
