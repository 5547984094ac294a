/* lock.c: one compilation per key among processes and threads.
 *
 * A lock is the file <key>.lock beside the image, locked by flock: the system frees it when its holder dies, and each
 * opening of the file has a lock of its own, so it excludes threads as well as processes. The holder removes the file
 * before it frees the lock. So a waiter that gets the lock of a removed file knows that the holder has finished, with an
 * image or without (its compiler failed, its disk was full): then all waiters go on at once. A waiter that gets the lock
 * of a file that is still there follows a holder that died, and is the next holder. */
#define _GNU_SOURCE 1
#include "cache/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cache/folder.h"

#define ENDING        ".lock"
#define LIMIT_MS      30000 /* of a wait: the holder may be stopped, or its compiler may hang; it may hold many locks */
#define SHORT_NAP_MS  1
#define LONG_NAP_MS   10
#define NAPS_PER_WAIT 16 /* a nap is this part of the time waited: what a waiter loses after the holder's end */

typedef enum attempt { TAKEN, BUSY, REMOVED, UNSUPPORTED } attempt;

/* ---- forks ---- */

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static cuna_cache_lock *locks; /* taken or waited for, by threads of this process */

static void close_files(cuna_cache_lock *lock)
{
    close(lock->file);
    close(lock->folder);
    lock->file = lock->folder = -1;
}

static void enter(void)
{
    pthread_mutex_lock(&guard);
}

static void leave(void)
{
    pthread_mutex_unlock(&guard);
}

/* A child's descriptors would keep the locks of threads that it does not have, after its parent's death too. */
static void abandon(void)
{
    for (cuna_cache_lock *lock = locks; lock != NULL; lock = lock->next)
        close_files(lock);
    locks = NULL;
    leave();
}

static void watch_forks(void)
{
    pthread_atfork(enter, leave, abandon);
}

/* ---- files ---- */

/* Leaves the descriptors at -1 where the file cannot be made. */
static void open_files(cuna_cache_lock *lock, const char *key)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    pthread_once(&watched, watch_forks);
    snprintf(lock->name, sizeof lock->name, "%.*s" ENDING, CUNA_KEY_LENGTH, key);
    lock->file = -1;
    enter();
    lock->folder = cuna__cache_folder_open(key, true);
    if (lock->folder >= 0)
        lock->file = openat(lock->folder, lock->name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (lock->file >= 0) {
        lock->next = locks;
        lock->link = &locks;
        if (locks != NULL)
            locks->link = &lock->next;
        locks = lock;
    } else if (lock->folder >= 0) {
        close(lock->folder);
        lock->folder = -1;
    }
    leave();
}

/* Frees the lock first: a program that this process is starting may have the descriptor for a moment. */
static void close_lock(cuna_cache_lock *lock)
{
    enter();
    if (lock->file >= 0) { /* -1 in the child of a fork */
        *lock->link = lock->next;
        if (lock->next != NULL)
            lock->next->link = lock->link;
        flock(lock->file, LOCK_UN);
        close_files(lock);
    }
    leave();
}

/* Whether a name still stands for an open file. */
static bool is_named(int file, int folder, const char *name)
{
    struct stat own, there;
    return fstat(file, &own) == 0 && fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           own.st_dev == there.st_dev && own.st_ino == there.st_ino;
}

static attempt try_lock(int file, int folder, const char *name)
{
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        return errno == EWOULDBLOCK || errno == EINTR ? BUSY : UNSUPPORTED;
    return is_named(file, folder, name) ? TAKEN : REMOVED;
}

/* ---- waiting ---- */

static int64_t now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* A signal ends it early. */
static void nap(int64_t waited_ms)
{
    int64_t ms = waited_ms / NAPS_PER_WAIT;
    ms = ms < SHORT_NAP_MS ? SHORT_NAP_MS : ms > LONG_NAP_MS ? LONG_NAP_MS : ms;
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* A wait in vain halves the limit of later ones, so that all of them end in a minute. */
static attempt wait_for(const cuna_cache_lock *lock)
{
    static int64_t limit_ms = LIMIT_MS;
    int64_t most_ms = __atomic_load_n(&limit_ms, __ATOMIC_RELAXED);
    attempt last = try_lock(lock->file, lock->folder, lock->name);
    int64_t start_ms = last == BUSY ? now_ms() : 0, waited_ms = 0;
    while (last == BUSY && waited_ms < most_ms && !cuna_is_interrupted()) {
        nap(waited_ms);
        waited_ms = now_ms() - start_ms;
        last = try_lock(lock->file, lock->folder, lock->name);
    }
    if (last == BUSY && waited_ms >= most_ms)
        __atomic_store_n(&limit_ms, most_ms / 2, __ATOMIC_RELAXED);
    return last;
}

/* Closes a lock that was not taken. */
static void give_up(cuna_cache_lock *lock, attempt last)
{
    if (last == UNSUPPORTED)
        unlinkat(lock->folder, lock->name, 0);
    close_lock(lock);
}

cuna_status cuna__cache_lock(cuna_cache_lock *lock, const char *key)
{
    open_files(lock, key);
    if (lock->file < 0)
        return CUNA_OK;
    attempt last = wait_for(lock);
    if (last != TAKEN)
        give_up(lock, last);
    return last == BUSY && cuna_is_interrupted() ? cuna_interrupt_fail() : CUNA_OK;
}

bool cuna__cache_try_lock(cuna_cache_lock *lock, const char *key)
{
    open_files(lock, key);
    if (lock->file < 0)
        return true;
    attempt last = try_lock(lock->file, lock->folder, lock->name);
    if (last != TAKEN)
        give_up(lock, last);
    return last != BUSY;
}

void cuna__cache_unlock(cuna_cache_lock *lock)
{
    if (lock->file >= 0 && is_named(lock->file, lock->folder, lock->name))
        unlinkat(lock->folder, lock->name, 0);
    close_lock(lock);
}

/* ---- what is left of killed processes ---- */

bool cuna__cache_lock_is(const char *name)
{
    return strlen(name) == CUNA_KEY_LENGTH + strlen(ENDING) && strcmp(name + CUNA_KEY_LENGTH, ENDING) == 0;
}

void cuna__cache_lock_remove(int folder, const char *name)
{
    int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (try_lock(file, folder, name) == TAKEN)
        unlinkat(folder, name, 0);
    close(file);
}
