/* undefined_memory.c - undefined values on their way out of memory and into it, and through the
 * variables of calls, which lie in the frame.
 *
 * Memory is marked byte by byte, registers have shadows bit by bit: see element_mask. Next:
 * initialised.c, which keeps the marks of memory.
 */
#include "undefined.h"
#include "opcode.h"

/* --- Loads ------------------------------------------------------------------------------------ */

bool undefined_is_followed(const struct access *access)
{
    enum flow flow = undefined_info(access->warp, access->op)->flow;
    return flow == FLOW_LOAD || flow == FLOW_COPY || flow == FLOW_MATRIX_LOAD ||
           flow == FLOW_ATOMIC;
}

void undefined_brings(const struct access *access, int lane, uint64_t address, uint16_t missing)
{
    struct undefined *undefined = access->warp->undefined;
    undefined->brought |= UINT32_C(1) << lane;
    undefined->missing[lane] = missing;
    undefined->address[lane] = address;
    undefined->space[lane] = (uint8_t)access->space;
    access->warp->doubt = true;
    access->warp->run_end = NULL;
}

/* Of missing bytes, from the first-th on, the bits of a register that is bytes wide. */
static void spread(const struct op *op, uint16_t missing, unsigned first, unsigned wide,
                   unsigned char *bits)
{
    bool last = missing >> (first + op->bytes - 1) & 1;
    for (unsigned i = 0; i < wide; i++) {
        bool is_missing = i < op->bytes ? missing >> (first + i) & 1 : last && op_is_signed(op);
        bits[i] = is_missing ? 0xFF : 0;
    }
}

/* Where lane's bytes were first read: here, unless memory holds an undefined value that was stored
 * there. */
static struct origin origin_of_lane(const struct warp *warp, const struct op *op, int lane,
                                    const struct sim_line *line)
{
    const struct undefined *undefined = warp->undefined;
    enum space space = (enum space)undefined->space[lane];
    uint64_t first = undefined->address[lane] + (unsigned)__builtin_ctz(undefined->missing[lane]);
    const struct origin *noted = undefined_noted(warp, space, first, lane);
    struct origin here = {.op = op,
                          .line = line,
                          .address = undefined->address[lane],
                          .space = undefined->space[lane],
                          .lane = (uint8_t)lane,
                          .bytes = (uint8_t)(op->bytes * op->count)};
    return noted ? *noted : here;
}

static void take_element(struct warp *warp, const struct op *op, lane_mask active, uint32_t dst,
                         unsigned element, const struct sim_line *line)
{
    const struct undefined *undefined = warp->undefined;
    struct outcome outcome;
    memset(outcome.bits, 0, sizeof outcome.bits);
    FOR_ACTIVE (lane, active & undefined->brought) {
        outcome.origin[lane] = origin_of_lane(warp, op, lane, line);
        spread(op, undefined->missing[lane], element * op->bytes, op->dst_bytes,
               outcome.bits + (unsigned)lane * op->dst_bytes);
    }
    undefined_put(warp, undefined_place(warp, dst), op->dst_bytes, active, &outcome);
}

void undefined_take_loaded(struct warp *warp, const struct op *op, lane_mask active)
{
    const struct undefined *undefined = warp->undefined;
    bool is_atomic = undefined_info(warp, op)->flow == FLOW_ATOMIC;
    const uint32_t *list = is_atomic ? &op->dst : op->list;
    const struct sim_line *line = undefined->brought ? fault_own_line(warp, op) : NULL;
    for (unsigned i = 0; i < (is_atomic ? 1u : op->count); i++)
        if (list[i] != NO_REGISTER && undefined->brought)
            take_element(warp, op, active, list[i], i, line);
        else if (list[i] != NO_REGISTER)
            undefined_put(warp, undefined_place(warp, list[i]), op->dst_bytes, active, NULL);
}

/* --- Stores ----------------------------------------------------------------------------------- */

/* The undefined bytes of a lane's element: those without a defined bit; but what was made of an
 * undefined value is undefined as a whole. */
static uint16_t element_mask(const unsigned char *bits, unsigned bytes, const struct origin *origin)
{
    uint16_t mask = 0;
    unsigned grain = origin->grain && origin->grain < bytes ? origin->grain : bytes;
    for (unsigned i = 0; origin->made != MADE && i < bytes; i++)
        mask |= (uint16_t)((bits[i] == 0xFF) << i);
    for (unsigned first = 0; origin->made == MADE && first < bytes; first += grain) {
        bool any = false;
        for (unsigned i = first; i < first + grain; i++)
            any |= bits[i] != 0;
        mask |= any ? (uint16_t)(((1u << grain) - 1) << first) : 0;
    }
    return mask;
}

static void store_element(struct warp *warp, uint32_t source, unsigned wide, unsigned bytes,
                          unsigned first, lane_mask active, struct origin *origins)
{
    struct undefined *undefined = warp->undefined;
    size_t place = undefined_place(warp, source);
    FOR_ACTIVE (lane, active & undefined_lanes(undefined, place, wide)) {
        const struct origin *origin = undefined_origin(undefined, place, wide, lane);
        const unsigned char *bits = undefined->bits + place + (unsigned)lane * wide;
        uint16_t mask = element_mask(bits, bytes, origin);
        bool is_result = mask && origin->made == MADE;
        if (mask && (!undefined->storing[lane] || is_result))
            origins[lane] = *origin;
        undefined->storing[lane] |= (uint16_t)(mask << first);
        undefined->results |= is_result ? UINT32_C(1) << lane : 0;
        if (mask)
            undefined->stored = origins;
    }
}

void undefined_prepare_store(struct warp *warp, const struct op *op, lane_mask active,
                             struct origin *origins)
{
    const struct op_info *info = undefined_info(warp, op);
    memset(warp->undefined->storing, 0, sizeof warp->undefined->storing);
    warp->undefined->results = 0;
    if (info->flow == FLOW_ATOMIC) {
        unsigned slot = op->kind == COMBINE_IF_EQUAL ? 2 : 1;
        store_element(warp, op->src[slot], info->source_bytes[slot], op->bytes, 0, active, origins);
        return;
    }
    for (unsigned i = 0; i < op->count; i++)
        store_element(warp, op->list[i], op->dst_bytes, op->bytes, i * op->bytes, active, origins);
}

/* --- Variables of calls ----------------------------------------------------------------------- */

/* Bytes of a lane's part of a variable of the frame, which is size bytes a lane. */
static unsigned char *part_of(const struct undefined *undefined, size_t place, uint32_t size,
                              int lane, const struct op *op, unsigned element)
{
    return undefined->bits + place + (size_t)lane * size + (size_t)op->offset +
           (size_t)element * op->bytes;
}

void undefined_load_param(struct warp *warp, const struct op *op, lane_mask active)
{
    struct undefined *undefined = warp->undefined;
    size_t place = op->kind ? undefined_place(warp, op->src[3]) : 0;
    bool any = op->kind && undefined_marked(undefined, place);
    struct outcome outcome;
    op->run(warp, op, active);
    for (unsigned i = 0; i < op->count; i++) {
        if (op->list[i] == NO_REGISTER)
            continue;
        memset(outcome.bits, 0, sizeof outcome.bits);
        for (int lane = 0; any && lane < WARP_LANES; lane++) {
            uint64_t bits =
                widened(op, part_of(undefined, place, op->target, lane, op, i), op->bytes);
            memcpy(outcome.bits + (unsigned)lane * op->dst_bytes, &bits, op->dst_bytes);
            outcome.origin[lane] = *undefined_origin(undefined, place, 1, lane);
        }
        undefined_put(warp, undefined_place(warp, op->list[i]), op->dst_bytes, active,
                      any ? &outcome : NULL);
    }
}

void undefined_store_param(struct warp *warp, const struct op *op, lane_mask active)
{
    struct undefined *undefined = warp->undefined;
    size_t place = undefined_place(warp, op->src[3]);
    bool any = undefined_marked(undefined, place);
    op->run(warp, op, active);
    for (unsigned i = 0; i < op->count; i++)
        any |= undefined_marked(undefined, undefined_place(warp, op->list[i]));
    for (unsigned i = 0; any && i < op->count; i++) {
        size_t from = undefined_place(warp, op->list[i]);
        bool is_marked = undefined_marked(undefined, from);
        FOR_ACTIVE (lane, active) {
            const unsigned char *bits = undefined->bits + from + (unsigned)lane * op->dst_bytes;
            memcpy(part_of(undefined, place, op->target, lane, op, i), bits, op->bytes);
            if (is_marked)
                *undefined_origin(undefined, place, 1, lane) =
                    *undefined_origin(undefined, from, op->dst_bytes, lane);
        }
    }
    if (any)
        undefined_settle_mark(undefined, place, (size_t)op->target * WARP_LANES);
}
