/* save.c: writing a table of numbers as delimited text.
 *
 * Formats come from users, so each is parsed and must have exactly one conversion before it is passed to printf. All
 * errors in formats and values are found before the first byte is written. */
#define _GNU_SOURCE
#include "text/text.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A checked format. Integers are passed as 64 bits, so their format gets "ll". */
struct conversion {
    char *format;
    size_t letter; /* position of the conversion's letter */
    char kind;     /* 'f' takes a double, 'd' a signed or unsigned number, 'x' an unsigned one, 's' text */
};

struct save {
    const cuna_text_layout *layout;
    struct conversion *conversions; /* layout->nformats of them */
    const char *values;
    int64_t rows, columns, itemsize;
    cuna_dtype dtype;
    FILE *file;
};

static const struct conversion *conversion_of(const struct save *s, int64_t column)
{
    return &s->conversions[s->layout->nformats == 1 ? 0 : column];
}

static void read_element(cuna_number *out, const struct save *s, int64_t row, int64_t column)
{
    cuna_number_load(out, s->dtype, s->values + (row * s->columns + column) * s->itemsize);
}

/* Skips literal text; %% is literal too. */
static const char *skip_literal(const char *p)
{
    while (*p != '\0' && (p[0] != '%' || p[1] == '%'))
        p += *p == '%' ? 2 : 1;
    return p;
}

/* Skips flags, width and precision (three digits at most) after a percent sign. */
static const char *skip_modifiers(const char *p)
{
    p += strspn(p, "-+ #0");
    for (int i = 0; i < 3 && *p >= '0' && *p <= '9'; i++)
        p++;
    if (*p == '.') {
        p++;
        for (int i = 0; i < 3 && *p >= '0' && *p <= '9'; i++)
            p++;
    }
    return p;
}

static char kind_of_letter(char letter)
{
    static const char kinds[][2] = {{'e', 'f'}, {'E', 'f'}, {'f', 'f'}, {'F', 'f'}, {'g', 'f'},
                                    {'G', 'f'}, {'a', 'f'}, {'A', 'f'}, {'d', 'd'}, {'i', 'd'},
                                    {'u', 'd'}, {'x', 'x'}, {'X', 'x'}, {'o', 'x'}, {'s', 's'}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i][0] == letter)
            return kinds[i][1];
    return '\0';
}

static cuna_status compile_format(struct conversion *out, const char *format)
{
    const char *percent = skip_literal(format);
    if (*percent == '\0')
        return cuna_fail(CUNA_VALUE, "fmt '%s' has no conversion such as %%g", format);
    const char *letter = skip_modifiers(percent + 1);
    out->kind = kind_of_letter(*letter);
    if (out->kind == '\0')
        return cuna_fail(CUNA_VALUE, "fmt '%s': '%.*s' is not one of e f g a d i u x o s with flags and widths", format,
                         (int)(letter + (*letter != '\0') - percent), percent);
    if (*skip_literal(letter + 1) != '\0')
        return cuna_fail(CUNA_VALUE, "fmt '%s' has several conversions; use a table of formats, one per column",
                         format);
    bool whole = out->kind == 'd' || out->kind == 'x';
    /* Integers are printed as long long; print_real() replaces the letter for unsigned ones. */
    if (asprintf(&out->format, "%.*s%s%s", (int)(letter - format), format, whole ? "ll" : "", letter) < 0) {
        out->format = NULL;
        return cuna_fail(CUNA_MEMORY, "no memory for formats");
    }
    out->letter = (size_t)(letter - format) + (whole ? 2 : 0);
    return CUNA_OK;
}

/* Makes a number INT or UINT; false when it is not whole. */
static bool make_whole(cuna_number *number)
{
    if (number->kind == CUNA_NUMBER_BOOL)
        *number = (cuna_number){.kind = CUNA_NUMBER_INT, .i = number->b};
    if (number->kind != CUNA_NUMBER_FLOAT)
        return true;
    double f = number->f;
    if (f != floor(f) || f < -0x1p63 || f >= 0x1p64)
        return false;
    if (f < 0x1p63)
        *number = (cuna_number){.kind = CUNA_NUMBER_INT, .i = (int64_t)f};
    else
        *number = (cuna_number){.kind = CUNA_NUMBER_UINT, .u = (uint64_t)f};
    return true;
}

/* Whether a conversion of whole numbers can write a number. */
static bool can_write(const struct conversion *conversion, cuna_number number)
{
    return make_whole(&number) && (conversion->kind == 'd' || number.kind == CUNA_NUMBER_UINT || number.i >= 0);
}

static cuna_status check_column(const struct save *s, int64_t column)
{
    const struct conversion *conversion = conversion_of(s, column);
    bool takes_any = conversion->kind == 'f' || conversion->kind == 's';
    for (int64_t row = 0; row < s->rows && !takes_any; row++) {
        cuna_number number, imag;
        read_element(&number, s, row, column);
        imag = (cuna_number){.kind = CUNA_NUMBER_FLOAT, .f = number.kind == CUNA_NUMBER_COMPLEX ? number.imag : 0};
        if (number.kind == CUNA_NUMBER_COMPLEX)
            number.kind = CUNA_NUMBER_FLOAT;
        if (!can_write(conversion, number) || !can_write(conversion, imag))
            return cuna_fail(CUNA_VALUE, "row %lld, column %lld: fmt '%s' writes %s numbers only", (long long)row + 1,
                             (long long)column + 1, s->layout->formats[s->layout->nformats == 1 ? 0 : column],
                             conversion->kind == 'x' ? "whole positive" : "whole");
    }
    return CUNA_OK;
}

static double as_double(const cuna_number *number)
{
    double f;
    char bytes[16];
    cuna_number_store(bytes, CUNA_FLOAT64, number);
    memcpy(&f, bytes, sizeof f);
    return isnan(f) ? fabs(f) : f; /* printf would show the sign of a NaN, which means nothing */
}

/* Prints a number as %s does. */
static void print_short(char text[static CUNA__SHORTEST_ROOM], const cuna_number *number, cuna_dtype dtype)
{
    switch (number->kind) {
    case CUNA_NUMBER_BOOL:
        strcpy(text, number->b ? "True" : "False");
        break;
    case CUNA_NUMBER_INT:
        snprintf(text, CUNA__SHORTEST_ROOM, "%lld", (long long)number->i);
        break;
    case CUNA_NUMBER_UINT:
        snprintf(text, CUNA__SHORTEST_ROOM, "%llu", (unsigned long long)number->u);
        break;
    default:
        cuna__shortest_print(text, as_double(number), dtype);
    }
}

size_t cuna_text_element(char out[static CUNA__SHORTEST_ROOM], const void *element, cuna_dtype dtype)
{
    cuna_number number;
    cuna_number_load(&number, dtype, element);
    print_short(out, &number, dtype);
    return strlen(out);
}

/* Prints a number that is not complex at `out`, which has room; returns its end. The format was checked. */
static char *print_real(char *out, const struct save *s, const struct conversion *conversion, cuna_number number)
{
    char text[CUNA__SHORTEST_ROOM];
    if (conversion->kind == 'f')
        return out + sprintf(out, conversion->format, as_double(&number));
    if (conversion->kind == 's') {
        print_short(text, &number, s->dtype);
        return out + sprintf(out, conversion->format, text);
    }
    make_whole(&number);
    bool is_unsigned = number.kind == CUNA_NUMBER_UINT;
    if (conversion->kind == 'd')
        conversion->format[conversion->letter] = is_unsigned ? 'u' : 'd';
    return out + sprintf(out, conversion->format, is_unsigned ? number.u : (uint64_t)number.i);
}

/* Prints " (1+2j)" as NumPy does, where a minus replaces the plus. */
static char *print_complex(char *out, const struct save *s, const struct conversion *conversion, cuna_number number)
{
    const cuna_number real = {.kind = CUNA_NUMBER_FLOAT, .f = number.f};
    const cuna_number imag = {.kind = CUNA_NUMBER_FLOAT, .f = number.imag};
    out = print_real(stpcpy(out, " ("), s, conversion, real);
    char *plus = out++, *end = print_real(out, s, conversion, imag);
    *plus = '+';
    if (*out == '-') {
        memmove(plus, out, (size_t)(end - out));
        end--;
    }
    return stpcpy(end, "j)");
}

static void write_row(const struct save *s, char *element, int64_t row)
{
    for (int64_t column = 0; column < s->columns; column++) {
        const struct conversion *conversion = conversion_of(s, column);
        cuna_number number;
        read_element(&number, s, row, column);
        bool is_complex = number.kind == CUNA_NUMBER_COMPLEX;
        char *end = (is_complex ? print_complex : print_real)(element, s, conversion, number);
        if (column > 0)
            fputs(s->layout->delimiter, s->file);
        int blanks = is_complex && s->layout->bare;
        fwrite(element + blanks, 1, (size_t)(end - element - blanks), s->file);
    }
    fputs(s->layout->newline, s->file);
}

/* Room for one element: a double has at most 309 digits before the point and 999 after it, or a width of 999. */
static size_t size_element(const struct save *s)
{
    size_t longest = 0;
    for (int64_t k = 0; k < s->layout->nformats; k++)
        longest = strlen(s->conversions[k].format) > longest ? strlen(s->conversions[k].format) : longest;
    return 2 * (longest + 1400) + 16;
}

/* Writes the file in the C locale, independent of the thread's. */
static cuna_status write_rows(const struct save *s)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    char *element = malloc(size_element(s));
    cuna_status status = CUNA_OK;
    if (c && element) {
        locale_t before = uselocale(c);
        fputs(s->layout->header, s->file);
        for (int64_t row = 0; row < s->rows && !ferror(s->file); row++)
            write_row(s, element, row);
        fputs(s->layout->footer, s->file);
        uselocale(before);
    } else {
        status = cuna_fail(CUNA_MEMORY, "no memory for text");
    }
    free(element);
    if (c)
        freelocale(c);
    return status;
}

static cuna_status compile_formats(struct save *s)
{
    const cuna_text_layout *layout = s->layout;
    if (layout->nformats != 1 && layout->nformats != s->columns)
        return cuna_fail(CUNA_VALUE, "fmt has %lld formats, but there are %lld columns", (long long)layout->nformats,
                         (long long)s->columns);
    s->conversions = calloc((size_t)layout->nformats + 1, sizeof *s->conversions);
    if (!s->conversions)
        return cuna_fail(CUNA_MEMORY, "no memory for formats");
    for (int64_t k = 0; k < layout->nformats; k++)
        CUNA_TRY(compile_format(&s->conversions[k], layout->formats[k]));
    for (int64_t column = 0; column < s->columns; column++)
        CUNA_TRY(check_column(s, column));
    return CUNA_OK;
}

/* Flushes, so that a full disk is detected here and not when the stream is closed. */
static cuna_status write_all(struct save *s, const char *name)
{
    errno = 0;
    CUNA_TRY(write_rows(s));
    if (!ferror(s->file) && fflush(s->file) == 0)
        return CUNA_OK;
    return cuna_fail(CUNA_VALUE, "cannot write %s%s%s: %s", *name != '\0' ? "'" : "the file", name,
                     *name != '\0' ? "'" : "", strerror(errno));
}

static cuna_status save(struct save s, const char *name)
{
    s.itemsize = cuna_dtype_size(s.dtype);
    cuna_status status = compile_formats(&s);
    if (status == CUNA_OK)
        status = write_all(&s, name);
    for (int64_t k = 0; s.conversions && k < s.layout->nformats; k++)
        free(s.conversions[k].format);
    free(s.conversions);
    return status;
}

cuna_status cuna_text_save(FILE *stream, const char *name, const void *values, int64_t rows, int64_t columns,
                           cuna_dtype dtype, const cuna_text_layout *layout)
{
    return save(
        (struct save){
            .layout = layout, .values = values, .rows = rows, .columns = columns, .dtype = dtype, .file = stream},
        name);
}

cuna_status cuna_text_print(FILE *stream, const void *values, int64_t count, cuna_dtype dtype, const char *format,
                            const char *separator)
{
    const cuna_text_layout layout = {.formats = &format,
                                     .nformats = 1,
                                     .delimiter = separator,
                                     .newline = "",
                                     .header = "",
                                     .footer = "",
                                     .bare = true};
    return save(
        (struct save){.layout = &layout, .values = values, .rows = 1, .columns = count, .dtype = dtype, .file = stream},
        "");
}
