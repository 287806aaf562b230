/* timed_warp.c - reads a warp's trace, and keeps its registers' times. */
#include "timed_warp.h"

#include <stdlib.h>
#include <string.h>

bool timed_warp_reserve_registers(struct timed_warp *warp, uint32_t count)
{
    if (count <= warp->register_count)
        return true;
    double *ready = realloc(warp->register_ready, count * sizeof *ready);
    if (ready)
        warp->register_ready = ready;
    uint32_t *writer = realloc(warp->register_writer, count * sizeof *writer);
    if (writer)
        warp->register_writer = writer;
    if (!ready || !writer)
        return false;
    memset(ready + warp->register_count, 0, (count - warp->register_count) * sizeof *ready);
    memset(writer + warp->register_count, 0, (count - warp->register_count) * sizeof *writer);
    warp->register_count = count;
    return true;
}

static bool reserve_accesses(struct timed_warp *warp, uint32_t count)
{
    if (count > warp->access_room) {
        uint32_t *grown = realloc(warp->access, 2 * count * sizeof *grown);
        if (!grown)
            return false;
        warp->access = grown;
        warp->access_room = 2 * count;
    }
    return true;
}

bool timed_warp_find_accesses(struct timed_warp *warp, const struct function *function,
                              uint32_t turns)
{
    const struct warp_trace *trace = warp->trace;
    uint32_t each = warp->schedule->blocks[warp->basic_index].accesses, turn = 0;
    if (!reserve_accesses(warp, turns * each + 1))
        return false;
    memset(warp->access, 0, turns * each * sizeof *warp->access);
    while (warp->at < trace->count) {
        uint32_t word = trace->words[warp->at], tag = word >> TRACE_TAG_SHIFT;
        if (tag == TRACE_ENTER && ++turn == turns)
            break;
        if (tag == TRACE_ENTER) {
            warp->at++;
            continue;
        }
        if (tag == TRACE_BARRIER) {
            warp->generation = word & TRACE_VALUE;
            warp->at++;
            continue;
        }
        uint32_t op = (word & TRACE_VALUE) - function->first_op_id;
        uint16_t number = op < function->op_count ? warp->schedule->access[op].number : NO_MEMORY;
        if (number < each && !warp->access[turn * each + number])
            warp->access[turn * each + number] = warp->at;
        warp->at += 2 + (trace->words[warp->at + 1] & TRACE_LINES);
    }
    return true;
}

/* The member of the run that a word enters, if it is one that was not entered yet; else 0. */
static uint32_t entered_member(const struct timed_warp *warp, const struct function *function,
                               uint32_t index, uint32_t word)
{
    uint32_t member = (word & TRACE_VALUE) - function->first_block_id - index;
    return member < warp->schedule->joined[index].members && !(warp->present >> member & 1) ? member
                                                                                            : 0;
}

bool timed_warp_find_joined(struct timed_warp *warp, const struct function *function,
                            uint32_t index)
{
    const struct warp_trace *trace = warp->trace;
    const struct schedule *schedule = warp->schedule;
    uint32_t all = schedule->joined[index].accesses, base = 0, member = 0;
    if (!reserve_accesses(warp, all + 1))
        return false;
    memset(warp->access, 0, all * sizeof *warp->access);
    warp->present = 1;
    while (warp->at < trace->count) {
        uint32_t word = trace->words[warp->at], tag = word >> TRACE_TAG_SHIFT;
        if (tag == TRACE_ENTER) {
            if (!(member = entered_member(warp, function, index, word)))
                break;
            warp->present |= UINT32_C(1) << member;
            base = 0;
            for (uint32_t m = 0; m < member; m++)
                base += schedule->blocks[index + m].accesses;
            warp->at++;
            continue;
        }
        uint32_t op = (word & TRACE_VALUE) - function->first_op_id;
        uint16_t number = op < function->op_count ? schedule->access[op].number : NO_MEMORY;
        if (number < schedule->blocks[index + member].accesses && !warp->access[base + number])
            warp->access[base + number] = warp->at;
        warp->at += 2 + (trace->words[warp->at + 1] & TRACE_LINES);
    }
    return true;
}

bool timed_warp_repeats(const struct timed_warp *warp, uint32_t enter, uint32_t turns)
{
    const struct warp_trace *trace = warp->trace;
    for (uint32_t at = warp->at; turns > 1 && at < trace->count;) {
        uint32_t word = trace->words[at], tag = word >> TRACE_TAG_SHIFT;
        if (tag == TRACE_ENTER && word != enter)
            return false;
        turns -= tag == TRACE_ENTER;
        at += tag == TRACE_ACCESS ? 2 + (trace->words[at + 1] & TRACE_LINES) : 1;
    }
    return turns == 1;
}

bool timed_warp_follows(const struct timed_warp *warp, const struct schedule *schedule,
                        uint32_t index)
{
    if (warp->schedule != schedule || index <= warp->basic_index)
        return false;
    return index == warp->basic_index + 1 ||
           (schedule->blocks[warp->basic_index].predicated && index <= warp->basic_index + 2);
}

double timed_warp_registers_ready(const struct timed_warp *warp, const struct timed_op *op,
                                  uint32_t *writer)
{
    const uint32_t *registers = warp->schedule->registers + op->registers;
    double ready = 0;
    for (uint32_t i = 0; i < (uint32_t)op->reads + op->writes; i++)
        if (warp->register_ready[registers[i]] > ready) {
            ready = warp->register_ready[registers[i]];
            *writer = warp->register_writer[registers[i]];
        }
    return ready;
}

void timed_warp_set_results(struct timed_warp *warp, const struct timed_op *op, double ready,
                            uint32_t writer)
{
    const uint32_t *registers = warp->schedule->registers + op->registers + op->reads;
    for (uint32_t i = 0; i < op->writes; i++) {
        warp->register_ready[registers[i]] = ready;
        warp->register_writer[registers[i]] = writer;
    }
}

void timed_copies_add(struct timed_copies *copies, uint32_t op, double ready)
{
    if (ready >= copies->ready)
        copies->by = op;
    copies->ready = later(copies->ready, ready);
}

void timed_copies_commit(struct timed_copies *copies)
{
    if (copies->group_count == MOST_GROUPS) {
        uint32_t left = --copies->group_count;
        memmove(copies->groups, copies->groups + 1, left * sizeof *copies->groups);
        memmove(copies->group_by, copies->group_by + 1, left * sizeof *copies->group_by);
    }
    copies->groups[copies->group_count] = copies->ready;
    copies->group_by[copies->group_count++] = copies->by;
}

void timed_warp_end(struct timed_warp *warp)
{
    free(warp->register_ready);
    free(warp->register_writer);
    free(warp->access);
    warp->register_ready = NULL;
    warp->register_writer = NULL;
    warp->access = NULL;
}
