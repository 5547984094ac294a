/* linalg.h: what the files of linear algebra share. */
#ifndef CUNA_LINALG_INTERNAL_H
#define CUNA_LINALG_INTERNAL_H

#include "array.h"

/* Fills `packed` with room for the eigenvectors of real matrices as LAPACK packs them, for complex vectors `v`, with one
 * more column before and behind. MEMORY. */
cuna_status cuna__linalg_pack(cuna_array *packed, cuna_context *context, const cuna_array *v);

/* Writes the complex vectors of eigenvalues `w`. */
cuna_status cuna__linalg_unpack(cuna_context *context, const char *name, const cuna_array *packed, const cuna_array *w,
                                cuna_array *v);

#endif
