/* interrupt.c: Ctrl-C: where a program asks Lua to end, cuna lets that happen at safe points only.
 *
 * The standalone luajit asks by a debug hook that its signal handler sets and that raises at the next instruction, amid
 * cuna's own Lua code too: between what a block switches and its call of the user's function, for instance. So cuna puts a
 * handler in front of the program's. It calls that one and sees by the hook what it asks for; instead of the program's hook
 * it sets its own, which waits for an instruction of the user's. Meanwhile long work in C ends early (runtime/base/interrupt.h),
 * and so does the next call that computes. The error has the program's words, "interrupted!", at the user's line.
 *
 * Invariant: cuna's Lua functions are never left between two of their instructions; what they call may fail, as ever.
 *
 * Only one lua_State is watched, the first that loaded cuna where a handler was: luajit asks only its own state. A handler
 * that sets no hook has other plans, and is called as if cuna were not there. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "base/interrupt.h"
#include "state.h"

int cuna_lua_attention;

static struct {
    const cuna_lua_state *S;
    lua_State *L; /* a thread of the state's that lives as long; NULL: none is watched */
    pthread_t thread;
    struct sigaction before; /* the program's */
} watched;

/* The hook while the user waits for the end: called before each instruction, and each call and return. */
static void raise_in_users_code(lua_State *L, lua_Debug *at)
{
    lua_Debug frame;
    (void)at;
    if (lua_getstack(L, 0, &frame) != 0 && cuna_lua_is_users(L, watched.S, &frame))
        cuna_lua_interrupt(L, watched.S);
}

static void call_programs(int number, siginfo_t *info, void *context)
{
    if (watched.before.sa_flags & SA_SIGINFO)
        watched.before.sa_sigaction(number, info, context);
    else
        watched.before.sa_handler(number);
}

static void handle(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    lua_State *L = watched.L;
    if (L != NULL && !pthread_equal(pthread_self(), watched.thread)) {
        pthread_kill(watched.thread, number); /* the program's handler may only touch a Lua state that stands still */
        errno = saved;
        return;
    }
    lua_Hook hook = L != NULL ? lua_gethook(L) : NULL;
    call_programs(number, info, context);
    if (L != NULL && lua_gethook(L) != NULL && lua_gethook(L) != hook) {
        lua_sethook(L, raise_in_users_code, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
        __atomic_fetch_or(&cuna_lua_attention, CUNA_LUA_INTERRUPTED, __ATOMIC_RELAXED);
        cuna_interrupt(true);
    }
    errno = saved;
}

/* Compares addresses only: NVRTC puts back what it found by signal(), without flags. */
static bool is_ours(const struct sigaction *action)
{
    return action->sa_sigaction == handle;
}

static void put_in_front(const struct sigaction *programs)
{
    struct sigaction ours = *programs;
    ours.sa_flags |= SA_SIGINFO;
    ours.sa_sigaction = handle;
    sigaction(SIGINT, &ours, NULL);
}

/* A thread of Lua's for the handler, which is never run. */
static lua_State *keep_thread(lua_State *L)
{
    lua_State *made = lua_newthread(L);
    cuna_lua_set_slot(L, CUNA_SLOT_INTERRUPT);
    return made;
}

void cuna_lua_watch_interrupts(lua_State *L, const cuna_lua_state *S)
{
    struct sigaction now;
    if ((watched.S != NULL && watched.S != S) || sigaction(SIGINT, NULL, &now) != 0 || is_ours(&now))
        return;
    if ((now.sa_flags & SA_SIGINFO) == 0 && (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN))
        return;
    if (watched.S != NULL && now.sa_sigaction != watched.before.sa_sigaction)
        return; /* somebody's who came after us, and may call ours */
    if (watched.S == NULL)
        watched.L = keep_thread(L);
    watched.S = S;
    watched.thread = pthread_self();
    watched.before = now;
    put_in_front(&now);
}

void cuna_lua_leave_interrupts(const cuna_lua_state *S)
{
    struct sigaction now;
    if (watched.S != S)
        return;
    watched.L = NULL;
    watched.S = NULL;
    if (sigaction(SIGINT, NULL, &now) == 0 && is_ours(&now))
        sigaction(SIGINT, &watched.before, NULL);
    cuna_interrupt(false);
    __atomic_fetch_and(&cuna_lua_attention, ~CUNA_LUA_INTERRUPTED, __ATOMIC_RELAXED);
}

/* luajit lets a second Ctrl-C end the process. Once the first one has become an error the next is a first one again: a
 * script may have caught it. */
static void take_back(lua_State *L)
{
    struct sigaction now;
    if (lua_gethook(L) == raise_in_users_code)
        lua_sethook(L, NULL, 0, 0);
    cuna_interrupt(false);
    __atomic_fetch_and(&cuna_lua_attention, ~CUNA_LUA_INTERRUPTED, __ATOMIC_RELAXED);
    if (sigaction(SIGINT, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL)
        put_in_front(&watched.before);
}

int cuna_lua_interrupt(lua_State *L, const cuna_lua_state *S)
{
    int before = lua_gettop(L);
    if (S == watched.S)
        take_back(L);
    if (cuna_lua_push_place_of(L, S))
        lua_pushliteral(L, ": ");
    lua_pushliteral(L, "interrupted!");
    lua_concat(L, lua_gettop(L) - before);
    return lua_error(L);
}

static bool users_code_calls(lua_State *L, const cuna_lua_state *S)
{
    lua_Debug frame;
    return lua_getstack(L, 1, &frame) != 0 && cuna_lua_is_users(L, S, &frame);
}

void cuna_lua_pause(lua_State *L)
{
    const cuna_lua_state *S = cuna_lua_get_state(L);
    bool asked = (__atomic_load_n(&cuna_lua_attention, __ATOMIC_RELAXED) & CUNA_LUA_INTERRUPTED) != 0;
    if (asked && S == watched.S && !S->collecting) /* what a finalizer raises then is lost */
        cuna_lua_interrupt(L, S);
}

void cuna_lua_attend(lua_State *L)
{
    if ((__atomic_load_n(&cuna_lua_attention, __ATOMIC_RELAXED) & ~CUNA_LUA_INTERRUPTED) != 0)
        cuna_lua_tell(L);
    if (users_code_calls(L, cuna_lua_get_state(L)))
        cuna_lua_pause(L);
}

/* watch_interrupts(): for where the program may have put its handler back, as luajit's prompt does at each line. */
static int core_watch_interrupts(lua_State *L)
{
    cuna_lua_watch_interrupts(L, cuna_lua_get_state(L));
    return 0;
}

/* interrupted(): raises that once more, where the error's place was not known. */
static int core_interrupted(lua_State *L)
{
    return cuna_lua_interrupt(L, cuna_lua_get_state(L));
}

void cuna_lua_open_interrupt(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"watch_interrupts", core_watch_interrupts}, {"interrupted", core_interrupted}, {NULL, NULL}};
    cuna_lua_watch_interrupts(L, cuna_lua_get_state(L));
    cuna_lua_register(L, functions);
}
