/* twins.c - see twins.h. */
#include "twins.h"
#include "sample.h"
#include "scout.h"

#include <stdlib.h>
#include <string.h>

/* Blocks that are followed, in three rounds, and the warp instructions of a round: the first two
 * take a millisecond where a kernel is short. */
enum { MOST_FOLLOWED = 1 << 15, MOST_STEPS = 1 << 18, MOST_STEPS_OF_DRAWN = 1 << 20 };
/* Drawn from the whole grid in the third; and by so many distances their twins are looked for. */
enum { DRAWN = 2048, DISTANCES = 4, MORE = 6 * DRAWN };
/* Blocks that seem to store the same, of which so many are named; and pairs of which none ran. */
enum { MOST_ALIKE = 3, MOST_STRANGERS = 8 };
/* Most blocks are idle where all but one of so many are. */
enum { MOST_OF = 8 };

struct follow {
    struct worker *worker;
    struct block_print all[MOST_FOLLOWED];
    uint32_t count;
};

/* --- Whom to follow --------------------------------------------------------------------------- */

static void add(struct follow *follow, uint64_t number)
{
    if (follow->count < MOST_FOLLOWED && number < follow->worker->launch->block_count)
        follow->all[follow->count++] = (struct block_print){.number = number};
}

/* The blocks of which an index, or the number, differs in one bit. */
static void add_near(struct follow *follow, uint64_t number)
{
    const struct launch *launch = follow->worker->launch;
    const uint32_t *grid = launch->config.grid;
    uint64_t step = 1;
    for (int axis = 0; axis < 3; step *= grid[axis++])
        for (uint32_t bit = 1; bit < grid[axis]; bit *= 2) {
            uint64_t index = number / step % grid[axis], other = index ^ bit;
            if (other < grid[axis])
                add(follow, number + (other - index) * step);
        }
    for (uint64_t bit = 1; bit < launch->block_count && launch->block_count > grid[0]; bit *= 2)
        add(follow, number ^ bit);
}

static int compare_numbers(const void *a, const void *b)
{
    const struct block_print *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* Follow those from first on, each once, and sort all: print_of finds them then. */
static void follow_from(struct follow *follow, uint32_t first, uint64_t most)
{
    struct block_print *all = follow->all;
    uint32_t kept = first, count = follow->count;
    qsort(all + first, count - first, sizeof *all, compare_numbers);
    for (uint32_t i = first; i < count; i++) {
        bool is_known = bsearch(&all[i], all, first, sizeof *all, compare_numbers) ||
                        (kept > first && all[kept - 1].number == all[i].number);
        if (!is_known)
            all[kept++] = all[i];
    }
    follow->count = kept;
    scout_first_threads(follow->worker, all + first, kept - first, most);
    qsort(all, kept, sizeof *all, compare_numbers);
}

/* Of a block that was followed, to its end or not. */
static const struct block_print *any_of(const struct follow *follow, uint64_t number)
{
    const struct block_print wanted = {.number = number};
    return bsearch(&wanted, follow->all, follow->count, sizeof wanted, compare_numbers);
}

static const struct block_print *known_of(const struct follow *follow, uint64_t number)
{
    const struct block_print *print = any_of(follow, number);
    return print && print->is_known ? print : NULL;
}

/* Of one that stores anything. */
static const struct block_print *print_of(const struct follow *follow, uint64_t number)
{
    const struct block_print *print = known_of(follow, number);
    return print && print->hash ? print : NULL;
}

/* --- Rows ------------------------------------------------------------------------------------- */

/* Where first threads store, if that is the same distance from block to block along each axis. */
struct rows {
    int64_t origin, apart[3]; /* of block 0; bytes along each axis */
    int axes[3];              /* the farthest apart first */
};

static bool find_rows(const struct follow *follow, uint64_t base, struct rows *rows)
{
    const uint32_t *grid = follow->worker->launch->config.grid;
    const struct block_print *print = print_of(follow, base);
    uint64_t step = 1;
    if (!print)
        return false;
    *rows = (struct rows){.origin = (int64_t)print->lowest, .axes = {0, 1, 2}};
    for (int axis = 0; axis < 3; step *= grid[axis++]) {
        uint64_t index = base / step % grid[axis], other = index ^ 1;
        const struct block_print *next =
            other < grid[axis] ? print_of(follow, base + (other - index) * step) : NULL;
        if (next)
            rows->apart[axis] = (int64_t)(next->lowest - print->lowest) * (other > index ? 1 : -1);
        rows->origin -= (int64_t)index * rows->apart[axis];
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (llabs(rows->apart[rows->axes[j]]) < llabs(rows->apart[rows->axes[j + 1]])) {
                int other = rows->axes[j];
                rows->axes[j] = rows->axes[j + 1];
                rows->axes[j + 1] = other;
            }
    return true;
}

/* The block to which a place belongs in these rows. */
static uint64_t owner_of(const struct follow *follow, const struct rows *rows, uint64_t address)
{
    const uint32_t *grid = follow->worker->launch->config.grid;
    const uint64_t step[3] = {1, grid[0], (uint64_t)grid[0] * grid[1]};
    int64_t from = (int64_t)address - rows->origin, least = 0;
    uint64_t number = 0;
    for (int i = 0; i < 3; i++) { /* a block of a row that goes down begins at its far end */
        int64_t apart = rows->apart[rows->axes[i]];
        from -= apart < 0 ? apart * (int64_t)(grid[rows->axes[i]] - 1) : 0;
        least = apart ? llabs(apart) : least;
    }
    from += least / 2;
    for (int i = 0; i < 3; i++) {
        int axis = rows->axes[i];
        int64_t apart = llabs(rows->apart[axis]), index = apart ? from / apart : 0;
        index = index < 0 ? 0 : index >= grid[axis] ? grid[axis] - 1 : index;
        from -= index * apart;
        number += (uint64_t)(rows->apart[axis] < 0 ? grid[axis] - 1 - index : index) * step[axis];
    }
    return number;
}

/* Rows by the first of the blocks that allows it, from the middle on: those at the ends of the list
 * are at edges of the grid. */
static bool find_any_rows(const struct follow *follow, const uint64_t *ran, uint32_t ran_count,
                          struct rows *rows)
{
    for (uint32_t i = 0; i < ran_count; i++)
        if (find_rows(follow, ran[(ran_count / 2 + i) % ran_count], rows))
            return true;
    return false;
}

/* For each of the blocks, the one to which the place belongs where it stores. */
static void add_owners(struct follow *follow, const struct rows *rows, const uint64_t *blocks,
                       uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct block_print *print = print_of(follow, blocks[i]);
        if (print)
            add(follow, owner_of(follow, rows, print->lowest));
    }
}

/* --- Twins ------------------------------------------------------------------------------------ */

struct seen {
    uint64_t hash, number;
    bool is_first; /* of those that store the same: one that ran, or was drawn */
};

/* All that store anything, those that store the same side by side. */
struct table {
    struct seen *seen;
    uint32_t count;
};

static int compare_seen(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    int by_hash = (x->hash > y->hash) - (x->hash < y->hash);
    int by_first = (int)y->is_first - (int)x->is_first;
    return by_hash    ? by_hash
           : by_first ? by_first
                      : (x->number > y->number) - (x->number < y->number);
}

static void list_seen(const struct follow *follow, const uint64_t *first, uint32_t first_count,
                      struct table *table)
{
    table->count = 0;
    for (uint32_t i = 0; i < follow->count; i++) {
        const struct block_print *print = &follow->all[i];
        if (print->is_known && print->hash)
            table->seen[table->count++] = (struct seen){print->hash, print->number, false};
    }
    for (uint32_t i = 0; i < table->count; i++)
        for (uint32_t j = 0; j < first_count && !table->seen[i].is_first; j++)
            table->seen[i].is_first = first[j] == table->seen[i].number;
    qsort(table->seen, table->count, sizeof *table->seen, compare_seen);
}

/* Past the last of those that store what the one at first does. */
static uint32_t end_of(const struct table *table, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < table->count && table->seen[end].hash == table->seen[first].hash)
        end++;
    return end;
}

/* Of each that store the same a few, first where one of them ran. */
static uint32_t name_twins(const struct table *table, uint64_t *numbers, uint32_t most)
{
    uint32_t named = 0;
    for (int strangers = 0; strangers < 2; strangers++) {
        most = strangers && named + MOST_STRANGERS < most ? named + MOST_STRANGERS : most;
        for (uint32_t first = 0, end; first < table->count; first = end) {
            end = end_of(table, first);
            if (end - first < 2 || table->seen[first].is_first == strangers)
                continue;
            for (uint32_t i = first; i < end && i < first + MOST_ALIKE && named < most; i++)
                if (!table->seen[i].is_first)
                    numbers[named++] = table->seen[i].number;
        }
    }
    return named;
}

/* Some that store nothing, where others do. */
static uint32_t name_idle(const struct follow *follow, const uint64_t *ran, uint32_t ran_count,
                          uint64_t *numbers)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < follow->count && named < TWINS_MOST_IDLE; i++) {
        const struct block_print *print = &follow->all[i];
        if (print->is_known && !print->hash && !is_among(ran, ran_count, print->number))
            numbers[named++] = print->number;
    }
    return named;
}

/* How far twins are from each other: the first distances that differ. */
static uint32_t find_distances(const struct table *table, uint64_t distances[DISTANCES])
{
    uint32_t count = 0;
    for (uint32_t i = 1; i < table->count && count < DISTANCES; i++) {
        const struct seen *a = &table->seen[i - 1], *b = &table->seen[i];
        uint64_t apart = a->number > b->number ? a->number - b->number : b->number - a->number;
        bool is_known = a->hash != b->hash;
        for (uint32_t j = 0; j < count; j++)
            is_known |= distances[j] == apart;
        if (!is_known)
            distances[count++] = apart;
    }
    return count;
}

static bool has_twin(const struct table *table, uint64_t hash)
{
    uint32_t low = 0,
             high = table->count; /* the first one whose hash is no less is in [low, high] */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (table->seen[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low + 1 < table->count && table->seen[low].hash == hash &&
           table->seen[low + 1].hash == hash;
}

static void draw(uint64_t *random, uint64_t blocks, uint64_t *drawn, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        drawn[i] = sample_random(random) % blocks;
}

/* How many of these store nothing? */
static uint32_t count_idle(const struct follow *follow, const uint64_t *drawn, uint32_t count)
{
    uint32_t idle = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct block_print *print = known_of(follow, drawn[i]);
        idle += print && !print->hash;
    }
    return idle;
}

/* Of blocks drawn from the whole grid, how many have a twin, and how many store nothing? */
static struct sim_twins count_drawn(struct follow *follow, const struct rows *rows,
                                    const uint64_t drawn[DRAWN], struct table *table)
{
    uint64_t distances[DISTANCES];
    uint32_t count = find_distances(table, distances), first = follow->count;
    struct sim_twins twins = {.drawn = DRAWN};
    for (uint32_t i = 0; i < DRAWN; i++) {
        add(follow, drawn[i]);
        for (uint32_t j = 0; j < count; j++) {
            add(follow, drawn[i] + distances[j]);
            add(follow, drawn[i] - distances[j]);
        }
    }
    follow_from(follow, first, MOST_STEPS_OF_DRAWN);
    first = follow->count;
    if (rows)
        add_owners(follow, rows, drawn, DRAWN);
    follow_from(follow, first, MOST_STEPS);
    list_seen(follow, NULL, 0, table);
    twins.idle = count_idle(follow, drawn, DRAWN);
    for (uint32_t i = 0; i < DRAWN; i++) {
        const struct block_print *print = print_of(follow, drawn[i]);
        twins.found += print && has_twin(table, print->hash);
    }
    return twins;
}

/* Of those that were drawn, some that store and have not run; they may be too long to be known. */
static uint32_t name_busy(const struct follow *follow, const uint64_t *ran, uint32_t ran_count,
                          const uint64_t drawn[DRAWN], uint64_t *numbers)
{
    uint32_t named = 0;
    for (uint32_t i = 0; i < DRAWN && named < TWINS_MOST_BUSY; i++) {
        const struct block_print *print = any_of(follow, drawn[i]);
        if (print && print->hash && !is_among(ran, ran_count, drawn[i]) &&
            !is_among(numbers, named, drawn[i]))
            numbers[named++] = drawn[i];
    }
    return named;
}

/* Where few store, it takes more to know how few. */
static void count_more(struct follow *follow, uint64_t *random, struct sim_twins *twins)
{
    uint32_t first = follow->count;
    uint64_t *drawn = calloc(MORE, sizeof *drawn);
    if (!drawn)
        return;
    draw(random, follow->worker->launch->block_count, drawn, MORE);
    for (uint32_t i = 0; i < MORE; i++)
        add(follow, drawn[i]);
    follow_from(follow, first, MOST_STEPS_OF_DRAWN);
    twins->drawn += MORE;
    twins->idle += count_idle(follow, drawn, MORE);
    free(drawn);
}

/* The idle ones come last. */
static void add_drawn(struct follow *follow, const struct rows *rows, const uint64_t *ran,
                      uint32_t ran_count, struct table *table, struct twins *twins)
{
    const struct launch *launch = follow->worker->launch;
    uint64_t random = launch->config.sampling.seed ^ UINT64_C(0x7477696E73), drawn[DRAWN];
    uint64_t idle[TWINS_MOST_IDLE], *end = twins->numbers + twins->count - twins->idle;
    draw(&random, launch->block_count, drawn, DRAWN);
    twins->share = count_drawn(follow, rows, drawn, table);
    if (MOST_OF * twins->share.idle < (MOST_OF - 1) * DRAWN)
        return;
    memcpy(idle, end, twins->idle * sizeof *idle);
    twins->busy = name_busy(follow, ran, ran_count, drawn, end);
    memcpy(end + twins->busy, idle, twins->idle * sizeof *idle);
    twins->count += twins->busy;
    count_more(follow, &random, &twins->share);
}

void twins_find(struct worker *worker, const uint64_t *ran, uint32_t ran_count, struct twins *twins)
{
    struct follow *follow = calloc(1, sizeof *follow);
    struct table table = {.seen = calloc(MOST_FOLLOWED, sizeof *table.seen)};
    struct rows rows;
    twins->count = twins->idle = twins->busy = 0;
    if (follow && table.seen) {
        follow->worker = worker;
        for (uint32_t i = 0; i < ran_count; i++) {
            add(follow, ran[i]);
            add_near(follow, ran[i]);
        }
        follow_from(follow, 0, MOST_STEPS);
        bool has_rows = find_any_rows(follow, ran, ran_count, &rows);
        uint32_t first = follow->count, room = twins->most - TWINS_MOST_IDLE - TWINS_MOST_BUSY;
        if (has_rows)
            add_owners(follow, &rows, ran, ran_count);
        follow_from(follow, first, MOST_STEPS);
        list_seen(follow, ran, ran_count, &table);
        twins->count = name_twins(&table, twins->numbers, room);
        twins->idle = name_idle(follow, ran, ran_count, twins->numbers + twins->count);
        twins->count += twins->idle;
        if (twins->count)
            add_drawn(follow, has_rows ? &rows : NULL, ran, ran_count, &table, twins);
    }
    free(follow);
    free(table.seen);
}
