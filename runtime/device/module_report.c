/* module_report.c: the error message of a failed compilation.
 *
 * Compilers write "file(12): error: words" (NVRTC) or "file:12:5: error: words" (g++, clang++). The first such line is
 * looked up in the source, whose #line directives say which file and number each of its lines has for the compiler. */
#define _GNU_SOURCE 1
#include "device/module_report.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cache/failed.h"

#define LOG_LINES    8   /* of a log of unknown form */
#define CONTEXT      2   /* lines around the failing one */
#define WORDS_NBYTES 300 /* of an error; a message has about a thousand bytes */
#define LINE_NBYTES  96  /* of a line of source */

/* Where an error is; the texts lie in the log. */
struct error {
    const char *file, *words;
    int file_length, words_length, line;
};

/* The source, followed by the log as comments: lines keep their numbers. */
static void add_whole(cuna_strbuf *out, const char *source, const char *log)
{
    cuna__strbuf_add(out, source);
    while (*log != '\0') {
        size_t length = strcspn(log, "\n");
        cuna__strbuf_printf(out, "\n// %.*s", (int)length, log);
        log += length + (log[length] == '\n');
    }
    cuna__strbuf_add(out, "\n");
}

/* Keeps a source where the user can read it; "" when no file can be written. */
static void keep_source(char *path, size_t nbytes, const char *name, const char *source, const char *log)
{
    cuna_strbuf whole = {0};
    add_whole(&whole, source, log);
    path[0] = '\0';
    if (!whole.failed)
        cuna__cache_keep_failed(path, nbytes, name, whole.text, whole.length);
    cuna__strbuf_free(&whole);
}

/* Bytes of a text of some length that may be shown: no more than `limit`, and no part of a character. */
static int fit(const char *text, size_t length, size_t limit)
{
    if (length <= limit)
        return (int)length;
    while (limit > 0 && ((unsigned char)text[limit] & 0xc0) == 0x80)
        limit--;
    return (int)limit;
}

/* The number that ends before `*end`, which moves to its beginning; -1 when there is none. */
static int number_before(const char *start, const char **end)
{
    const char *digit = *end;
    while (digit > start && isdigit((unsigned char)digit[-1]))
        digit--;
    if (digit == *end)
        return -1;
    *end = digit;
    return atoi(digit);
}

/* Reads "file(12)", "file:12" or "file:12:5". */
static bool parse_place(struct error *error, const char *start, const char *end)
{
    bool parenthesis = end > start && end[-1] == ')';
    const char *at = parenthesis ? end - 1 : end;
    error->line = number_before(start, &at);
    const char *before = at - 1;
    int line =
        !parenthesis && error->line >= 0 && before > start && *before == ':' ? number_before(start, &before) : -1;
    if (line >= 0) {
        error->line = line;
        at = before;
    }
    error->file = start;
    error->file_length = (int)(at - 1 - start);
    return error->line > 0 && at - 1 > start && at[-1] == (parenthesis ? '(' : ':');
}

/* An error may have a number: "error #20: words". */
static bool parse_line(struct error *error, const char *text, size_t length)
{
    static const char *const marks[] = {": error", ": fatal error", ": catastrophic error"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *mark = memmem(text, length, marks[i], strlen(marks[i]));
        if (mark == NULL || !parse_place(error, text, mark))
            continue;
        const char *end = text + length, *words = mark + strlen(marks[i]);
        const char *colon = memchr(words, ':', (size_t)(end - words));
        words = colon != NULL ? colon + 1 : words;
        while (words < end && *words == ' ')
            words++;
        error->words = words;
        error->words_length = fit(words, (size_t)(end - words), WORDS_NBYTES);
        return true;
    }
    return false;
}

/* g++ reports this of a function before it reports an unknown type of a parameter. */
static bool is_prologue(const struct error *error)
{
    static const char words[] = "variable or field ";
    return error->words_length > (int)strlen(words) && memcmp(error->words, words, strlen(words)) == 0;
}

static bool parse_log(struct error *error, const char *log)
{
    struct error found = {0};
    bool any = false;
    while (*log != '\0' && (!any || is_prologue(error))) {
        size_t length = strcspn(log, "\n");
        if (parse_line(&found, log, length) && (!any || !is_prologue(&found))) {
            *error = found;
            any = true;
        }
        log += length + (log[length] == '\n');
    }
    return any;
}

/* Whether a line is `#line 12` or `#line 12 "file"`; without a file the last one stays. */
static bool parse_directive(const char *text, int *line, char file[256])
{
    text += strspn(text, " \t");
    return *text == '#' && sscanf(text, "# line %d \"%255[^\"]\"", line, file) >= 1;
}

static bool is_directive(const char *text)
{
    char file[256];
    int line;
    return parse_directive(text, &line, file);
}

/* The beginning of the source's line that the compiler means, or NULL. */
static const char *find_line(const char *source, const char *name, const struct error *error)
{
    char file[256];
    int line = 1;
    snprintf(file, sizeof file, "%s", name);
    for (const char *at = source; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        bool same = line == error->line && strlen(file) == (size_t)error->file_length;
        if (!parse_directive(at, &line, file)) {
            if (same && memcmp(file, error->file, strlen(file)) == 0)
                return at;
            line++;
        }
        at += length + (at[length] == '\n');
    }
    return NULL;
}

static const char *line_before(const char *source, const char *at)
{
    for (at--; at > source && at[-1] != '\n'; at--)
        continue;
    return at;
}

/* The failing line `at` with the lines around it that belong to the same text. */
static void add_excerpt(cuna_strbuf *out, const char *source, const char *at, int line)
{
    int number = line;
    while (number > 1 && number > line - CONTEXT && at > source && !is_directive(line_before(source, at))) {
        at = line_before(source, at);
        number--;
    }
    for (; number <= line + CONTEXT && *at != '\0' && !is_directive(at); number++) {
        size_t length = strcspn(at, "\n");
        cuna__strbuf_printf(out, "\n%s%5d | %.*s", number == line ? ">" : " ", number, fit(at, length, LINE_NBYTES),
                            at);
        at += length + (at[length] == '\n');
    }
}

static bool is_in(const struct error *error, const char *file)
{
    return strlen(file) == (size_t)error->file_length && memcmp(file, error->file, strlen(file)) == 0;
}

/* NVRTC lists the requested names in a separate file, in another order. */
static void add_error(cuna_strbuf *out, const char *name, const struct error *error)
{
    cuna__strbuf_printf(out, "%s: ", name);
    if (is_in(error, "__nv_name_map")) {
        cuna__strbuf_printf(out, "name expression: %.*s", error->words_length, error->words);
        return;
    }
    if (!is_in(error, name))
        cuna__strbuf_printf(out, "%.*s ", fit(error->file, (size_t)error->file_length, LINE_NBYTES), error->file);
    cuna__strbuf_printf(out, "line %d: %.*s", error->line, error->words_length, error->words);
}

/* Adds the log's first lines but for the very first, which stands before them. */
static void add_log(cuna_strbuf *out, const char *log)
{
    const char *line = log + strcspn(log, "\n");
    for (int i = 1; i < LOG_LINES && *line != '\0' && line[1] != '\0'; i++) {
        size_t length = strcspn(line + 1, "\n");
        cuna__strbuf_printf(out, "\n%.*s", (int)length, line + 1);
        line += 1 + length;
    }
}

cuna_status cuna__module_report(const char *name, const char *source, const char *log)
{
    struct error error = {0};
    cuna_strbuf out = {0};
    char path[800];
    bool parsed = parse_log(&error, log);
    const char *at = parsed ? find_line(source, name, &error) : NULL;
    if (parsed)
        add_error(&out, name, &error);
    else
        cuna__strbuf_printf(&out, "%s: %.*s", name, fit(log, strcspn(log, "\n"), WORDS_NBYTES), log);
    keep_source(path, sizeof path, name, source, log); /* leaves the path empty where no file could be written */
    if (path[0] != '\0')
        cuna__strbuf_printf(&out, "; whole source: %s", path);
    if (at != NULL)
        add_excerpt(&out, source, at, error.line);
    else if (!parsed)
        add_log(&out, log);
    cuna_status status = cuna__strbuf_status(&out); /* MEMORY where the host has no room for the words */
    if (status == CUNA_OK)
        status = cuna_fail(CUNA_COMPILE, "%s", out.text);
    cuna__strbuf_free(&out);
    return status;
}
