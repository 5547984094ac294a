/* cache.c: compiled images on disk, by content.
 *
 * The trailer is a function of key and image, so an entry is valid exactly when its last 128 bytes equal the trailer
 * computed for the preceding bytes. The image is checked in memory that was read once, never in the file. */
#define _POSIX_C_SOURCE 200809L

#include "cache/cache.h"

#include "cache/folder.h"
#include "cache/pack.h"
#include "cuna.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"

#define SCHEMA           1
#define TRAILER_NBYTES   128
#define MAX_NBYTES       ((size_t)256 << 20) /* of an image */
#define TOUCH_SECONDS    86400
#define STORES_PER_SWEEP 256
#define NAME_TRIES       100
#define TEST_NBYTES      65536
#define SYNCED_NBYTES    4096 /* smaller entries are not synced to disk: a lost one is compiled again */

typedef bool trust(const struct stat *facts); /* whether a file or folder's contents may be run */

/* Where the parts of a trailer start; the rest is zero. */
enum { AT_MAGIC = 0, AT_SCHEMA = 8, AT_LENGTH = 16, AT_IMAGE = 24, AT_KEY = AT_IMAGE + CUNA_DIGEST_NBYTES };

static void put_uint64(uint8_t bytes[8], uint64_t value)
{
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(value >> 8 * i);
}

static void add_part(cuna_digest *digest, const char *part)
{
    uint8_t length[8];
    size_t nbytes = strlen(part);
    put_uint64(length, nbytes);
    cuna__digest_add(digest, length, sizeof length);
    cuna__digest_add(digest, part, nbytes);
}

void cuna__cache_key(char key[CUNA_KEY_LENGTH + 1], int nparts, const char *const *parts)
{
    cuna_digest digest;
    uint8_t found[CUNA_DIGEST_NBYTES];
    cuna__digest_begin(&digest);
    for (int i = 0; i < nparts; i++)
        add_part(&digest, parts[i]);
    cuna__digest_end(found, &digest);
    cuna__digest_print(key, found);
}

static int digit_value(char digit)
{
    if (digit >= '0' && digit <= '9')
        return digit - '0';
    return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* The key as bytes. False for anything but 64 digits, so that no other text ever becomes a path. */
static bool parse_key(uint8_t bytes[CUNA_DIGEST_NBYTES], const char *key)
{
    for (int i = 0; i < CUNA_KEY_LENGTH; i += 2) {
        int high = digit_value(key[i]);
        int low = high < 0 ? -1 : digit_value(key[i + 1]);
        if (low < 0)
            return false;
        bytes[i / 2] = (uint8_t)(high << 4 | low);
    }
    return !key[CUNA_KEY_LENGTH];
}

static bool make_trailer(uint8_t trailer[TRAILER_NBYTES], const char *key, const void *image, size_t nbytes)
{
    cuna_digest digest;
    memset(trailer, 0, TRAILER_NBYTES);
    memcpy(trailer + AT_MAGIC, "cunaimg1", 8);
    put_uint64(trailer + AT_SCHEMA, SCHEMA);
    put_uint64(trailer + AT_LENGTH, nbytes);
    cuna__digest_begin(&digest);
    cuna__digest_add(&digest, image, nbytes);
    cuna__digest_end(trailer + AT_IMAGE, &digest);
    return parse_key(trailer + AT_KEY, key);
}

static bool read_all(int fd, uint8_t *bytes, size_t nbytes)
{
    while (nbytes) {
        ssize_t got = read(fd, bytes, nbytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        bytes += got;
        nbytes -= (size_t)got;
    }
    return true;
}

static bool write_all(int fd, const uint8_t *bytes, size_t nbytes)
{
    while (nbytes) {
        ssize_t put = write(fd, bytes, nbytes);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        nbytes -= (size_t)put;
    }
    return true;
}

static bool is_entry(const struct stat *facts)
{
    return S_ISREG(facts->st_mode) && facts->st_size > TRAILER_NBYTES &&
           (uint64_t)facts->st_size <= MAX_NBYTES + TRAILER_NBYTES;
}

static bool verify(const uint8_t *file, size_t image_nbytes, const char *key)
{
    uint8_t trailer[TRAILER_NBYTES];
    return !memcmp(file + image_nbytes, "cunaimg1", 8) && make_trailer(trailer, key, file, image_nbytes) &&
           !memcmp(file + image_nbytes, trailer, TRAILER_NBYTES);
}

/* Least recently used goes by mtime; a resolution of a day avoids a write at most loads. */
static void touch_daily(int fd, const struct stat *facts)
{
    int64_t age = (int64_t)time(NULL) - (int64_t)facts->st_mtim.tv_sec;
    if (age > TOUCH_SECONDS || age < -TOUCH_SECONDS)
        futimens(fd, NULL);
}

/* Reads and checks an open entry; `is_bad`: the file is invalid, rather than a temporary failure. */
static uint8_t *read_entry(size_t *nbytes, bool *is_bad, int fd, const char *key, trust *trusts)
{
    struct stat facts;
    *is_bad = fstat(fd, &facts) || !is_entry(&facts) || !trusts(&facts);
    if (*is_bad)
        return NULL;
    size_t file_nbytes = (size_t)facts.st_size;
    uint8_t *file = malloc(file_nbytes);
    if (!file)
        return NULL;
    *nbytes = file_nbytes - TRAILER_NBYTES;
    *is_bad = !read_all(fd, file, file_nbytes) || !verify(file, *nbytes, key);
    if (*is_bad) {
        free(file);
        return NULL;
    }
    /* A pack is only read, and nothing is removed from it. */
    if (trusts == cuna__cache_folder_trusts)
        touch_daily(fd, &facts);
    return file;
}

/* Opens without waiting (the name may be a pipe); a link or a socket is bad, other failures are temporary. */
static uint8_t *load_from(size_t *nbytes, bool *is_bad, int folder, const char *key, trust *trusts)
{
    int fd = openat(folder, key, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        *is_bad = errno == ELOOP || errno == ENXIO;
        return NULL;
    }
    uint8_t *file = read_entry(nbytes, is_bad, fd, key, trusts);
    close(fd);
    return file;
}

static uint8_t *load_own(size_t *nbytes, const char *key)
{
    bool is_bad = false;
    int folder = cuna__cache_folder_open(key, false);
    if (folder < 0)
        return NULL;
    uint8_t *image = load_from(nbytes, &is_bad, folder, key, cuna__cache_folder_trusts);
    if (is_bad && unlinkat(folder, key, 0))
        unlinkat(folder, key, AT_REMOVEDIR);
    close(folder);
    return image;
}

/* The pack is read-only: bad entries stay. */
static uint8_t *load_packed(size_t *nbytes, const char *key)
{
    bool is_bad;
    int folder = cuna__cache_pack_open(key);
    if (folder < 0)
        return NULL;
    uint8_t *image = load_from(nbytes, &is_bad, folder, key, cuna__cache_pack_trusts);
    close(folder);
    return image;
}

void *cuna__cache_load(size_t *nbytes, const char *key)
{
    uint8_t bytes[CUNA_DIGEST_NBYTES];
    if (!parse_key(bytes, key))
        return NULL;
    uint8_t *image = load_own(nbytes, key);
    return image != NULL ? image : load_packed(nbytes, key);
}

/* Creates a file under a unique name; names left by an earlier process with this id are skipped. */
static int open_temp(char *name, size_t capacity, int folder)
{
    static atomic_uint counter;
    for (int i = 0; i < NAME_TRIES; i++) {
        unsigned number = atomic_fetch_add(&counter, 1);
        snprintf(name, capacity, ".tmp-%ld-%u", (long)getpid(), number);
        int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Whether a file may be that long: writing past the limit would end the process by a signal. */
static bool may_write(size_t nbytes)
{
    struct rlimit limit;
    bool may = !getrlimit(RLIMIT_FSIZE, &limit) && (limit.rlim_cur == RLIM_INFINITY || nbytes <= limit.rlim_cur);
    errno = may ? errno : EFBIG;
    return may;
}

static bool write_entry(int fd, const char *key, const void *image, size_t nbytes)
{
    uint8_t trailer[TRAILER_NBYTES];
    return make_trailer(trailer, key, image, nbytes) && write_all(fd, image, nbytes) &&
           write_all(fd, trailer, sizeof trailer) && (nbytes < SYNCED_NBYTES || !fsync(fd));
}

static bool store_in(int folder, const char *key, const void *image, size_t nbytes)
{
    char name[64];
    int fd = open_temp(name, sizeof name, folder);
    if (fd < 0)
        return false;
    bool is_stored = write_entry(fd, key, image, nbytes);
    int trouble = is_stored ? 0 : errno;
    is_stored = !close(fd) && is_stored;
    is_stored = is_stored && !renameat(folder, name, folder, key);
    if (!is_stored) {
        trouble = trouble ? trouble : errno;
        unlinkat(folder, name, 0);
        errno = trouble;
    }
    return is_stored;
}

/* False, with errno set, if an image cannot be stored. */
static bool store(const char *key, const void *image, size_t nbytes)
{
    if (!may_write(nbytes + TRAILER_NBYTES))
        return false;
    int folder = cuna__cache_folder_open(key, true);
    if (folder < 0)
        return false;
    bool is_stored = store_in(folder, key, image, nbytes);
    int trouble = errno;
    close(folder);
    errno = trouble;
    return is_stored;
}

/* The status of an image that could not be stored, with errno set. */
static cuna_status fail_store(void)
{
    int trouble = errno;
    const char *reason, *folder = cuna__cache_folder_path(&reason);
    return folder ? cuna_fail(CUNA_VALUE, "cannot write to %s: %s", folder, strerror(trouble))
                  : cuna_fail(CUNA_VALUE, "%s", reason);
}

cuna_status cuna__cache_store(const char *key, const void *image, size_t nbytes)
{
    static atomic_uint stores;
    uint8_t bytes[CUNA_DIGEST_NBYTES];
    if (!nbytes || nbytes > MAX_NBYTES || !parse_key(bytes, key) || cuna__cache_folder_is_off())
        return CUNA_OK;
    if (!store(key, image, nbytes))
        return fail_store();
    unsigned number = atomic_fetch_add(&stores, 1);
    if (number % STORES_PER_SWEEP == 0)
        cuna__cache_folder_sweep(number > 0);
    return CUNA_OK;
}

const char *cuna_cache_folder(const char **reason)
{
    return cuna__cache_folder_path(reason);
}

/* Deletes an entry. */
static void drop(const char *key)
{
    int folder = cuna__cache_folder_open(key, false);
    if (folder < 0)
        return;
    unlinkat(folder, key, 0);
    close(folder);
}

cuna_status cuna_cache_check(void)
{
    static const char image[TEST_NBYTES];
    char key[CUNA_KEY_LENGTH + 1], process[24];
    const char *reason, *folder = cuna__cache_folder_path(&reason);
    size_t nbytes = 0;
    snprintf(process, sizeof process, "%ld", (long)getpid());
    cuna__cache_key(key, 2, (const char *const[]){"a test", process});
    if (!folder || !store(key, image, sizeof image))
        return fail_store();
    void *back = load_own(&nbytes, key);
    bool is_same = back && nbytes == sizeof image && !memcmp(back, image, nbytes);
    free(back);
    drop(key);
    return is_same ? CUNA_OK : cuna_fail(CUNA_VALUE, "what is written to %s does not come back", folder);
}
