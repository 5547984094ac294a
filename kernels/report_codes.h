/* report_codes.h: the numbers of the errors that kernels report without ending: gather.cuh writes reports,
 * runtime/device/report.c reads them. C includes this file, and kernels contain its text. */
#ifdef __cplusplus
namespace cuna {
#endif

enum {
    REPORT_RANGE = 1,       /* a position out of range, and the length of its axis */
    REPORT_FRACTION = 2,    /* a position, or with length 1 a bound, with a fraction */
    REPORT_UNSORTED = 3,    /* the position of an edge that is below the one before */
    REPORT_NOT_FINITE = 4,  /* a histogram's range */
    REPORT_PROBABILITY = 5, /* a quantile, and the greatest there may be */
    REPORT_SINGULAR = 6,    /* of a matrix, in the order of cuna_lapack_verdict: its number in a stack, LAPACK's info */
    REPORT_INDEFINITE = 7,
    REPORT_UNCONVERGED = 8,
    REPORT_ELEMENT = 9,
    REPORT_BOUNDS = 10,     /* low and high without a number of the dtype between them */
    REPORT_WEIGHT = 11,     /* a weight; the length says what is wrong */
    REPORT_DEMAND = 12,     /* a value that is not as demanded; the operation's name says what was */
    REPORTS_NBYTES = 32768  /* of a block of reports, which is aligned to as much; the first word says that there is one */
};

#define CUNA_FAR_POSITION 9200000000000000000 /* stands for all positions beyond it: no axis is so long */

#ifdef __cplusplus
}
#endif
