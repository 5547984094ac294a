/* mpi.h: MPI as cuna calls it: its functions, found in a library at run time, and what its constants are there.
 *
 * No header of MPI is included, since every implementation has its own. A handle is passed as an uintptr_t: where it is
 * an int, that is the lower half of the register or of the place on the stack, and an out-parameter fills the lower half
 * of a zeroed one (little endian). Arrays of requests and statuses have other strides: there are none here. */
#ifndef CUNA_COMM_MPI_H
#define CUNA_COMM_MPI_H

#include "comm/engine.h"

typedef uintptr_t cuna_mpi_handle;
typedef void cuna_mpi_fold(void *in, void *inout, int *count, void *type); /* inout[i] = in[i] op inout[i] */

/* X(name, parameters...) */
#define CUNA_MPI_FUNCTIONS(X)                                                                               \
    X(Init_thread, int *argc, char ***argv, int required, int *provided)                                    \
    X(Initialized, int *flag)                                                                               \
    X(Finalize, void)                                                                                       \
    X(Abort, cuna_mpi_handle comm, int code)                                                                \
    X(Comm_rank, cuna_mpi_handle comm, int *rank)                                                           \
    X(Comm_size, cuna_mpi_handle comm, int *size)                                                           \
    X(Comm_split, cuna_mpi_handle comm, int color, int key, cuna_mpi_handle *out)                           \
    X(Comm_split_type, cuna_mpi_handle comm, int type, int key, cuna_mpi_handle info, cuna_mpi_handle *out) \
    X(Comm_dup, cuna_mpi_handle comm, cuna_mpi_handle *out)                                                 \
    X(Comm_free, cuna_mpi_handle *comm)                                                                     \
    X(Comm_set_errhandler, cuna_mpi_handle comm, cuna_mpi_handle handler)                                   \
    X(Get_library_version, char *text, int *length)                                                         \
    X(Error_string, int code, char *text, int *length)                                                      \
    X(Op_create, cuna_mpi_fold *fold, int commutes, cuna_mpi_handle *out)                                   \
    X(Isend, const void *in, int count, cuna_mpi_handle type, int to, int tag, cuna_mpi_handle comm,        \
      cuna_mpi_handle *request)                                                                             \
    X(Irecv, void *out, int count, cuna_mpi_handle type, int from, int tag, cuna_mpi_handle comm,           \
      cuna_mpi_handle *request)                                                                             \
    X(Test, cuna_mpi_handle *request, int *flag, void *status)                                              \
    X(Iprobe, int from, int tag, cuna_mpi_handle comm, int *flag, void *status)

/* X(name, name of the form that returns at once and has a request as its last parameter, parameters...) */
#define CUNA_MPI_COLLECTIVES(X)                                                                                      \
    X(Barrier, Ibarrier, cuna_mpi_handle comm)                                                                       \
    X(Bcast, Ibcast, void *data, int count, cuna_mpi_handle type, int root, cuna_mpi_handle comm)                    \
    X(Allreduce, Iallreduce, const void *in, void *out, int count, cuna_mpi_handle type, cuna_mpi_handle op,         \
      cuna_mpi_handle comm)                                                                                          \
    X(Reduce, Ireduce, const void *in, void *out, int count, cuna_mpi_handle type, cuna_mpi_handle op, int root,     \
      cuna_mpi_handle comm)                                                                                          \
    X(Scan, Iscan, const void *in, void *out, int count, cuna_mpi_handle type, cuna_mpi_handle op,                   \
      cuna_mpi_handle comm)                                                                                          \
    X(Exscan, Iexscan, const void *in, void *out, int count, cuna_mpi_handle type, cuna_mpi_handle op,               \
      cuna_mpi_handle comm)                                                                                          \
    X(Reduce_scatter, Ireduce_scatter, const void *in, void *out, const int *counts, cuna_mpi_handle type,           \
      cuna_mpi_handle op, cuna_mpi_handle comm)                                                                      \
    X(Gatherv, Igatherv, const void *in, int count, cuna_mpi_handle in_type, void *out, const int *counts,           \
      const int *places, cuna_mpi_handle type, int root, cuna_mpi_handle comm)                                       \
    X(Allgatherv, Iallgatherv, const void *in, int count, cuna_mpi_handle in_type, void *out, const int *counts,     \
      const int *places, cuna_mpi_handle type, cuna_mpi_handle comm)                                                 \
    X(Scatterv, Iscatterv, const void *in, const int *counts, const int *places, cuna_mpi_handle in_type, void *out, \
      int count, cuna_mpi_handle type, int root, cuna_mpi_handle comm)                                               \
    X(Alltoallv, Ialltoallv, const void *in, const int *in_counts, const int *in_places, cuna_mpi_handle in_type,    \
      void *out, const int *counts, const int *places, cuna_mpi_handle type, cuna_mpi_handle comm)

/* X(field, value of Open MPI, where "" is a symbol whose address it is, of MPICH and its family, of MPI 5's ABI) */
#define CUNA_MPI_HANDLES(X)                                       \
    X(comm_world, "ompi_mpi_comm_world", 0x44000000, 0x101)       \
    X(comm_null, "ompi_mpi_comm_null", 0x04000000, 0x100)         \
    X(info_null, "ompi_mpi_info_null", 0x1c000000, 0x130)         \
    X(errors_return, "ompi_mpi_errors_return", 0x54000001, 0x143) \
    X(op_sum, "ompi_mpi_op_sum", 0x58000003, 0x21)                \
    X(op_prod, "ompi_mpi_op_prod", 0x58000004, 0x24)              \
    X(op_max, "ompi_mpi_op_max", 0x58000001, 0x23)                \
    X(op_min, "ompi_mpi_op_min", 0x58000002, 0x22)                \
    X(type_int8, "ompi_mpi_int8_t", 0x4c000137, 0x240)            \
    X(type_int16, "ompi_mpi_int16_t", 0x4c000238, 0x248)          \
    X(type_int32, "ompi_mpi_int32_t", 0x4c000439, 0x250)          \
    X(type_int64, "ompi_mpi_int64_t", 0x4c00083a, 0x258)          \
    X(type_uint8, "ompi_mpi_uint8_t", 0x4c00013b, 0x241)          \
    X(type_uint16, "ompi_mpi_uint16_t", 0x4c00023c, 0x249)        \
    X(type_uint32, "ompi_mpi_uint32_t", 0x4c00043d, 0x251)        \
    X(type_uint64, "ompi_mpi_uint64_t", 0x4c00083e, 0x259)        \
    X(type_float, "ompi_mpi_float", 0x4c00040a, 0x210)            \
    X(type_double, "ompi_mpi_double", 0x4c00080b, 0x214)          \
    X(type_double_complex, "ompi_mpi_c_double_complex", 0x4c001041, 0x216)

/* X(field, Open MPI, MPICH, MPI 5's ABI) */
#define CUNA_MPI_NUMBERS(X)              \
    X(thread_multiple, 3, 3, 4096)       \
    X(type_shared, 0, 1, 221)            \
    X(undefined, -32766, -32766, -32766) \
    X(in_place, 1, -1, 1)                \
    X(status_ignore, 0, 1, 0)

typedef struct cuna_mpi {
#define FUNCTION(name, ...) int (*name)(__VA_ARGS__);
    CUNA_MPI_FUNCTIONS(FUNCTION)
#undef FUNCTION
#define COLLECTIVE(name, started, ...) \
    int (*name)(__VA_ARGS__);          \
    int (*started)(__VA_ARGS__, cuna_mpi_handle * request);
    CUNA_MPI_COLLECTIVES(COLLECTIVE)
#undef COLLECTIVE
#define HANDLE(field, open, mpich, standard) cuna_mpi_handle field;
    CUNA_MPI_HANDLES(HANDLE)
#undef HANDLE
#define NUMBER(field, open, mpich, standard) intptr_t field;
    CUNA_MPI_NUMBERS(NUMBER)
#undef NUMBER
    const char *abi;
    char file[512]; /* the library's name */
} cuna_mpi;

extern cuna_mpi cuna__mpi;

/* Fills it. DEVICE. */
cuna_status cuna__mpi_open(void);

/* The type whose elements have an element's size, to move them. */
cuna_mpi_handle cuna__mpi_unit(cuna_dtype dtype);

/* Type and operation that reduce a dtype. A code of MPI's when an operation cannot be made. */
int cuna__mpi_reduction(cuna_mpi_handle *type, cuna_mpi_handle *op, cuna_dtype dtype, cuna_comm_op what);

/* Transfers, at once where `pending` is NULL. */
int cuna__mpi_transfer(cuna_mpi_handle comm, const cuna_comm_work *work, cuna_comm_pending *pending);

/* Waits for what is pending. */
int cuna__mpi_complete(cuna_comm_pending *pending);
int cuna__mpi_test(bool *done, cuna_comm_pending *pending);

#endif
