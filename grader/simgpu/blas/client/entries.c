/* entries.c - see entries.h: each function with sizes of 32 bits, and of 64. */
#include "handle.h"

#define INT int
#define ENTRY(name) name
#define WIDE 0
#include "entries.h"
#undef INT
#undef ENTRY
#undef WIDE

#define INT int64_t
#define ENTRY(name) name##_64
#define WIDE BLAS_WIDE_INDEX
#include "entries.h"
