/* profile_draw.c - draws a request: its lanes over sectors of memory, or over the 32 banks.
 *
 * Sectors: each box is 32 bytes, its eight cells the words of 4 bytes; words that a lane asked for
 * are filled. There is a gap between sectors that are not adjacent in memory.
 *
 *     lanes    0  1  2  3  4  5  6  7 ...
 *              |  |   \  \
 *     sectors  [## ....]  [## ....] ...
 *
 * Banks: a column for each bank, a row for each wavefront, in each cell the lane it serves.
 */
#include "profile_draw.h"

#include <inttypes.h>
#include <stdlib.h>

enum { LANES = 32, BANKS = 32, WORD_BYTES = 4, SECTOR_BYTES = 32, SECTOR_WORDS = 8 };
enum { MOST_SECTORS = 2 * LANES * 4, CELL = 22, WIDTH = LANES * CELL, LANE_HEIGHT = 18 };
enum { LINES_HEIGHT = 70, SECTOR_HEIGHT = 20, ROW_HEIGHT = 16, MARGIN = 4, LABEL = 16 };

/* The rest of a sector's width keeps it apart from the next. */
static const double SECTOR_FILL = 0.94;

static bool is_active(const struct sim_request *request, int lane)
{
    return request->active >> lane & 1;
}

static void begin(FILE *stream, int height, const char *title)
{
    fprintf(stream,
            "<svg viewBox=\"%d 0 %d %d\" role=\"img\" aria-label=\"%s\"><title>%s</title>\n",
            -MARGIN, WIDTH + 2 * MARGIN, height, title, title);
}

static void draw_lanes(const struct sim_request *request, FILE *stream)
{
    for (int lane = 0; lane < LANES; lane++)
        fprintf(stream,
                "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
                "<text x=\"%d\" y=\"%d\">%d</text>\n",
                is_active(request, lane) ? "on" : "off", lane * CELL + 1, 0, CELL - 2, LANE_HEIGHT,
                lane * CELL + CELL / 2, 13, lane);
}

/* --- Sectors ---------------------------------------------------------------------------------- */

struct sectors {
    uint64_t number[MOST_SECTORS];
    uint8_t words[MOST_SECTORS]; /* a bit for each that was asked for */
    double x[MOST_SECTORS];
    unsigned count;
    double width; /* of a box */
};

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static unsigned sector_index(const struct sectors *sectors, uint64_t number)
{
    unsigned index = 0;
    while (index < sectors->count && sectors->number[index] != number)
        index++;
    return index;
}

static void find_sectors(const struct sim_request *request, struct sectors *sectors)
{
    sectors->count = 0;
    for (int lane = 0; lane < LANES; lane++)
        for (uint32_t byte = 0; is_active(request, lane) && byte < request->bytes; byte++) {
            uint64_t number = (request->address[lane] + byte) / SECTOR_BYTES;
            if (sector_index(sectors, number) == sectors->count && sectors->count < MOST_SECTORS)
                sectors->number[sectors->count++] = number;
        }
    qsort(sectors->number, sectors->count, sizeof *sectors->number, by_number);
    for (unsigned i = 0; i < sectors->count; i++)
        sectors->words[i] = 0;
    for (int lane = 0; lane < LANES; lane++)
        for (uint32_t byte = 0; is_active(request, lane) && byte < request->bytes; byte++) {
            uint64_t at = request->address[lane] + byte;
            unsigned index = sector_index(sectors, at / SECTOR_BYTES);
            sectors->words[index] |= (uint8_t)(1 << at % SECTOR_BYTES / WORD_BYTES);
        }
}

/* Adjacent sectors touch; between others there is a gap of a third of a box. */
static void place_sectors(struct sectors *sectors)
{
    double units = sectors->count, x = 0;
    for (unsigned i = 1; i < sectors->count; i++)
        units += sectors->number[i] != sectors->number[i - 1] + 1 ? 0.33 : 0;
    sectors->width = WIDTH / units < 4 * CELL ? WIDTH / units : 4 * CELL;
    for (unsigned i = 0; i < sectors->count; i++) {
        if (i && sectors->number[i] != sectors->number[i - 1] + 1)
            x += 0.33 * sectors->width;
        sectors->x[i] = x;
        x += sectors->width;
    }
}

static void draw_sector(const struct sectors *sectors, unsigned i, int y, FILE *stream)
{
    double cell = sectors->width * SECTOR_FILL / SECTOR_WORDS;
    for (int word = 0; word < SECTOR_WORDS; word++)
        fprintf(stream, "<rect class=\"%s\" x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\"/>",
                sectors->words[i] >> word & 1 ? "used" : "unused", sectors->x[i] + word * cell, y,
                cell, SECTOR_HEIGHT);
    putc('\n', stream);
}

static void draw_wires(const struct sim_request *request, const struct sectors *sectors,
                       FILE *stream)
{
    for (int lane = 0; lane < LANES; lane++) {
        if (!is_active(request, lane))
            continue;
        uint64_t at = request->address[lane];
        double middle = (double)(at % SECTOR_BYTES) + request->bytes / 2.0;
        double x = sectors->x[sector_index(sectors, at / SECTOR_BYTES)] +
                   sectors->width * SECTOR_FILL * middle / SECTOR_BYTES;
        fprintf(stream, "<path class=\"wire\" d=\"M%d %dL%.2f %d\"/>\n", lane * CELL + CELL / 2,
                LANE_HEIGHT, x, LANE_HEIGHT + LINES_HEIGHT);
    }
}

/* Where the first and the last sector start, in bytes from the start of the buffer. */
static void draw_offsets(const struct sim_request *request, const struct sectors *sectors, int y,
                         FILE *stream)
{
    unsigned last = sectors->count - 1;
    uint64_t first_byte = sectors->number[0] * SECTOR_BYTES - request->allocation;
    uint64_t last_byte = sectors->number[last] * SECTOR_BYTES - request->allocation;
    fprintf(stream, "<text class=\"left\" x=\"0\" y=\"%d\">byte %" PRIu64 " of the buffer</text>\n",
            y, first_byte);
    if (last_byte - first_byte > 8 * SECTOR_BYTES)
        fprintf(stream, "<text class=\"right\" x=\"%.2f\" y=\"%d\">byte %" PRIu64 "</text>\n",
                sectors->x[last] + sectors->width, y, last_byte);
}

static void draw_sectors(const struct sim_request *request, FILE *stream)
{
    struct sectors sectors;
    int y = LANE_HEIGHT + LINES_HEIGHT;
    char title[96];
    find_sectors(request, &sectors);
    place_sectors(&sectors);
    snprintf(title, sizeof title, "%d lanes touch %u sectors", __builtin_popcount(request->active),
             sectors.count);
    begin(stream, y + SECTOR_HEIGHT + LABEL, title);
    draw_wires(request, &sectors, stream);
    draw_lanes(request, stream);
    for (unsigned i = 0; i < sectors.count; i++)
        draw_sector(&sectors, i, y, stream);
    if (request->allocation)
        draw_offsets(request, &sectors, y + SECTOR_HEIGHT + LABEL - 4, stream);
    fputs("</svg>\n", stream);
}

/* --- Banks ------------------------------------------------------------------------------------ */

static void draw_grid(uint32_t wavefronts, FILE *stream)
{
    for (int bank = 0; bank < BANKS; bank++)
        fprintf(stream, "<text class=\"dim\" x=\"%d\" y=\"11\">%d</text>", bank * CELL + CELL / 2,
                bank);
    for (uint32_t row = 0; row < wavefronts; row++)
        for (int bank = 0; bank < BANKS; bank++)
            fprintf(stream, "<rect class=\"unused\" x=\"%d\" y=\"%u\" width=\"%d\" height=\"%d\"/>",
                    bank * CELL + 1, LABEL + row * ROW_HEIGHT, CELL - 2, ROW_HEIGHT - 2);
    putc('\n', stream);
}

/* Each cell has the lowest lane that the bank serves in the wavefront; a plus means more. */
static void draw_banks(const struct sim_request *request, enum sim_access_class access,
                       FILE *stream)
{
    uint8_t served[LANES][4], count[LANES * 4 + 1][BANKS] = {{0}};
    char title[96];
    uint32_t words = (request->bytes + WORD_BYTES - 1) / WORD_BYTES;
    uint32_t wavefronts = example_wavefronts(request, access, served);
    snprintf(title, sizeof title, "%d lanes take %u wavefronts over the 32 banks",
             __builtin_popcount(request->active), wavefronts);
    begin(stream, LABEL + (int)wavefronts * ROW_HEIGHT, title);
    draw_grid(wavefronts, stream);
    for (int lane = LANES; lane-- > 0;)
        for (uint32_t i = 0; is_active(request, lane) && i < words && i < 4; i++)
            count[served[lane][i]][(request->address[lane] / WORD_BYTES + i) % BANKS]++;
    for (int lane = 0; lane < LANES; lane++)
        for (uint32_t i = 0; is_active(request, lane) && i < words && i < 4; i++) {
            int bank = (int)((request->address[lane] / WORD_BYTES + i) % BANKS);
            int y = LABEL + served[lane][i] * ROW_HEIGHT;
            uint8_t *lanes = &count[served[lane][i]][bank];
            if (*lanes == 0)
                continue;
            fprintf(stream,
                    "<rect class=\"on\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
                    "<text x=\"%d\" y=\"%d\">%d%s</text>\n",
                    bank * CELL + 1, y, CELL - 2, ROW_HEIGHT - 2, bank * CELL + CELL / 2, y + 11,
                    lane, *lanes > 1 ? "+" : "");
            *lanes = 0;
        }
    fputs("</svg>\n", stream);
}

/* --- Either ----------------------------------------------------------------------------------- */

void draw_example(const struct example *example, FILE *stream)
{
    if (example->shared)
        draw_banks(&example->request, example->access, stream);
    else
        draw_sectors(&example->request, stream);
}
