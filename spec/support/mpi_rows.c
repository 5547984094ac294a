/* mpi_rows.c: the constants of comm/mpi.h against an implementation's mpi.h, which -I names. COLUMN is its column: 1 Open
 * MPI's (numbers only: handles are symbols), 2 MPICH's, 3 MPI 5's. Prints each that differs; the exit status is their
 * number. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include "comm/mpi.h"

#define comm_world          MPI_COMM_WORLD
#define comm_null           MPI_COMM_NULL
#define info_null           MPI_INFO_NULL
#define errors_return       MPI_ERRORS_RETURN
#define op_sum              MPI_SUM
#define op_prod             MPI_PROD
#define op_max              MPI_MAX
#define op_min              MPI_MIN
#define type_int8           MPI_INT8_T
#define type_int16          MPI_INT16_T
#define type_int32          MPI_INT32_T
#define type_int64          MPI_INT64_T
#define type_uint8          MPI_UINT8_T
#define type_uint16         MPI_UINT16_T
#define type_uint32         MPI_UINT32_T
#define type_uint64         MPI_UINT64_T
#define type_float          MPI_FLOAT
#define type_double         MPI_DOUBLE
#define type_double_complex MPI_C_DOUBLE_COMPLEX
#define thread_multiple     MPI_THREAD_MULTIPLE
#define type_shared         MPI_COMM_TYPE_SHARED
#define undefined           MPI_UNDEFINED
#define in_place            MPI_IN_PLACE
#define status_ignore       MPI_STATUS_IGNORE

#define PICK(open, mpich, standard) (COLUMN == 1 ? (intptr_t)(open) : COLUMN == 2 ? (intptr_t)(mpich) : (intptr_t)(standard))

static int compare(const char *name, intptr_t here, intptr_t there)
{
    if (here != there)
        printf("%s: 0x%llx, in mpi.h 0x%llx\n", name, (unsigned long long)here, (unsigned long long)there);
    return here != there;
}

int main(void)
{
    int wrong = 0, count = 0;
#define NUMBER(field, open, mpich, standard) \
    wrong += compare(#field, PICK(open, mpich, standard), (intptr_t)field), count++;
    CUNA_MPI_NUMBERS(NUMBER)
#if COLUMN != 1
#define HANDLE(field, open, mpich, standard) \
    wrong += compare(#field, PICK(0, mpich, standard), (intptr_t)field), count++;
    CUNA_MPI_HANDLES(HANDLE)
#endif
    printf("%d compared\n", count);
    return wrong;
}
