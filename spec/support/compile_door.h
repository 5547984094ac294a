/* compile_door.h: asks a program that waits in the middle of its work (compile_ahead.c). */
#ifndef COMPILE_DOOR_H
#define COMPILE_DOOR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct compile_door {
    const char *own;    /* the folder of ahead.so, and of the folder kept/ in which such programs live */
    char *const *words; /* that start it */
    const char *file;   /* the file that it reads first, and what that begins and ends with */
    const char *head, *tail;
    size_t head_nbytes;
};

/* Whether this process may ask any: one that has limits or preloads something starts its own. */
bool compile_door_is_open(void);

/* Asks for the work in the current folder with the rest of the text; whether it was done, and in how many us of
 * processor time. */
bool compile_door_ask(long *microseconds, const struct compile_door *door, int rest);

#endif
