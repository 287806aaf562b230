/* coverage.c - see coverage.h. */
#include "check/examine/coverage.h"
#include "check/examine/chance.h"
#include "check/examine/twice.h"

#include <math.h>
#include <stdio.h>

/* Fewer randomly drawn blocks prove nothing. */
enum { LEAST_DRAWN = 16 };
/* Below this probability, a region was not missed by chance. */
static const double MISSED = 1e-6;
/* The average that blocks write is this many standard errors below the truth once in 30,000
 * times. */
static const double ERRORS = 4;
/* We assume that the amounts that blocks write differ by at least this share of their mean, even if
 * those of the drawn blocks differ less. */
static const double LEAST_SPREAD = 0.25;
/* Standard errors for a few long blocks, one of which may be at an edge and write half a tile. */
static const double ERRORS_OF_FEW = 1;
/* If blocks loop over the output, some run one iteration more than others, of eight or more;
 * perhaps none of these is among the few that run. */
static const double A_TURN = 1.0 / 8;

struct seen {                        /* of one launch, in one output */
    uint64_t most_bytes;             /* that a block stored */
    uint64_t own_bytes;              /* that all blocks which ran stored */
    uint64_t drawn, drawn_bytes;     /* drawn blocks that stored anything; and how much */
    double drawn_squares;            /* the sum of the squares of drawn_bytes' parts */
    uint64_t idle, idle_drawn;       /* blocks that stored nothing; and the drawn ones of them */
    double all_bytes;                /* of all blocks, by the weights of those that ran */
    double weights, weights_squared; /* sums over the drawn blocks */
    double heaviest;                 /* of their weights */
    double stand_for;                /* so many blocks the ones that stored anything stand for */
};

/* Bytes of the output that the block may have written: at most those between its ends. */
static uint64_t bytes_of(const struct simgpu_stretch *stretch)
{
    uint64_t between = stretch->high - stretch->low;
    return stretch->bytes < between ? stretch->bytes : between;
}

static struct seen look(const struct simgpu_launch *launch, uint64_t address)
{
    struct seen seen = {0};
    uint64_t writers = 0;
    for (size_t i = 0; i < launch->stretch_count; i++) {
        const struct simgpu_stretch *stretch = &launch->stretches[i];
        if (stretch->address != address)
            continue;
        uint64_t bytes = bytes_of(stretch);
        seen.most_bytes = bytes > seen.most_bytes ? bytes : seen.most_bytes;
        seen.own_bytes += bytes;
        seen.drawn += stretch->drawn;
        seen.drawn_bytes += stretch->drawn ? bytes : 0;
        seen.drawn_squares += stretch->drawn ? (double)bytes * (double)bytes : 0;
        seen.all_bytes += (double)bytes * stretch->weight;
        seen.stand_for += stretch->weight;
        seen.weights += stretch->drawn ? stretch->weight : 0;
        seen.weights_squared += stretch->drawn ? stretch->weight * stretch->weight : 0;
        seen.heaviest = stretch->drawn ? fmax(seen.heaviest, stretch->weight) : seen.heaviest;
        writers++;
    }
    seen.idle = launch->blocks_run > writers ? launch->blocks_run - writers : 0;
    seen.idle_drawn = launch->blocks_drawn > seen.drawn ? launch->blocks_drawn - seen.drawn : 0;
    return seen;
}

static bool ran_whole(const struct simgpu_launch *launch)
{
    return launch->blocks_run == launch->blocks;
}

static bool all_whole(const struct simgpu_report *report)
{
    for (size_t i = 0; i < report->launch_count; i++)
        if (!ran_whole(&report->launches[i]))
            return false;
    return true;
}

static uint64_t size_of(const struct coverage_output *output)
{
    return output->count * output->element_bytes;
}

static uint64_t touched_bytes(const struct coverage_output *output)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < output->touched_count; i++)
        bytes += output->touched[i].bytes;
    return bytes;
}

static bool touches(const struct coverage_output *output, uint64_t low, uint64_t high)
{
    for (size_t i = 0; i < output->touched_count; i++)
        if (output->touched[i].offset < high &&
            output->touched[i].offset + output->touched[i].bytes > low)
            return true;
    return false;
}

/* --- Too few ---------------------------------------------------------------------------------- */

/* Every block ran, so what was not touched was not written. */
static bool is_untouched(const struct coverage_output *output, uint64_t *element)
{
    uint64_t at = output->offset;
    for (size_t i = 0; i < output->touched_count && output->touched[i].offset <= at; i++)
        if (output->touched[i].offset + output->touched[i].bytes > at)
            at = output->touched[i].offset + output->touched[i].bytes;
    *element = (at - output->offset) / output->element_bytes;
    return *element < output->count;
}

/* What all launches write if blocks that did not run are like those that did. */
struct estimate {
    double most, mean; /* bytes: each as the busiest; each as the average of its kind */
    uint64_t writers;  /* blocks drawn by chance that wrote anything */
    double equals;     /* so many of equal weight would estimate the mean as well (Kish, 1965) */
    double weights, heaviest; /* of those writers: the sum, and the largest */
    double spread;            /* of what they wrote: standard deviation / mean; the largest */
    double unseen; /* bytes that blocks may write of whose kind all that ran were idle by chance */
    bool few;      /* too few were drawn for some launch */
};

static double spread_of(const struct seen *seen)
{
    double count = (double)seen->drawn, mean = (double)seen->drawn_bytes / fmax(count, 1);
    double variance = seen->drawn_squares / fmax(count, 1) - mean * mean;
    return mean > 0 ? sqrt(fmax(variance, 0)) / mean : 0;
}

/* In a row of blocks, only the first ones may have work, and the few that are drawn may all be
 * idle. How much do the others write at most, unless a rare event happened? */
static double unseen_bytes(const struct simgpu_launch *launch, const struct seen *seen)
{
    double others = fmax((double)launch->blocks - seen->stand_for, 0);
    double share = seen->idle_drawn ? chance_most_share(seen->idle_drawn, 0) : 0;
    return others * share * (double)seen->most_bytes;
}

static struct estimate estimate(const struct simgpu_report *report,
                                const struct coverage_output *output, uint64_t *element)
{
    struct estimate estimate = {.spread = LEAST_SPREAD};
    double weights_squared = 0;
    bool some_whole = false;
    *element = 0;
    for (size_t i = 0; i < report->launch_count; i++) {
        const struct simgpu_launch *launch = &report->launches[i];
        struct seen seen = look(launch, output->address);
        some_whole |= ran_whole(launch);
        estimate.few |= !ran_whole(launch) && launch->blocks_drawn < LEAST_DRAWN;
        estimate.most += (double)seen.most_bytes * (double)launch->blocks;
        estimate.mean += seen.all_bytes;
        estimate.unseen += ran_whole(launch) ? 0 : unseen_bytes(launch, &seen);
        estimate.writers += seen.drawn;
        estimate.spread = fmax(estimate.spread, spread_of(&seen));
        estimate.weights += seen.weights;
        estimate.heaviest = fmax(estimate.heaviest, seen.heaviest);
        weights_squared += seen.weights_squared;
        for (size_t j = 0; j < launch->stretch_count; j++)
            if (launch->stretches[j].address == output->address &&
                launch->stretches[j].high > output->offset) {
                uint64_t end = (launch->stretches[j].high - output->offset) / output->element_bytes;
                *element = end > *element ? end : *element;
            }
    }
    double whole = some_whole ? (double)touched_bytes(output) : 0;
    estimate.most += whole;
    estimate.mean += whole;
    estimate.equals =
        weights_squared > 0 ? estimate.weights * estimate.weights / weights_squared : 1;
    return estimate;
}

static bool has_too_few(const struct estimate *estimate, const struct coverage_output *output,
                        uint64_t *element, char *text, size_t bytes)
{
    double size = (double)size_of(output), each = (double)output->element_bytes;
    double slack = 1 + ERRORS * estimate->spread / sqrt(fmax(estimate->equals, 1));
    if (estimate->most == 0)
        snprintf(text, bytes, "all blocks that ran wrote nothing");
    else
        snprintf(text, bytes, "all blocks together write at most %.0f elements",
                 estimate->most / each);
    if (estimate->most < size && *element < output->count)
        return true;
    if (estimate->mean * slack + estimate->unseen >= size)
        return false;
    snprintf(text, bytes, "all blocks together write about %.0f elements, by those that ran",
             estimate->mean / each);
    *element = output->count; /* which are missing is not known */
    return true;
}

/* --- Holes ------------------------------------------------------------------------------------ */

/* How many bytes of the output no block stores to, where all blocks were followed by their
 * registers; false if that is not known. *element: the first of them. */
static bool count_missing(const struct simgpu_launch *launch, const struct coverage_output *output,
                          uint64_t *missing, uint64_t *element)
{
    uint64_t end = output->offset + size_of(output);
    for (size_t i = 0; i < launch->written_count; i++) {
        const struct simgpu_written *written = &launch->written[i];
        if (written->address != output->address)
            continue;
        uint64_t first = written->low > output->offset ? output->offset : written->first_hole;
        *missing = written->holes +
                   (written->low > output->offset ? written->low - output->offset : 0) +
                   (written->high < end ? end - written->high : 0);
        *element = first > output->offset ? (first - output->offset) / output->element_bytes : 0;
        return true;
    }
    return false;
}

static void say_holes(const struct simgpu_launch *launch, const struct coverage_output *output,
                      uint64_t missing, char *text, size_t bytes)
{
    snprintf(text, bytes, "all %llu blocks were followed, and %llu elements are left out",
             (unsigned long long)launch->blocks,
             (unsigned long long)(missing / output->element_bytes));
}

static bool is_one_writer(const struct simgpu_report *report, const struct coverage_output *output)
{
    return report->launch_count == 1 && !output->is_input && !report->calls.copies &&
           !report->calls.sets;
}

/* All blocks were followed by their registers, and store to more than half of the output: then
 * their addresses do not depend on data, and no block writes what none of them stores. */
static bool has_holes(const struct simgpu_report *report, const struct coverage_output *output,
                      uint64_t *element, char *text, size_t bytes)
{
    uint64_t missing;
    if (!is_one_writer(report, output) ||
        !count_missing(report->launches, output, &missing, element))
        return false;
    say_holes(report->launches, output, missing, text, bytes);
    return missing >= output->element_bytes && missing < size_of(output) / 2;
}

/* --- Cut off ---------------------------------------------------------------------------------- */

static bool any_was_cut(const struct simgpu_report *report)
{
    for (size_t i = 0; i < report->launch_count; i++)
        if (report->launches[i].blocks_cut)
            return true;
    return false;
}

/* Blocks are cut off only where no data decide where they store, so the ledger is right. */
static enum coverage of_cut(const struct simgpu_report *report,
                            const struct coverage_output *output, uint64_t *element, char *text,
                            size_t bytes)
{
    uint64_t missing;
    if (!is_one_writer(report, output) || report->launches->written_count == 0) {
        snprintf(text, bytes, "its blocks were cut off, and their stores cannot be followed");
        return COVERAGE_UNKNOWN;
    }
    if (!count_missing(report->launches, output, &missing, element)) {
        missing = size_of(output);
        *element = 0;
    }
    say_holes(report->launches, output, missing, text, bytes);
    return missing >= output->element_bytes ? COVERAGE_GAP : COVERAGE_NO_GAP;
}

/* --- Idle ones -------------------------------------------------------------------------------- */

/* The allowance for chance: by this factor more blocks may have work than the drawn ones suggest.
 * idle of the drawn blocks had no work; by their weights they are that share of all blocks. */
static double slack_of(uint64_t drawn, uint64_t idle, double share)
{
    double busy = (double)(drawn - idle);
    double by_errors = 1 + ERRORS * sqrt(share / fmax((double)drawn * (1 - share), 1));
    double seen = busy / fmax((double)drawn, 1);
    return busy > 0 ? fmax(by_errors, chance_most_share(drawn, drawn - idle) / seen) : by_errors;
}

/* For one launch: do the blocks that ran and wrote nothing leave more to the others than these can
 * write, if each writes as much as the busiest, or as much as those like it on average, with an
 * allowance for chance? Where few are drawn of one plane of the grid, and many of another, their
 * weights say what each stands for: each plane may write an output of its own. */
static bool has_idle(const struct simgpu_report *report, const struct coverage_output *output,
                     uint64_t *element, char *text, size_t bytes)
{
    const struct simgpu_launch *launch = report->launches;
    if (report->launch_count != 1 || ran_whole(launch))
        return false;
    struct seen seen = look(launch, output->address);
    double blocks = (double)launch->blocks, size = (double)size_of(output);
    double most =
        (double)seen.own_bytes + (double)seen.most_bytes * (blocks - (double)launch->blocks_run);
    double began = (double)(launch->blocks_drawn + launch->blocks_left);
    double share = began > 0 ? (double)seen.idle_drawn / began : 0;
    if (launch->blocks_left == 0)
        share = 1 - fmin(seen.weights / blocks, 1);
    double each = seen.drawn ? (double)seen.drawn_bytes / (double)seen.drawn : 0;
    double slack = slack_of((uint64_t)began, seen.idle_drawn, share);
    bool are_too_many = began >= LEAST_DRAWN && seen.drawn > 0 && seen.idle_drawn > 0 &&
                        each * blocks * (1 - share) * slack < size;
    if (seen.idle == 0 || !(most < size || are_too_many))
        return false;
    *element = output->count;
    snprintf(text, bytes,
             "%llu of %llu blocks that ran write nothing, and the others cannot "
             "write all",
             (unsigned long long)seen.idle, (unsigned long long)launch->blocks_run);
    return true;
}

/* --- A region --------------------------------------------------------------------------------- */

static bool is_met(const struct simgpu_report *report, const struct coverage_output *output,
                   uint64_t low, uint64_t high, uint64_t *drawn)
{
    *drawn = 0;
    for (size_t i = 0; i < report->launch_count; i++) {
        const struct simgpu_launch *launch = &report->launches[i];
        *drawn += look(launch, output->address).drawn;
        for (size_t j = 0; j < launch->stretch_count; j++)
            if (launch->stretches[j].address == output->address &&
                launch->stretches[j].low < high && launch->stretches[j].high > low)
                return true;
    }
    return !output->is_input && touches(output, low, high);
}

static bool misses_region(const struct simgpu_report *report, const struct coverage_output *output,
                          uint64_t *element, char *text, size_t bytes)
{
    for (int bits = 31; bits <= 34; bits++) {
        uint64_t first = UINT64_C(1) << bits, end = first << 1, drawn;
        end = end < output->count ? end : output->count;
        if (first >= output->count)
            return false;
        uint64_t low = output->offset + first * output->element_bytes;
        uint64_t high = output->offset + end * output->element_bytes;
        if (is_met(report, output, low, high, &drawn))
            continue;
        double others = 1 - (double)(end - first) / (double)output->count;
        if (drawn < LEAST_DRAWN || pow(others, (double)drawn) > MISSED)
            continue;
        *element = first;
        snprintf(text, bytes, "no block of %llu that were drawn writes past 2^%d elements",
                 (unsigned long long)drawn, bits);
        return true;
    }
    return false;
}

/* --- A part ----------------------------------------------------------------------------------- */

/* Where the first byte from at on is that a block wrote, or end. */
static uint64_t next_met(const struct simgpu_report *report, const struct coverage_output *output,
                         uint64_t at, uint64_t end)
{
    uint64_t next = end;
    for (size_t i = 0; i < report->launch_count; i++)
        for (size_t j = 0; j < report->launches[i].stretch_count; j++) {
            const struct simgpu_stretch *it = &report->launches[i].stretches[j];
            if (it->address == output->address && it->high > at && it->low < next)
                next = it->low > at ? it->low : at;
        }
    return next;
}

/* The longest part between what two of them wrote, or at an end. */
static void find_longest(const struct simgpu_report *report, const struct coverage_output *output,
                         uint64_t *low, uint64_t *high)
{
    uint64_t end = output->offset + size_of(output);
    *low = output->offset;
    *high = next_met(report, output, *low, end);
    for (size_t i = 0; i < report->launch_count; i++)
        for (size_t j = 0; j < report->launches[i].stretch_count; j++) {
            const struct simgpu_stretch *it = &report->launches[i].stretches[j];
            uint64_t next = it->address == output->address && it->high < end
                                ? next_met(report, output, it->high, end)
                                : 0;
            if (next > it->high && next - it->high > *high - *low) {
                *low = it->high;
                *high = next;
            }
        }
}

/* If each block of the part writes as much as the busiest, this many of all blocks write there. How
 * often are all drawn blocks elsewhere? Groups from which fewer are drawn may contain all of them,
 * so their weight says how many draws there were. */
static bool misses_part(const struct simgpu_report *report, const struct coverage_output *output,
                        const struct estimate *estimate, uint64_t *element, char *text,
                        size_t bytes)
{
    uint64_t low, high, each = output->element_bytes;
    if (!output->by_chance || estimate->heaviest <= 0)
        return false;
    find_longest(report, output, &low, &high);
    double share = (double)(high - low) / estimate->most;
    double draws = estimate->weights / estimate->heaviest;
    if (share <= 0 || (share < 1 && (draws + 1) * pow(1 - share, draws) > MISSED) ||
        touches(output, low, high))
        return false;
    *element = (low - output->offset + each - 1) / each;
    snprintf(text, bytes, "no block of %llu that were drawn writes any of %llu elements from it on",
             (unsigned long long)estimate->writers, (unsigned long long)((high - low) / each));
    return true;
}

/* --- The end ---------------------------------------------------------------------------------- */

/* Pieces of one size, next to each other along the grid's x, in rows that begin a fixed number of
 * bytes apart. */
struct rows {
    uint64_t first, each; /* bytes: where block 0 writes, and how much */
    uint64_t across;      /* blocks of a row */
    uint64_t apart;       /* bytes from row to row; of a single one, its length */
};

static uint64_t piece_at(const struct rows *rows, uint64_t block)
{
    return rows->first + block % rows->across * rows->each + block / rows->across * rows->apart;
}

/* From blocks of two rows, or of one if there is no other: false if all are one block. */
static bool find_rows(const struct simgpu_launch *launch, uint64_t address, struct rows *rows)
{
    const struct simgpu_stretch *a = NULL, *b = NULL;
    for (size_t i = 0; i < launch->stretch_count; i++) {
        const struct simgpu_stretch *it = &launch->stretches[i];
        if (it->address != address)
            continue;
        a = !a || it->block < a->block ? it : a;
        b = !b || it->block > b->block ? it : b;
    }
    if (!a || a == b || b->low <= a->low)
        return false;
    *rows = (struct rows){.each = a->bytes, .across = launch->grid[0]};
    uint64_t down = b->block / rows->across - a->block / rows->across;
    uint64_t of_a = a->block % rows->across * rows->each;
    uint64_t of_b = b->block % rows->across * rows->each;
    rows->apart = down ? (b->low - of_b - (a->low - of_a)) / down : rows->across * rows->each;
    rows->first = a->low - of_a - a->block / rows->across * rows->apart;
    return true;
}

/* Does each block write a separate piece, all of one size, in such rows? */
static bool lie_in_rows(const struct simgpu_launch *launch, uint64_t address, struct rows *rows)
{
    if (!find_rows(launch, address, rows))
        return false;
    for (size_t i = 0; i < launch->stretch_count; i++) {
        const struct simgpu_stretch *it = &launch->stretches[i];
        if (it->address == address && (it->bytes != it->high - it->low || it->bytes > rows->each ||
                                       it->low != piece_at(rows, it->block)))
            return false;
    }
    return true;
}

static bool find_lines(const struct simgpu_report *report, const struct coverage_output *output,
                       struct rows *rows)
{
    const struct simgpu_launch *launch = report->launches;
    return report->launch_count == 1 && !ran_whole(launch) &&
           look(launch, output->address).drawn >= LEAST_DRAWN &&
           lie_in_rows(launch, output->address, rows);
}

static bool ends_early(const struct simgpu_report *report, const struct coverage_output *output,
                       uint64_t *element, char *text, size_t bytes)
{
    struct rows rows;
    if (!find_lines(report, output, &rows))
        return false;
    uint64_t last = rows.apart > rows.across * rows.each ? rows.across : report->launches->blocks;
    uint64_t end = piece_at(&rows, last - 1) + rows.each;
    *element = end > output->offset ? (end - output->offset) / output->element_bytes : 0;
    snprintf(text, bytes, "%llu blocks write %llu elements each, and others no more than that",
             (unsigned long long)last, (unsigned long long)(rows.each / output->element_bytes));
    return *element < output->count;
}

/* The block with the last piece ran, and left the last elements; the first one, and the others that
 * ran, wrote their own pieces and no more. */
static bool leaves_last(const struct simgpu_report *report, const struct coverage_output *output,
                        uint64_t *element, char *text, size_t bytes)
{
    struct rows rows;
    uint64_t end = output->offset + size_of(output), left = end;
    bool has_first = false;
    if (!find_lines(report, output, &rows))
        return false;
    for (size_t i = 0; i < report->launches->stretch_count; i++) {
        const struct simgpu_stretch *it = &report->launches->stretches[i];
        if (it->address != output->address)
            continue;
        uint64_t piece = piece_at(&rows, it->block);
        has_first |= it->block == 0;
        if (piece < end && piece + rows.each >= end)
            left = it->high;
    }
    *element = (left - output->offset) / output->element_bytes;
    snprintf(text, bytes, "the block whose piece they are in leaves them out");
    return has_first && *element < output->count &&
           next_met(report, output, end - output->element_bytes, end) == end;
}

/* --- Again ------------------------------------------------------------------------------------ */

/* There are enough blocks, each has a piece by its number, and yet one writes 2^31 elements, or a
 * multiple of that, before its own piece: in another block's. */
static bool begins_again(const struct simgpu_report *report, const struct coverage_output *output,
                         uint64_t *element, char *text, size_t bytes)
{
    const struct simgpu_launch *launch = report->launches;
    const struct simgpu_stretch *a = NULL;
    uint64_t wrap = (UINT64_C(1) << 31) * output->element_bytes, first = UINT64_MAX;
    if (report->launch_count != 1 || ran_whole(launch))
        return false;
    for (size_t i = 0; i < launch->stretch_count; i++)
        if (launch->stretches[i].address == output->address &&
            (!a || launch->stretches[i].block < a->block))
            a = &launch->stretches[i];
    if (!a || a->bytes == 0 || a->bytes * (launch->blocks - 1) >= size_of(output))
        return false;
    for (size_t i = 0; i < launch->stretch_count; i++) {
        const struct simgpu_stretch *it = &launch->stretches[i];
        uint64_t own = a->low + (it->block - a->block) * a->bytes;
        if (it->address != output->address || it->low == own)
            continue;
        if (it->bytes != it->high - it->low || it->low > own || (own - it->low) % wrap)
            return false;
        first = own - it->low < first ? own - it->low : first;
    }
    *element = first / output->element_bytes;
    snprintf(text, bytes, "blocks past it write again what others do");
    return *element < output->count;
}

/* --- All of them ------------------------------------------------------------------------------ */

/* Too few blocks ran to say where the others write. */
static enum coverage of_a_few(const struct estimate *estimate, const struct coverage_output *output,
                              char *text, size_t bytes)
{
    double slack = 1 + ERRORS_OF_FEW / sqrt(fmax((double)estimate->writers, 1));
    if (estimate->most * (1 + A_TURN) >= (double)size_of(output) &&
        estimate->mean * slack >= (double)size_of(output))
        return COVERAGE_NO_GAP;
    snprintf(text, bytes, "the few blocks that ran write too little to stand for all");
    return COVERAGE_UNKNOWN;
}

static bool writes_twice(const struct simgpu_report *report, const struct coverage_output *output,
                         uint64_t *element, char *text, size_t bytes)
{
    *element = output->count;
    return twice_leaves_gap(report, output, text, bytes);
}

enum coverage coverage_of(const struct simgpu_report *report, const struct coverage_output *output,
                          uint64_t *element, char *text, size_t bytes)
{
    if (output->is_timed)
        return writes_twice(report, output, element, text, bytes) ? COVERAGE_GAP : COVERAGE_NO_GAP;
    if (all_whole(report)) {
        snprintf(text, bytes, "every block ran");
        return !output->is_input && is_untouched(output, element) ? COVERAGE_GAP : COVERAGE_NO_GAP;
    }
    for (size_t i = 0; i < report->launch_count; i++)
        if (report->launches[i].stretches_lost) {
            snprintf(text, bytes, "its stores cannot be followed");
            return COVERAGE_UNKNOWN;
        }
    if (any_was_cut(report))
        return of_cut(report, output, element, text, bytes);
    if (has_holes(report, output, element, text, bytes) ||
        has_idle(report, output, element, text, bytes))
        return COVERAGE_GAP;
    struct estimate all = estimate(report, output, element);
    if (all.few)
        return writes_twice(report, output, element, text, bytes)
                   ? COVERAGE_GAP
                   : of_a_few(&all, output, text, bytes);
    return has_too_few(&all, output, element, text, bytes) ||
                   misses_region(report, output, element, text, bytes) ||
                   misses_part(report, output, &all, element, text, bytes) ||
                   ends_early(report, output, element, text, bytes) ||
                   leaves_last(report, output, element, text, bytes) ||
                   begins_again(report, output, element, text, bytes) ||
                   writes_twice(report, output, element, text, bytes)
               ? COVERAGE_GAP
               : COVERAGE_NO_GAP;
}
