/* interrupt.c: Ctrl-C interrupts a program at safe points only.
 *
 * The signal handler of the standalone luajit sets a debug hook that raises at the next instruction, even inside cuna's
 * Lua code, for instance after a block switched the device and before it calls the user's function. So cuna installs a
 * handler that wraps the program's. It calls that handler, detects the hook, and replaces it by its own hook, which
 * waits for an instruction of user code. Meanwhile long work in C ends early (runtime/base/interrupt.h), and so does
 * the next call that computes. The error is luajit's "interrupted!", at the user's line.
 *
 * Invariant: cuna's Lua functions are never interrupted between two of their instructions; the functions they call may
 * fail as usual.
 *
 * Only one lua_State is watched, the first that loaded cuna while a handler was installed: luajit interrupts only its
 * own state. A handler that sets no hook is called without further effect. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>

#include "base/interrupt.h"
#include "state.h"

int cuna_lua_attention;

static struct {
    const cuna_lua_state *S;
    lua_State *L; /* a thread that lives as long as its state; NULL: none is watched */
    pthread_t thread;
    struct sigaction before; /* the program's */
    bool keeps;              /* a prompt: no Ctrl-C ends the process, however many come before the error */
} watched;

/* The hook after Ctrl-C: called before each instruction, and at each call and return. */
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

static void handle(int number, siginfo_t *info, void *context);

/* Compares addresses only: NVRTC restores handlers with signal(), without flags. */
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

static void handle(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    lua_State *L = watched.L;
    if (L != NULL && !pthread_equal(pthread_self(), watched.thread)) {
        pthread_kill(watched.thread, number); /* the program's handler may only touch a Lua state that is not running */
        errno = saved;
        return;
    }
    lua_Hook hook = L != NULL ? lua_gethook(L) : NULL;
    call_programs(number, info, context);
    if (watched.keeps)
        put_in_front(&watched.before);
    if (L != NULL && lua_gethook(L) != NULL && lua_gethook(L) != hook) {
        lua_sethook(L, raise_in_users_code, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
        __atomic_fetch_or(&cuna_lua_attention, CUNA_LUA_INTERRUPTED, __ATOMIC_RELAXED);
        cuna_interrupt(true);
    }
    errno = saved;
}

/* A Lua thread for the handler; it never runs. */
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
        return; /* installed after ours, which it may call */
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
    watched.keeps = false;
    if (sigaction(SIGINT, NULL, &now) == 0 && is_ours(&now))
        sigaction(SIGINT, &watched.before, NULL);
    cuna_interrupt(false);
    __atomic_fetch_and(&cuna_lua_attention, ~CUNA_LUA_INTERRUPTED, __ATOMIC_RELAXED);
}

/* In luajit a second Ctrl-C ends the process. Once the first has become an error, the next counts as the first: a
 * script may have caught the error. */
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
    if (asked && S == watched.S && !S->collecting) /* errors of finalizers are lost then */
        cuna_lua_interrupt(L, S);
}

void cuna_lua_attend(lua_State *L)
{
    if ((__atomic_load_n(&cuna_lua_attention, __ATOMIC_RELAXED) & ~CUNA_LUA_INTERRUPTED) != 0)
        cuna_lua_tell(L);
    if (users_code_calls(L, cuna_lua_get_state(L)))
        cuna_lua_pause(L);
}

/* watch_interrupts(): called when the program may have restored its handler, as luajit's prompt does at each line. */
static int core_watch_interrupts(lua_State *L)
{
    cuna_lua_watch_interrupts(L, cuna_lua_get_state(L));
    return 0;
}

/* keep_interrupts(): from now on Ctrl-C never ends the process. */
static int core_keep_interrupts(lua_State *L)
{
    cuna_lua_watch_interrupts(L, cuna_lua_get_state(L));
    watched.keeps = watched.S == cuna_lua_get_state(L);
    return 0;
}

/* take_interrupt() -> whether Ctrl-C came that did not become an error yet; now it never will. */
static int core_take_interrupt(lua_State *L)
{
    bool asked = (__atomic_load_n(&cuna_lua_attention, __ATOMIC_RELAXED) & CUNA_LUA_INTERRUPTED) != 0;
    if (watched.S == cuna_lua_get_state(L))
        take_back(L);
    lua_pushboolean(L, asked);
    return 1;
}

/* interrupted(): raises the error again if its place was not known. */
static int core_interrupted(lua_State *L)
{
    return cuna_lua_interrupt(L, cuna_lua_get_state(L));
}

void cuna_lua_open_interrupt(lua_State *L)
{
    static const luaL_Reg functions[] = {{"watch_interrupts", core_watch_interrupts},
                                         {"keep_interrupts", core_keep_interrupts},
                                         {"take_interrupt", core_take_interrupt},
                                         {"interrupted", core_interrupted},
                                         {NULL, NULL}};
    cuna_lua_watch_interrupts(L, cuna_lua_get_state(L));
    cuna_lua_register(L, functions);
}
