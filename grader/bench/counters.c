/* counters.c - why the numbers that a counter is made of must not be mixed: lesson 5's notes
 * quote what this prints.
 *
 * The tempting recipe folds step, layer and offset into one 64-bit number. It looks random enough,
 * but a counter need not look random: it must be different for every use, and nothing else.
 */
#include "check/judge_philox.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

enum { ELEMENTS = 1024, LAYERS = 1024, SHOWN = 16 };

static const uint32_t SEED = 2026;
static const uint32_t HALF = 0x80000000; /* the threshold of p = 0.5 */

static uint64_t mixed(uint64_t step, uint64_t layer, uint64_t offset)
{
    return (step << 32) ^ layer ^ offset;
}

static bool kept_by_mixed(uint64_t step, uint32_t layer, uint64_t offset)
{
    uint64_t counter = mixed(step, layer, offset);
    uint32_t word[PHILOX_WORDS] = {(uint32_t)counter, (uint32_t)(counter >> 32)};
    const uint32_t key[PHILOX_KEYS] = {SEED};
    philox4x32_10(word, key);
    return word[0] >= HALF;
}

static bool kept_by_contract(uint64_t step, uint32_t layer, uint64_t i)
{
    uint32_t word[PHILOX_WORDS] = {(uint32_t)(i / 4), (uint32_t)(i / 4 >> 32), (uint32_t)step,
                                   (uint32_t)(step >> 32)};
    const uint32_t key[PHILOX_KEYS] = {SEED, layer};
    philox4x32_10(word, key);
    return word[i % 4] >= HALF;
}

typedef bool keeps(uint64_t step, uint32_t layer, uint64_t i);

static void print_mask(keeps *kept, uint32_t layer, unsigned exchange, const char *what)
{
    printf("  %-34s", what);
    for (uint64_t i = 0; i < SHOWN; i++)
        printf(" %c", kept(1, layer, i ^ exchange) ? '1' : '.');
    printf("\n");
}

/* Elements of layer 1 that are kept where layer 0 keeps the element beside them. */
static unsigned agreeing(keeps *kept, unsigned exchange)
{
    unsigned same = 0;
    for (uint64_t i = 0; i < ELEMENTS; i++)
        same += kept(1, 1, i) == kept(1, 0, i ^ exchange);
    return same;
}

/* Layers below LAYERS whose counters all were used by layer 0. */
static unsigned layers_used_up(void)
{
    unsigned used_up = 0;
    for (uint64_t layer = 1; layer < LAYERS; layer++) {
        unsigned met = 0;
        for (uint64_t offset = 0; offset < ELEMENTS; offset++)
            met += mixed(1, layer, offset) - mixed(1, 0, 0) < ELEMENTS;
        used_up += met == ELEMENTS;
    }
    return used_up;
}

int main(void)
{
    printf("counter = (step << 32) ^ layer ^ offset, key = {seed, 0}\n");
    print_mask(kept_by_mixed, 1, 0, "layer 1 keeps");
    print_mask(kept_by_mixed, 0, 0, "layer 0 keeps");
    print_mask(kept_by_mixed, 0, 1, "layer 0, neighbours exchanged");
    printf("  the first and the third agree on %u of %d elements\n", agreeing(kept_by_mixed, 1),
           ELEMENTS);
    printf("  layers 1 to %d that use no counter but layer 0's: %u\n", LAYERS - 1,
           layers_used_up());
    printf("  step 4, offset 2^32 + 7: counter %#" PRIx64 "\n",
           mixed(4, 0, (UINT64_C(1) << 32) | 7));
    printf("  step 5, offset 7:        counter %#" PRIx64 "\n\n", mixed(5, 0, 7));
    printf("counter = {lo(i / 4), hi(i / 4), lo(step), hi(step)}, key = {seed, layer}\n");
    print_mask(kept_by_contract, 1, 0, "layer 1 keeps");
    print_mask(kept_by_contract, 0, 0, "layer 0 keeps");
    printf("  they agree on %u of %d elements, as two fair coins do\n",
           agreeing(kept_by_contract, 0), ELEMENTS);
    return 0;
}
