/* strbuf.h: text that grows while it is written; a failed allocation is recorded and reported once, at the end. */
#ifndef CUNA_BASE_STRBUF_H
#define CUNA_BASE_STRBUF_H

#include "base/base.h"
#include "base/status.h"

typedef struct cuna_strbuf {
    char *text; /* NUL-terminated once anything was added; the owner frees it with cuna__strbuf_free */
    size_t length, capacity;
    bool failed;
} cuna_strbuf;

void cuna__strbuf_add(cuna_strbuf *buf, const char *text);
void cuna__strbuf_printf(cuna_strbuf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* MEMORY when any addition failed. */
cuna_status cuna__strbuf_status(const cuna_strbuf *buf);
void cuna__strbuf_free(cuna_strbuf *buf);

#endif
