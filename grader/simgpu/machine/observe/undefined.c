/* undefined.c - the shadows of a warp's registers: their life, and one step of a warp that has any.
 *
 * Next: undefined_flow.c.
 */
#include "undefined.h"
#include "opcode.h"

#include <stdlib.h>

enum { PLACES_A_MARK = 4, PLACES_AN_ORIGIN = 2 };

/* --- Life ------------------------------------------------------------------------------------- */

bool undefined_init(struct warp *warp)
{
    warp->undefined = worker_alloc(1, sizeof *warp->undefined);
    return warp->undefined != NULL;
}

void undefined_free(struct warp *warp)
{
    struct undefined *undefined = warp->undefined;
    if (!undefined)
        return;
    free(undefined->bits);
    free(undefined->origins);
    free(undefined->marks);
    free(undefined->local);
    free(undefined);
}

/* Forget the shadows of a part of the stack. */
static void forget(struct undefined *undefined, size_t first, size_t bytes)
{
    size_t end = first + bytes < undefined->room ? first + bytes : undefined->room;
    if (undefined->marked == 0 || first >= end)
        return;
    memset(undefined->bits + first, 0, end - first);
    for (size_t place = first; place < end; place += PLACES_A_MARK)
        if (undefined_marked(undefined, place)) {
            undefined->marks[place / 256] &= ~(UINT64_C(1) << place / 4 % 64);
            undefined->marked--;
        }
}

void undefined_start(struct warp *warp)
{
    struct undefined *undefined = warp->undefined;
    forget(undefined, 0, undefined->room);
    undefined->carry = undefined->brought = 0;
    undefined->stored = NULL;
    warp->doubt = false;
    undefined_local_start(warp, 0, block_launch(warp)->function->local_bytes, ALL_LANES);
}

/* Shadows for all of the register stack, which grows with calls. */
static bool make_room(struct warp *warp)
{
    struct undefined *undefined = warp->undefined;
    size_t room = warp->register_stack_bytes, old = undefined->room;
    if (old >= room)
        return true;
    unsigned char *bits = aligned_alloc(64, (room + 63) / 64 * 64);
    struct origin *origins = calloc(room / PLACES_AN_ORIGIN + WARP_LANES, sizeof *origins);
    uint64_t *marks = calloc(room / 256 + 1, sizeof *marks);
    if (!bits || !origins || !marks) {
        free(bits);
        free(origins);
        free(marks);
        return false;
    }
    memset(bits, 0, room);
    if (old) {
        memcpy(bits, undefined->bits, old);
        memcpy(origins, undefined->origins, old / PLACES_AN_ORIGIN * sizeof *origins);
        memcpy(marks, undefined->marks, (old / 256 + 1) * sizeof *marks);
    }
    free(undefined->bits);
    free(undefined->origins);
    free(undefined->marks);
    undefined->bits = bits;
    undefined->origins = origins;
    undefined->marks = marks;
    undefined->room = room;
    return true;
}

void undefined_frame(struct warp *warp, const struct split *split, lane_mask lanes)
{
    forget(warp->undefined, split->register_base, split->function->register_bytes);
    undefined_local_start(warp, split->local_base, split->function->local_bytes, lanes);
}

/* --- Registers -------------------------------------------------------------------------------- */

lane_mask undefined_lanes(const struct undefined *undefined, size_t place, unsigned bytes)
{
    lane_mask lanes = 0;
    const unsigned char *bits = undefined->bits + place;
    if (!undefined_marked(undefined, place))
        return 0;
    if (bytes == PREDICATE_BYTES) {
        memcpy(&lanes, bits, sizeof lanes);
        return lanes;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned i = 0; i < bytes; i++)
            lanes |= bits[lane * bytes + i] ? UINT32_C(1) << lane : 0;
    return lanes;
}

void undefined_settle_mark(struct undefined *undefined, size_t place, size_t bytes)
{
    unsigned char any = 0;
    uint64_t bit = UINT64_C(1) << place / 4 % 64, *word = &undefined->marks[place / 256];
    for (size_t i = 0; i < bytes; i++)
        any |= undefined->bits[place + i];
    undefined->marked -= (*word & bit) != 0;
    *word = any ? *word | bit : *word & ~bit;
    undefined->marked += any != 0;
}

static void put_predicate(struct undefined *undefined, size_t place, lane_mask lanes,
                          const struct outcome *outcome)
{
    lane_mask now, then = 0;
    memcpy(&now, undefined->bits + place, sizeof now);
    if (outcome)
        memcpy(&then, outcome->bits, sizeof then);
    if (then & lanes)
        *undefined_origin(undefined, place, PREDICATE_BYTES, 0) =
            outcome->origin[__builtin_ctz(then & lanes)];
    now = (now & ~lanes) | (then & lanes);
    memcpy(undefined->bits + place, &now, sizeof now);
    undefined_settle_mark(undefined, place, sizeof now);
}

void undefined_put(struct warp *warp, size_t place, unsigned bytes, lane_mask lanes,
                   const struct outcome *outcome)
{
    struct undefined *undefined = warp->undefined;
    if (!outcome && !undefined_marked(undefined, place))
        return;
    if (bytes == PREDICATE_BYTES) {
        put_predicate(undefined, place, lanes, outcome);
        return;
    }
    FOR_ACTIVE (lane, lanes) {
        unsigned char *to = undefined->bits + place + (unsigned)lane * bytes;
        memset(to, 0, bytes);
        if (!outcome || !undefined_has(outcome, bytes, lane))
            continue;
        memcpy(to, outcome->bits + (unsigned)lane * bytes, bytes);
        *undefined_origin(undefined, place, bytes, lane) = outcome->origin[lane];
    }
    undefined_settle_mark(undefined, place, (size_t)bytes * WARP_LANES);
}

void undefined_passed(struct warp *warp, size_t from, size_t to, uint32_t bytes, lane_mask lanes)
{
    struct undefined *undefined = warp->undefined;
    if (!make_room(warp) ||
        (!undefined_marked(undefined, from) && !undefined_marked(undefined, to)))
        return;
    FOR_ACTIVE (lane, lanes) {
        memcpy(undefined->bits + to + (size_t)lane * bytes,
               undefined->bits + from + (size_t)lane * bytes, bytes);
        *undefined_origin(undefined, to, bytes, lane) =
            *undefined_origin(undefined, from, bytes, lane);
    }
    undefined_settle_mark(undefined, to, (size_t)bytes * WARP_LANES);
}

/* --- One step --------------------------------------------------------------------------------- */

static bool has_result(const struct op *op)
{
    return op->dst != NO_REGISTER || op->dst2 != NO_REGISTER;
}

/* What op leaves in its result, and in its second result, which is a predicate. */
static void put_results(struct warp *warp, const struct op *op, lane_mask active,
                        const struct outcome *outcome)
{
    const struct op_info *info = undefined_info(warp, op);
    bool in_halves = info->flow == FLOW_COMPARE && ptx_type_class(op->type) == 'X';
    struct outcome second = {{0}};
    lane_mask lanes = 0;
    for (int lane = 0; outcome && lane < WARP_LANES; lane++)
        lanes |= undefined_has(outcome, info->result_bytes, lane) ? UINT32_C(1) << lane : 0;
    if (op->dst != NO_REGISTER)
        undefined_put(warp, undefined_place(warp, op->dst), info->result_bytes, active, outcome);
    if (op->dst2 == NO_REGISTER)
        return;
    if (outcome && info->result_bytes == PREDICATE_BYTES)
        memcpy(&lanes, outcome->bits + (in_halves ? sizeof lanes : 0), sizeof lanes);
    if (outcome && info->flow != FLOW_SHUFFLE) {
        memcpy(second.bits, &lanes, sizeof lanes);
        memcpy(second.origin, outcome->origin, sizeof second.origin);
    }
    undefined_put(warp, undefined_place(warp, op->dst2), PREDICATE_BYTES, active, &second);
}

static void run_arithmetic(struct warp *warp, const struct op *op, lane_mask active)
{
    struct outcome outcome;
    uint32_t current = warp->current;
    bool any = undefined_flow(warp, op, active, &outcome);
    bool waits = warp->again || warp->current != current;
    if (!waits && has_result(op))
        put_results(warp, op, active, any ? &outcome : NULL);
}

/* Sources that decide by themselves. A store's address is the first source; cp.async has another,
 * and how much to copy. False when the launch stops. */
static bool sources_decide(struct warp *warp, const struct op *op, lane_mask active, unsigned first,
                           unsigned end, const char *what)
{
    struct undefined *undefined = warp->undefined;
    const struct op_info *info = undefined_info(warp, op);
    for (unsigned i = first; i < end; i++) {
        size_t place = undefined_place(warp, op->src[i]);
        lane_mask lanes = undefined_lanes(undefined, place, info->source_bytes[i]) & active;
        if (!lanes)
            continue;
        int lane = __builtin_ctz(lanes);
        undefined_decides(warp, op, lane,
                          undefined_origin(undefined, place, info->source_bytes[i], lane), what);
        undefined_put(warp, place, info->source_bytes[i], lanes, NULL); /* told once */
    }
    return !block_launch(warp)->faulted;
}

static bool address_decides(struct warp *warp, const struct op *op, lane_mask active)
{
    bool two = undefined_info(warp, op)->flow == FLOW_COPY;
    return sources_decide(warp, op, active, 0, 1, "is used in an address") &&
           (!two ||
            (sources_decide(warp, op, active, 1, 2, "is used in an address") &&
             sources_decide(warp, op, active, 2, op->source_count, "tells how much to copy")));
}

/* Parameters of printf and the like decide; those of other functions are only passed on. */
static bool call_decides(struct warp *warp, const struct op *op, lane_mask active)
{
    struct undefined *undefined = warp->undefined;
    if (op->run == call_indirect)
        return sources_decide(warp, op, active, 0, 1, "tells which function is called");
    for (uint32_t i = 0; op->run == call_intrinsic && i < op->list[0]; i++) {
        size_t place = undefined_place(warp, op->list[2 + 2 * i]);
        unsigned bytes = op->list[3 + 2 * i];
        lane_mask lanes = undefined_lanes(undefined, place, bytes) & active;
        if (!lanes)
            continue;
        int lane = __builtin_ctz(lanes);
        undefined_decides(warp, op, lane, undefined_origin(undefined, place, bytes, lane),
                          "is an argument of a library function");
    }
    return !block_launch(warp)->faulted;
}

static void run_memory(struct warp *warp, const struct op *op, lane_mask active, enum flow flow)
{
    struct undefined *undefined = warp->undefined;
    struct origin origins[WARP_LANES];
    bool is_cas = flow == FLOW_ATOMIC && op->kind == COMBINE_IF_EQUAL;
    if (!address_decides(warp, op, active))
        return;
    if (is_cas && !sources_decide(warp, op, active, 1, 2, "is compared by an atomic operation"))
        return;
    if (flow == FLOW_STORE || flow == FLOW_ATOMIC)
        undefined_prepare_store(warp, op, active, origins);
    op->run(warp, op, active);
    undefined->stored = NULL;
    if (flow == FLOW_LOAD || flow == FLOW_ATOMIC)
        undefined_take_loaded(warp, op, active);
    undefined->brought = 0;
}

static void run_matrix(struct warp *warp, const struct op *op, lane_mask active, enum flow flow)
{
    struct undefined *undefined = warp->undefined;
    if (flow != FLOW_PRODUCT_OF_MATRICES && !address_decides(warp, op, active))
        return;
    op->run(warp, op, active);
    if (!warp->again && flow == FLOW_MATRIX_LOAD)
        undefined_matrix_loaded(warp, op);
    else if (!warp->again && flow == FLOW_MATRIX_STORE)
        undefined_matrix_stored(warp, op);
    else if (!warp->again)
        undefined_matrix_product(warp, op);
    undefined->brought = 0;
}

static void run_by_flow(struct warp *warp, const struct op *op, lane_mask active)
{
    enum flow flow = undefined_info(warp, op)->flow;
    switch (flow) {
    case FLOW_LOAD:
    case FLOW_STORE:
    case FLOW_ATOMIC:
    case FLOW_COPY: run_memory(warp, op, active, flow); break;
    case FLOW_MATRIX_LOAD:
    case FLOW_MATRIX_STORE:
    case FLOW_PRODUCT_OF_MATRICES: run_matrix(warp, op, active, flow); break;
    case FLOW_PARAM_LOAD: undefined_load_param(warp, op, active); break;
    case FLOW_PARAM_STORE: undefined_store_param(warp, op, active); break;
    case FLOW_CALL:
        if (call_decides(warp, op, active))
            op->run(warp, op, active);
        break;
    case FLOW_DECIDES:
        if (sources_decide(warp, op, active, 0, op->source_count, "decides what comes next"))
            op->run(warp, op, active);
        break;
    case FLOW_NONE: op->run(warp, op, active); break;
    default: run_arithmetic(warp, op, active); break;
    }
}

/* Where a guard is undefined, so is what the op writes; if more than a register depends on it, that
 * is a fault. */
static bool guard_decides(struct warp *warp, const struct op *op, lane_mask lanes,
                          const struct origin *origin)
{
    enum flow flow = undefined_info(warp, op)->flow;
    bool only_writes = flow < FLOW_SHUFFLE || flow == FLOW_LOAD || flow == FLOW_PARAM_LOAD ||
                       flow == FLOW_PARTS_OUT || flow == FLOW_PARTS_IN;
    if (only_writes)
        return true;
    bool is_branch = undefined_info(warp, op)->is_branch;
    undefined_decides(warp, op, __builtin_ctz(lanes), origin,
                      is_branch ? "decides a branch" : "decides whether this is done");
    undefined_put(warp, undefined_place(warp, op->guard), PREDICATE_BYTES, lanes, NULL);
    return !block_launch(warp)->faulted;
}

static void cloud_results(struct warp *warp, const struct op *op, lane_mask lanes,
                          const struct origin *origin)
{
    struct outcome outcome;
    memset(outcome.bits, 0xFF, sizeof outcome.bits);
    for (int lane = 0; lane < WARP_LANES; lane++)
        outcome.origin[lane] = *origin;
    if (has_result(op))
        put_results(warp, op, lanes, &outcome);
    for (unsigned i = 0; undefined_info(warp, op)->flow == FLOW_LOAD && i < op->count; i++)
        if (op->list[i] != NO_REGISTER)
            undefined_put(warp, undefined_place(warp, op->list[i]), op->dst_bytes, lanes, &outcome);
}

void undefined_step(struct warp *warp, const struct op *op, lane_mask mask, lane_mask active)
{
    struct undefined *undefined = warp->undefined;
    size_t guard = undefined_place(warp, op->guard);
    lane_mask unsure =
        op->guard == NO_REGISTER ? 0 : undefined_lanes(undefined, guard, PREDICATE_BYTES) & mask;
    struct origin origin;
    if (unsure) {
        origin = *undefined_origin(undefined, guard, PREDICATE_BYTES, 0);
        if (!guard_decides(warp, op, unsure, &origin))
            return;
    }
    if (active)
        run_by_flow(warp, op, active);
    enum flow flow = undefined_info(warp, op)->flow;
    if (unsure && (flow < FLOW_SHUFFLE || flow == FLOW_LOAD))
        cloud_results(warp, op, unsure, &origin);
    warp->doubt = undefined->marked || undefined->carry;
}

void undefined_begin(struct warp *warp, const struct op *op, lane_mask active)
{
    struct undefined *undefined = warp->undefined;
    enum flow flow = undefined_info(warp, op)->flow;
    if (!make_room(warp)) {
        fault_raise(warp, op, SIM_FAULT_HOST_MEMORY, -1, "has no room to note undefined values");
        return;
    }
    if (flow == FLOW_LOAD || flow == FLOW_ATOMIC)
        undefined_take_loaded(warp, op, active);
    else if (flow == FLOW_MATRIX_LOAD)
        undefined_matrix_loaded(warp, op);
    else if (flow == FLOW_SHUFFLE)
        undefined_take_absent(warp, op, active);
    undefined->brought = 0;
    warp->doubt = undefined->marked || undefined->carry;
}
