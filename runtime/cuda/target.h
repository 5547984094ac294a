/* target.h: how kernels are compiled for a CUDA device. */
#ifndef CUNA_CUDA_TARGET_H
#define CUNA_CUDA_TARGET_H

#include "seam/driver.h"

/* The architecture to compile for: 90 for compute capability 9.0. */
typedef struct cuna_arch {
    int number;  /* 0: none, the device is older than all of them */
    bool is_ptx; /* as text that the driver translates, because no binary fits */
} cuna_arch;

/* Chooses among the ascending architectures that NVRTC supports. */
cuna_arch cuna__cuda_target_choose(int count, const int *archs, int capability);

/* Fills a target in. NOT_FOUND when the driver's table has no NVRTC, or one that is too new for the device. */
cu_result cuna__cuda_target(cuna_target *out, const cuna_driver *driver, cu_device device);

/* The oldest architecture that NVRTC supports; 0 if unknown. */
int cuna__cuda_target_oldest(const cuna_driver *driver);

#endif
