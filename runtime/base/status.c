/* status.c: the thread's last error message.
 *
 * The message has a fixed buffer, allocated in advance where possible, so that out-of-memory errors can be reported. A
 * key leads to the buffer, because the loader has little room for thread-local data. The message is formatted
 * separately and copied, because an argument may be the previous message (when a caller adds a prefix). */
#include "base/status.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_NBYTES = 1024 };

static pthread_key_t key;
static pthread_once_t key_made = PTHREAD_ONCE_INIT;

static void make_key(void)
{
    pthread_key_create(&key, free);
}

/* This thread's buffer; NULL when out of memory. */
static char *find_buffer(void)
{
    pthread_once(&key_made, make_key);
    char *buffer = pthread_getspecific(key);
    if (buffer != NULL)
        return buffer;
    buffer = calloc(1, MESSAGE_NBYTES);
    if (buffer != NULL && pthread_setspecific(key, buffer) != 0) {
        free(buffer);
        return NULL;
    }
    return buffer;
}

/* Marks a truncated text with "..." at its end. */
static void mark_cut(char *text)
{
    memcpy(text + MESSAGE_NBYTES - 4, "...", 4);
}

/* Arguments may contain names and text from users; line breaks in them must not split the message. */
static void join_lines(char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\n' || *text == '\r' || *text == '\t')
            *text = ' ';
}

static void strip_end(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
        text[--length] = '\0';
}

cuna_status cuna_fail(cuna_status status, const char *format, ...)
{
    char text[MESSAGE_NBYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    if (length < 0)
        text[0] = '\0';
    if (length >= MESSAGE_NBYTES)
        mark_cut(text);
    if (status != CUNA_COMPILE) /* a compiler's log is only readable in lines */
        join_lines(text);
    strip_end(text);
    char *buffer = find_buffer();
    if (buffer != NULL)
        memcpy(buffer, text, strlen(text) + 1);
    return status;
}

const char *cuna_message(void)
{
    const char *buffer = find_buffer();
    return buffer != NULL ? buffer : "the host has no memory left, not even for the words of an error";
}

const char *cuna_status_word(cuna_status status)
{
    static const char *const words[] = {
#define ROW(name, word) word,
        CUNA_STATUS_ROWS(ROW)
#undef ROW
    };
    return words[status];
}
