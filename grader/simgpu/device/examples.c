/* examples.c - keeps requests for drawings, and works out what they cost. */
#include "examples.h"

#include "device.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32, BANKS = 32, WORD_BYTES = 4, SECTOR_BYTES = 32, MOST_WORDS = 4 };

/* --- What a request costs --------------------------------------------------------------------- */

static bool is_active(const struct sim_request *request, int lane)
{
    return request->active >> lane & 1;
}

static bool sector_is_new(const struct sim_request *request, int lane, uint64_t sector)
{
    for (int before = 0; before < lane; before++) {
        if (!is_active(request, before))
            continue;
        uint64_t first = request->address[before] / SECTOR_BYTES;
        uint64_t last = (request->address[before] + request->bytes - 1) / SECTOR_BYTES;
        if (first <= sector && sector <= last)
            return false;
    }
    return true;
}

/* Distinct sectors that the request touches. */
static uint32_t sectors_of(const struct sim_request *request)
{
    uint32_t count = 0;
    for (int lane = 0; lane < LANES; lane++)
        if (is_active(request, lane))
            for (uint64_t at = request->address[lane] / SECTOR_BYTES;
                 at <= (request->address[lane] + request->bytes - 1) / SECTOR_BYTES; at++)
                count += sector_is_new(request, lane, at);
    return count;
}

/* The words that a bank has already served in this part of the warp, one per wavefront. */
struct bank {
    uint64_t word[LANES];
    uint32_t count;
};

/* The wavefront, within its part, in which bank serves word. Each atomic gets one of its own. */
static uint32_t serve(struct bank *bank, uint64_t word, bool one_by_one)
{
    uint32_t turn = 0;
    while (turn < bank->count && (one_by_one || bank->word[turn] != word))
        turn++;
    if (turn == bank->count && bank->count < LANES)
        bank->word[bank->count++] = word;
    return turn;
}

uint32_t example_wavefronts(const struct sim_request *request, enum sim_access_class access,
                            uint8_t served[32][4])
{
    uint32_t words = (request->bytes + WORD_BYTES - 1) / WORD_BYTES, total = 0;
    if (words > MOST_WORDS)
        words = MOST_WORDS;
    bool one_by_one = access == SIM_ACCESS_ATOMIC || access == SIM_ACCESS_REDUCTION;
    uint32_t parts = sim_request_parts(request, access), lanes = LANES / parts;
    for (uint32_t part = 0; part < parts; part++) {
        struct bank banks[BANKS] = {0};
        uint32_t busiest = 0;
        for (uint32_t lane = part * lanes; lane < (part + 1) * lanes; lane++)
            for (uint32_t i = 0; is_active(request, (int)lane) && i < words; i++) {
                uint64_t word = request->address[lane] / WORD_BYTES + i;
                uint32_t turn = serve(&banks[word % BANKS], word, one_by_one);
                busiest = turn + 1 > busiest ? turn + 1 : busiest;
                if (served)
                    served[lane][i] = (uint8_t)(total + turn);
            }
        total += busiest;
    }
    return total;
}

/* --- Keeping ---------------------------------------------------------------------------------- */

static struct example *example_at(struct device *device, const char *file, unsigned line,
                                  bool shared, enum sim_access_class access)
{
    struct example **link = &device->examples;
    for (; *link; link = &(*link)->next)
        if ((*link)->file == file && (*link)->line == line && (*link)->shared == shared &&
            (*link)->access == access)
            return *link;
    struct example *made = calloc(1, sizeof *made);
    if (made)
        *made = (struct example){.file = file, .line = line, .shared = shared, .access = access};
    return *link = made;
}

static void note(struct device *device, const struct sim_launch_result *result,
                 const struct sim_op_counters *op, const struct sim_request *request, bool shared)
{
    enum sim_access_class access = shared ? op->shared_access : op->access;
    if (!request || !op->line.line || op->class == SIM_OP_CONST || op->class == SIM_OP_PARAM ||
        op->class == SIM_OP_LOCAL)
        return;
    uint32_t cost = shared ? example_wavefronts(request, access, NULL) : sectors_of(request);
    const char *file = history_text(device->history, op->line.file);
    struct example *example = example_at(device, file, op->line.line, shared, access);
    if (!example || cost <= example->cost)
        return;
    example->request = *request;
    example->cost = cost;
    example->kernel = history_text(device->history, result->kernel);
}

void examples_note(struct device *device, const struct sim_launch_result *result)
{
    for (size_t i = 0; i < result->op_count; i++) {
        note(device, result, &result->ops[i], result->ops[i].memory_example, false);
        note(device, result, &result->ops[i], result->ops[i].shared_example, true);
    }
}
