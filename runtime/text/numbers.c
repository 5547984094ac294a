/* numbers.c: reading numbers with a separator between them from text.
 *
 * Blanks around a separator do not matter; a blank in one matches any run of blanks, even an empty one. Number k of a
 * message counts from 1. */
#define _GNU_SOURCE
#include "text/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text/decimal.h"

typedef struct numbers {
    const char *at, *end;
    const char *separator; /* without blanks at its ends; "": blanks separate */
    size_t separator_nbytes;
    char *values;
    int64_t count, capacity, itemsize;
    cuna_dtype dtype;
    locale_t c;
} numbers;

/* The excerpt of a text in messages. */
#define SHOWN(text, nbytes) (int)((nbytes) < 40 ? (nbytes) : 40), (text)

static bool is_blank(char c)
{
    return isspace((unsigned char)c) != 0;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        at++;
    return at;
}

/* The end of the separator at `at`; NULL if there is none. */
static const char *match_separator(const numbers *n, const char *at)
{
    if (n->separator_nbytes == 0)
        return NULL;
    for (size_t i = 0; i < n->separator_nbytes; i++) {
        if (is_blank(n->separator[i]))
            at = skip_blanks(at, n->end);
        else if (at == n->end || *at++ != n->separator[i])
            return NULL;
    }
    return at;
}

static cuna_status fail_number(const numbers *n, const char *text, size_t nbytes, const char *problem)
{
    return cuna_fail(CUNA_VALUE, "number %lld: '%.*s' %s%s", (long long)n->count + 1, SHOWN(text, nbytes), problem,
                     cuna_dtype_name(n->dtype));
}

static bool is_word(const char *text, size_t nbytes, const char *word)
{
    return nbytes == strlen(word) && strncasecmp(text, word, nbytes) == 0;
}

/* Reads the word of a bool, or a number of the dtype. */
static cuna_status read_number(cuna_number *out, const numbers *n, const char *text, size_t nbytes)
{
    bool found = n->dtype == CUNA_BOOL && (is_word(text, nbytes, "true") || is_word(text, nbytes, "false"));
    if (found) {
        *out = (cuna_number){.kind = CUNA_NUMBER_BOOL, .b = (*text | 32) == 't'};
        return CUNA_OK;
    }
    bool is_complex = cuna_dtype_kind(n->dtype) == 'c';
    CUNA_TRY((is_complex ? cuna__decimal_read_complex : cuna__decimal_read)(out, &found, text, nbytes, n->c));
    if (!found)
        return fail_number(n, text, nbytes, "is not a number of dtype ");
    if (out->kind == CUNA_NUMBER_FLOAT && out->f == 0 && strchr("fc", cuna_dtype_kind(n->dtype)) == NULL)
        *out = (cuna_number){.kind = CUNA_NUMBER_INT};
    return cuna_number_fits(out, n->dtype) ? CUNA_OK : fail_number(n, text, nbytes, "does not fit ");
}

static cuna_status reserve(numbers *n)
{
    if (n->count < n->capacity)
        return CUNA_OK;
    int64_t capacity = 2 * n->capacity + 1024;
    char *values = realloc(n->values, (size_t)(capacity * n->itemsize));
    if (values == NULL)
        return cuna_fail(CUNA_MEMORY, "no memory for the numbers of a text");
    n->values = values;
    n->capacity = capacity;
    return CUNA_OK;
}

static cuna_status read_next(numbers *n)
{
    char element[16];
    cuna_number number;
    const char *text = n->at;
    while (n->at < n->end && !is_blank(*n->at) && match_separator(n, n->at) == NULL)
        n->at++;
    if (n->at == text)
        return cuna_fail(CUNA_VALUE, "number %lld: nothing stands before the separator", (long long)n->count + 1);
    CUNA_TRY(read_number(&number, n, text, (size_t)(n->at - text)));
    CUNA_TRY(reserve(n));
    cuna_number_store(element, n->dtype, &number);
    memcpy(n->values + n->count * n->itemsize, element, (size_t)n->itemsize);
    n->count++;
    return CUNA_OK;
}

/* Skips a separator and the blanks around it. */
static cuna_status skip_separator(numbers *n)
{
    n->at = skip_blanks(n->at, n->end);
    if (n->at == n->end || n->separator_nbytes == 0)
        return CUNA_OK;
    const char *behind = match_separator(n, n->at);
    if (behind == NULL)
        return cuna_fail(CUNA_VALUE, "behind number %lld: '%.*s' is not the separator '%.*s'", (long long)n->count,
                         SHOWN(n->at, n->end - n->at), (int)n->separator_nbytes, n->separator);
    n->at = skip_blanks(behind, n->end);
    return CUNA_OK;
}

static cuna_status read_all(numbers *n, int64_t limit)
{
    n->at = skip_blanks(n->at, n->end);
    while (n->at < n->end && (limit < 0 || n->count < limit)) {
        CUNA_TRY(read_next(n));
        CUNA_TRY(skip_separator(n));
    }
    return CUNA_OK;
}

cuna_status cuna_text_numbers(void **values, int64_t *count, const char *text, size_t nbytes, const char *separator,
                              int64_t limit, cuna_dtype dtype)
{
    const char *last = separator + strlen(separator);
    numbers n = {.at = text, .end = text + nbytes, .dtype = dtype, .itemsize = cuna_dtype_size(dtype)};
    n.separator = skip_blanks(separator, last);
    while (last > n.separator && is_blank(last[-1]))
        last--;
    n.separator_nbytes = (size_t)(last - n.separator);
    n.c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (n.c == (locale_t)0)
        return cuna_fail(CUNA_MEMORY, "no memory for the numbers of a text");
    cuna_status status = read_all(&n, limit);
    freelocale(n.c);
    *values = n.values;
    *count = n.count;
    if (status != CUNA_OK) {
        free(n.values);
        *values = NULL;
    }
    return status;
}
