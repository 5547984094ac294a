/* check.c: whether all ranks call the same.
 *
 * Each rank's signature is hashed. Ranks that share a machine write the hashes on a wall (wall.c); else one reduction of
 * the hash and its opposite finds the greatest and the least, which are equal when all are. It is started, never called:
 * a rank that ends starts one too, and its signature is the end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "comm/wall.h"

/* Up to the fields for messages. */
#define COMPARED_NBYTES offsetof(cuna_comm_signature, number)

static int64_t hash_of(const cuna_comm_signature *signature)
{
    uint64_t hash = 0x9e3779b97f4a7c15, word;
    const char *bytes = (const char *)signature;
    for (size_t at = 0; at < COMPARED_NBYTES; at += sizeof word) {
        memcpy(&word, bytes + at, sizeof word);
        hash = (hash ^ word) * 0xff51afd7ed558ccd;
        hash ^= hash >> 32;
    }
    return (int64_t)(hash >> 1);
}

int cuna__check_start(cuna_comm *comm, const cuna_comm_signature *signature, cuna_comm_check *check)
{
    const cuna_comm_work work = {.kind = CUNA_COMM_ALL_REDUCE,
                                 .op = CUNA_COMM_MAX,
                                 .dtype = CUNA_INT64,
                                 .in = check->words,
                                 .out = check->found,
                                 .count = 2};
    check->words[0] = hash_of(signature);
    check->words[1] = -check->words[0];
    if (comm->wall == NULL)
        return cuna__job.engine->start(comm->control, &work, &check->pending);
    cuna__wall_start(comm, check);
    return CUNA_COMM_OK;
}

int cuna__check_test(cuna_comm *comm, bool *done, cuna_comm_check *check)
{
    if (comm->wall != NULL)
        return cuna__wall_test(comm, done, check);
    int code = cuna__job.engine->test(done, &check->pending);
    if (*done)
        check->agrees = check->found[0] == -check->found[1];
    return code;
}

void cuna__check_end(cuna_comm_signature *out)
{
    *out = (cuna_comm_signature){.name = "has ended", .dtype = CUNA_DTYPES, .ndim = -1, .peer = -1};
}

/* ---- in words ---- */

static void describe_shape(char *text, size_t nbytes, const cuna_comm_signature *s)
{
    char whole[256];
    const int known = (int)(sizeof s->shape / sizeof *s->shape);
    cuna__shape_text(whole, sizeof whole, s->ndim < known ? s->ndim : known, s->shape);
    if (s->uneven && s->ndim > 0) { /* the first length is any */
        const char *rest = strchr(whole, ',');
        snprintf(text, nbytes, " (...%s", rest);
    } else {
        snprintf(text, nbytes, " %s", whole);
    }
}

void cuna__check_describe(char *text, size_t nbytes, const cuna_comm_signature *s)
{
    char shape[300] = "", peer[40] = "", note[64] = "";
    const char *to = strcmp(s->name, "send") == 0       ? " to rank %d"
                     : strncmp(s->name, "recv", 4) == 0 ? " from rank %d"
                     : s->is_message                    ? " with rank %d"
                                                        : " with root %d";
    if (s->ndim >= 0 && s->dtype != CUNA_DTYPES)
        describe_shape(shape, sizeof shape, s);
    if (s->on_device)
        strcat(shape, " on a GPU");
    if (s->peer >= 0)
        snprintf(peer, sizeof peer, to, s->peer);
    if (s->note[0] != '\0')
        snprintf(note, sizeof note, " %s", s->note);
    bool has_dtype = s->dtype != CUNA_DTYPES && s->place[0] != '\0';
    snprintf(text, nbytes, "%s%s%s%s%s%s%s%s%s%s", s->name, s->op[0] != '\0' ? " " : "", s->op, has_dtype ? " " : "",
             has_dtype ? cuna_dtype_name((cuna_dtype)s->dtype) : "", has_dtype ? shape : "", note, peer,
             s->place[0] != '\0' ? " at " : "", s->place);
}

/* ---- what the ranks do ---- */

typedef char text_of_rank[600];

/* Adds the ranks from `first` on whose text is the same, and marks them: "rank 0, 2, 3: ..." */
static void add_group(cuna_strbuf *line, const cuna_comm *comm, text_of_rank *texts, int first)
{
    int shown = 0;
    text_of_rank text;
    memcpy(text, texts[first], sizeof text);
    for (int r = first; r < comm->size; r++) {
        if (strcmp(texts[r], text) != 0)
            continue;
        texts[r][0] = '\0';
        if (shown++ < 16)
            cuna__strbuf_printf(line, "%s%d", shown == 1 ? "rank " : ", ", comm->ranks[r]);
    }
    cuna__strbuf_printf(line, "%s: %s", shown > 16 ? ", ..." : "", text);
}

static cuna_status fail_with(const cuna_comm *comm, const cuna_comm_signature *all, text_of_rank *texts)
{
    cuna_strbuf line = {.text = NULL};
    int groups = 0;
    for (int r = 0; r < comm->size; r++)
        cuna__check_describe(texts[r], sizeof texts[r], &all[r]);
    for (int r = 0; r < comm->size; r++)
        if (texts[r][0] != '\0') {
            if (++groups <= 4) {
                cuna__strbuf_add(&line, groups > 1 ? "; " : "");
                add_group(&line, comm, texts, r);
            }
        }
    if (groups == 1)
        cuna__strbuf_add(&line, ", with other details");
    cuna_status status = cuna__strbuf_status(&line);
    if (status == CUNA_OK)
        status = cuna_fail(CUNA_VALUE, "ranks do not do the same: %s%s", line.text, groups > 4 ? "; ..." : "");
    cuna__strbuf_free(&line);
    return status;
}

cuna_status cuna__check_explain(cuna_comm *comm, const cuna_comm_signature *own)
{
    const size_t nbytes = sizeof *own, size = (size_t)comm->size;
    cuna_comm_signature *all = calloc(size, nbytes);
    text_of_rank *texts = calloc(size, sizeof *texts);
    int64_t *counts = calloc(size, sizeof *counts);
    cuna_status status = cuna_fail(CUNA_MEMORY, "the host has no memory left");
    if (all != NULL && texts != NULL && counts != NULL) {
        for (size_t r = 0; r < size; r++)
            counts[r] = (int64_t)nbytes;
        const cuna_comm_work work = {
            .kind = CUNA_COMM_ALL_GATHER, .dtype = CUNA_UINT8, .in = own, .out = all, .out_counts = counts};
        status = cuna__comm_judge(cuna__job.engine->run(comm->talk, &work), own->name);
        if (status == CUNA_OK)
            status = fail_with(comm, all, texts);
    }
    free(all);
    free(texts);
    free(counts);
    return status;
}
