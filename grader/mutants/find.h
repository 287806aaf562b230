/* find.h - walks the syntax tree of one CUDA source and lists its mutations.
 *
 * Clang parses the host's half, with the toolkit's own headers. These are written for nvcc, so
 * errors in them are expected and passed over: what they declare is there all the same. An error in
 * the file itself is none of that, and refuses the file.
 */
#ifndef MUTANTS_FIND_H
#define MUTANTS_FIND_H

#include "mutants/mutations.h"

/* The source is read from path; flags are for the compiler (-I...). `mutations` is empty but for
 * its source, which is the file's text. False with a sentence. */
bool find_mutations(const char *path, const char *const *flags, int flag_count,
                    struct mutations *mutations, char *reason, size_t reason_bytes);

#endif
