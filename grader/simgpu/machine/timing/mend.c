/* mend.c - rewrites a launch's traces, word by word. */
#include "mend.h"
#include "keep_sectors.h"
#include "left_over.h"
#include "regroup.h"
#include "schedule.h"
#include "trace_words.h"

#include <stdlib.h>
#include <string.h>

struct rewriting {
    const struct mend *mend;
    struct portion *ops;     /* by op id: sectors or wavefronts of a request, of which each 0
                                * keeps all; or requests */
    struct left_over *pools; /* by op id: of requests that lanes of another warp make */
    bool *gathered;          /* by basic block id: do its lanes run with others of their kind? */
    struct sector_set seen, own; /* read in this thread block and in this warp */
    struct sector_set written;   /* in this thread block */
    bool in_gathered;            /* the basic block that was entered is one, */
    bool drops;                  /* and this warp no longer goes through it */
    bool meets;                  /* it ends at a barrier of the line */
};

/* --- What is as good as it can be
 * ---------------------------------------------------------------- */

static double a_request(uint64_t ideal, uint64_t requests)
{
    return requests ? (double)ideal / (double)requests : 0;
}

static void find_portions(struct rewriting *rewriting)
{
    const struct launch *launch = rewriting->mend->launch;
    for (size_t i = 0; i < launch->result.op_count; i++) {
        const struct sim_op_counters *op = &launch->ops[i];
        if (!rewriting->mend->ops[op->id])
            continue;
        if (mend_is_of_sectors(rewriting->mend->kind, op->access))
            rewriting->ops[op->id].each = a_request(op->memory.ideal_sectors, op->memory.requests);
        if (rewriting->mend->kind == SIM_MEND_WAVEFRONTS)
            rewriting->ops[op->id].each =
                a_request(op->shared.ideal_wavefronts, op->shared.requests);
        if (mend_leaves_out(rewriting->mend->kind, op->access))
            rewriting->ops[op->id].each = rewriting->mend->share;
    }
}

/* --- Requests --------------------------------------------------------------------------------- */

/* The mended line need not read again what other lines read. */
static void note_read(struct rewriting *rewriting, const struct trace_item *item)
{
    for (uint32_t i = 0; i < item->count; i++) {
        sector_set_add(&rewriting->seen, item->lines[i]);
        sector_set_add(&rewriting->own, item->lines[i]);
    }
}

/* What the block has not read before is read; what another of its warps has read comes from shared
 * memory, and what the warp itself has read is still in a register. Returns how many lines are left
 * to read. */
static uint32_t keep_first(struct rewriting *rewriting, const uint32_t *lines, uint32_t count,
                           uint32_t *kept, enum trace_how *how)
{
    uint32_t left = 0;
    bool all_own = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t fresh = sector_set_add(&rewriting->seen, lines[i]);
        all_own &= sector_set_add(&rewriting->own, lines[i]) == 0;
        if (fresh)
            kept[left++] = (lines[i] & ~((1u << LINE_SECTORS) - 1)) | fresh;
    }
    *how = left ? TRACE_READ : all_own ? TRACE_SPARED : TRACE_SHARED;
    return left;
}

/* Word loads say how many passes they would take if ptxas merged them: no more than so wide a load
 * needs at the least. */
static void limit_merged(uint32_t *passes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (passes[i] > UINT32_C(2) << i)
            passes[i] = UINT32_C(2) << i;
}

static bool is_global(enum trace_how how)
{
    return how == TRACE_READ || trace_is_write(how) || how == TRACE_REDUCE || how == TRACE_ATOMIC;
}

static bool is_local(enum trace_how how)
{
    return how == TRACE_LOCAL_READ || how == TRACE_LOCAL_WRITE;
}

static enum sim_access_class class_of(enum trace_how how)
{
    return how == TRACE_READ ? SIM_ACCESS_LOAD : SIM_ACCESS_STORE;
}

/* An access of the line: its words, of which there are at most as many as before. */
static uint32_t rewrite_access(struct rewriting *rewriting, const struct trace_item *item,
                               uint32_t *to)
{
    uint32_t passes = item->passes, kept = item->count;
    enum trace_how how = item->how;
    enum sim_mend kind = rewriting->mend->kind;
    struct portion *portion = &rewriting->ops[item->value];
    memcpy(to + 2, item->lines, kept * sizeof *to);
    bool may_go = is_global(how) && mend_leaves_out(kind, class_of(how));
    if ((may_go && !portion_take(portion, 0)) || (kind == SIM_MEND_SPILLS && is_local(how))) {
        kept = 0;
        how = TRACE_SPARED;
    } else if (kind == SIM_MEND_ATOMICS && (how == TRACE_REDUCE || how == TRACE_ATOMIC)) {
        passes = 1;
    } else if (is_global(how) && mend_is_of_sectors(kind, class_of(how)) && kept &&
               portion->each > 0) {
        kept = keep_sectors(portion, how == TRACE_READ ? &rewriting->seen : &rewriting->written,
                            item->lines, item->count, to + 2);
        how = trace_is_write(how) ? TRACE_WRITE : how;
    } else if (kind == SIM_MEND_BYTES && how == TRACE_READ) {
        kept = keep_first(rewriting, item->lines, item->count, to + 2, &how);
        if (trace_sectors(to + 2, kept) < trace_sectors(item->lines, item->count))
            passes = 1;
    } else if (kind == SIM_MEND_WAVEFRONTS && how == TRACE_SHARED && portion->each > 0) {
        uint32_t ideal = portion_take(portion, 1);
        passes = ideal < passes ? ideal : passes;
        limit_merged(to + 2, kept);
    }
    bool is_whole = kept == item->count && memcmp(to + 2, item->lines, kept * sizeof *to) == 0;
    to[0] = item->words[0];
    to[1] = trace_pack(how, passes, kept) | (is_whole ? item->words[1] & TRACE_AGAIN : 0);
    return 2 + kept;
}

/* --- Warps ------------------------------------------------------------------------------------ */

/* Is there a barrier of the line in that basic block? */
static bool has_barrier(const struct mend *mend, uint32_t id)
{
    const struct module *module = mend->launch->function->module;
    const struct function *function = function_of_block(module, id);
    const struct basic_block *block = &function->blocks[id - function->first_block_id];
    for (uint32_t i = 0; i < block->count; i++) {
        const struct op *op = &function->ops[block->first + i];
        if (mend->ops[op->id] && op->row->class == SIM_OP_BARRIER)
            return true;
    }
    return false;
}

/* lane: the one whose path the warp keeps in gathered blocks; lanes: those that ran this one. */
static void enter(struct rewriting *rewriting, uint32_t id, int lane, lane_mask lanes)
{
    rewriting->in_gathered = rewriting->gathered[id];
    rewriting->drops = rewriting->gathered[id] && (lane == NO_LANE || !(lanes >> lane & 1));
    rewriting->meets =
        rewriting->mend->kind == SIM_MEND_BARRIERS && has_barrier(rewriting->mend, id);
}

/* A request of a gathered block, which the warp still makes or no longer does. */
static uint32_t gather_access(struct rewriting *rewriting, const struct trace_item *item,
                              uint32_t *to)
{
    struct left_over *pool = &rewriting->pools[item->value];
    uint32_t passes = item->passes, count = item->count;
    if (rewriting->drops)
        left_over_put(pool, item->lines, count, passes);
    if (rewriting->drops)
        return 0;
    memcpy(to + 2, item->lines, count * sizeof *to);
    count = left_over_take(pool, to + 2, count, &passes);
    to[0] = item->words[0];
    to[1] = trace_pack(item->how, passes < MOST_PASSES ? passes : MOST_PASSES, count);
    return 2 + count;
}

/* Instructions of a basic block. */
static uint32_t steps_of(const struct module *module, uint32_t id)
{
    const struct function *function = function_of_block(module, id);
    return function->blocks[id - function->first_block_id].count;
}

/* The words that the item becomes. */
static uint32_t rewrite_item(struct rewriting *rewriting, const struct trace_item *item,
                             uint32_t *to)
{
    bool access = item->tag == TRACE_ACCESS;
    if (access && rewriting->in_gathered && is_global(item->how))
        return gather_access(rewriting, item, to);
    if (rewriting->drops && item->tag != TRACE_BARRIER)
        return 0;
    if (access && rewriting->mend->ops[item->value])
        return rewrite_access(rewriting, item, to);
    if (access && rewriting->mend->kind == SIM_MEND_BYTES && item->how == TRACE_READ)
        note_read(rewriting, item);
    memcpy(to, item->words, item->length * sizeof *to);
    if (item->tag == TRACE_BARRIER && rewriting->meets)
        *to |= NO_BARRIER;
    return item->length;
}

/* What a warp's words can grow to: a request of a gathered block takes others' lines. */
static uint64_t most_words(const struct rewriting *rewriting, const struct warp_trace *from)
{
    uint64_t most = from->count + 1;
    struct trace_item item;
    for (uint32_t at = 0; rewriting->mend->kind == SIM_MEND_LANES && trace_next(from, &at, &item);)
        most += item.tag == TRACE_ACCESS && is_global(item.how) ? POOL_LINES : 0;
    return most;
}

/* lane: the one whose path the warp keeps. */
static bool rewrite_warp(struct rewriting *rewriting, const struct warp_trace *from, int lane,
                         struct warp_trace *to)
{
    const struct module *module = rewriting->mend->launch->function->module;
    struct trace_item item;
    *to = *from;
    to->count = to->change_count = 0;
    to->changes = NULL;
    to->words = malloc(most_words(rewriting, from) * sizeof *to->words);
    rewriting->drops = rewriting->meets = rewriting->in_gathered = false;
    sector_set_clear(&rewriting->own);
    for (uint32_t at = 0, word = 0, change = 0; to->words && trace_next(from, &at, &item);
         word = at) {
        if (item.tag == TRACE_ENTER)
            enter(rewriting, item.value, lane, regroup_lanes(from, word, &change));
        if (item.tag == TRACE_ENTER && rewriting->drops)
            to->steps -= steps_of(module, item.value);
        to->count += rewrite_item(rewriting, &item, to->words + to->count);
    }
    if (from->steps)
        to->all_steps = from->all_steps * to->steps / from->steps;
    return to->words != NULL;
}

/* The lane whose path each warp keeps. */
static bool choose_lanes(const struct rewriting *rewriting, const struct block_trace *block,
                         int8_t *lanes)
{
    memset(lanes, NO_LANE, block->warp_count);
    return rewriting->mend->kind != SIM_MEND_LANES ||
           regroup(rewriting->mend->launch->function->module, block, rewriting->gathered, lanes);
}

static bool rewrite_block(struct rewriting *rewriting, const struct block_trace *from,
                          struct block_trace *to)
{
    int8_t lanes[MOST_WARPS];
    *to = *from;
    to->warps = calloc(from->warp_count, sizeof *to->warps);
    to->barrier_warps = malloc((from->barrier_count + 1) * sizeof *to->barrier_warps);
    bool made = to->warps && to->barrier_warps && choose_lanes(rewriting, from, lanes);
    if (made && from->barrier_count)
        memcpy(to->barrier_warps, from->barrier_warps,
               from->barrier_count * sizeof *to->barrier_warps);
    sector_set_clear(&rewriting->seen);
    sector_set_clear(&rewriting->written);
    for (uint32_t i = 0; i < from->warp_count && made; i++)
        made = rewrite_warp(rewriting, &from->warps[i], lanes[i], &to->warps[i]);
    return made;
}

/* --- All of them ------------------------------------------------------------------------------ */

static bool rewrite(struct rewriting *rewriting, const struct traces *from, struct traces *to)
{
    bool made = true;
    for (uint32_t i = 0; i < from->count && made; i++)
        made = rewrite_block(rewriting, &from->blocks[i], &to->blocks[i]);
    return made && !rewriting->seen.failed && !rewriting->own.failed && !rewriting->written.failed;
}

struct traces *mended_traces(const struct mend *mend)
{
    const struct module *module = mend->launch->function->module;
    const struct traces *from = mend->launch->traces;
    struct rewriting rewriting = {.mend = mend};
    struct traces *to = malloc(sizeof *to);
    rewriting.ops = calloc(module->op_count + 1, sizeof *rewriting.ops);
    rewriting.gathered = calloc(module->block_count + 1, sizeof *rewriting.gathered);
    if (mend->kind == SIM_MEND_LANES)
        rewriting.pools = calloc(module->op_count + 1, sizeof *rewriting.pools);
    if (to) {
        *to = *from;
        to->keeps_registers = mend->kind == SIM_MEND_SPILLS;
        to->blocks = calloc(from->count + 1, sizeof *to->blocks);
    }
    bool made = to && to->blocks && rewriting.ops && rewriting.gathered &&
                (rewriting.pools || mend->kind != SIM_MEND_LANES);
    if (made) {
        find_portions(&rewriting);
        for (uint32_t i = 0; i < module->block_count; i++)
            rewriting.gathered[i] = mend->block_share[i] < 1;
        made = rewrite(&rewriting, from, to);
    }
    free(rewriting.ops);
    free(rewriting.pools);
    free(rewriting.gathered);
    sector_set_free(&rewriting.seen);
    sector_set_free(&rewriting.own);
    sector_set_free(&rewriting.written);
    if (made)
        return to;
    mended_traces_free(to);
    return NULL;
}

void mended_traces_free(struct traces *traces)
{
    for (uint32_t i = 0; traces && traces->blocks && i < traces->count; i++) {
        struct block_trace *block = &traces->blocks[i];
        for (uint32_t j = 0; block->warps && j < block->warp_count; j++)
            free(block->warps[j].words);
        free(block->warps);
        free(block->barrier_warps);
    }
    if (traces)
        free(traces->blocks);
    free(traces);
}
