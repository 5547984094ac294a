/* services_sim.h: what an image gets from the simulated GPU. C includes this file, images have it as a text. */
#ifndef SIMGPU_SERVICES_H
#define SIMGPU_SERVICES_H

/* In an image the number of a lane stays the same as long as the lane runs. */
#ifdef __cplusplus
#define SIMGPU_CONST __attribute__((const))
#else
#define SIMGPU_CONST
#endif

struct simgpu_services {
    void (*run_lanes)(void (*body)(const void *arguments, unsigned block), const void *arguments, unsigned block);
    void (*run_team)(void (*body)(const void *arguments, unsigned block), const void *arguments, unsigned block);
    unsigned (*lane)(void) SIMGPU_CONST;
    void (*barrier)(void);
    void (*shuffle)(void *out, const void *value, unsigned nbytes, unsigned distance);
    unsigned (*alike)(unsigned value); /* the lanes of 32 that have the same one */
    void (*misaligned)(const void *ptr);
};

#endif
