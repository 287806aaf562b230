/* race_word.c - one access of one unit of shared memory (races.h) by one lane: does it race with
 * what the unit remembers, and what will the unit remember of it?
 *
 * What a race is follows the memory model of PTX (PTX ISA 8): accesses that conflict, of which
 * neither happens before the other, unless both are strong. A strong write does not make an earlier
 * plain one by the same thread safe for others: "if (lane == 0) *count = 0;" and then, with nothing
 * between, "atomicAdd(count, 1);" by all lanes is a race. So a unit keeps the plain write that a
 * strong one has covered.
 */
#include "lanes.h"
#include "opcode.h"
#include "races.h"

#include <inttypes.h>
#include <string.h>

/* --- Reports ---------------------------------------------------------------------------------- */

/* Does it write shared memory later? */
static bool is_copy(const struct op *op)
{
    return op_is_copy(op) || op_is_bulk(op);
}

static const char *verb(const struct access *access)
{
    switch (access->kind) {
    case ACCESS_LOAD: return op_is_bulk(access->op) ? "copies from" : "reads";
    case ACCESS_STORE: return is_copy(access->op) ? "copies into" : "writes";
    default: return "updates";
    }
}

struct party { /* the earlier access of a unit */
    const struct traces *traces;
    size_t unit;
    int lane;
};

static size_t unit_bytes(const struct access *access)
{
    const struct shadow *shadow = access->warp->block->race_shadow;
    return shadow->unit_bytes;
}

static void thread_of(const struct access *access, const struct party *party, uint32_t *thread)
{
    uint32_t warp = party->traces->tag[party->unit] % MOST_WARPS;
    fault_thread(&access->warp->block->warps[warp], party->lane, thread);
}

static const struct opcode *row_of(const struct access *access, uint32_t op)
{
    return opcode_at(block_launch(access->warp)->function->module->ops[op].row);
}

/* NULL for that of cp.async. */
static const char *wait_advice(const struct access *access, uint32_t op, bool reads)
{
    op_handler *earlier = row_of(access, op)->run;
    if (reads)
        return "wait until the copy has read its source (cp.async.bulk.wait_group.read), and "
               "synchronise, before writing there";
    return earlier == bulk_load || earlier == bulk_move
               ? "wait for the phase of the mbarrier that the copy was given, before touching "
                 "what it writes"
               : NULL;
}

/* reads: the copy does, and has not read yet; else it has not written. */
static void report_missing_wait(const struct access *access, int lane, const struct party *party,
                                bool reads)
{
    uint32_t other[3], op = party->traces->what[party->unit] >> OP_SHIFT;
    thread_of(access, party, other);
    fault_raise_between(access->warp, access->op, SIM_FAULT_MISSING_WAIT, lane, op, other,
                        wait_advice(access, op, reads),
                        "%s shared memory at offset %zu, %s which a copy of thread (%u,%u,%u) is "
                        "still under way",
                        verb(access), party->unit * unit_bytes(access), reads ? "from" : "to",
                        other[0], other[1], other[2]);
}

/* Is there a barrier of the block on a line after first and before last? */
static bool has_barrier_between(const struct warp *warp, const struct sim_line *first,
                                const struct sim_line *last)
{
    const struct function *function = warp->split->function;
    for (uint32_t i = 0; i < function->op_count; i++) {
        const struct op *op = &function->ops[i];
        const struct sim_line *line = fault_line(warp, op);
        if (op->row->flags & OP_WHOLE_WARPS && line->file == first->file &&
            line->line > first->line && line->line < last->line)
            return true;
    }
    return false;
}

static bool is_at(const struct warp *warp, const struct op *op, const struct sim_line *line)
{
    const struct sim_line *at = fault_line(warp, op);
    return at->file == line->file && at->line == line->line;
}

/* Can the first line come after the last one? In a loop around both, the code goes back from after
 * both to before both; where turns were unrolled, a copy of the first line stands after the
 * last. */
static bool comes_again(const struct warp *warp, const struct sim_line *first,
                        const struct sim_line *last)
{
    const struct function *function = warp->split->function;
    uint32_t start = UINT32_MAX, end = UINT32_MAX; /* of the first line, of the last */
    for (uint32_t i = 0; i < function->op_count; i++) {
        const struct op *op = &function->ops[i];
        if (start == UINT32_MAX && is_at(warp, op, first))
            start = i;
        if (end == UINT32_MAX && is_at(warp, op, last))
            end = i;
        if (start == UINT32_MAX || end == UINT32_MAX)
            continue;
        uint32_t before = start < end ? start : end, after = start < end ? end : start;
        bool goes_back = op->run == bra && function->blocks[op->target].first <= before;
        if (i > after && (goes_back || (start < end && is_at(warp, op, first))))
            return true;
    }
    return false;
}

/* Two lines with a barrier in between race across the end of a loop's turn: which of the two came
 * first does not matter, since warps that no barrier holds drift apart. */
static bool is_of_next_turn(const struct warp *warp, const struct op *op, uint32_t earlier)
{
    const struct sim_line *here = fault_line(warp, op), *there = fault_line_of(warp, earlier);
    const struct sim_line *first = here->line < there->line ? here : there;
    const struct sim_line *last = first == here ? there : here;
    return here->line && here->file == there->file && here->line != there->line &&
           has_barrier_between(warp, first, last) && comes_again(warp, first, last);
}

/* NULL for that of the kind. */
static const char *race_advice(const struct access *access, uint32_t earlier, bool in_warp)
{
    const struct warp *warp = access->warp;
    if (access->kind != ACCESS_LOAD && earlier == access->op->id)
        return "let one thread write, give each a place of its own, or use an atomic operation";
    if (in_warp && warp->block->warp_count == 1)
        return "put a __syncwarp() between the two: lanes of a warp may run apart";
    if (is_of_next_turn(warp, access->op, earlier))
        return "the first of the two lines runs in the loop's next turn: put a __syncthreads() at "
               "the end of the loop's body";
    return in_warp ? "put a __syncthreads() between the two; a __syncwarp() is enough where only "
                     "lanes of one warp share the place"
                   : NULL;
}

static void report_race(const struct access *access, int lane, const struct party *party,
                        const char *theirs)
{
    struct warp *warp = access->warp;
    uint32_t other[3], what = party->traces->what[party->unit];
    uint32_t op = what >> OP_SHIFT;
    bool in_warp = party->traces->tag[party->unit] % MOST_WARPS == warp->index;
    bool one_warp = warp->block->warp_count == 1; /* else others may share the place as well */
    thread_of(access, party, other);
    fault_raise_between(warp, access->op, SIM_FAULT_RACE, lane, op, other,
                        race_advice(access, op, in_warp),
                        "%s shared memory at offset %zu, which thread (%u,%u,%u) %s at line %u "
                        "with no %s in between",
                        verb(access), party->unit * unit_bytes(access), other[0], other[1],
                        other[2], what & ATOMIC ? "updated" : theirs, fault_line_of(warp, op)->line,
                        in_warp && one_warp ? "__syncwarp()" : "barrier");
}

/* --- One unit --------------------------------------------------------------------------------- */

static bool is_atomic(const struct access *access)
{
    return access->kind == ACCESS_ATOMIC || access->kind == ACCESS_REDUCTION;
}

/* For loads and stores; kind means something else in other ops. */
static bool is_volatile(const struct access *access)
{
    return op_is_strong(access->op);
}

uint32_t race_what(const struct access *access)
{
    return access->op->id << OP_SHIFT | (is_atomic(access) ? ATOMIC : 0) |
           (is_volatile(access) ? VOLATILE : 0);
}

/* Accesses that may meet on purpose: atomics, and flags between warps. */
static bool may_meet(const struct access *access, uint32_t what, bool in_warp)
{
    if (is_atomic(access))
        return (what & ATOMIC) || (what & VOLATILE);
    return is_volatile(access) && ((what & ATOMIC) || (!in_warp && (what & VOLATILE)));
}

/* The lane of an earlier access that nothing keeps apart from that of lane now, or -1. */
static int racing_lane(const struct access *access, int lane, const struct traces *traces,
                       size_t unit)
{
    const struct warp *warp = access->warp;
    const struct shadow *shadow = warp->block->race_shadow;
    uint32_t tag = traces->tag[unit], what = traces->what[unit], time = traces->time[unit];
    uint32_t other = tag % MOST_WARPS;
    bool in_warp = other == warp->index;
    if (tag / MOST_WARPS != shadow->epoch || may_meet(access, what, in_warp))
        return -1;
    if (!in_warp)
        return clocks_seen(&shadow->clocks, warp->index, other) >= time
                   ? -1
                   : __builtin_ctz(traces->lanes[unit]);
    FOR_ACTIVE (racing, traces->lanes[unit] & ~(UINT32_C(1) << lane))
        if (!clocks_met(&shadow->clocks, other, lane, racing, time))
            return racing;
    return -1;
}

/* Does a store write a value other than the one there, or than the other lane writes by the same
 * instruction? */
static bool changes_value(const struct access *access, int lane, const struct party *party)
{
    const struct op *op = access->op;
    uint32_t tag = party->traces->tag[party->unit];
    bool at_once = party->traces->what[party->unit] >> OP_SHIFT == op->id &&
                   tag % MOST_WARPS == access->warp->index && access->active >> party->lane & 1 &&
                   access->shape->delta[party->lane] == access->shape->delta[lane];
    if (op->run != store)
        return true;
    for (uint32_t i = 0; i < op->count; i++) {
        const unsigned char *values = reg(access->warp, op->list[i]);
        const unsigned char *there =
            at_once ? values + (size_t)party->lane * op->dst_bytes
                    : access->host + access->shape->delta[lane] + (size_t)i * op->bytes;
        if (memcmp(values + (size_t)lane * op->dst_bytes, there, op->bytes) != 0)
            return true;
    }
    return false;
}

/* The trace that an access of lanes leaves; atomics, and reads, are merged with those of the same
 * warp just before. */
static void leave_trace(const struct access *access, const struct traces *traces, size_t unit,
                        lane_mask lanes, uint32_t what, bool joins)
{
    const struct shadow *shadow = access->warp->block->race_shadow;
    uint32_t warp = access->warp->index, tag = shadow->epoch * MOST_WARPS + warp;
    uint32_t time = clocks_now(&shadow->clocks, warp);
    if (joins && traces->tag[unit] == tag && traces->time[unit] == time)
        lanes |= traces->lanes[unit];
    traces->tag[unit] = tag;
    traces->time[unit] = time;
    traces->what[unit] = what;
    traces->lanes[unit] = lanes;
}

void race_leave_read(const struct access *access, size_t unit, lane_mask lanes, uint32_t what)
{
    const struct shadow *shadow = access->warp->block->race_shadow;
    uint32_t oldest = shadow->epoch * MOST_WARPS, before = shadow->read.tag[unit];
    bool is_first = before < oldest || before == oldest + access->warp->index;
    leave_trace(access, is_first ? &shadow->read : &shadow->other_read, unit, lanes, what, true);
}

static void copy_trace(const struct traces *to, const struct traces *from, size_t unit)
{
    to->tag[unit] = from->tag[unit];
    to->time[unit] = from->time[unit];
    to->what[unit] = from->what[unit];
    to->lanes[unit] = from->lanes[unit];
}

static void leave_write(const struct access *access, size_t unit, lane_mask lanes, uint32_t what)
{
    const struct shadow *shadow = access->warp->block->race_shadow;
    uint32_t before = shadow->write.what[unit];
    bool joins = what & before & ATOMIC;
    if ((what & STRONG) && !(before & STRONG))
        copy_trace(&shadow->covered, &shadow->write, unit);
    leave_trace(access, &shadow->write, unit, lanes, what, joins);
}

static bool is_harmless(const struct access *access, const struct party *party, uint32_t what)
{
    bool in_warp = party->traces->tag[party->unit] % MOST_WARPS == access->warp->index;
    return access->kind == ACCESS_LOAD && (what & (in_warp ? SAME_BY_LANES : SAME_BY_WARPS));
}

/* Looks at the last write. False when that was a fault; *same when a store repeats it. */
static bool meet_write(const struct access *access, int lane, size_t unit, bool *same)
{
    const struct shadow *shadow = access->warp->block->race_shadow;
    const struct traces *write = &shadow->write;
    struct party party = {write, unit, 0};
    if (write->tag[unit] >= PENDING) {
        party.lane = __builtin_ctz(write->lanes[unit]);
        report_missing_wait(access, lane, &party, false);
        return false;
    }
    party.lane = racing_lane(access, lane, write, unit);
    if (party.lane < 0 || is_harmless(access, &party, write->what[unit]))
        return true;
    if (access->kind == ACCESS_STORE && !changes_value(access, lane, &party)) {
        bool in_warp = write->tag[unit] % MOST_WARPS == access->warp->index;
        write->what[unit] |= in_warp ? SAME_BY_LANES : SAME_BY_WARPS | SAME_BY_LANES;
        *same = true;
        return true;
    }
    const struct op earlier = {.row = row_of(access, write->what[unit] >> OP_SHIFT)};
    report_race(access, lane, &party, is_copy(&earlier) ? "copied into" : "wrote");
    return false;
}

/* Looks at another trace; theirs is what the earlier access did. False when that was a fault. */
static bool meet(const struct access *access, int lane, const struct traces *traces, size_t unit,
                 const char *theirs)
{
    struct party party = {traces, unit, racing_lane(access, lane, traces, unit)};
    if (party.lane < 0 || is_harmless(access, &party, traces->what[unit]) ||
        (access->kind == ACCESS_STORE && !changes_value(access, lane, &party)))
        return true;
    report_race(access, lane, &party, theirs);
    return false;
}

/* Looks for a copy that has not read the unit yet. False when there is one. */
static bool meet_copy_from(const struct access *access, int lane, const struct traces *traces,
                           size_t unit)
{
    struct party party = {traces, unit, 0};
    if (traces->tag[unit] < PENDING)
        return true;
    party.lane = __builtin_ctz(traces->lanes[unit]);
    report_missing_wait(access, lane, &party, true);
    return false;
}

/* A copy counts as reading the unit until it is waited for. If more than two do at a time, the
 * first two are remembered. */
static void leave_copy_from(const struct access *access, size_t unit, lane_mask lanes,
                            uint32_t what)
{
    struct shadow *shadow = access->warp->block->race_shadow;
    const struct traces *read = &shadow->read, *other = &shadow->other_read;
    bool first = read->tag[unit] < PENDING;
    if (!first && other->tag[unit] >= PENDING)
        return;
    if (first && other->tag[unit] < PENDING)
        copy_trace(other, read, unit);
    leave_trace(access, first ? read : other, unit, lanes, what, false);
    (first ? read : other)->tag[unit] = PENDING | access->warp->index;
    shadow->pending++;
}

bool race_visit(const struct access *access, int lane, size_t unit)
{
    struct shadow *shadow = access->warp->block->race_shadow;
    lane_mask self = UINT32_C(1) << lane;
    uint32_t what = race_what(access);
    bool same = false;
    if (!meet_write(access, lane, unit, &same) ||
        !meet(access, lane, &shadow->covered, unit, "wrote"))
        return false;
    if (access->kind == ACCESS_LOAD) {
        if (op_is_bulk(access->op))
            leave_copy_from(access, unit, self, what);
        else
            race_leave_read(access, unit, self, what);
        return true;
    }
    if (!meet_copy_from(access, lane, &shadow->read, unit) ||
        !meet_copy_from(access, lane, &shadow->other_read, unit))
        return false;
    if (!meet(access, lane, &shadow->read, unit, "read") ||
        !meet(access, lane, &shadow->other_read, unit, "read"))
        return false;
    if (!same)
        leave_write(access, unit, self, what);
    if (is_copy(access->op)) {
        shadow->write.tag[unit] = PENDING | access->warp->index;
        shadow->pending++;
    }
    return true;
}
