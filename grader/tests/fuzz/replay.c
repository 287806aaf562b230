/* replay.c - hands a harness the files named on the command line, and everything in the folders:
 * what libFuzzer does with a corpus, without libFuzzer. A crash names the file, which was printed
 * before. */
#include "fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static unsigned replayed;

static int replay(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)walk;
    if (kind != FTW_F)
        return kind == FTW_D ? 0 : -1;
    FILE *file = fopen(path, "rb");
    size_t size = (size_t)status->st_size;
    unsigned char *bytes = file ? malloc(size + 1) : NULL;
    bool read = bytes && fread(bytes, 1, size, file) == size;
    if (file)
        fclose(file);
    if (read) {
        fprintf(stderr, "%s\n", path);
        LLVMFuzzerTestOneInput(bytes, size);
        replayed++;
    }
    free(bytes);
    return read ? 0 : -1;
}

int main(int count, char **words)
{
    for (int i = 1; i < count; i++)
        if (nftw(words[i], replay, 16, FTW_PHYS) != 0) {
            fprintf(stderr, "replay: cannot read %s\n", words[i]);
            return EXIT_FAILURE;
        }
    printf("%u of %u inputs do not crash\n", replayed, replayed);
    return replayed ? EXIT_SUCCESS : EXIT_FAILURE;
}
