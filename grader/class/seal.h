/* seal.h - says whether a text is still as the grader wrote it.
 *
 * A seal is an HMAC-SHA256 (RFC 2104) under a key that is drawn once for a gradebook and kept next
 * to it, readable by its owner alone. Who cannot read the key cannot change a record unnoticed.
 */
#ifndef CLASS_SEAL_H
#define CLASS_SEAL_H

#include "lib/hash.h"

enum { SEAL_KEY_BYTES = 32 };

struct seal_key {
    unsigned char bytes[SEAL_KEY_BYTES];
};

/* The key in that file, drawn and written if there is none. False with a sentence: it cannot be
 * read or written, has another length, or others may read it. */
bool seal_key_open(const char *path, struct seal_key *key, char *reason, size_t reason_bytes);

/* Of several texts, each with its end, so that "ab" + "c" and "a" + "bc" differ. */
void seal_make(const struct seal_key *key, const char *const *texts, size_t count,
               char seal[HASH_TEXT]);
bool seal_holds(const struct seal_key *key, const char *const *texts, size_t count,
                const char *seal);

#endif
