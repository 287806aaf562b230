/* product.h - a compiled submission, kept together with a hash of its content.
 *
 *     folder/submission.so        what the compiler made, written anew by us
 *     folder/submission.sha256    the hash
 *
 * The compiler ran in a sandbox, so its folder may contain anything. If a full disk, an interrupt
 * or somebody else damages the file, the hash shows it later, and the file is not used.
 */
#ifndef CHECK_PRODUCT_H
#define CHECK_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

/* Take what is in the folder into our own keeping. False, with errno, when there is no such file of
 * at most that many bytes, or no room. */
bool product_keep(const char *folder, size_t most_bytes);
/* Is the file there still the one that was kept? */
bool product_is_whole(const char *folder);

#endif
