/* live_steps.c - one warp, step by step, with the addresses that its lanes ask for.
 *
 * An observer (observer.h) keeps the access of the step under way; the machine's own watch, which
 * is told after it, gives the masks. So a row is written when the step is over.
 */
#include "live_internal.h"
#include "machine_internal.h"

#include <inttypes.h>
#include <stdlib.h>

enum { MOST_STEPS = 20000 };

static struct text text;
static uint32_t steps;
static const struct function *watched;

static struct {
    bool is_some, is_global;
    uint32_t bytes;
    lane_mask active;
    uint64_t address[WARP_LANES];
} asked; /* in the step under way */

void steps_clear(void)
{
    text_clear(&text);
    text_add(&text, "[");
    steps = 0;
    asked.is_some = false;
}

/* --- The observer ----------------------------------------------------------------------------- */

static bool wants(const struct launch *launch)
{
    return launch->config.watch.step;
}

static uint32_t follows(const struct block *block)
{
    return observer_watch.follows(block);
}

/* Of an instruction that makes several accesses the first one is told. */
static void access(const struct access *access, struct site *site)
{
    (void)site;
    bool is_global = access->space == SPACE_GLOBAL && access->allocation;
    if (asked.is_some || (!is_global && access->space != SPACE_SHARED))
        return;
    uint64_t start = is_global ? access->allocation->address : 0;
    asked.is_some = true;
    asked.is_global = is_global;
    asked.bytes = access->bytes;
    asked.active = access->active;
    for (int lane = 0; lane < WARP_LANES; lane++)
        asked.address[lane] = access->base + (uint64_t)access->shape->delta[lane] - start;
}

/* It waits: the step under way was none. */
static void left(struct warp *warp, const struct basic_block *block)
{
    (void)warp, (void)block;
    asked.is_some = false;
}

const struct observer observer_live = {
    .name = "live", .wants = wants, .follows = follows, .access = access, .left = left};

/* --- The rows --------------------------------------------------------------------------------- */

static void tell_asked(void)
{
    text_add(&text, ",\"space\":\"%s\",\"bytes\":%" PRIu32 ",\"address\":[",
             asked.is_global ? "global" : "shared", asked.bytes);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        text_add(&text, lane ? "," : "");
        if (asked.active >> lane & 1)
            text_add(&text, "%" PRIu64, asked.address[lane]);
        else
            text_add(&text, "null");
    }
    text_add(&text, "]");
}

static bool step(void *context, const struct sim_step *step)
{
    char ptx[200];
    (void)context;
    sim_kernel_ptx(watched, step->ptx_line, ptx, sizeof ptx);
    text_add(&text, "%s{\"line\":%u,\"ptx_line\":%" PRIu32 ",\"ptx\":", steps ? ",\n" : "",
             step->line.line, step->ptx_line);
    text_quote(&text, ptx);
    text_add(&text,
             ",\"live\":%" PRIu32 ",\"mask\":%" PRIu32 ",\"active\":%" PRIu32 ",\"depth\":%" PRIu32,
             step->live, step->mask, step->active, step->depth);
    if (asked.is_some)
        tell_asked();
    text_add(&text, "}");
    asked.is_some = false;
    return ++steps < MOST_STEPS;
}

struct sim_watch steps_watch(const uint32_t block[2], uint32_t warp, const struct function *kernel)
{
    watched = kernel;
    return (struct sim_watch){.step = step, .block = {block[0], block[1], 0}, .warp = warp};
}

const char *steps_text(void)
{
    text_add(&text, "]");
    text.used--; /* so that it can be asked twice */
    return text.start;
}
