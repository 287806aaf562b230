/* product.c - reads the compiled file once, and writes it anew, so that no process of the sandbox
 * still has it open, and no other user owns it. */
#include "check/product.h"

#include "lib/files.h"
#include "lib/hash.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct path library_in(const char *folder)
{
    return path_of("%s/submission.so", folder);
}

static struct path hash_in(const char *folder)
{
    return path_of("%s/submission.sha256", folder);
}

static void hash_of(const void *data, size_t bytes, char text[HASH_TEXT])
{
    struct hash hash;
    hash_init(&hash);
    hash_add(&hash, data, bytes);
    hash_text(&hash, text);
}

/* Others may read it: the runner is another user where root starts it. */
static bool write_anew(const char *path, const void *data, size_t bytes)
{
    return (unlink(path) == 0 || errno == ENOENT) && file_write(path, data, bytes) &&
           chmod(path, 0644) == 0;
}

bool product_keep(const char *folder, size_t most_bytes)
{
    char text[HASH_TEXT];
    size_t bytes;
    struct stat status;
    struct path library = library_in(folder);
    if (chown(folder, geteuid(), getegid()) != 0 || chmod(folder, 0755) != 0 ||
        lstat(library.text, &status) != 0)
        return false;
    if (!S_ISREG(status.st_mode)) { /* a link would be followed to a file of ours */
        errno = EINVAL;
        return false;
    }
    char *data = file_read(library.text, most_bytes, &bytes);
    if (!data)
        return false;
    hash_of(data, bytes, text);
    bool kept = write_anew(library.text, data, bytes) &&
                write_anew(hash_in(folder).text, text, strlen(text));
    free(data);
    return kept;
}

bool product_is_whole(const char *folder)
{
    struct hash hash;
    char text[HASH_TEXT] = "";
    char *kept = file_read(hash_in(folder).text, HASH_TEXT, NULL);
    hash_init(&hash);
    if (kept && hash_add_file(&hash, library_in(folder).text))
        hash_text(&hash, text);
    bool whole = kept && *text && strcmp(kept, text) == 0;
    free(kept);
    return whole;
}
