/* fetched.c - goes through a sample of touches in virtual time, as the L2 would see them.
 *
 * The distance between two touches of a line is the number of different lines of the sample that
 * were touched in between: its reuse distance. It is what a cache that evicts the least recently
 * used line would have to hold to have the line still.
 */
#include "fetched.h"
#include "keyed.h"
#include "schedule.h"
#include "touches.h"

#include <stdlib.h>
#include <string.h>

struct going {
    struct launch *launch;
    struct touch_sample sample;
    float *asked[FETCHED_TIMES], *waited[FETCHED_TIMES]; /* by op id */
    struct event {
        uint32_t touch, line, piece;
    } * events;                   /* the touches, by time; lines and pieces are numbered */
    uint32_t *of_line, *of_piece; /* 1 + the number of the latest event */
    uint32_t *tree;               /* sums over events that are the latest of their lines */
};

static bool counts_as(const struct touch *touch, enum fetched_when when)
{
    if (touch->again || when == FETCHED_AGAIN)
        return touch->again && when == FETCHED_AGAIN;
    return when == FETCHED_EVER || (when == FETCHED_FIRST_WAVE) == (touch_wave(touch) == 0);
}

static void note(struct going *going, const struct touch *touch, double waits)
{
    for (int when = 0; when < FETCHED_TIMES; when++)
        if (counts_as(touch, when)) {
            going->asked[when][touch->op]++;
            going->waited[when][touch->op] += (float)waits;
        }
}

/* --- First touches ---------------------------------------------------------------------------- */

/* Each block's first touch of a piece: does it come in step with the first of all? */
static void look_at_first(struct going *going)
{
    const struct touch *first = NULL, *end = going->sample.touches + going->sample.count;
    const struct sim_model *model = going->launch->context->machine->profile.model;
    for (const struct touch *touch = going->sample.touches; touch < end; touch++) {
        if (!first || first->piece != touch->piece)
            first = touch;
        if (touch->stores)
            continue;
        bool in_step = touch_wave(touch) == touch_wave(first) &&
                       touch->wave_steps - first->wave_steps < model->late_steps;
        bool waits = in_step && !first->stores && !touch->again;
        note(going, touch, !waits ? 0 : touch == first ? 1 : model->in_step_share);
    }
}

/* --- What L2 no longer has -------------------------------------------------------------------- */

/* A Fenwick tree: sums of runs of numbers, any of which may change. */
static void tree_add(uint32_t *tree, size_t count, uint32_t at, int change)
{
    for (size_t i = at + 1; i <= count; i += i & -i)
        tree[i] += (uint32_t)change;
}

static uint32_t tree_sum(const uint32_t *tree, uint32_t before)
{
    uint32_t sum = 0;
    for (uint32_t i = before; i > 0; i -= i & -i)
        sum += tree[i];
    return sum;
}

/* Is the op a load whose data L2 may evict first? */
static bool leaves_first(const struct module *module, uint32_t id)
{
    const struct function *function = function_of_op(module, id);
    const struct ptx_instruction *instruction =
        &module->syntax->functions[function->index].instructions[id - function->first_op_id];
    for (unsigned i = 0; i < instruction->modifier_count; i++)
        if (strcmp(instruction->modifiers[i], "cs") == 0)
            return true;
    return false;
}

/* Make the events, in the order of the touches; returns how many lines they are of. */
static uint32_t number_events(struct going *going)
{
    uint32_t line = 0, piece = 0;
    for (size_t i = 0; i < going->sample.count; i++) {
        const struct touch *touch = &going->sample.touches[i];
        enum { PIECES = TOUCH_LINE_BYTES / TOUCH_PIECE_BYTES };
        line += i > 0 && touch->piece / PIECES != touch[-1].piece / PIECES;
        piece += i > 0 && touch->piece != touch[-1].piece;
        going->events[i] = (struct event){(uint32_t)i, line, piece};
    }
    return line + 1;
}

/* Sort by time; events of the same time keep their order. */
static bool sort_events(struct going *going)
{
    size_t count = going->sample.count;
    struct keyed *order = malloc((2 * count + 1) * sizeof *order);
    struct event *sorted = malloc((count + 1) * sizeof *sorted);
    bool made = order && sorted;
    for (size_t i = 0; made && i < count; i++)
        order[i] = (struct keyed){going->sample.touches[i].wave_steps, (uint32_t)i};
    if (made) {
        keyed_sort(order, order + count, count);
        for (size_t i = 0; i < count; i++)
            sorted[i] = going->events[order[i].number];
        memcpy(going->events, sorted, count * sizeof *sorted);
    }
    free(order);
    free(sorted);
    return made;
}

/* A piece is wanted again, and so many lines were touched since: has L2 lost it? */
static void look_again(struct going *going, const struct touch *touch, const struct touch *before,
                       uint32_t lines)
{
    const struct launch *launch = going->launch;
    const struct sim_profile *profile = &launch->context->machine->profile;
    double bytes = lines * TOUCH_LINE_BYTES / going->sample.share;
    bool first = leaves_first(launch->function->module, before->op);
    double share = first ? profile->model->kept_share_first : profile->model->kept_share;
    if (touch->stores || bytes <= (double)profile->l2_bytes * share)
        return;
    note(going, touch, 1);
    launch->fetched->again_bytes[touch->op] += TOUCH_PIECE_BYTES / going->sample.share;
}

/* False without memory. */
static bool look_at_later(struct going *going)
{
    size_t count = going->sample.count;
    uint32_t lines = number_events(going);
    const struct sim_profile *profile = &going->launch->context->machine->profile;
    double all_bytes = lines * TOUCH_LINE_BYTES / going->sample.share;
    if (all_bytes <= profile->model->kept_share_first * (double)profile->l2_bytes)
        return true;
    if (!sort_events(going))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const struct event *event = &going->events[i];
        const struct touch *touches = going->sample.touches;
        uint32_t *line = &going->of_line[event->line], *piece = &going->of_piece[event->piece];
        if (*piece)
            look_again(going, &touches[event->touch], &touches[going->events[*piece - 1].touch],
                       tree_sum(going->tree, i) - tree_sum(going->tree, *piece));
        if (*line)
            tree_add(going->tree, count, *line - 1, -1);
        tree_add(going->tree, count, i, 1);
        *line = *piece = i + 1;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------- */

static bool going_init(struct going *going, struct launch *launch)
{
    size_t ops = launch->function->module->op_count + 1;
    *going = (struct going){.launch = launch, .sample = touches_collect(launch)};
    size_t count = going->sample.count + 1;
    struct fetched *fetched = launch->fetched = calloc(1, sizeof *fetched);
    if (!going->sample.touches || !fetched)
        return false;
    fetched->late = calloc(ops, sizeof *fetched->late);
    fetched->again_bytes = calloc(ops, sizeof *fetched->again_bytes);
    bool made = fetched->late && fetched->again_bytes;
    for (int when = 0; when < FETCHED_TIMES; when++) {
        going->asked[when] = calloc(ops, sizeof(float));
        going->waited[when] = calloc(ops, sizeof(float));
        made = made && going->asked[when] && going->waited[when];
    }
    going->events = malloc(count * sizeof *going->events);
    going->of_line = calloc(count, sizeof *going->of_line);
    going->of_piece = calloc(count, sizeof *going->of_piece);
    going->tree = calloc(count + 1, sizeof *going->tree);
    return made && going->events && going->of_line && going->of_piece && going->tree;
}

static void going_free(struct going *going)
{
    free(going->sample.touches);
    for (int when = 0; when < FETCHED_TIMES; when++) {
        free(going->asked[when]);
        free(going->waited[when]);
    }
    free(going->events);
    free(going->of_line);
    free(going->of_piece);
    free(going->tree);
}

static void conclude(const struct going *going)
{
    const struct launch *launch = going->launch;
    for (uint32_t op = 0; op < launch->function->module->op_count; op++)
        for (int when = 0; when < FETCHED_TIMES; when++) {
            float asked = going->asked[when][op], waited = going->waited[when][op];
            launch->fetched->late[op][when] = asked > 0 ? waited / asked : -1;
        }
}

void fetched_find(struct launch *launch)
{
    struct going going;
    bool made = going_init(&going, launch);
    if (made) {
        look_at_first(&going);
        made = look_at_later(&going);
        conclude(&going);
    }
    going_free(&going);
    if (!made)
        fetched_free(launch);
}

void fetched_free(struct launch *launch)
{
    if (!launch->fetched)
        return;
    free(launch->fetched->late);
    free(launch->fetched->again_bytes);
    free(launch->fetched);
    launch->fetched = NULL;
}
