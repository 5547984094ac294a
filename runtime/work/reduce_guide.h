/* reduce_guide.h: the operands that a fold by itself would read. */
#ifndef CUNA_WORK_REDUCE_GUIDE_H
#define CUNA_WORK_REDUCE_GUIDE_H

#include "work/reduce_axes.h"

/* Makes the guide of a fold, whose axes are split, those operands that a fold of `value` would read. */
void cuna__fold_guide_by(cuna_fold *f, int value);

#endif
