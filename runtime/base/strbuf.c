/* strbuf.c: text that grows while it is written. */
#include "base/strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(cuna_strbuf *buf, size_t more)
{
    size_t need = buf->length + more + 1;
    if (buf->failed || need <= buf->capacity)
        return !buf->failed;
    size_t capacity = buf->capacity * 2 > need ? buf->capacity * 2 : need + 256;
    char *text = realloc(buf->text, capacity);
    if (text == NULL) {
        buf->failed = true;
        return false;
    }
    buf->text = text;
    buf->capacity = capacity;
    return true;
}

void cuna__strbuf_add(cuna_strbuf *buf, const char *text)
{
    size_t length = strlen(text);
    if (!reserve(buf, length))
        return;
    memcpy(buf->text + buf->length, text, length + 1);
    buf->length += length;
}

void cuna__strbuf_printf(cuna_strbuf *buf, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && reserve(buf, (size_t)length)) {
        vsnprintf(buf->text + buf->length, (size_t)length + 1, format, again);
        buf->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

cuna_status cuna__strbuf_status(const cuna_strbuf *buf)
{
    return buf->failed ? cuna_fail(CUNA_MEMORY, "the host has no memory left for kernel text") : CUNA_OK;
}

void cuna__strbuf_free(cuna_strbuf *buf)
{
    free(buf->text);
    *buf = (cuna_strbuf){0};
}
