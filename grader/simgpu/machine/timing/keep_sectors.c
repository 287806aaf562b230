/* keep_sectors.c - chooses what remains of a request that touched too much. */
#include "keep_sectors.h"
#include "trace_words.h"

#include <string.h>

uint32_t portion_take(struct portion *portion, uint32_t least)
{
    portion->owed += portion->each;
    portion->taken++;
    uint32_t whole = (uint32_t)portion->owed;
    whole = whole < least ? least : whole;
    portion->owed -= whole < portion->owed ? whole : portion->owed;
    return whole;
}

enum { ALL_SECTORS = (1 << LINE_SECTORS) - 1 };

/* As many of those sectors of a line as are wanted. */
static uint32_t some_of(uint32_t sectors, uint32_t wanted)
{
    uint32_t kept = 0;
    for (uint32_t bit = 1; bit <= ALL_SECTORS && wanted > 0; bit <<= 1)
        if (sectors & bit) {
            kept |= bit;
            wanted--;
        }
    return kept;
}

static bool is_among(uint32_t line, const uint32_t *lines, uint32_t count)
{
    while (count > 0 && lines[count - 1] >> LINE_SECTORS != line >> LINE_SECTORS)
        count--;
    return count > 0;
}

uint32_t keep_sectors(struct portion *portion, struct sector_set *before, const uint32_t *lines,
                      uint32_t count, uint32_t *kept)
{
    uint64_t request = portion->taken;
    uint32_t wanted = portion_take(portion, 1), left = 0;
    uint64_t first = request * ((wanted + LINE_SECTORS - 1) / LINE_SECTORS);
    if (wanted >= trace_sectors(lines, count)) {
        memcpy(kept, lines, count * sizeof *kept);
        return count;
    }
    for (uint32_t i = 0; i < 2 * count && wanted > 0; i++) {
        uint32_t line = lines[(first + i) % count] | ALL_SECTORS;
        uint32_t some = wanted < LINE_SECTORS ? wanted : LINE_SECTORS;
        uint32_t fresh = sector_set_missing(before, line);
        bool is_fresh = (uint32_t)__builtin_popcount(fresh) >= some;
        if (is_fresh == (i < count) && !is_among(line, kept, left)) {
            uint32_t sectors = some_of(is_fresh ? fresh : ALL_SECTORS, some);
            kept[left] = (line & ~(uint32_t)ALL_SECTORS) | sectors;
            sector_set_add(before, kept[left++]);
            wanted -= some;
        }
    }
    return left;
}
