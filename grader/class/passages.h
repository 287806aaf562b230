/* passages.h - what two sources have in common, whoever named and ordered it.
 *
 * A passage is a run of words in which names, numbers, comments and layout do not count. Of each
 * few neighbouring passages one is kept, always the same one, so that a passage that two sources
 * share is kept in both: winnowing, of S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: local
 * algorithms for document fingerprinting", SIGMOD 2003, section 3.
 */
#ifndef CLASS_PASSAGES_H
#define CLASS_PASSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash for each passage that is kept, in order of their size, each once. */
struct passages {
    uint64_t *hashes;
    size_t count;
};

/* False: there is no memory. Lines of the preprocessor are left out. */
bool passages_of(const char *source, struct passages *passages);
/* Without those that the other has as well. */
void passages_remove(struct passages *passages, const struct passages *others);
size_t passages_shared(const struct passages *first, const struct passages *second);
void passages_free(struct passages *passages);

#endif
