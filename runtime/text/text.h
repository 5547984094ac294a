/* text.h: numbers as delimited text: tables of them read (text.c) and written (save.c), and numbers in a row
 * (numbers.c).
 *
 * Knows no device: values are row-major host memory of a dtype. Lines and columns count from 1 here, because they come
 * from users and go into messages for them. */
#ifndef CUNA_TEXT_TEXT_H
#define CUNA_TEXT_TEXT_H

#include <stdio.h>

#include "base/dtype.h"
#include "base/status.h"
#include "text/fields.h"
#include "text/shortest.h"

/* Converts the text of one field to a number: `index` is the entry of options->converted. *found false means that the
 * text has no number (the missing value may still apply). The place is prefixed to its error messages. */
typedef cuna_status cuna_text_converter(cuna_number *out, bool *found, void *state, int64_t index, const char *text,
                                        size_t nbytes);

typedef struct cuna_text_options {
    cuna_fields_syntax syntax;
    const int64_t *usecols;   /* columns wanted, negative from the end; NULL: all */
    const int64_t *converted; /* columns read by `convert`, negative from the end; 0: every column */
    cuna_text_converter *convert;
    void *convert_state;
    int64_t nusecols, nconverted;
    int64_t skiprows, max_rows; /* lines to skip; rows to read at most, negative: all */
    cuna_number missing;        /* value of an empty field or NA, when has_missing; the dtype must hold it */
    cuna_dtype dtype;
    bool has_missing;
    bool names; /* the first line names the columns */
} cuna_text_options;

/* A table read from text. */
typedef struct cuna_text_table {
    char *values;          /* rows * columns elements */
    char *names;           /* `columns` strings, each with its NUL, one after another; NULL when not requested */
    int64_t rows, columns; /* both 0 for an empty text (except columns, when it has names) */
} cuna_text_table;

/* Reads a whole file and appends a NUL; the caller frees *text. VALUE: it cannot be opened or read; MEMORY. */
cuna_status cuna_text_load(char **text, size_t *nbytes, const char *path);

/* Reads a table from text[0..nbytes), where text[nbytes] is NUL. Blank lines and comments are skipped, lines may end in
 * LF, CRLF or CR, quoted fields may hold delimiters, line ends and doubled quotes. Every line has the same number of
 * fields, unless usecols picks some. VALUE: anything amiss, with line and column. The caller frees the table. */
cuna_status cuna_text_scan(cuna_text_table *out, const char *text, size_t nbytes, const cuna_text_options *options);

/* Copies one column (from 0) of a table out: rows elements of `itemsize` bytes. */
void cuna_text_column(void *out, const cuna_text_table *table, int64_t column, int64_t itemsize);

/* Frees what a table holds, and leaves it empty. */
void cuna_text_free(cuna_text_table *table);

typedef struct cuna_text_layout {
    const char *const *formats; /* one for all columns, or one per column: text around one printf conversion */
    int64_t nformats;
    const char *delimiter, *newline;
    const char *header, *footer; /* written unchanged; "" for none */
    bool bare;                   /* complex numbers without the blank in front */
} cuna_text_layout;

/* Writes rows * columns values of a dtype to a stream, which messages call `name`. Conversions are e f g a in both
 * cases, d i u x X o for whole numbers and s for the shortest text that reads back; complex numbers use it twice, as "
 * (1.5-2j)". VALUE: an invalid format, a fraction for d (nothing is written then), a stream that cannot be written. */
cuna_status cuna_text_save(FILE *stream, const char *name, const void *values, int64_t rows, int64_t columns,
                           cuna_dtype dtype, const cuna_text_layout *layout);

/* Writes `count` values to a stream, with a separator between them. VALUE as above. */
cuna_status cuna_text_print(FILE *stream, const void *values, int64_t count, cuna_dtype dtype, const char *format,
                            const char *separator);

/* Prints one element as %s does: the shortest text that reads back. Returns the length. */
size_t cuna_text_element(char out[static CUNA__SHORTEST_ROOM], const void *element, cuna_dtype dtype);

/* Reads up to `limit` numbers (negative: all) with a separator between them from text[0..nbytes); one of blanks stands
 * for any run of them. The caller frees *values. VALUE: text other than a number of the dtype or the separator. */
cuna_status cuna_text_numbers(void **values, int64_t *count, const char *text, size_t nbytes, const char *separator,
                              int64_t limit, cuna_dtype dtype);

#endif
