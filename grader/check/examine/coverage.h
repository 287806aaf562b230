/* coverage.h - is every element of an output written, when only some of a launch's blocks ran?
 *
 * What some blocks have written shows where the others write only if all are alike. So a gap is
 * claimed in nine cases only, all but the first and the last for randomly chosen blocks:
 *
 *     holes       all blocks were followed without their data, and no store meets an element
 *     too few     all blocks together, if each wrote as much as the busiest that ran, write less
 *                 than there is: a grid that is capped; or each as much as those like it did on
 *                 average, by more than chance explains: some blocks are idle
 *     idle ones   blocks ran and wrote nothing, and the others cannot make up for them
 *     a region    what lies past 2^31 or 2^32 elements is met by none of them, though it is so
 *                 large that a part of blocks like these would be: an index that starts again
 *     a part      so is a stretch of any place and length, as between rows of blocks that begin
 *                 too near to each other: only where chance alone chose all blocks
 *     the end     block after block lie side by side without a gap, in one row or several, and the
 *                 last one ends early, or each row: a number of blocks that was rounded
 *     the last    so do they, and the block of the last piece ran and left some of it: a rest that
 *                 was not calculated in 64 bits
 *     again       so do they, as many as it takes, but for some that write 2^31 elements earlier,
 *                 or a multiple of that: an index that starts again, where a region is too small
 *     twice       blocks write again what others do, or nothing, and the rest cannot make up for
 *                 them: twice.h
 *
 * Where blocks were cut off, only the first case applies, and without a hole there is no gap. If
 * there are too few blocks for the other cases, what they wrote has to add up to about the whole:
 * each of a few long blocks writes its share. Pure functions over a report, tested without a
 * device.
 */
#ifndef EXAMINE_COVERAGE_H
#define EXAMINE_COVERAGE_H

#include "simgpu/simgpu.h"

struct coverage_output {
    uint64_t address; /* of its memory */
    uint64_t offset;  /* bytes of that before the first element */
    uint64_t count, element_bytes;
    const struct simgpu_touched *touched; /* where its memory was touched */
    size_t touched_count;
    bool is_input;  /* as well: what was touched need not have been written */
    bool by_chance; /* no block ran because it shares a multiprocessor with others */
    bool is_timed;  /* blocks ran to be timed, and chance chose few: only the last case counts */
};

enum coverage {
    COVERAGE_NO_GAP,
    COVERAGE_GAP,     /* certainly some element is written by no block */
    COVERAGE_UNKNOWN, /* too little was seen of the launches to say either */
};

/* For a gap, *element gets the first missing element that is known, or count if none is, and text
 * gets the reason: "all blocks write at most 16776960 elements". For COVERAGE_UNKNOWN, text says
 * why. */
enum coverage coverage_of(const struct simgpu_report *report, const struct coverage_output *output,
                          uint64_t *element, char *text, size_t bytes);

#endif
