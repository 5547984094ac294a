/* compile_ahead.h: what a compiler or linker that waits in the middle of its work and those who ask it agree upon.
 *
 * A request is the folder to work in, as a text, with the descriptor of what it opens next: the rest of a compiler's
 * text, a linker's object. The reply follows when the output is complete; none: it failed. */
#ifndef COMPILE_AHEAD_H
#define COMPILE_AHEAD_H

#define AHEAD_MARK   "/* ---- a kernel's own text ---- */\n" /* ends what kernels with the same texts begin with */
#define AHEAD_REST   "rest~"                                 /* what the beginning includes at its end */
#define AHEAD_OBJECT "object~"                               /* what a linker reads first */
#define AHEAD_DOOR   3                                       /* the descriptor of the socket that requests come by */
#define AHEAD_IDLE_S 30                                      /* without requests, a program ends */

struct ahead_reply {
    long microseconds; /* of processor time */
};

#endif
