/* fields.h: delimited text as lines of fields, for text.c. */
#ifndef CUNA_TEXT_FIELDS_H
#define CUNA_TEXT_FIELDS_H

#include "base/base.h"
#include "base/status.h"

/* A field, without the blanks or quotes around it. */
typedef struct cuna_field {
    const char *text;
    size_t nbytes;
    bool doubled; /* holds doubled quotes that stand for one */
} cuna_field;

/* How lines are written. */
typedef struct cuna_fields_syntax {
    const char *source;          /* what messages begin with: the user's function and the name of the text */
    const char *const *comments; /* texts that start a comment; never empty strings */
    int64_t ncomments;
    char delimiter;    /* 0: any run of blanks */
    char quote;        /* 0: none */
    bool keeps_blanks; /* blanks around fields belong to them */
} cuna_fields_syntax;

/* A place in a text, and the fields of the line before it. */
typedef struct cuna_fields {
    const cuna_fields_syntax *syntax;
    const char *at, *end;
    int64_t line, next_line; /* of the fields; of `at`: from 1 */
    cuna_field *fields;      /* of one line, owned */
    int64_t nfields, capacity;
    char *scratch; /* one field without its doubled quotes, owned */
    size_t scratch_nbytes;
    uint8_t stops; /* classes of characters that end a field */
    uint8_t class[256];
} cuna_fields;

/* Starts at the beginning of text[0..nbytes), where text[nbytes] is NUL; a byte order mark is skipped. */
void cuna__fields_open(cuna_fields *out, const char *text, size_t nbytes, const cuna_fields_syntax *syntax);
void cuna__fields_close(cuna_fields *f);

/* Splits the line at `at` and moves on to the next one. No fields: it was blank or a comment. VALUE: a NUL byte, a
 * quote that does not close or is followed by text. */
cuna_status cuna__fields_split(cuna_fields *f);

/* The same for the comment line at `line` with this number, as if it had no mark. No fields: it was not a comment. */
cuna_status cuna__fields_split_comment(cuna_fields *f, const char *line, int64_t number);

/* Moves on to the next line without splitting. */
cuna_status cuna__fields_skip(cuna_fields *f);

/* Fills `out` with a field whose doubled quotes are single ones; valid until the next call. */
cuna_status cuna__fields_get(cuna_field *out, cuna_fields *f, int64_t index);

/* Fails with source, line and column (from 0; -1 for the whole line) before the message. */
cuna_status cuna__fields_fail(const cuna_fields *f, int64_t column, cuna_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
