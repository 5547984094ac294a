/* text.c: reading a table of numbers from delimited text.
 *
 * Line by line: fields.c splits a line, then the wanted fields become elements. Each column's field and reader are
 * determined once, and again only when a line has a different number of fields. */
#define _GNU_SOURCE
#include "text/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "text/decimal.h"

struct scan {
    cuna_fields lines;
    const cuna_text_options *options;
    cuna_text_table *table;
    int64_t *sources;    /* per column of the table: the field it comes from */
    int64_t *converters; /* and the converter that reads it, or -1 */
    int64_t nresolved;   /* the number of fields these two hold for; -1 before the first line */
    int64_t capacity;    /* capacity of values, in rows */
    int64_t itemsize;
    locale_t c;
};

/* The excerpt of a field in messages. */
#define SHOWN(field) (int)((field)->nbytes < 40 ? (field)->nbytes : 40), (field)->text

/* Fails with the place of one column of the current line as prefix. */
#define FAIL_VALUE(s, column, ...) cuna__fields_fail(&(s)->lines, (s)->sources[column], CUNA_VALUE, __VA_ARGS__)

static cuna_status fail_memory(void)
{
    return cuna_fail(CUNA_MEMORY, "loadtxt: no memory for the table");
}

static bool is_word(const cuna_field *field, const char *word)
{
    return field->nbytes == strlen(word) && strncasecmp(field->text, word, field->nbytes) == 0;
}

static bool is_missing(const cuna_field *field)
{
    return field->nbytes == 0 || is_word(field, "na") || is_word(field, "n/a");
}

/* Fails for a field that is not a number, with a hint. */
static cuna_status fail_field(const struct scan *s, int64_t column, const cuna_field *field)
{
    if (field->nbytes == 0)
        return FAIL_VALUE(s, column, "the field is empty (missing = ... gives it a value)");
    if (s->converters[column] >= 0)
        return FAIL_VALUE(s, column, "converters has no number for '%.*s'", SHOWN(field));
    if (is_missing(field))
        return FAIL_VALUE(s, column, "'%.*s' is not a number (missing = ... gives it a value)", SHOWN(field));
    if (!s->options->syntax.delimiter && memchr(field->text, ',', field->nbytes))
        return FAIL_VALUE(s, column, "'%.*s' is not a number (delimiter = ',' splits at commas)", SHOWN(field));
    return FAIL_VALUE(s, column, "'%.*s' is not a %s (converters = {[%lld] = ...} can translate it)", SHOWN(field),
                      s->options->dtype == CUNA_BOOL ? "bool" : "number", (long long)s->sources[column] + 1);
}

/* Turns a position (from 1, negative from the end) into an index. */
static bool find_position(int64_t *index, int64_t position, int64_t n)
{
    *index = position < 0 ? n + position : position - 1;
    return *index >= 0 && *index < n;
}

static cuna_status fail_column(const struct scan *s, const char *option, int64_t position)
{
    return cuna__fields_fail(&s->lines, -1, CUNA_VALUE, "%s names column %lld, but the line has %lld", option,
                             (long long)position, (long long)s->lines.nfields);
}

/* Finds the converter of each column. */
static cuna_status assign_converters(struct scan *s)
{
    const cuna_text_options *o = s->options;
    for (int64_t k = 0; k < o->nconverted; k++) {
        int64_t field = -1;
        if (o->converted[k] != 0 && !find_position(&field, o->converted[k], s->lines.nfields))
            return fail_column(s, "converters", o->converted[k]);
        for (int64_t column = 0; column < s->table->columns; column++)
            if (field < 0 || s->sources[column] == field)
                s->converters[column] = k;
    }
    return CUNA_OK;
}

/* The first line determines the number of columns. */
static cuna_status size_columns(struct scan *s)
{
    const cuna_text_options *o = s->options;
    s->table->columns = o->usecols ? o->nusecols : s->lines.nfields;
    s->sources = malloc((size_t)s->table->columns * 2 * sizeof *s->sources + 1);
    if (!s->sources)
        return fail_memory();
    s->converters = s->sources + s->table->columns;
    return CUNA_OK;
}

/* Finds the field and the converter of each column, for lines of as many fields as this one. */
static cuna_status resolve_columns(struct scan *s)
{
    const cuna_text_options *o = s->options;
    int64_t nfields = s->lines.nfields;
    if (s->nresolved == nfields)
        return CUNA_OK;
    if (s->nresolved >= 0 && !o->usecols)
        return cuna__fields_fail(&s->lines, -1, CUNA_VALUE, "%lld field%s where the lines before have %lld",
                                 (long long)nfields, nfields == 1 ? "" : "s", (long long)s->nresolved);
    /* With usecols lines may differ in length: positions from the end are found again for each length. */
    if (s->nresolved < 0)
        CUNA_TRY(size_columns(s));
    for (int64_t column = 0; column < s->table->columns; column++) {
        int64_t position = o->usecols ? o->usecols[column] : column + 1;
        if (!find_position(&s->sources[column], position, nfields))
            return fail_column(s, "usecols", position);
        s->converters[column] = -1;
    }
    s->nresolved = nfields;
    return assign_converters(s);
}

/* Keeps the fields of this line as the names of the columns. */
static cuna_status keep_names(struct scan *s)
{
    size_t nbytes = 1, n = 0;
    for (int64_t column = 0; column < s->table->columns; column++)
        nbytes += s->lines.fields[s->sources[column]].nbytes + 1;
    char *names = s->table->names = malloc(nbytes);
    if (!names)
        return fail_memory();
    for (int64_t column = 0; column < s->table->columns; column++) {
        cuna_field field;
        CUNA_TRY(cuna__fields_get(&field, &s->lines, s->sources[column]));
        memcpy(names + n, field.text, field.nbytes);
        names[n + field.nbytes] = '\0';
        n += field.nbytes + 1;
    }
    return CUNA_OK;
}

static cuna_status all_numbers(bool *all, const struct scan *s)
{
    *all = true;
    for (int64_t i = 0; i < s->lines.nfields && *all; i++) {
        const cuna_field *field = &s->lines.fields[i];
        cuna_number number;
        CUNA_TRY(cuna__decimal_read(&number, all, field->text, field->nbytes, s->c));
    }
    return CUNA_OK;
}

/* Splits the line with the names: the first that is not a comment. When it holds only numbers and the line right above
 * is a comment of as many fields (as savetxt writes its header), that one has the names and the numbers are data. */
static cuna_status split_names(struct scan *s)
{
    cuna_fields *lines = &s->lines;
    const char *line = lines->at, *above = NULL;
    CUNA_TRY(cuna__fields_split(lines));
    while (lines->nfields == 0 && lines->at < lines->end) {
        above = line;
        line = lines->at;
        CUNA_TRY(cuna__fields_split(lines));
    }
    int64_t number = lines->line, nfields = lines->nfields;
    bool numbers;
    CUNA_TRY(all_numbers(&numbers, s));
    if (!numbers || !above)
        return CUNA_OK;
    CUNA_TRY(cuna__fields_split_comment(lines, above, number - 1));
    /* The line of numbers is data, and is read again as such. */
    lines->at = line;
    lines->next_line = number;
    return lines->nfields == nfields ? CUNA_OK : cuna__fields_split(lines);
}

static cuna_status read_names(struct scan *s)
{
    CUNA_TRY(split_names(s));
    if (s->lines.nfields > 0)
        CUNA_TRY(resolve_columns(s));
    return keep_names(s);
}

/* Whether the dtype holds the value: integers take no fractions, reals no complex numbers. */
static cuna_status check_value(const struct scan *s, int64_t column, const cuna_field *field, cuna_number *value)
{
    cuna_dtype dtype = s->options->dtype;
    const char *name = cuna_dtype_name(dtype);
    char kind = cuna_dtype_kind(dtype);
    if (kind != 'c' && value->kind == CUNA_NUMBER_COMPLEX)
        return FAIL_VALUE(s, column, "'%.*s' gave a complex number, but dtype is %s", SHOWN(field), name);
    if (kind == 'f' || kind == 'c')
        return CUNA_OK;
    if (value->kind == CUNA_NUMBER_FLOAT && value->f == 0) /* -0 is accepted here */
        *value = (cuna_number){.kind = CUNA_NUMBER_INT};
    if (cuna_number_fits(value, dtype))
        return CUNA_OK;
    if (kind == 'b')
        return FAIL_VALUE(s, column, "'%.*s' is not a bool (0, 1, true or false)", SHOWN(field));
    if (value->kind == CUNA_NUMBER_FLOAT && (!isfinite(value->f) || value->f != floor(value->f)))
        return FAIL_VALUE(s, column, "'%.*s' is not an integer, but dtype is %s", SHOWN(field), name);
    return FAIL_VALUE(s, column, "'%.*s' does not fit %s", SHOWN(field), name);
}

/* Calls the column's converter. */
static cuna_status convert(cuna_number *out, bool *found, const struct scan *s, int64_t column, const cuna_field *field)
{
    const cuna_text_options *o = s->options;
    cuna_status status = o->convert(out, found, o->convert_state, s->converters[column], field->text, field->nbytes);
    if (status != CUNA_OK)
        return cuna__fields_fail(&s->lines, s->sources[column], status, "%s", cuna_message());
    return CUNA_OK;
}

/* Reads a field as a number of its dtype. */
static cuna_status read_number(cuna_number *out, bool *found, const struct scan *s, const cuna_field *field)
{
    cuna_dtype dtype = s->options->dtype;
    bool is_true = dtype == CUNA_BOOL && is_word(field, "true");
    *found = is_true || (dtype == CUNA_BOOL && is_word(field, "false"));
    *out = (cuna_number){.kind = CUNA_NUMBER_BOOL, .b = is_true};
    if (*found)
        return CUNA_OK;
    return (cuna_dtype_kind(dtype) == 'c' ? cuna__decimal_read_complex : cuna__decimal_read)(out, found, field->text,
                                                                                             field->nbytes, s->c);
}

static cuna_status read_value(cuna_number *out, struct scan *s, int64_t column)
{
    cuna_field field;
    bool found = false;
    CUNA_TRY(cuna__fields_get(&field, &s->lines, s->sources[column]));
    if (s->converters[column] >= 0)
        CUNA_TRY(convert(out, &found, s, column, &field));
    else
        CUNA_TRY(read_number(out, &found, s, &field));
    if (found)
        return check_value(s, column, &field, out);
    *out = s->options->missing;
    return s->options->has_missing && is_missing(&field) ? CUNA_OK : fail_field(s, column, &field);
}

/* Writes one element. The usual dtype has a fast path. */
static void store(char *dst, const struct scan *s, const cuna_number *value)
{
    char element[16];
    if (s->options->dtype == CUNA_FLOAT64 && (value->kind == CUNA_NUMBER_FLOAT || value->kind == CUNA_NUMBER_INT)) {
        double f = value->kind == CUNA_NUMBER_FLOAT ? value->f : (double)value->i;
        memcpy(dst, &f, sizeof f);
        return;
    }
    cuna_number_pack(element, s->options->dtype, value);
    memcpy(dst, element, (size_t)s->itemsize);
}

static cuna_status reserve_row(struct scan *s)
{
    cuna_text_table *table = s->table;
    int64_t capacity = s->capacity * 2 + 64, nbytes;
    if (table->rows < s->capacity)
        return CUNA_OK;
    char *values = NULL;
    if (cuna__mul(table->columns * s->itemsize, capacity, &nbytes))
        values = realloc(table->values, (size_t)nbytes + 1);
    if (!values)
        return fail_memory();
    table->values = values;
    s->capacity = capacity;
    return CUNA_OK;
}

static cuna_status read_row(struct scan *s)
{
    cuna_text_table *table = s->table;
    CUNA_TRY(resolve_columns(s));
    CUNA_TRY(reserve_row(s));
    char *dst = table->values + table->rows * table->columns * s->itemsize;
    for (int64_t column = 0; column < table->columns; column++, dst += s->itemsize) {
        cuna_number value;
        CUNA_TRY(read_value(&value, s, column));
        store(dst, s, &value);
    }
    table->rows++;
    return CUNA_OK;
}

static cuna_status read_table(struct scan *s)
{
    const cuna_text_options *o = s->options;
    cuna_fields *lines = &s->lines;
    for (int64_t i = 0; i < o->skiprows && lines->at < lines->end; i++)
        CUNA_TRY(cuna__fields_skip(lines));
    if (o->names)
        CUNA_TRY(read_names(s));
    while (lines->at < lines->end && (o->max_rows < 0 || s->table->rows < o->max_rows)) {
        CUNA_TRY(cuna__fields_split(lines));
        if (lines->nfields > 0)
            CUNA_TRY(read_row(s));
    }
    return CUNA_OK;
}

cuna_status cuna_text_scan(cuna_text_table *out, const char *text, size_t nbytes, const cuna_text_options *options)
{
    struct scan s = {.options = options, .table = out, .nresolved = -1};
    *out = (cuna_text_table){0};
    s.itemsize = cuna_dtype_size(options->dtype);
    s.c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!s.c)
        return fail_memory();
    cuna__fields_open(&s.lines, text, nbytes, &options->syntax);
    cuna_status status = read_table(&s);
    if (status != CUNA_OK)
        cuna_text_free(out);
    cuna__fields_close(&s.lines);
    free(s.sources);
    freelocale(s.c);
    return status;
}

void cuna_text_column(void *out, const cuna_text_table *table, int64_t column, int64_t itemsize)
{
    char *dst = out;
    const char *src = table->values + column * itemsize;
    for (int64_t row = 0; row < table->rows; row++, src += table->columns * itemsize, dst += itemsize)
        memcpy(dst, src, (size_t)itemsize);
}

void cuna_text_free(cuna_text_table *table)
{
    free(table->values);
    free(table->names);
    *table = (cuna_text_table){0};
}

/* Reads the rest of a file into *text, which grows as needed from `capacity`. */
static cuna_status read_all(char **text, size_t *nbytes, size_t capacity, FILE *file)
{
    *nbytes = 0;
    do {
        capacity = *text ? capacity * 2 : capacity;
        char *larger = realloc(*text, capacity);
        if (!larger)
            return fail_memory();
        *text = larger;
        *nbytes += fread(*text + *nbytes, 1, capacity - 1 - *nbytes, file);
    } while (*nbytes == capacity - 1);
    (*text)[*nbytes] = '\0';
    return CUNA_OK;
}

cuna_status cuna_text_load(char **text, size_t *nbytes, const char *path)
{
    struct stat facts;
    *text = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return cuna_fail(CUNA_VALUE, "loadtxt: cannot open '%s': %s", path, strerror(errno));
    /* One byte more than the size, and one for the NUL: the end of a regular file is reached in the first pass. */
    size_t capacity = fstat(fileno(file), &facts) == 0 && facts.st_size > 0 ? (size_t)facts.st_size + 2 : 65536;
    cuna_status status = read_all(text, nbytes, capacity, file);
    if (status == CUNA_OK && ferror(file))
        status = cuna_fail(CUNA_VALUE, "loadtxt: cannot read '%s': %s", path, strerror(errno));
    fclose(file);
    if (status != CUNA_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}
