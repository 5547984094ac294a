/* columns.h: delimited text as named columns (CSV), each of numbers of one kind or of texts.
 *
 * Values are host memory of 8 bytes each. Texts are not copied: a cell is a place in the text that was read. */
#ifndef CUNA_TEXT_COLUMNS_H
#define CUNA_TEXT_COLUMNS_H

#include <stdio.h>

#include "base/base.h"
#include "base/status.h"
#include "text/fields.h"

/* What the fields of a column are. While it is read, a column becomes what its next field needs: BOOL, INT, UINT and
 * FLOAT become TEXT, whole numbers become FLOAT. */
typedef enum cuna_column_kind {
    CUNA_COLUMN_SKIP,  /* not read */
    CUNA_COLUMN_ANY,   /* only missing fields so far: NaN */
    CUNA_COLUMN_BOOL,  /* 0 and 1 */
    CUNA_COLUMN_INT,   /* of int64 */
    CUNA_COLUMN_UINT,  /* of uint64, which int64 does not hold */
    CUNA_COLUMN_FLOAT, /* of float64; missing fields are NaN */
    CUNA_COLUMN_TEXT,
} cuna_column_kind;

/* The text of a field; its doubled quotes stand for one. */
typedef struct cuna_cell {
    const char *text;
    uint64_t nbytes : 63;
    uint64_t doubled : 1;
} cuna_cell;

typedef struct cuna_column {
    cuna_column_kind kind; /* when reading begins: SKIP, ANY or TEXT */
    bool is_number;        /* may not become TEXT */
    int64_t texts_from;    /* the first row whose text is known, of TEXT */
    union {
        void *memory; /* owned */
        int64_t *ints;
        uint64_t *uints;
        double *floats;
        cuna_cell *cells;
    };
} cuna_column;

typedef struct cuna_columns {
    cuna_column *columns; /* `ncolumns`, owned by the caller, who also frees their memory */
    int64_t ncolumns, rows;
} cuna_columns;

typedef struct cuna_columns_options {
    cuna_fields_syntax syntax;
    size_t place;               /* where the first row begins */
    int64_t line;               /* and its line, from 1 */
    int64_t most;               /* rows to read at most; negative: all */
    const char *const *missing; /* texts of fields without a value, besides the usual ones */
    int64_t nmissing;
} cuna_columns_options;

/* The first line that is not blank: its fields, and where it and the rest of the text begin. */
typedef struct cuna_columns_head {
    char *names; /* `count` strings, each with its NUL, one after another; the caller frees them */
    int64_t count;
    size_t first, next; /* places of this line and of the next one */
    int64_t first_line, next_line;
} cuna_columns_head;

/* Reads the first line of text[0..nbytes) after `skipped` lines, where text[nbytes] is NUL. count 0: there is none. */
cuna_status cuna_columns_read_head(cuna_columns_head *out, const char *text, size_t nbytes, int64_t skipped,
                                   const cuna_fields_syntax *syntax);

/* Reads all rows into the columns. VALUE: a line with another number of fields, a text in a column of numbers;
 * INTERRUPTED. */
cuna_status cuna_columns_read(cuna_columns *table, const char *text, size_t nbytes,
                              const cuna_columns_options *options);

/* Copies a cell to `out`, which has room for its bytes, with single quotes for doubled ones. Returns the length. */
size_t cuna_cell_copy(char *out, const cuna_cell *cell, char quote);

/* Writes a text as a field: in quotes if it has a delimiter, a quote, a line end, or blanks at its ends. */
void cuna_cell_write(FILE *stream, const char *text, size_t nbytes, char delimiter);

#endif
