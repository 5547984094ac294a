/* edit.c: replacements in a text, which are collected in any order. */
#define _GNU_SOURCE 1
#include "cpu/compile/edit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cuna_edit {
    const char *at;
    size_t length;
    int order;
    char *text;
};

void cuna__cpu_edit(cuna_edits *edits, const char *at, size_t length, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    int count = edits->count;
    if ((count & (count - 1)) == 0) {
        void *grown = realloc(edits->list, (size_t)(count > 0 ? 2 * count : 1) * sizeof *edits->list);
        edits->failed |= grown == NULL;
        edits->list = grown != NULL ? grown : edits->list;
    }
    va_start(arguments, format);
    bool printed = vasprintf(&text, format, arguments) >= 0;
    va_end(arguments);
    edits->failed |= !printed;
    if (!edits->failed)
        edits->list[edits->count++] = (struct cuna_edit){at, length, count, text};
    else if (printed)
        free(text);
}

static int compare(const void *a, const void *b)
{
    const struct cuna_edit *x = a, *y = b;
    if (x->at != y->at)
        return x->at > y->at ? 1 : -1;
    return (x->length > 0) != (y->length > 0) ? (x->length > 0) - (y->length > 0) : x->order - y->order;
}

static void print(FILE *out, const cuna_edits *edits, const char *text)
{
    const char *at = text;
    for (int i = 0; i < edits->count; i++) {
        const struct cuna_edit *edit = &edits->list[i];
        fwrite(at, 1, (size_t)(edit->at - at), out);
        fputs(edit->text, out);
        for (at = edit->at; at < edit->at + edit->length; at++)
            if (*at == '\n')
                fputc('\n', out);
    }
    fputs(at, out);
}

char *cuna__cpu_edit_finish(cuna_edits *edits, const char *text)
{
    char *edited = NULL;
    size_t nbytes = 0;
    FILE *out = edits->failed ? NULL : open_memstream(&edited, &nbytes);
    if (out != NULL) {
        if (edits->count > 0)
            qsort(edits->list, (size_t)edits->count, sizeof *edits->list, compare);
        print(out, edits, text);
    }
    bool good = out != NULL && fclose(out) == 0;
    for (int i = 0; i < edits->count; i++)
        free(edits->list[i].text);
    free(edits->list);
    *edits = (cuna_edits){0};
    if (good)
        return edited;
    free(edited);
    return NULL;
}
