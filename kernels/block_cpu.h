/* block_cpu.h: what a block is on the cpu device: one lane, so that no lane ever waits for another. */

/* An entry runs blocks [first, last) of a launch. `team` says whether the lanes of a block work together. */
#define CUNA_ENTRY(name, Args, body, team)                                                                            \
    extern "C" __attribute__((visibility("default"))) void name(void **params, unsigned first, unsigned last)         \
    {                                                                                                                 \
        const Args &args = *(const Args *)params[0];                                                                  \
        for (unsigned block = first; block < last; ++block)                                                           \
            body(args, block);                                                                                        \
    }

