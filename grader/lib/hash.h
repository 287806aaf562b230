/* hash.h - SHA-256 (FIPS 180-4), which names everything that is cached or graded. */
#ifndef LIB_HASH_H
#define LIB_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HASH_TEXT = 65 }; /* 64 hexadecimal digits and the end */

struct hash {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64];
};

/* Order of calls: hash_init, any number of hash_add..., hash_text. */
void hash_init(struct hash *hash);
void hash_add(struct hash *hash, const void *data, size_t bytes);
/* A text and its end, so that "ab" + "c" and "a" + "bc" differ. */
void hash_add_text(struct hash *hash, const char *text);
/* The content of a file; false when it cannot be read. */
bool hash_add_file(struct hash *hash, const char *path);
void hash_text(struct hash *hash, char text[HASH_TEXT]);
/* Of two texts, one after the other. */
void hash_two(const char *first, const char *second, char text[HASH_TEXT]);

#endif
