/* environment.c: environment variables, which only this file reads.
 *
 * A row defines the legal values of one of cuna's variables. All rows are checked when cuna is loaded, so that a wrong
 * value is always reported; an empty value counts as unset. Values that only their use can check (a device, a compiler,
 * flags) have no row: their users raise. The cache folder, which is created when needed and may disappear, has none
 * either. */
#define _GNU_SOURCE 1
#include "base/environment.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum kind {
    WHOLE,   /* a whole number up to `most` */
    NBYTES,  /* bytes, or a percentage */
    LIBRARY, /* a readable file, a name for the loader, or "off" */
    FOLDER,  /* a folder, or "off" */
    CHOICE,  /* one of the words in `accepted` */
} kind;

static const struct row {
    const char *name;
    kind kind;
    uint64_t least, most;
    const char *accepted;
} rows[] = {
    {"CUNA_SYNC", WHOLE, 0, 1, "give 0 or 1"},
    {"CUNA_EAGER", WHOLE, 0, 1, "give 0 or 1"},
    {"CUNA_RANDOM_SEED", WHOLE, 0, UINT64_MAX, "give a whole number from 0 to 2^64 - 1"},
    {"CUNA_NUM_THREADS", WHOLE, 1, 256, "give a whole number from 1 to 256"},
    {"CUNA_CACHE_SIZE", WHOLE, 0, INT64_MAX, "give a whole number of bytes"},
    {"CUNA_INDEX_LIMIT", WHOLE, 1, INT32_MAX, "give a whole number from 1 to 2^31 - 1"},
    {"CUNA_RECORD_LIMIT", WHOLE, 0, INT64_MAX, "give a whole number of bytes"},
    {"CUNA_MEMORY_LIMIT", NBYTES, 0, 0, "give bytes or a percentage such as 50%"},
    {"CUNA_NVRTC", LIBRARY, 0, 0, "give the path of the NVRTC library, or off"},
    {"CUNA_OPENBLAS", LIBRARY, 0, 0, "give the path of the OpenBLAS library, or off"},
    {"CUNA_CURAND", LIBRARY, 0, 0, "give the path of the cuRAND library, or off"},
    {"CUNA_FFTW", FOLDER, 0, 0, "give the folder of FFTW's libraries, or off"},
    {"CUNA_COMPILE", CHOICE, 0, 0, "give background, wait or never"},
    {"CUNA_LOG", CHOICE, 0, 0, "give compile, fuse or all"},
    {"CUNA_MPI", LIBRARY, 0, 0, "give the path of the MPI library, or off"},
    {"CUNA_NCCL", LIBRARY, 0, 0, "give the path of the NCCL library, or off"},
    {"CUNA_DISTRIBUTED_CHECK", CHOICE, 0, 0, "give auto, all or off"},
    {"CUNA_DISTRIBUTED_SHARED", CHOICE, 0, 0, "give on or off"},
    {"CUNA_DISTRIBUTED_TIMEOUT", WHOLE, 1, INT32_MAX, "give a whole number of seconds"},
    {"CUNA_DISTRIBUTED_LIMIT", WHOLE, 1, 1 << 30, "give a whole number from 1 to 2^30"},
    {"CUNA_PACK_DIR", FOLDER, 0, 0, "give the folder that make pack filled, or off"},
};

const char *cuna__environment_text(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

bool cuna__environment_is_off(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && (*value == '\0' || strcmp(value, "off") == 0);
}

/* Digits only: strtoull also accepts signs and blanks. */
static bool parse_whole(uint64_t *out, const char *text, const struct row *row)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return isdigit((unsigned char)*text) && *end == '\0' && errno == 0 && *out >= row->least && *out <= row->most;
}

static bool parse_nbytes(int64_t *out, const char *text, int64_t total)
{
    char *end;
    double value = strtod(text, &end);
    bool percent = *end == '%';
    if (end == text || !(value >= 0) || end[percent] != '\0' || (percent && value > 100) || value > 9e18)
        return false;
    *out = percent ? (int64_t)((double)total * value / 100) : (int64_t)value;
    return true;
}

/* Whether a path exists; otherwise errno is the reason. */
static bool is_there(const char *path, bool folder)
{
    struct stat facts;
    if (stat(path, &facts) != 0 || access(path, R_OK) != 0)
        return false;
    errno = folder ? ENOTDIR : EISDIR;
    return (bool)S_ISDIR(facts.st_mode) == folder;
}

/* Whether `text` is a word of a list. */
static bool is_choice(const char *text, const char *list)
{
    size_t length = strlen(text);
    const char *at = strpbrk(text, " ,") == NULL ? strstr(list, text) : NULL;
    for (; at != NULL; at = strstr(at + 1, text))
        if (at > list && at[-1] == ' ' && (at[length] == '\0' || at[length] == ',' || at[length] == ' '))
            return strcmp(text, "or") != 0;
    errno = 0;
    return false;
}

/* Whether a value is legal for its row; errno is the system's error for a path, else 0. */
static bool is_good(const struct row *row, const char *text)
{
    uint64_t whole;
    int64_t nbytes;
    if (row->kind == CHOICE)
        return is_choice(text, row->accepted);
    bool good = row->kind == WHOLE ? parse_whole(&whole, text, row) : parse_nbytes(&nbytes, text, 0);
    errno = 0;
    if (row->kind == WHOLE || row->kind == NBYTES)
        return good;
    if (strcmp(text, "off") == 0 || (row->kind == LIBRARY && strchr(text, '/') == NULL))
        return true;
    return is_there(text, row->kind == FOLDER);
}

cuna_status cuna__environment_check(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *text = cuna__environment_text(rows[i].name);
        if (text != NULL && !is_good(&rows[i], text))
            return cuna_fail(CUNA_VALUE, "%s is '%.300s'%s%s; %s", rows[i].name, text, errno != 0 ? ": " : "",
                             errno != 0 ? strerror(errno) : "", rows[i].accepted);
    }
    return CUNA_OK;
}

bool cuna__environment_logs(const char *subject)
{
    const char *text = cuna__environment_text("CUNA_LOG");
    return text != NULL && (strcmp(text, subject) == 0 || strcmp(text, "all") == 0);
}

static const struct row *find_row(const char *name)
{
    const struct row *row = rows;
    while (strcmp(row->name, name) != 0) /* every variable read as a number has a row */
        row++;
    return row;
}

int64_t cuna__environment_number(const char *name, int64_t otherwise)
{
    uint64_t value;
    const char *text = cuna__environment_text(name);
    return text != NULL && parse_whole(&value, text, find_row(name)) ? (int64_t)value : otherwise;
}

int64_t cuna__environment_nbytes(const char *name, int64_t total, int64_t otherwise)
{
    int64_t value;
    const char *text = cuna__environment_text(name);
    return text != NULL && parse_nbytes(&value, text, total) ? value : otherwise;
}
