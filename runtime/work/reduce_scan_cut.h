/* reduce_scan_cut.h: divides a scan into blocks. */
#ifndef CUNA_WORK_REDUCE_SCAN_CUT_H
#define CUNA_WORK_REDUCE_SCAN_CUT_H

#include "work/reduce_cut.h"

/* One scan on its way from check to launch: a fold whose one folded axis is the scanned one. Words beyond those of a fold
 * are as in struct Scan of kernels/scan_runs.cuh and scan_lanes.cuh. */
typedef struct cuna_scan_call {
    cuna_fold fold;
    int64_t rows, tile, span, pieces, dense, streaming, team;
    int64_t blocks;
    int64_t workspace_nbytes; /* 0: no block needs another one */
    int64_t zeroed_nbytes;    /* of these, how many are zero at first */
    bool twice;               /* a first launch makes totals, a second one scans */
} cuna_scan_call;

/* Decides form, stride classes, tiles and grid from the layouts of the fold. All of it depends on shapes and strides (and,
 * for the width of accesses, on alignment) only, so that the same call always combines in the same order. */
void cuna__scan_cut(cuna_scan_call *scan);

/* Adds the words after the layouts'; `totals` for the first launch of two. */
void cuna__scan_add_cut(cuna_words *words, const cuna_scan_call *scan, bool totals, cu_deviceptr workspace);

#endif
