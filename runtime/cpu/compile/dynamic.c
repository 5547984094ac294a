/* dynamic.c: reads the declaration of `__shared__` memory whose size the launch says: extern __shared__ T name[]. */
#define _GNU_SOURCE 1
#include "cpu/compile/dynamic.h"

#include <string.h>

#include "cpu/compile/token.h"

const char *cuna__cpu_dynamic_skip_attribute(const char *at, size_t length)
{
    static const char *const attributes[] = {"__align__", "alignas", "__attribute__", "__builtin_align__", NULL};
    if (!cuna__cpu_token_is_in(at, length, attributes))
        return NULL;
    const char *end = cuna__cpu_token_skip_blank(at + length);
    int depth = 0;
    for (; *end != 0 && *end != ';' && *end != '{'; end++) {
        depth += (*end == '(') - (*end == ')');
        if (depth == 0)
            return end + (*end == ')');
    }
    return NULL;
}

bool cuna__cpu_dynamic_parse(cuna_dynamic *out, const char *at, bool is_shared)
{
    *out = (cuna_dynamic){.type = at, .is_shared = is_shared};
    /* The name is the last word before the bracket that is not an attribute. */
    for (at = cuna__cpu_token_skip_blank(at); *at != 0 && strchr(";{}=#(\"", *at) == NULL && *at != '[';
         at = cuna__cpu_token_skip_blank(at)) {
        size_t length = cuna__cpu_token_word(at);
        const char *end = length > 0 ? cuna__cpu_dynamic_skip_attribute(at, length) : NULL;
        out->is_shared |= cuna__cpu_token_is(at, length, "__shared__");
        if (end == NULL && length > 0) {
            out->name = at;
            out->name_length = length;
        }
        at = end != NULL ? end : at + (length > 0 ? length : 1);
    }
    if (*at != '[' || !out->is_shared || out->name == NULL || out->name_length >= CUNA_DYNAMIC_NAME)
        return false;
    at = cuna__cpu_token_skip_blank(at + 1);
    /* The first length is empty, which makes the array dynamic; further lengths belong to the type. */
    at = out->lengths = *at == ']' ? cuna__cpu_token_skip_blank(at + 1) : "";
    while (*at == '[')
        at = cuna__cpu_token_skip_blank(at + strcspn(at, "];") + 1);
    out->type_end = out->name;
    out->end = at + 1;
    return *at == ';';
}

void cuna__cpu_dynamic_print_type(FILE *out, const cuna_dynamic *shared)
{
    for (const char *at = cuna__cpu_token_skip_blank(shared->type); at < shared->type_end;
         at = cuna__cpu_token_skip_blank(at)) {
        size_t length = cuna__cpu_token_word(at);
        const char *end = length > 0 ? cuna__cpu_dynamic_skip_attribute(at, length) : NULL;
        if (end == NULL && !cuna__cpu_token_is(at, length, "__shared__"))
            fprintf(out, "%.*s ", (int)(length > 0 ? length : 1), at);
        at = end != NULL ? end : at + (length > 0 ? length : 1);
    }
    fprintf(out, "%.*s", (int)(shared->end - 1 - shared->lengths), shared->lengths);
}
