/* product.h - a compiled submission, as it is kept: with a hash of its content beside it.
 *
 *     folder/submission.so        what the compiler made, written anew by us
 *     folder/submission.sha256    the hash
 *
 * The compiler ran in a sandbox, so its folder is taken for anything that a stranger may have left.
 * A disk that was full, an interrupt or another hand shows later: then the file is not used.
 */
#ifndef CHECK_PRODUCT_H
#define CHECK_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* Take what lies in the folder into our own keeping. False, with errno, when there is no such file
 * of at most that many bytes, or no room. */
bool product_keep(const char *folder, size_t most_bytes);
/* Is what lies there what was kept? */
bool product_is_whole(const char *folder);

#endif
