/* starved.c - see starved.h. */
#include "runner/starved.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool starved_count_in(const char *vmstat, uint64_t *kills)
{
    static const char NAME[] = "\noom_kill ";
    const char *at = strstr(vmstat, NAME);
    if (at)
        *kills = strtoull(at + sizeof NAME - 1, NULL, 10);
    return at != NULL;
}

/* The kernel hands out a page at a time. */
bool starved_count(uint64_t *kills)
{
    char text[16384]; /* some two hundred lines */
    size_t used = 0;
    ssize_t got = 1;
    int file = open("/proc/vmstat", O_RDONLY | O_CLOEXEC);
    while (file >= 0 && got > 0 && used + 1 < sizeof text) {
        got = read(file, text + used, sizeof text - 1 - used);
        used += got > 0 ? (size_t)got : 0;
    }
    if (file >= 0)
        close(file);
    text[used] = '\0';
    return starved_count_in(text, kills);
}

void starved_look(struct starved *starved, bool is_counted, uint64_t kills, int64_t now_ns)
{
    if (starved->is_counted && is_counted && kills > starved->kills) {
        starved->has_risen = true;
        starved->risen_ns = now_ns;
    }
    starved->is_counted = is_counted;
    starved->kills = kills;
}

void starved_note_bytes(struct starved *starved, uint64_t bytes)
{
    if (bytes > starved->most_bytes)
        starved->most_bytes = bytes;
}

bool starved_is_it(const struct starved *starved, int64_t now_ns)
{
    return starved->has_risen && now_ns - starved->risen_ns <= STARVED_NS &&
           starved->most_bytes <= STARVED_MOST_BYTES;
}
