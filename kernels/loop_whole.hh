// loop_whole.hh: kernels that the library of loops has as they are. In its parts an entry is not exported but a constant
// of the kernel's namespace, by the entry's name.
#undef CUNA_ENTRY
#define CUNA_ENTRY(name, Args, body, team)                                                                            \
    static void name##_run(void **params, unsigned first, unsigned last)                                              \
    {                                                                                                                 \
        const Args &args = *(const Args *)params[0];                                                                  \
        for (unsigned block = first; block < last; ++block)                                                           \
            body(args, block);                                                                                        \
    }                                                                                                                 \
    static const cuna_loop_whole name = {name##_run, sizeof(Args)};
