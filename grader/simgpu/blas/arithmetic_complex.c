/* arithmetic_complex.c - the same arithmetic with complex numbers: see number.h. */
#define BLAS_COMPLEX
#include "arithmetic.c"
#include "arithmetic_stored.c"
#include "arithmetic_triangle.c"
