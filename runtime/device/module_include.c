/* module_include.c: finds the files that users' sources include.
 *
 * Two modules are equal only if all files are equal that their compilation may read. These files are overestimated
 * without a preprocessor: every name after `include` counts, under any condition and in comments too, and so does
 * every file of that name in any searched folder. Other names are headers of the compiler or the device. A name that a
 * macro produces is unknown.
 *
 * A toolkit has thousands of headers, which nobody edits: they are known by the times and sizes of those that a user's
 * file names, and by the times of their folders. They are searched only if a name is not among the device's headers, or
 * is and has declarations there; then the toolkit's files replace the device's.
 *
 * The scan does not tokenise on purpose: 48 lines search for two words. A missed file would leave a stale module in
 * use, while an extra name only compiles once more; a tokeniser errs in the other direction. */
#define _GNU_SOURCE 1
#include "device/module_include.h"

#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/digest.h"

struct search {
    cuna_module_include *out;
    int nfolders;         /* of options; after them one more, of the source */
    const char **folders; /* in the options' texts */
    const cuna_driver_facts *facts;
    bool includes, failed;
    int count, capacity;
    char **paths; /* of files that were found, in order */
    void *places; /* the same, by tsearch: each in its real folder, so that no `..` makes them endless */
};

static bool check_memory(struct search *s, bool done)
{
    s->failed |= !done;
    return done;
}

/* ---- files ---- */

/* "folder/name"; NULL when there is no such file, or no memory. */
static char *find_file(struct search *s, const char *folder, const char *name)
{
    struct stat facts;
    char *path = NULL;
    bool absolute = *name == '/' || *folder == '\0';
    if (!check_memory(s, asprintf(&path, "%s%s%s", absolute ? "" : folder, absolute ? "" : "/", name) >= 0))
        return NULL;
    if (stat(path, &facts) == 0 && S_ISREG(facts.st_mode))
        return path;
    free(path);
    return NULL;
}

static char *folder_of(const char *path)
{
    const char *end = strrchr(path, '/');
    return end == NULL ? strdup(".") : strndup(path, end == path ? 1 : (size_t)(end - path));
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Whether a file was not there before. */
static bool is_new(struct search *s, const char *path)
{
    char real[PATH_MAX], *place = NULL, *folder = folder_of(path);
    const char *name = strrchr(path, '/');
    const char *at = folder != NULL && realpath(folder, real) != NULL ? real : folder;
    bool done = at != NULL && asprintf(&place, "%s/%s", at, name != NULL ? name + 1 : path) >= 0;
    free(folder);
    char **node = done ? tsearch(place, &s->places, compare) : NULL;
    bool added = node != NULL && *node == place;
    if (!added)
        free(place);
    return check_memory(s, node != NULL) && added;
}

static bool push(struct search *s, char *path)
{
    if (s->count == s->capacity) {
        char **grown = realloc(s->paths, (size_t)(s->capacity * 2 + 16) * sizeof *grown);
        if (!check_memory(s, grown != NULL))
            return false;
        s->paths = grown;
        s->capacity = s->capacity * 2 + 16;
    }
    s->paths[s->count++] = path;
    return true;
}

static void look(struct search *s, const char *folder, const char *name)
{
    char *path = find_file(s, folder, name);
    if (path != NULL && !(is_new(s, path) && push(s, path)))
        free(path);
}

/* ---- the toolkit ---- */

static const cuna_header *find_header(const struct search *s, const char *name)
{
    for (const cuna_header *const *list = s->facts->headers; list != NULL && *list != NULL; list++)
        for (const cuna_header *header = *list; header->name != NULL; header++)
            if (strcmp(header->name, name) == 0)
                return header;
    return NULL;
}

static void add_facts(struct search *s, const char *path)
{
    struct stat facts = {0};
    stat(path, &facts);
    cuna__strbuf_printf(&s->out->text, "toolkit %s %lld %lld.%09ld\n", path, (long long)facts.st_size,
                        (long long)facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

static void scan(struct search *s, const char *folder, const char *text);

static void use_toolkit(struct search *s)
{
    if (s->out->folders != NULL)
        return;
    s->out->folders = s->facts->header_folders;
    while (s->out->folders != NULL && s->out->folders[s->out->nfolders] != NULL)
        add_facts(s, s->out->folders[s->out->nfolders++]);
}

/* A header of the device that the toolkit's does not replace may include others of the toolkit. */
static void look_in_toolkit(struct search *s, const char *name)
{
    const cuna_header *header = find_header(s, name);
    bool stays = header != NULL && (header->texts == NULL || header->kind != CUNA_HEADER_REPLACED);
    for (const char *const *part = stays ? header->texts : NULL; part != NULL && *part != NULL; part++)
        scan(s, NULL, *part);
    for (const char *const *folder = s->facts->header_folders; folder != NULL && *folder != NULL; folder++) {
        char *path = stays || *name == '/' ? NULL : find_file(s, *folder, name);
        if (path != NULL) {
            use_toolkit(s);
            add_facts(s, path);
        }
        free(path);
    }
}

/* `own`: the folder of the text that includes it, NULL when that one does not count. */
static void look_everywhere(struct search *s, const char *own, const char *name)
{
    if (own != NULL)
        look(s, own, name);
    for (int i = 0; i <= s->nfolders && *name != '/'; i++)
        look(s, s->folders[i], name);
    if (own == NULL && *name == '/')
        look(s, "", name);
    look_in_toolkit(s, name);
}

/* Malloc'd, with a NUL at the end; NULL when it cannot be read. */
static char *read_file(size_t *nbytes, const char *path)
{
    char *text = NULL;
    FILE *file = fopen(path, "re"), *out = file != NULL ? open_memstream(&text, nbytes) : NULL;
    char block[16384];
    for (size_t count; out != NULL && (count = fread(block, 1, sizeof block, file)) > 0;)
        fwrite(block, 1, count, out);
    bool done = out != NULL && !ferror(file) && !ferror(out);
    if (out != NULL && fclose(out) != 0)
        done = false;
    if (file != NULL)
        fclose(file);
    if (done)
        return text;
    free(text);
    return NULL;
}

/* ---- text ---- */

static const char *skip_blank(const char *at)
{
    for (;;) {
        const char *end = strncmp(at, "/*", 2) == 0 ? strstr(at + 2, "*/") : NULL;
        if (end != NULL)
            at = end + 2;
        else if (*at == ' ' || *at == '\t' || *at == '(')
            at++;
        else if (strncmp(at, "\\\n", 2) == 0)
            at += 2;
        else
            return at;
    }
}

/* Whether the word at `at` follows '#', or "%:". */
static bool is_directive(const char *text, const char *at)
{
    while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at > text && (at[-1] == '#' || (at - text > 1 && at[-1] == ':' && at[-2] == '%'));
}

/* `at`: after the word. */
static void take_name(struct search *s, const char *folder, const char *at, bool directive)
{
    bool next = strncmp(at, "_next", strlen("_next")) == 0;
    at = skip_blank(at + (next ? strlen("_next") : 0));
    bool quoted = *at == '"', named = quoted || *at == '<';
    size_t length = named ? strcspn(at + 1, quoted ? "\"\n" : ">\n") : 0;
    s->includes |= named || directive;
    s->out->is_unknown |= directive && !named;
    if (directive && !named)
        use_toolkit(s);
    if (length == 0)
        return;
    char *name = strndup(at + 1, length);
    if (check_memory(s, name != NULL))
        look_everywhere(s, quoted ? folder : NULL, name);
    free(name);
}

static void scan(struct search *s, const char *folder, const char *text)
{
    static const char *const words[] = {"include", "import"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = text; (at = strstr(at, words[i])) != NULL; at += strlen(words[i]))
            take_name(s, folder, at + strlen(words[i]), is_directive(text, at));
}

static void scan_file(struct search *s, const char *path)
{
    char digest[CUNA_DIGEST_LENGTH + 1], *folder = folder_of(path);
    size_t nbytes = 0;
    char *text = read_file(&nbytes, path);
    if (check_memory(s, folder != NULL) && text != NULL) {
        cuna__digest_text(digest, text, nbytes);
        cuna__strbuf_printf(&s->out->text, "file %s\n%s\n", path, digest);
        scan(s, folder, text);
    }
    s->out->is_unknown |= text == NULL || strlen(text) != nbytes;
    free(folder);
    free(text);
}

/* ---- options ---- */

/* The value of an option of one of two names; it may be the next word. */
static const char *read_value(const cuna_module_text *source, int *i, const char *name, const char *other)
{
    const char *option = source->options[*i], *at = option + strspn(option, "-");
    size_t length = strncmp(at, name, strlen(name)) == 0     ? strlen(name)
                    : strncmp(at, other, strlen(other)) == 0 ? strlen(other)
                                                             : 0;
    bool sticks = length == 1; /* -Ifolder */
    if (at == option || length == 0 || (!sticks && at[length] != '\0' && strchr("= ", at[length]) == NULL))
        return NULL;
    at += length;
    if (*at == '\0')
        return *i + 1 < source->noptions ? source->options[++*i] : NULL;
    at += *at == '=';
    return at + strspn(at, " ");
}

static void read_folders(struct search *s, const cuna_module_text *source)
{
    for (int i = 0; i < source->noptions; i++) {
        const char *folder = read_value(source, &i, "I", "include-path");
        if (folder != NULL)
            s->folders[s->nfolders++] = folder;
    }
}

static void read_files(struct search *s, const cuna_module_text *source)
{
    for (int i = 0; i < source->noptions; i++) {
        const char *name = read_value(source, &i, "include", "pre-include");
        if (name == NULL)
            continue;
        s->includes = true;
        look_everywhere(s, ".", name);
    }
}

/* ---- the device's headers ---- */

/* A file of that name is taken instead, though compilers would prefer what is given to them. */
static bool is_replaced(struct search *s, const cuna_header *header)
{
    char *path = NULL;
    for (int i = 0; i < s->nfolders && path == NULL; i++)
        path = find_file(s, s->folders[i], header->name);
    for (int i = 0; i < s->out->nfolders && path == NULL && header->kind == CUNA_HEADER_REPLACED; i++)
        path = find_file(s, s->out->folders[i], header->name);
    free(path);
    return path != NULL;
}

static void add_header(struct search *s, const cuna_header *header, bool is_written)
{
    cuna_module_include *out = s->out;
    cuna_strbuf text = {0};
    cuna__strbuf_add(&text, "");
    for (const char *const *part = header->texts; part != NULL && *part != NULL; part++)
        cuna__strbuf_add(&text, *part);
    if (!check_memory(s, !text.failed)) {
        cuna__strbuf_free(&text);
        return;
    }
    cuna__strbuf_printf(&out->text, "header %s\n%s", header->name, is_written ? "" : text.text);
    out->names[out->nheaders] = header->name;
    out->headers[out->nheaders++] = text.text;
}

static void add_list(struct search *s, const cuna_header *headers)
{
    const char *const *last = NULL;
    for (; headers->name != NULL; headers++) {
        if (is_replaced(s, headers))
            continue;
        add_header(s, headers, headers->texts == last);
        last = headers->texts;
    }
}

static void add_headers(struct search *s, const cuna_header *const *lists)
{
    size_t count = 0;
    for (int k = 0; lists[k] != NULL; k++)
        for (int i = 0; lists[k][i].name != NULL; i++)
            count++;
    s->out->names = calloc(count + 1, sizeof *s->out->names);
    s->out->headers = calloc(count + 1, sizeof *s->out->headers);
    if (!check_memory(s, s->out->names != NULL && s->out->headers != NULL))
        return;
    for (; *lists != NULL; lists++)
        add_list(s, *lists);
}

/* ---- the whole ---- */

static void run(struct search *s, const cuna_module_text *source)
{
    char *own = folder_of(source->name);
    s->folders = calloc((size_t)source->noptions + 1, sizeof *s->folders);
    if (check_memory(s, s->folders != NULL && own != NULL)) {
        read_folders(s, source);
        s->folders[s->nfolders] = own;
        read_files(s, source);
        scan(s, ".", source->text);
        for (int i = 0; i < s->count; i++)
            scan_file(s, s->paths[i]);
        if (s->includes && s->facts->headers != NULL)
            add_headers(s, s->facts->headers);
    }
    free(own);
}

cuna_status cuna__module_include_read(cuna_module_include *out, const cuna_device *device,
                                      const cuna_module_text *source)
{
    *out = (cuna_module_include){0};
    struct search s = {.out = out, .facts = &device->driver->facts};
    cuna__strbuf_add(&out->text, "");
    run(&s, source);
    for (int i = 0; i < s.count; i++)
        free(s.paths[i]);
    free(s.paths);
    free(s.folders);
    tdestroy(s.places, free);
    if (s.failed)
        return cuna_fail(CUNA_MEMORY, "the host has no memory left for a kernel");
    return cuna__strbuf_status(&out->text);
}

int cuna__module_include_options(const char **options, int noptions, const cuna_module_include *include)
{
    for (int i = 0; i < include->nfolders; i++) {
        options[noptions++] = "--include-path";
        options[noptions++] = include->folders[i];
    }
    return noptions;
}

void cuna__module_include_free(cuna_module_include *include)
{
    for (int i = 0; i < include->nheaders; i++)
        free(include->headers[i]);
    free(include->headers);
    free(include->names);
    cuna__strbuf_free(&include->text);
}
