/* seal.c - HMAC-SHA256 on top of lib/hash.h, and the file of its key. */
#include "class/seal.h"

#include "lib/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- The key ---------------------------------------------------------------------------------- */

/* Written beside its place and linked there: of two runs that begin at once, one key stays. */
static bool draw_key(const char *path)
{
    struct seal_key key;
    struct path beside = path_of("%s.%ld", path, (long)getpid());
    if (getrandom(key.bytes, sizeof key.bytes, 0) != (ssize_t)sizeof key.bytes)
        return false;
    int file = open(beside.text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool written =
        write(file, key.bytes, sizeof key.bytes) == (ssize_t)sizeof key.bytes && fsync(file) == 0;
    close(file);
    bool there = written && (link(beside.text, path) == 0 || errno == EEXIST);
    unlink(beside.text);
    return there;
}

static bool refuse(char *reason, size_t bytes, const char *path, const char *what)
{
    snprintf(reason, bytes, "%s: %s", path, what);
    return false;
}

bool seal_key_open(const char *path, struct seal_key *key, char *reason, size_t reason_bytes)
{
    struct stat status;
    if (lstat(path, &status) != 0 && (errno != ENOENT || !draw_key(path)))
        return refuse(reason, reason_bytes, path, strerror(errno));
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) != 0) {
        refuse(reason, reason_bytes, path, strerror(errno));
        if (file >= 0)
            close(file);
        return false;
    }
    ssize_t got = S_ISREG(status.st_mode) ? read(file, key->bytes, sizeof key->bytes) : -1;
    close(file);
    if (got != (ssize_t)sizeof key->bytes || status.st_size != (off_t)sizeof key->bytes)
        return refuse(reason, reason_bytes, path,
                      "the gradebook's key is damaged: restore it from a backup, since without it "
                      "no record can be told from a changed one");
    if (status.st_mode & (S_IRWXG | S_IRWXO))
        return refuse(reason, reason_bytes, path,
                      "others may read the gradebook's key, so that its records prove nothing: "
                      "chmod 600 makes it yours again");
    return true;
}

/* --- HMAC ------------------------------------------------------------------------------------- */

enum { BLOCK_BYTES = 64, DIGEST_BYTES = 32 };

static void start(struct hash *hash, const struct seal_key *key, unsigned char pad)
{
    unsigned char block[BLOCK_BYTES];
    memset(block, pad, sizeof block);
    for (size_t i = 0; i < sizeof key->bytes; i++)
        block[i] ^= key->bytes[i];
    hash_init(hash);
    hash_add(hash, block, sizeof block);
}

static void digest_of(const char text[HASH_TEXT], unsigned char digest[DIGEST_BYTES])
{
    for (size_t i = 0; i < DIGEST_BYTES; i++) {
        unsigned byte = 0;
        sscanf(text + 2 * i, "%2x", &byte);
        digest[i] = (unsigned char)byte;
    }
}

void seal_make(const struct seal_key *key, const char *const *texts, size_t count,
               char seal[HASH_TEXT])
{
    struct hash hash;
    unsigned char inner[DIGEST_BYTES];
    start(&hash, key, 0x36);
    for (size_t i = 0; i < count; i++)
        hash_add_text(&hash, texts[i]);
    hash_text(&hash, seal);
    digest_of(seal, inner);
    start(&hash, key, 0x5c);
    hash_add(&hash, inner, sizeof inner);
    hash_text(&hash, seal);
}

bool seal_holds(const struct seal_key *key, const char *const *texts, size_t count,
                const char *seal)
{
    char made[HASH_TEXT];
    seal_make(key, texts, count, made);
    return strcmp(made, seal) == 0;
}
