/* columns.c: delimited text as named columns.
 *
 * One pass reads all values. A column whose first text comes after numbers keeps the texts from there on; one more pass
 * then fetches the texts of the rows before, for all such columns. */
#define _GNU_SOURCE
#include "text/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/interrupt.h"
#include "text/decimal.h"

enum { ROWS_BETWEEN_CHECKS = 65536 }; /* for interrupts */

struct scan {
    cuna_fields lines;
    const cuna_columns_options *options;
    cuna_columns *table;
    const char *text;
    size_t nbytes;
    int64_t capacity; /* of each column, in rows */
    locale_t c;
};

/* The excerpt of a field in messages. */
#define SHOWN(field) (int)((field)->nbytes < 40 ? (field)->nbytes : 40), (field)->text

static cuna_status fail_memory(const struct scan *s)
{
    return cuna_fail(CUNA_MEMORY, "%s: no memory for the columns", s->options->syntax.source);
}

static bool is_word(const cuna_field *field, const char *word)
{
    return field->nbytes == strlen(word) && strncasecmp(field->text, word, field->nbytes) == 0;
}

/* Whether a field is one of the words that users have for a missing value. */
static bool is_marked(const struct scan *s, const cuna_field *field)
{
    const cuna_columns_options *o = s->options;
    for (int64_t i = 0; i < o->nmissing; i++)
        if (field->nbytes == strlen(o->missing[i]) && memcmp(field->text, o->missing[i], field->nbytes) == 0)
            return true;
    return false;
}

static bool is_usual_mark(const cuna_field *field)
{
    static const char *const words[] = {"na", "n/a", "null", "none", "<na>"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(field, words[i]))
            return true;
    return field->nbytes == 0;
}

/* The field without blanks at its ends, as numbers are read. */
static cuna_field trim(cuna_field field)
{
    while (field.nbytes > 0 && (*field.text == ' ' || *field.text == '\t'))
        field.text++, field.nbytes--;
    while (field.nbytes > 0 && (field.text[field.nbytes - 1] == ' ' || field.text[field.nbytes - 1] == '\t'))
        field.nbytes--;
    return field;
}

/* ---- memory ---- */

static size_t size_of(cuna_column_kind kind)
{
    return kind == CUNA_COLUMN_TEXT ? sizeof(cuna_cell) : sizeof(double);
}

static cuna_status reserve_column(const struct scan *s, cuna_column *column, int64_t capacity)
{
    void *memory = realloc(column->memory, (size_t)capacity * size_of(column->kind));
    if (memory == NULL)
        return fail_memory(s);
    column->memory = memory;
    return CUNA_OK;
}

static cuna_status reserve_row(struct scan *s)
{
    if (s->table->rows < s->capacity)
        return CUNA_OK;
    int64_t capacity = 2 * s->capacity + 256;
    for (int64_t k = 0; k < s->table->ncolumns; k++)
        if (s->table->columns[k].kind != CUNA_COLUMN_SKIP)
            CUNA_TRY(reserve_column(s, &s->table->columns[k], capacity));
    s->capacity = capacity;
    return CUNA_OK;
}

/* ---- kinds ---- */

/* Makes a column one of texts, whose cells are known from this row on. */
static cuna_status become_text(struct scan *s, cuna_column *column)
{
    free(column->memory);
    column->memory = NULL;
    column->kind = CUNA_COLUMN_TEXT;
    column->texts_from = s->table->rows;
    return reserve_column(s, column, s->capacity);
}

/* Makes a column of numbers one of floats. */
static void become_float(cuna_column *column, int64_t rows)
{
    for (int64_t row = 0; row < rows && column->kind == CUNA_COLUMN_INT; row++)
        column->floats[row] = (double)column->ints[row];
    for (int64_t row = 0; row < rows && column->kind == CUNA_COLUMN_UINT; row++)
        column->floats[row] = (double)column->uints[row];
    column->kind = CUNA_COLUMN_FLOAT;
}

static bool has_negative(const cuna_column *column, int64_t rows)
{
    for (int64_t row = 0; row < rows; row++)
        if (column->ints[row] < 0)
            return true;
    return false;
}

/* The kind that a column of numbers needs for one more number. */
static cuna_column_kind kind_with(const cuna_column *column, int64_t rows, const cuna_number *number)
{
    bool is_whole = number->kind == CUNA_NUMBER_INT || number->kind == CUNA_NUMBER_UINT;
    cuna_column_kind own = number->kind == CUNA_NUMBER_INT ? CUNA_COLUMN_INT : CUNA_COLUMN_UINT;
    if (!is_whole || column->kind == CUNA_COLUMN_FLOAT)
        return CUNA_COLUMN_FLOAT;
    if (column->kind == CUNA_COLUMN_ANY)
        return rows == 0 ? own : CUNA_COLUMN_FLOAT;
    if (column->kind == own || (own == CUNA_COLUMN_INT && number->i >= 0))
        return column->kind;
    if (own == CUNA_COLUMN_INT)
        return CUNA_COLUMN_FLOAT; /* a negative number among those beyond int64 */
    return has_negative(column, rows) ? CUNA_COLUMN_FLOAT : CUNA_COLUMN_UINT;
}

static double as_double(const cuna_number *number)
{
    if (number->kind == CUNA_NUMBER_FLOAT)
        return number->f;
    return number->kind == CUNA_NUMBER_INT ? (double)number->i : (double)number->u;
}

/* ---- fields ---- */

static void add_number(cuna_column *column, int64_t row, const cuna_number *number)
{
    cuna_column_kind kind = kind_with(column, row, number);
    if (kind == CUNA_COLUMN_FLOAT && column->kind != CUNA_COLUMN_FLOAT)
        become_float(column, row);
    column->kind = kind;
    if (kind == CUNA_COLUMN_FLOAT)
        column->floats[row] = as_double(number);
    else
        column->uints[row] = number->kind == CUNA_NUMBER_INT ? (uint64_t)number->i : number->u;
}

static void add_missing(cuna_column *column, int64_t row)
{
    if (column->kind != CUNA_COLUMN_ANY && column->kind != CUNA_COLUMN_FLOAT)
        become_float(column, row);
    column->floats[row] = NAN;
}

static void add_cell(cuna_column *column, int64_t row, const cuna_field *field)
{
    column->cells[row] = (cuna_cell){.text = field->text, .nbytes = field->nbytes, .doubled = field->doubled};
}

static cuna_status add_text(struct scan *s, int64_t index, const cuna_field *field)
{
    cuna_column *column = &s->table->columns[index];
    if (column->is_number)
        return cuna__fields_fail(&s->lines, index, CUNA_VALUE, "'%.*s' is not a number", SHOWN(field));
    if (column->kind != CUNA_COLUMN_TEXT)
        CUNA_TRY(become_text(s, column));
    add_cell(column, s->table->rows, field);
    return CUNA_OK;
}

/* Adds true or false, which the column may be of, or another word. */
static cuna_status add_word(struct scan *s, int64_t index, const cuna_field *field, const cuna_field *word)
{
    int64_t row = s->table->rows;
    cuna_column *column = &s->table->columns[index];
    bool is_true = is_word(word, "true"), is_bool = is_true || is_word(word, "false");
    bool fits = column->kind == CUNA_COLUMN_BOOL || (column->kind == CUNA_COLUMN_ANY && row == 0);
    if (!is_bool || !fits)
        return add_text(s, index, field);
    column->kind = CUNA_COLUMN_BOOL;
    column->ints[row] = is_true;
    return CUNA_OK;
}

static cuna_status add_field(struct scan *s, int64_t index)
{
    const cuna_field *field = &s->lines.fields[index];
    cuna_column *column = &s->table->columns[index];
    cuna_number number;
    bool found = false;
    if (column->kind == CUNA_COLUMN_SKIP)
        return CUNA_OK;
    if (column->kind == CUNA_COLUMN_TEXT)
        return add_text(s, index, field);
    cuna_field word = trim(*field);
    bool is_missing = s->options->nmissing > 0 && is_marked(s, &word);
    if (!is_missing)
        CUNA_TRY(cuna__decimal_read(&number, &found, word.text, word.nbytes, s->c));
    is_missing = is_missing || (!found && is_usual_mark(&word));
    if (!is_missing && !found)
        return add_word(s, index, field, &word);
    if (column->kind == CUNA_COLUMN_BOOL)
        return add_text(s, index, field);
    if (found)
        add_number(column, s->table->rows, &number);
    else
        add_missing(column, s->table->rows);
    return CUNA_OK;
}

/* ---- rows ---- */

static void begin(struct scan *s)
{
    cuna__fields_close(&s->lines);
    cuna__fields_open(&s->lines, s->text, s->nbytes, &s->options->syntax);
    if (s->options->place > 0) {
        s->lines.at = s->text + s->options->place;
        s->lines.next_line = s->options->line;
    }
}

/* Splits the next line that is not blank; *found false: there is none. */
static cuna_status next_row(bool *found, struct scan *s, int64_t row)
{
    if (row % ROWS_BETWEEN_CHECKS == 0 && cuna_is_interrupted())
        return cuna_interrupt_fail();
    *found = false;
    while (!*found && s->lines.at < s->lines.end) {
        CUNA_TRY(cuna__fields_split(&s->lines));
        *found = s->lines.nfields > 0;
    }
    return CUNA_OK;
}

static cuna_status add_row(struct scan *s)
{
    if (s->lines.nfields != s->table->ncolumns)
        return cuna__fields_fail(&s->lines, -1, CUNA_VALUE, "%lld field%s, and there are %lld columns",
                                 (long long)s->lines.nfields, s->lines.nfields == 1 ? "" : "s",
                                 (long long)s->table->ncolumns);
    CUNA_TRY(reserve_row(s));
    for (int64_t k = 0; k < s->table->ncolumns; k++)
        CUNA_TRY(add_field(s, k));
    s->table->rows++;
    return CUNA_OK;
}

static cuna_status read_rows(struct scan *s)
{
    int64_t most = s->options->most;
    bool found = true;
    while (most < 0 || s->table->rows < most) {
        CUNA_TRY(next_row(&found, s, s->table->rows));
        if (!found)
            break;
        CUNA_TRY(add_row(s));
    }
    return CUNA_OK;
}

/* Fetches the texts of columns that had numbers first. */
static cuna_status fetch_texts(struct scan *s)
{
    int64_t last = 0;
    bool found = true;
    for (int64_t k = 0; k < s->table->ncolumns; k++)
        if (s->table->columns[k].texts_from > last)
            last = s->table->columns[k].texts_from;
    if (last > 0)
        begin(s);
    for (int64_t row = 0; row < last && found; row++) {
        CUNA_TRY(next_row(&found, s, row));
        for (int64_t k = 0; k < s->table->ncolumns && found; k++)
            if (row < s->table->columns[k].texts_from)
                add_cell(&s->table->columns[k], row, &s->lines.fields[k]);
    }
    return CUNA_OK;
}

cuna_status cuna_columns_read(cuna_columns *table, const char *text, size_t nbytes, const cuna_columns_options *options)
{
    struct scan s = {.options = options, .table = table, .text = text, .nbytes = nbytes};
    table->rows = 0;
    s.c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (s.c == (locale_t)0)
        return fail_memory(&s);
    begin(&s);
    cuna_status status = read_rows(&s);
    if (status == CUNA_OK)
        status = fetch_texts(&s);
    cuna__fields_close(&s.lines);
    freelocale(s.c);
    return status;
}

/* ---- the first line ---- */

static cuna_status keep_names(cuna_columns_head *out, cuna_fields *lines)
{
    size_t nbytes = 1, n = 0;
    for (int64_t k = 0; k < lines->nfields; k++)
        nbytes += lines->fields[k].nbytes + 1;
    out->count = lines->nfields;
    out->names = malloc(nbytes);
    if (out->names == NULL)
        return cuna__fields_fail(lines, -1, CUNA_MEMORY, "no memory for the names");
    for (int64_t k = 0; k < lines->nfields; k++) {
        cuna_field field;
        CUNA_TRY(cuna__fields_get(&field, lines, k));
        memcpy(out->names + n, field.text, field.nbytes);
        out->names[n + field.nbytes] = '\0';
        n += field.nbytes + 1;
    }
    return CUNA_OK;
}

/* Splits the first line that is not blank. */
static cuna_status find_head(cuna_columns_head *out, cuna_fields *lines, const char *text, int64_t skipped)
{
    for (int64_t i = 0; i < skipped && lines->at < lines->end; i++)
        CUNA_TRY(cuna__fields_skip(lines));
    while (lines->nfields == 0 && lines->at < lines->end) {
        out->first = (size_t)(lines->at - text);
        CUNA_TRY(cuna__fields_split(lines));
    }
    out->first_line = lines->line;
    out->next = (size_t)(lines->at - text);
    out->next_line = lines->next_line;
    return keep_names(out, lines);
}

cuna_status cuna_columns_read_head(cuna_columns_head *out, const char *text, size_t nbytes, int64_t skipped,
                                   const cuna_fields_syntax *syntax)
{
    cuna_fields lines;
    *out = (cuna_columns_head){0};
    cuna__fields_open(&lines, text, nbytes, syntax);
    cuna_status status = find_head(out, &lines, text, skipped);
    cuna__fields_close(&lines);
    if (status != CUNA_OK) {
        free(out->names);
        out->names = NULL;
    }
    return status;
}

/* ---- cells ---- */

size_t cuna_cell_copy(char *out, const cuna_cell *cell, char quote)
{
    size_t n = 0;
    for (size_t i = 0; i < cell->nbytes; i++) {
        out[n++] = cell->text[i];
        i += cell->doubled && cell->text[i] == quote;
    }
    return n;
}

static bool needs_quotes(const char *text, size_t nbytes, char delimiter)
{
    if (nbytes == 0)
        return false;
    if (strchr(" \t", text[0]) || strchr(" \t", text[nbytes - 1]))
        return true;
    for (size_t i = 0; i < nbytes; i++)
        if (text[i] == delimiter || text[i] == '"' || text[i] == '\n' || text[i] == '\r')
            return true;
    return false;
}

void cuna_cell_write(FILE *stream, const char *text, size_t nbytes, char delimiter)
{
    if (!needs_quotes(text, nbytes, delimiter)) {
        fwrite(text, 1, nbytes, stream);
        return;
    }
    putc('"', stream);
    for (size_t i = 0; i < nbytes; i++) {
        if (text[i] == '"')
            putc('"', stream);
        putc(text[i], stream);
    }
    putc('"', stream);
}
