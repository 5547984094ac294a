/* nccl_meet.h: what members of a simulated NCCL communicator share, and the two halves of their calls. */
#ifndef SIMGPU_NCCL_MEET_H
#define SIMGPU_NCCL_MEET_H

#include "simgpu.h"

#define MOST_MEMBERS   8
#define PART_NBYTES    ((size_t)32 << 20) /* of a member's part of a collective call */
#define MESSAGES       16                 /* of a pair under way */
#define MESSAGE_NBYTES ((size_t)4 << 20)

enum kind { ALL_REDUCE, REDUCE, REDUCE_SCATTER, BROADCAST, ALL_GATHER, SEND, RECV };

/* What members of a collective call must have alike. */
struct what {
    uint64_t kind, count, type, op, root;
};

/* A member's part: number `posted` is there, and all up to `taken` have been read by it. */
struct part {
    uint64_t posted, taken;
    struct what what;
    _Alignas(64) unsigned char data[PART_NBYTES];
};

struct box {
    uint64_t put, got;
    uint64_t nbytes[MESSAGES];
    _Alignas(64) unsigned char data[MESSAGES][MESSAGE_NBYTES];
};

/* The file. Pages that nobody touches take no room. */
struct meeting {
    uint32_t joined;
    int32_t ordinals[MOST_MEMBERS];
    struct part parts[MOST_MEMBERS];
    struct box boxes[MOST_MEMBERS][MOST_MEMBERS]; /* from, to */
};

struct comm {
    struct simgpu_handle handle;
    struct meeting *meeting;
    int rank, size;
    uint64_t posted, taken; /* as the parts' */
};

#define SIMGPU_NCCL_TYPES 10
extern const size_t simgpu__nccl_sizes[SIMGPU_NCCL_TYPES]; /* of elements, by ncclDataType_t */

/* A collective call. */
struct collective {
    struct comm *comm;
    struct what what;
    const void *in;
    void *out;
};

struct message {
    void *at;
    uint64_t nbytes, peer;
};

/* The messages of a group in one direction. */
struct messages {
    struct comm *comm;
    uint64_t count;
    struct message list[];
};

/* Elements that a member gives. */
size_t simgpu__nccl_given(const struct collective *c);

/* Works of streams, whose argument is a struct collective, and when their turn may come. */
bool simgpu__nccl_may_post(const void *arguments);
cu_result simgpu__nccl_post(const void *arguments);
bool simgpu__nccl_may_take(const void *arguments);
cu_result simgpu__nccl_take(const void *arguments);

/* The same of struct messages. */
bool simgpu__nccl_may_send(const void *arguments);
cu_result simgpu__nccl_send(const void *arguments);
bool simgpu__nccl_may_receive(const void *arguments);
cu_result simgpu__nccl_receive(const void *arguments);

#endif
