/* spread_data.c - see spread_data.h. */
#include "check/examine/spread_data.h"

#include "check/examine/data.h"
#include "simgpu/machine/drawn_pattern.h"

#include <stdlib.h>
#include <string.h>

/* Primes slightly above 2^20, one of which is drawn: a submission that knew it could read the wrong
 * element and find the right value. */
static const uint32_t PERIODS[] = {1048583, 1048589, 1048601, 1048609, 1048613, 1048627, 1048633,
                                   1048661, 1048681, 1048703, 1048709, 1048717, 1048721, 1048759,
                                   1048783, 1048793, 1048799, 1048807, 1048829, 1048837, 1048847,
                                   1048867, 1048877, 1048889, 1048891, 1048897, 1048909, 1048919,
                                   1048963, 1048991, 1049011, 1049023};
enum { POISON_BYTES = 4096, DRAWN_POISON_BYTES = 1 << 20 };

void spread_read_order(const struct spread *spread, size_t i, uint64_t at, uint64_t bytes,
                       unsigned char *to)
{
    sim_read_drawn(spread->order[i], spread->period[i], spread->period_bytes[i], at, bytes, to);
}

static void read_input(void *source, uint64_t first, uint64_t count, void *to)
{
    const struct spread_source *of = source;
    uint64_t element = judge_type_bytes(of->spread->inputs.of[of->part].type);
    uint64_t offset = of->spread->problem->offset_bytes[of->part];
    spread_read_order(of->spread, of->part, offset + first * element, count * element, to);
}

bool spread_make_period(const struct lab *lab, struct spread *spread, size_t i)
{
    struct judge_buffer buffer = spread->image.part[i].buffer;
    uint64_t draw = data_word(data_seed(spread->seed, 2000 + i), 0), total = buffer.count;
    uint32_t period = PERIODS[draw % (sizeof PERIODS / sizeof *PERIODS)];
    buffer.count = buffer.count < period ? buffer.count : period;
    spread->period_bytes[i] = buffer.count * judge_type_bytes(buffer.type);
    spread->period[i] = malloc(spread->period_bytes[i] + 1);
    if (!spread->period[i])
        return false;
    if (spread->problem->data == JUDGE_DATA_SCALED && total > buffer.count)
        buffer.columns = 0; /* rows of the case are not the period's */
    data_fill(lab->judge, spread->problem, i, &buffer, spread->period[i], spread->seed);
    spread->inputs.of[i] = (struct judge_input){
        .period = spread->period[i], .count = buffer.count, .type = buffer.type};
    if (!lab->simgpu || total == buffer.count)
        return true;
    spread->order[i] = data_seed(spread->seed, 6000 + i) | 1;
    spread->source[i] = (struct spread_source){spread, i};
    spread->inputs.of[i].count = total;
    spread->inputs.of[i].read = read_input;
    spread->inputs.of[i].source = &spread->source[i];
    return true;
}

bool spread_make_poison(const struct lab *lab, struct spread *spread, size_t i)
{
    enum judge_type type = spread->image.part[i].buffer.type;
    if (!lab->simgpu)
        return true;
    spread->order[i] = data_seed(spread->seed, 6000 + i) | 1;
    spread->period_bytes[i] = DRAWN_POISON_BYTES;
    spread->period[i] = malloc(DRAWN_POISON_BYTES);
    if (spread->period[i])
        image_draw_poison(type, data_seed(spread->seed, 7000 + i),
                          DRAWN_POISON_BYTES / judge_type_bytes(type), spread->period[i]);
    return spread->period[i];
}

unsigned char *spread_pattern_of(const struct spread *spread, size_t i, uint64_t *bytes)
{
    uint64_t offset = spread->problem->offset_bytes[i], shift = spread->order[i] ? 0 : offset;
    bool empty = !spread->period_bytes[i];
    *bytes = empty ? POISON_BYTES : spread->period_bytes[i];
    unsigned char *pattern = malloc(*bytes);
    if (!pattern)
        return NULL;
    if (empty) {
        memset(pattern, image_poison_byte(spread->image.part[i].buffer.type, IMAGE_POISON_NAN),
               *bytes);
        return pattern;
    }
    shift %= *bytes;
    memcpy(pattern, spread->period[i] + (*bytes - shift), shift);
    memcpy(pattern + shift, spread->period[i], *bytes - shift);
    return pattern;
}
