/* global_report.c - the race that a launch reports: which one of all, and in which words. */
#include "global_races.h"
#include "lanes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- Which ------------------------------------------------------------------------------------ */

static uint32_t lowest_byte(const struct mark *a, const struct mark *b)
{
    return 4 * (uint32_t)__builtin_ctz(a->words & b->words) +
           (uint32_t)__builtin_ctz(a->layout & b->layout & LAYOUT_BYTES);
}

static struct party party_of(const struct mark *mark, uint32_t byte)
{
    return (struct party){mark->what >> MARK_OP_SHIFT, mark->block, mark->warp,
                          (uint32_t)__builtin_ctz(mark_lanes_at(mark, byte)), mark->what};
}

/* Two marks of different blocks: a race, or a remark, at a lower byte than the best so far? */
static void consider(const struct mark *a, const struct mark *b, uint64_t address,
                     struct finding *best)
{
    bool same = !((a->what | b->what) & MARK_MIXED);
    if (a->block == b->block || !(a->words & b->words) || !(a->layout & b->layout & LAYOUT_BYTES))
        return;
    enum judgement judgement = judge_marks(a, b, true, same);
    uint32_t byte = lowest_byte(a, b);
    if (judgement != (best->is_remark ? HARMLESS : RACE) ||
        (best->found && best->address <= address + byte))
        return;
    best->found = true;
    best->address = address + byte;
    best->first = party_of(a, byte);
    best->second = party_of(b, byte);
}

static void search_line(const struct line *line, uint64_t address, struct finding *best)
{
    struct mark marks[MOST_MARKS];
    uint32_t count = line_marks(line, marks);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            consider(&marks[i], &marks[j], address, best);
}

static void search_area(const struct area *area, uint32_t launch, struct finding *best)
{
    if (best->found && best->address < area->address)
        return;
    for (uint64_t offset = 0; offset < area->size_bytes; offset += LINE_BYTES) {
        const struct line *line = line_in_page(area, offset);
        unsigned wanted = best->is_remark ? LINE_REMARKED : LINE_RACED;
        if (line && line_is_of(line, launch) && line->state & wanted)
            search_line(line, area->address + offset, best);
        if (best->found && best->address < area->address + offset + LINE_BYTES)
            return;
    }
}

struct finding report_find(const struct launch *launch, bool is_remark)
{
    struct finding best = {.is_remark = is_remark};
    for (const struct area *area = launch->global_races->areas; area; area = area->next)
        search_area(area, launch->global_races->launch, &best);
    return best;
}

/* --- Words ------------------------------------------------------------------------------------ */

static void thread_of(const struct launch *launch, const struct party *party, uint32_t *thread)
{
    const uint32_t *block = launch->config.block;
    uint32_t number = party->warp * WARP_LANES + party->lane;
    thread[0] = number % block[0];
    thread[1] = number / block[0] % block[1];
    thread[2] = number / block[0] / block[1];
}

static void block_of(const struct launch *launch, const struct party *party, uint32_t *block)
{
    const uint32_t *grid = launch->config.grid;
    block[0] = party->block % grid[0];
    block[1] = party->block / grid[0] % grid[1];
    block[2] = party->block / grid[0] / grid[1];
}

static const struct sim_line *line_of(const struct launch *launch, uint32_t op, bool leaf)
{
    const struct module *module = launch->function->module;
    uint32_t location = module->ops[op].location;
    return &module->lines[leaf ? module->line_count + location : location];
}

static const char *did(const struct party *party)
{
    return party->what & MARK_ATOMIC ? "updated" : party->what & MARK_WRITE ? "wrote" : "read";
}

static const char *does(const struct party *party)
{
    return party->what & MARK_ATOMIC ? "updates" : party->what & MARK_WRITE ? "writes" : "reads";
}

/* The race does not tell which of the two values is meant. In a kernel that works in place it is
 * the old one, which a barrier in between would destroy for good. */
#define READ_LATE(barrier)                                                                   \
    "where the value from before is meant, let one thread own the element, or let all read " \
    "before any writes; where the new one is, put a " barrier " between the two"

static const char *advice_of(const struct launch *launch, const struct finding *finding)
{
    const struct party *a = &finding->first, *b = &finding->second;
    bool both_write = a->what & b->what & MARK_WRITE;
    if (finding->is_remark)
        return both_write
                   ? "nothing, if that is meant: equal values were written"
                   : "nothing, if either outcome is right: the value is only compared, or stays";
    if (both_write && a->op == b->op)
        return "let one thread write, give each a place of its own, or use an atomic operation";
    if (a->block == b->block && a->what & MARK_WRITE && !(b->what & (MARK_WRITE | MARK_ATOMIC)))
        return a->warp == b->warp ? READ_LATE("__syncwarp()") : READ_LATE("__syncthreads()");
    if (a->block == b->block && both_write)
        return "let one thread own the element; a barrier between the two is enough only where the "
               "later value is meant to stay";
    if (a->block == b->block && a->warp == b->warp)
        return "lanes of a warp may run apart: put a __syncwarp() between the two if both are "
               "always of one warp; else let one thread own the element";
    if (a->block == b->block)
        return "put a __syncthreads() between the two";
    if (launch->global_races->order)
        return "the one that is first passes a __threadfence() and then sets a flag by an atomic "
               "operation; the other reads that flag first";
    return "blocks run in any order: let none read or write what another one writes; or else two "
           "kernels, one after the other, keep the order, if so many are allowed";
}

/* Is it "of the same block"? Then the block is named once. */
static void name_other(const struct launch *launch, const struct finding *finding, char *text,
                       size_t size)
{
    uint32_t thread[3], block[3];
    thread_of(launch, &finding->first, thread);
    block_of(launch, &finding->first, block);
    int used = snprintf(text, size, "thread (%u,%u,%u)", thread[0], thread[1], thread[2]);
    if (finding->first.block != finding->second.block)
        snprintf(text + used, size - (size_t)used, " of block (%u,%u,%u)", block[0], block[1],
                 block[2]);
}

void report_tell(const struct launch *launch, const struct finding *finding,
                 struct sim_fault *fault)
{
    const struct party *first = &finding->first, *second = &finding->second;
    const struct allocation *allocation = memory_find(launch->context, finding->address);
    char name[160] = "memory", other[80];
    uint64_t start = allocation ? allocation->address : 0;
    *fault = (struct sim_fault){.kind = finding->is_remark ? SIM_FAULT_HARMLESS_RACE
                                                           : SIM_FAULT_GLOBAL_RACE,
                                .line = *line_of(launch, second->op, false),
                                .inlined = *line_of(launch, second->op, true),
                                .other = *line_of(launch, first->op, false),
                                .kernel = launch->function->name,
                                .advice = advice_of(launch, finding)};
    thread_of(launch, second, fault->thread);
    thread_of(launch, first, fault->other_thread);
    block_of(launch, second, fault->block);
    if (allocation)
        memory_name(allocation, name, sizeof name);
    name_other(launch, finding, other, sizeof other);
    snprintf(fault->message, sizeof fault->message,
             "thread (%u,%u,%u) of block (%u,%u,%u) %s byte %" PRIu64 " of %s, which %s %s at "
             "line %u with nothing to order the two",
             fault->thread[0], fault->thread[1], fault->thread[2], fault->block[0], fault->block[1],
             fault->block[2], does(second), finding->address - start, name, other, did(first),
             fault->other.line);
}
