/* decimal.h: one number written in decimal, read exactly.
 *
 * Pure: reads numbers as in the C locale, independent of the process's locale. */
#ifndef CUNA_TEXT_DECIMAL_H
#define CUNA_TEXT_DECIMAL_H

#include <locale.h>

#include "base/dtype.h"
#include "base/status.h"

/* Reads the number that fills text[0..nbytes): digits with sign, point and exponent, or inf, infinity, nan in any case.
 * Whole numbers within 64 bits become INT or UINT (bare "-0" is the float), the others the nearest FLOAT. `c` is the C
 * locale. `*found` says whether the text was a number. MEMORY for a token of absurd length. */
cuna_status cuna__decimal_read(cuna_number *out, bool *found, const char *text, size_t nbytes, locale_t c);

/* The same for "1+2j", "2j", "(1+2j)" or a real number; `i` may replace `j`. Returns COMPLEX. */
cuna_status cuna__decimal_read_complex(cuna_number *out, bool *found, const char *text, size_t nbytes, locale_t c);

#endif
