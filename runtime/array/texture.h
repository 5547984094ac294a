/* texture.h: texture and surface objects as launches see them. */
#ifndef CUNA_ARRAY_TEXTURE_H
#define CUNA_ARRAY_TEXTURE_H

#include "array/value.h"

/* Notes that work on `stream`, which comes next, uses the object and its memory (cuna__value_claim). */
cuna_status cuna__texture_claim(const cuna_context *context, cuna_stream *stream, const cuna_texture *texture);

#endif
