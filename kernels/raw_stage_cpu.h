/* raw_stage_cpu.h: <cuda/pipeline> and cuda::memcpy_async on the cpu device; follows raw_libcu_cpu.h.
 *
 * Copies are done when memcpy_async returns. What remains of a pipeline is who waits for whom: a stage has one barrier
 * that its producers complete and one that its consumers complete. The n-th use of a stage begins when n phases are
 * consumed, and is ready when n + 1 are produced. */
#ifndef CUNA_RAW_STAGE
#define CUNA_RAW_STAGE

namespace cuda {

template <size_t ALIGNMENT> struct aligned_size_t {
    static constexpr size_t align = ALIGNMENT;
    size_t value;
    CUNA_INLINE explicit aligned_size_t(size_t nbytes) : value(nbytes) {}
    CUNA_INLINE operator size_t() const { return value; }
};

enum class pipeline_role { producer, consumer };

template <thread_scope S, unsigned char STAGES> class pipeline_shared_state {
public:
    barrier<S> cuna_produced[STAGES], cuna_consumed[STAGES];
    unsigned cuna_producers, cuna_consumers;
    constexpr pipeline_shared_state() : cuna_produced{}, cuna_consumed{}, cuna_producers(0), cuna_consumers(0) {}
};

template <thread_scope S> class pipeline {
    barrier<S> *produced, *consumed;
    unsigned stages, head, tail; /* uses that this thread has committed and released */
    bool produces, consumes;

public:
    CUNA_INLINE pipeline(barrier<S> *produced, barrier<S> *consumed, unsigned stages, bool produces, bool consumes)
        : produced(produced), consumed(consumed), stages(stages), head(0), tail(0), produces(produces),
          consumes(consumes)
    {
    }
    pipeline(pipeline &&) = default;
    pipeline(const pipeline &) = delete;
    CUNA_INLINE void producer_acquire()
    {
        const barrier<S> &stage = consumed[head % stages];
        cuna_libcu::wait_until<S>([&] { return stage.cuna_phase() >= head / stages; });
    }
    CUNA_INLINE void producer_commit() { produced[head++ % stages].arrive(); }
    CUNA_INLINE void consumer_wait()
    {
        const barrier<S> &stage = produced[tail % stages];
        cuna_libcu::wait_until<S>([&] { return stage.cuna_phase() > tail / stages; });
    }
    CUNA_INLINE void consumer_release() { consumed[tail++ % stages].arrive(); }
    CUNA_INLINE bool quit()
    {
        for (unsigned i = 0; i < stages; ++i) {
            if (produces)
                produced[i].arrive_and_drop();
            if (consumes)
                consumed[i].arrive_and_drop();
        }
        return true;
    }
};

/* A thread's own copies are complete. */
template <> class pipeline<thread_scope_thread> {
public:
    CUNA_INLINE void producer_acquire() {}
    CUNA_INLINE void producer_commit() {}
    CUNA_INLINE void consumer_wait() {}
    CUNA_INLINE void consumer_release() {}
    CUNA_INLINE bool quit() { return true; }
};

CUNA_INLINE pipeline<thread_scope_thread> make_pipeline() { return pipeline<thread_scope_thread>(); }

namespace cuna_libcu {
template <class G, thread_scope S, unsigned char STAGES>
CUNA_INLINE pipeline<S> make_pipeline(const G &group, pipeline_shared_state<S, STAGES> *state, bool produces,
                                      bool consumes)
{
    if (group.thread_rank() == 0)
        state->cuna_producers = state->cuna_consumers = 0;
    group.sync();
    __atomic_add_fetch(&state->cuna_producers, unsigned(produces), __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&state->cuna_consumers, unsigned(consumes), __ATOMIC_SEQ_CST);
    group.sync();
    for (unsigned i = 0; i < STAGES && group.thread_rank() == 0; ++i) {
        init(&state->cuna_produced[i], state->cuna_producers);
        init(&state->cuna_consumed[i], state->cuna_consumers);
    }
    group.sync();
    return pipeline<S>(state->cuna_produced, state->cuna_consumed, STAGES, produces, consumes);
}

template <class G> CUNA_INLINE void copy(const G &group, void *to, const void *from, size_t nbytes)
{
    for (size_t i = group.thread_rank(); i < nbytes; i += group.size())
        ((char *)to)[i] = ((const char *)from)[i];
}

/* The group of the thread that calls. */
struct Alone {
    CUNA_INLINE unsigned thread_rank() const { return 0; }
    CUNA_INLINE unsigned size() const { return 1; }
};
} // namespace cuna_libcu

template <class G, thread_scope S, unsigned char STAGES>
CUNA_INLINE pipeline<S> make_pipeline(const G &group, pipeline_shared_state<S, STAGES> *state)
{
    return cuna_libcu::make_pipeline(group, state, true, true);
}
template <class G, thread_scope S, unsigned char STAGES>
CUNA_INLINE pipeline<S> make_pipeline(const G &group, pipeline_shared_state<S, STAGES> *state, pipeline_role role)
{
    return cuna_libcu::make_pipeline(group, state, role == pipeline_role::producer, role == pipeline_role::consumer);
}
template <class G, thread_scope S, unsigned char STAGES>
CUNA_INLINE pipeline<S> make_pipeline(const G &group, pipeline_shared_state<S, STAGES> *state, size_t nproducers)
{
    bool produces = group.thread_rank() < nproducers;
    return cuna_libcu::make_pipeline(group, state, produces, !produces);
}
template <unsigned char N, thread_scope S> CUNA_INLINE void pipeline_consumer_wait_prior(pipeline<S> &) {}
template <thread_scope S, thread_scope B> CUNA_INLINE void pipeline_producer_commit(pipeline<S> &, barrier<B> &) {}

/* `S`: a number of bytes, or an aligned_size_t; `P`: a barrier or a pipeline. */
template <class G, class S, class P>
CUNA_INLINE void memcpy_async(const G &group, void *to, const void *from, S nbytes, P &)
{
    cuna_libcu::copy(group, to, from, nbytes);
}
template <class S, class P> CUNA_INLINE void memcpy_async(void *to, const void *from, S nbytes, P &)
{
    cuna_libcu::copy(cuna_libcu::Alone(), to, from, nbytes);
}

namespace device {
/* Bytes that are still to come have come already. */
template <thread_scope S>
CUNA_INLINE typename barrier<S>::arrival_token barrier_arrive_tx(barrier<S> &b, ptrdiff_t count, ptrdiff_t)
{
    return b.arrive(count);
}
template <thread_scope S> CUNA_INLINE void barrier_expect_tx(barrier<S> &, ptrdiff_t) {}
template <class S, thread_scope B>
CUNA_INLINE void memcpy_async_tx(void *to, const void *from, S nbytes, barrier<B> &)
{
    cuna_libcu::copy(cuna_libcu::Alone(), to, from, nbytes);
}
} // namespace device

} // namespace cuda

#endif
