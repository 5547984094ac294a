/* check.h: what C programs that specs run check with: each condition that does not hold is a line, and counted. */
#ifndef SPEC_CHECK_H
#define SPEC_CHECK_H

#include <stdio.h>

static int failures;

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition);         \
            failures++;                                                     \
        }                                                                   \
    } while (0)

#endif
