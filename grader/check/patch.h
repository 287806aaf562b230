/* patch.h - an entry of a corpus as its difference from another file: then the difference is the
 * mistake.
 *
 *     // expect: WRONG numerics mistake not_scaled       stands in place of the first comment lines
 *     // Kept elements are left as they are.             of the base
 *     --- solutions/05_dropout/dropout.cu                the base, from the course's top folder
 *     +++ grader/judges/05_dropout/wrong/not_scaled.cu
 *     @@ -36,3 +35,3 @@                                  and so on, as `diff -U1` writes it
 *
 * Lines are counted in both files as they are, the comment lines included. Blank lines of context
 * may be empty.
 */
#ifndef CHECK_PATCH_H
#define CHECK_PATCH_H

#include "lib/files.h"

enum patch_place {
    PATCH_EXACT, /* at the lines that the patch says, and nowhere else */
    PATCH_MOVED, /* wherever the lines are, if they are in one place only: the base was edited */
};

/* Which file a patch changes. False with a sentence if it names none within the course. */
bool patch_base(const char *patch, struct path *base, char *reason, size_t reason_bytes);
/* The base's text with the patch applied; the caller frees it. NULL with a sentence. */
char *patch_apply(const char *base, const char *patch, enum patch_place place, char *reason,
                  size_t reason_bytes);

#endif
