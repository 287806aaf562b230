#include "alike.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a. */
uint64_t print_of(const void *bytes, size_t size)
{
    uint64_t print = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++)
        print = (print ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001B3);
    return print;
}

char *read_whole(const char *path, size_t *size_bytes)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;
    size_t used = 0, room = 0, got = 1;
    while (file && got > 0) {
        if (room - used < 4096)
            bytes = realloc(bytes, room = 2 * room + 8192);
        if (!bytes)
            break;
        got = fread(bytes + used, 1, room - used - 1, file);
        used += got;
    }
    if (file)
        fclose(file);
    if (bytes)
        bytes[used] = 0;
    *size_bytes = used;
    return bytes;
}

int main(int count, char **words)
{
    if (count >= 3 && strcmp(words[1], "ptx") == 0)
        return alike_ptx(words[2], count > 3 ? (unsigned)strtoul(words[3], NULL, 10) : 0);
    if (count == 3 && strcmp(words[1], "replay") == 0)
        return alike_replay(words[2]);
    fprintf(stderr, "alike ptx FILE.test [LINE], or alike replay FOLDER <calls\n");
    return EXIT_FAILURE;
}
