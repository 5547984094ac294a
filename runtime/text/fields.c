/* fields.c: delimited text as lines of fields.
 *
 * One table gives every character its class. The text ends in a NUL, which has the class of a line end, so that loops
 * over characters do not check for the end; a NUL before the end is an error. */
#include "text/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* COMMENT is only a candidate: the mark of a comment may be longer than its first character. */
enum { BLANK = 1, DELIMITER = 2, LINE_END = 4, COMMENT = 8 };

static uint8_t class_of(const cuna_fields *f, char c)
{
    return f->class[(unsigned char)c];
}

void cuna__fields_open(cuna_fields *out, const char *text, size_t nbytes, const cuna_fields_syntax *syntax)
{
    bool marked = nbytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;
    *out = (cuna_fields){.syntax = syntax, .at = text + (marked ? 3 : 0), .end = text + nbytes, .next_line = 1};
    for (const char *blank = " \t\v\f"; *blank; blank++)
        out->class[(unsigned char)*blank] = BLANK;
    out->class[0] = out->class['\n'] = out->class['\r'] = LINE_END;
    if (syntax->delimiter)
        out->class[(unsigned char)syntax->delimiter] = DELIMITER;
    for (int64_t i = 0; i < syntax->ncomments; i++)
        out->class[(unsigned char)syntax->comments[i][0]] |= COMMENT;
    out->stops = DELIMITER | LINE_END | COMMENT | (syntax->delimiter ? 0 : BLANK);
}

void cuna__fields_close(cuna_fields *f)
{
    free(f->fields);
    free(f->scratch);
    f->fields = NULL;
    f->scratch = NULL;
}

cuna_status cuna__fields_fail(const cuna_fields *f, int64_t column, cuna_status status, const char *format, ...)
{
    char text[512], place[48] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (column >= 0)
        snprintf(place, sizeof place, ", column %lld", (long long)column + 1);
    return cuna_fail(status, "%s line %lld%s: %s", f->syntax->source, (long long)f->line, place, text);
}

static cuna_status fail_memory(const cuna_fields *f)
{
    return cuna__fields_fail(f, -1, CUNA_MEMORY, "no memory for the fields");
}

static cuna_status fail_nul(cuna_fields *f)
{
    f->line = f->next_line;
    return cuna__fields_fail(f, -1, CUNA_VALUE, "a NUL byte (is this binary data, or UTF-16?)");
}

/* The length of the comment mark at p; 0 when there is none. */
static size_t measure_mark(const cuna_fields *f, const char *p)
{
    size_t longest = 0;
    for (int64_t i = 0; i < f->syntax->ncomments; i++) {
        size_t length = strlen(f->syntax->comments[i]);
        if (length > longest && strncmp(p, f->syntax->comments[i], length) == 0)
            longest = length;
    }
    return longest;
}

static bool at_line_end(const cuna_fields *f, const char *p)
{
    uint8_t class = class_of(f, *p);
    return (class & LINE_END) || ((class & COMMENT) && measure_mark(f, p) > 0);
}

static const char *skip_blanks(const cuna_fields *f, const char *p)
{
    while (class_of(f, *p) & BLANK)
        p++;
    return p;
}

/* Steps over the line end at p. */
static const char *next_line(cuna_fields *f, const char *p)
{
    f->next_line++;
    return p + (p[0] == '\r' && p[1] == '\n' ? 2 : 1);
}

/* Moves on to the next line from anywhere in this one. */
static cuna_status leave_line(cuna_fields *f, const char *p)
{
    while (!(class_of(f, *p) & LINE_END))
        p++;
    if (*p == '\0' && p < f->end)
        return fail_nul(f);
    f->at = p < f->end ? next_line(f, p) : p;
    return CUNA_OK;
}

cuna_status cuna__fields_skip(cuna_fields *f)
{
    return leave_line(f, f->at);
}

/* Reads a field that opens with a quote at *at; sets *at to its end. */
static cuna_status take_quoted(cuna_fields *f, cuna_field *field, const char **at)
{
    const char quote = f->syntax->quote, *p = *at + 1;
    *field = (cuna_field){.text = p};
    /* Two quotes are one quote of the field, which may span lines. */
    while (p[0] != quote || p[1] == quote) {
        if (*p == quote) {
            field->doubled = true;
            p += 2;
        } else if (*p == '\0') {
            return p < f->end ? fail_nul(f) : cuna__fields_fail(f, f->nfields, CUNA_VALUE, "the quote is never closed");
        } else {
            p = class_of(f, *p) & LINE_END ? next_line(f, p) : p + 1;
        }
    }
    field->nbytes = (size_t)(p - field->text);
    p++;
    if (f->syntax->delimiter)
        p = skip_blanks(f, p);
    if (!(class_of(f, *p) & f->stops))
        return cuna__fields_fail(f, f->nfields, CUNA_VALUE, "text after the closing quote");
    *at = p;
    return CUNA_OK;
}

/* Reads a field without quotes at *at; sets *at to the character that ended it. */
static void take_plain(const cuna_fields *f, cuna_field *field, const char **at)
{
    const char *p = *at, *begin = p;
    for (;; p++) {
        while (!(class_of(f, *p) & f->stops))
            p++;
        if ((class_of(f, *p) & f->stops & ~COMMENT) || measure_mark(f, p) > 0)
            break;
    }
    *at = p;
    while (p > begin && (class_of(f, p[-1]) & BLANK) && !f->syntax->keeps_blanks)
        p--;
    *field = (cuna_field){.text = begin, .nbytes = (size_t)(p - begin)};
}

static cuna_status take_field(cuna_fields *f, const char **at)
{
    if (f->nfields == f->capacity) {
        int64_t capacity = f->capacity * 2 + 16;
        cuna_field *fields = realloc(f->fields, (size_t)capacity * sizeof *fields);
        if (!fields)
            return fail_memory(f);
        f->fields = fields;
        f->capacity = capacity;
    }
    cuna_field *field = &f->fields[f->nfields];
    if (f->syntax->quote && **at == f->syntax->quote)
        CUNA_TRY(take_quoted(f, field, at));
    else
        take_plain(f, field, at);
    f->nfields++;
    return CUNA_OK;
}

cuna_status cuna__fields_split(cuna_fields *f)
{
    const char *p = f->at;
    f->line = f->next_line;
    f->nfields = 0;
    for (;;) {
        const char *begin = skip_blanks(f, p);
        if ((f->nfields == 0 || !f->syntax->delimiter) && at_line_end(f, begin)) {
            p = begin;
            break;
        }
        p = f->syntax->keeps_blanks ? p : begin;
        CUNA_TRY(take_field(f, &p));
        if (class_of(f, *p) & DELIMITER)
            p++;
        else if (f->syntax->delimiter)
            break;
    }
    return leave_line(f, p);
}

cuna_status cuna__fields_split_comment(cuna_fields *f, const char *line, int64_t number)
{
    line = skip_blanks(f, line);
    size_t mark = measure_mark(f, line);
    f->nfields = 0;
    if (mark == 0)
        return CUNA_OK;
    f->at = line + mark;
    f->next_line = number;
    return cuna__fields_split(f);
}

/* Copies a field into the scratch text with single quotes for doubled ones. */
static cuna_status undouble(cuna_field *field, cuna_fields *f)
{
    size_t n = 0;
    if (field->nbytes > f->scratch_nbytes) {
        char *scratch = realloc(f->scratch, field->nbytes);
        if (!scratch)
            return fail_memory(f);
        f->scratch = scratch;
        f->scratch_nbytes = field->nbytes;
    }
    for (size_t i = 0; i < field->nbytes; i++) {
        f->scratch[n++] = field->text[i];
        i += field->text[i] == f->syntax->quote;
    }
    *field = (cuna_field){.text = f->scratch, .nbytes = n};
    return CUNA_OK;
}

cuna_status cuna__fields_get(cuna_field *out, cuna_fields *f, int64_t index)
{
    *out = f->fields[index];
    return out->doubled ? undouble(out, f) : CUNA_OK;
}
