/* call.c: how a row begins and ends: the lock, what must have happened before, and failures on demand.
 *
 * A row that needs a context gets the calling thread's current one; a context that had a sticky error returns it for
 * ever. The child of a fork has no device, as on CUDA. */
#include <pthread.h>
#include <time.h>

#include "simgpu.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t host_function_ended = PTHREAD_COND_INITIALIZER;
static pthread_once_t watched = PTHREAD_ONCE_INIT;
static bool initialized;
static volatile bool in_child;
static _Thread_local struct simgpu_context *current __attribute__((tls_model("initial-exec")));
static _Thread_local bool in_host_function __attribute__((tls_model("initial-exec")));

static void note_child(void)
{
    in_child = true;
}

static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, note_child);
}

bool simgpu__call_in_child(void)
{
    return in_child;
}

/* The result of a row that needs a context, independent of its arguments. */
static cu_result check_context(void)
{
    if (current == NULL)
        return CU_ERROR_INVALID_CONTEXT;
    if (current->retained == 0)
        return CU_ERROR_CONTEXT_IS_DESTROYED;
    return current->dead;
}

static bool is_queued(enum simgpu_row row)
{
    switch (row) {
    case SIMGPU_ROW_memcpy_htod_async:
    case SIMGPU_ROW_memcpy_dtoh_async:
    case SIMGPU_ROW_memcpy_dtod_async:
    case SIMGPU_ROW_memcpy_peer_async:
    case SIMGPU_ROW_memset_d8_async:
    case SIMGPU_ROW_launch_kernel:
    case SIMGPU_ROW_launch_cooperative_kernel:
    case SIMGPU_ROW_dft_exec:
        return true;
    default:
        return false;
    }
}

/* A sticky error of queued work comes when it runs; any other row with one ends its context now. */
static void inject(struct simgpu_call *call, enum simgpu_row row, enum simgpu_need need)
{
    cu_result fault = simgpu__fault_count(row);
    if (call->result != CU_SUCCESS || fault == CU_SUCCESS)
        return;
    bool sticky = need == SIMGPU_NEED_CONTEXT && simgpu__fault_is_sticky(fault);
    if (sticky && is_queued(row)) {
        call->fault = fault;
        return;
    }
    call->result = fault;
    call->injected = true;
    if (sticky)
        simgpu__kill(call->context, fault, NULL);
}

struct simgpu_call simgpu__call_enter(enum simgpu_row row, enum simgpu_need need)
{
    struct simgpu_call call = {.result = CU_SUCCESS};
    pthread_once(&watched, watch_forks);
    /* Rows without a device, such as those of NVRTC, also work in a child and in a host function. */
    if (in_child || in_host_function) {
        call.result = need == SIMGPU_NEED_NOTHING ? CU_SUCCESS
                      : in_child                  ? CU_ERROR_NOT_INITIALIZED
                                                  : SIMGPU_ERROR_NOT_PERMITTED;
        return call;
    }
    pthread_mutex_lock(&lock);
    call.locked = true;
    call.context = current;
    if (row == SIMGPU_ROW_init)
        initialized = true;
    if ((need == SIMGPU_NEED_INIT || need == SIMGPU_NEED_CONTEXT) && !initialized)
        call.result = CU_ERROR_NOT_INITIALIZED;
    else if (need == SIMGPU_NEED_CONTEXT)
        call.result = check_context();
    inject(&call, row, need);
    /* Set before, because the check above needs it; an injected failure undoes it. */
    if (row == SIMGPU_ROW_init && call.result != CU_SUCCESS)
        initialized = false;
    return call;
}

void simgpu__call_leave(struct simgpu_call *call)
{
    if (call->locked)
        pthread_mutex_unlock(&lock);
    call->locked = false;
}

void simgpu__call_pause(void)
{
    in_host_function = true;
    pthread_mutex_unlock(&lock);
}

void simgpu__call_resume(void)
{
    pthread_mutex_lock(&lock);
    in_host_function = false;
    pthread_cond_broadcast(&host_function_ended);
}

void simgpu__call_wait(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 300000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&host_function_ended, &lock, &until);
}

void simgpu__call_lock(void)
{
    pthread_mutex_lock(&lock);
}

void simgpu__call_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

cu_result simgpu__row_ctx_get_current(cu_context *context)
{
    SIMGPU_ENTER(ctx_get_current, SIMGPU_NEED_INIT);
    if (context == NULL)
        return CU_ERROR_INVALID_VALUE;
    *context = (cu_context)current;
    return CU_SUCCESS;
}

cu_result simgpu__row_ctx_set_current(cu_context context)
{
    SIMGPU_ENTER(ctx_set_current, SIMGPU_NEED_INIT);
    struct simgpu_context *found = NULL;
    for (int i = 0; i < simgpu__device_count() && context != NULL; i++)
        if ((cu_context)&simgpu__contexts[i] == context)
            found = &simgpu__contexts[i];
    if (context != NULL && found == NULL)
        return CU_ERROR_INVALID_CONTEXT;
    if (found != NULL && found->retained == 0)
        return CU_ERROR_CONTEXT_IS_DESTROYED;
    current = found;
    return CU_SUCCESS;
}
