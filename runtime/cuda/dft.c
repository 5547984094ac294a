/* dft.c: cuFFT, opened for the first Fourier transform on a CUDA device, and the names of its results. */

#include "seam/dft.h"
#include "cuda/library.h"

static cuna_dft table;

static cuna_status open_cufft(void)
{
    cuna_library library;
    const cuna_driver *driver;
    int version = 0;
    if (cuna__driver_cuda(&driver) == CUNA_OK)
        driver->driver_get_version(&version);
    /* cuFFT's own version is one behind CUDA's: libcufft.so.11 is of CUDA 12. */
    cuna__library_toolkit(&library, "libcufft", -1, version / 1000);
    if (library.handle == NULL)
        return cuna_fail(
            CUNA_DEVICE,
            "no cuFFT: %s; install the CUDA toolkit, or its package libcufft-%d-%d, for the driver's CUDA %d.%d",
            library.words, version / 1000, version % 1000 / 10, version / 1000, version % 1000 / 10);
    const cuna_symbol symbols[] = {
#define ROW(symbol, field, parameters) {symbol, &table.field},
        CUNA_DFT_ROWS(ROW)
#undef ROW
    };
    const char *lacking = cuna__library_bind(&library, symbols, sizeof symbols / sizeof *symbols);
    return lacking == NULL ? CUNA_OK
                           : cuna_fail(CUNA_DEVICE, "no cuFFT: %s has no %s; install cuFFT of CUDA 12 or newer",
                                       library.name, lacking);
}

cuna_status cuna__dft_cuda(const cuna_dft **out)
{
    static cuna_opening opening = CUNA_OPENING;
    CUNA_TRY(cuna__library_once(&opening, open_cufft));
    *out = &table;
    return CUNA_OK;
}

bool cuna__dft_is_memory(int result)
{
    return result == CUFFT_ALLOC_FAILED;
}

const char *cuna__dft_describe(int result)
{
    static const struct {
        int result;
        const char *name;
    } names[] = {{CUFFT_INVALID_PLAN, "CUFFT_INVALID_PLAN"},     {CUFFT_ALLOC_FAILED, "CUFFT_ALLOC_FAILED"},
                 {CUFFT_INVALID_TYPE, "CUFFT_INVALID_TYPE"},     {CUFFT_INVALID_VALUE, "CUFFT_INVALID_VALUE"},
                 {CUFFT_INTERNAL_ERROR, "CUFFT_INTERNAL_ERROR"}, {CUFFT_EXEC_FAILED, "CUFFT_EXEC_FAILED"},
                 {CUFFT_SETUP_FAILED, "CUFFT_SETUP_FAILED"},     {CUFFT_INVALID_SIZE, "CUFFT_INVALID_SIZE"},
                 {CUFFT_UNALIGNED_DATA, "CUFFT_UNALIGNED_DATA"}, {CUFFT_NO_WORKSPACE, "CUFFT_NO_WORKSPACE"},
                 {CUFFT_NOT_SUPPORTED, "CUFFT_NOT_SUPPORTED"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].result == result)
            return names[i].name;
    return "an error";
}
