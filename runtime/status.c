/* status.c: the thread's last error message.
 *
 * The message lives in a fixed buffer, so that reporting works when memory is what failed. It is written beside the
 * buffer and copied, because an argument may be the previous message (a caller that puts its own words in front). */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_NBYTES = 1024 };

static _Thread_local char message[MESSAGE_NBYTES];

/* Marks a text that did not fit by "..." at its end. */
static void mark_cut(char *text)
{
    memcpy(text + MESSAGE_NBYTES - 4, "...", 4);
}

/* Arguments may hold names and text from users; a line break among them must not break the message. */
static void join_lines(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ')
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
    memcpy(message, text, strlen(text) + 1);
    return status;
}

const char *cuna_message(void)
{
    return message;
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
