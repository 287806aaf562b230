/* traced_sectors.h - what the traces of a launch ask of global memory, all of them together. */
#ifndef SIM_TRACED_SECTORS_H
#define SIM_TRACED_SECTORS_H

#include "timing.h"

/* What traces read from global memory and wrote to it, each counted once: sectors; lines of 128
 * bytes with a sector that was read; pieces of 64 bytes with one that was written; and sectors of
 * which never more than a part was written at a time. */
struct traced_sectors {
    uint64_t read, read_lines, written, written_pieces, written_in_part;
};

/* False when memory is exhausted. */
bool traced_sectors(const struct traces *traces, struct traced_sectors *sectors);
/* Sectors that those ops, by id, ask for when they read global memory, as often as they ask. */
uint64_t traced_reads(const struct traces *traces, const bool *ops);
/* Turns that atomics on global memory take, one after the other. */
uint64_t traced_atomics(const struct traces *traces);

#endif
