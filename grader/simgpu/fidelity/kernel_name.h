/* kernel_name.h - one kernel, four spellings: mangled, as a profiler demangles it, as C, and as a
 * row of the bank writes it. */
#ifndef FIDELITY_KERNEL_NAME_H
#define FIDELITY_KERNEL_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* The bare identifier: "scale" of "_Z5scalePKfPfi", "void scale<float>(const T1 *)", "(scale<4>)"
 * and "scale". Returns its first character within name, and its length. */
const char *kernel_name(const char *name, size_t *length);

/* Whether a and b name the same kernel, template arguments and parameters left aside. */
bool kernel_name_same(const char *a, const char *b);

#endif
