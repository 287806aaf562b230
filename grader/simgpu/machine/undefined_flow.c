/* undefined_flow.c - from the undefined bits of an operation's sources to those of its result.
 *
 * As exact as is cheap, and never more undefined than memcheck has it. Bits that are moved, masked
 * or selected keep their shadows one by one, so that bit fields, packed halves and x & 0 come out
 * right: there the handler itself is asked, by running it with the undefined bits all 0 and all 1
 * (flow_bits). Sums, comparisons, the lesser of two integers and the place of the first 1 go by the
 * range that an integer may lie in (undefined_ranges.h). An integer times 0 is 0 whatever the other
 * factor is; a float is not, since that may be infinite or NaN. Everything else is undefined when
 * any of it is.
 */
#include "undefined.h"
#include "decode_internal.h"
#include "shuffle.h"
#include "undefined_ranges.h"

/* --- What flow an operation has --------------------------------------------------------------- */

static const struct {
    const char *name;
    enum flow flow;
    uint8_t data_sources; /* of FLOW_BITS; the others say where bits go, and must be defined */
} FLOWS[] = {
    {"and", FLOW_BITS, 2}, {"or", FLOW_BITS, 2}, {"xor", FLOW_BITS, 2}, {"not", FLOW_BITS, 1},
    {"lop3", FLOW_BITS, 3}, {"selp", FLOW_BITS, 3}, {"prmt", FLOW_BITS, 2}, {"brev", FLOW_BITS, 1},
    {"shl", FLOW_BITS, 1}, {"shr", FLOW_BITS, 1}, {"shf", FLOW_BITS, 2}, {"bfe", FLOW_BITS, 1},
    {"bfi", FLOW_BITS, 2}, {"mov", FLOW_MOVE, 0}, {"cvta", FLOW_UP, 0}, {"add", FLOW_SUM, 0},
    {"sub", FLOW_DIFFERENCE, 0}, {"neg", FLOW_UP, 0}, {"mul", FLOW_PRODUCT, 0},
    {"mad", FLOW_PRODUCT, 0}, {"min", FLOW_LEAST, 0}, {"max", FLOW_MOST, 0},
    {"clz", FLOW_LEADING, 0}, {"bfind", FLOW_LEADING, 0},
    {"setp", FLOW_COMPARE, 0}, {"shfl", FLOW_SHUFFLE, 0}, {"vote", FLOW_VOTE, 0},
    {"match", FLOW_WARP, 0}, {"redux", FLOW_WARP, 0}, {"elect", FLOW_DECIDES, 0},
    {"activemask", FLOW_ANY, 0}, {"ld", FLOW_LOAD, 0}, {"ldu", FLOW_LOAD, 0},
    {"st", FLOW_STORE, 0}, {"atom", FLOW_ATOMIC, 0}, {"red", FLOW_ATOMIC, 0},
    {"ldmatrix", FLOW_MATRIX_LOAD, 0}, {"stmatrix", FLOW_MATRIX_STORE, 0},
    {"movmatrix", FLOW_MATRIX_TURN, 0}, {"mma", FLOW_PRODUCT_OF_MATRICES, 0},
    {"bar", FLOW_DECIDES, 0}, {"barrier", FLOW_DECIDES, 0}, {"brx", FLOW_DECIDES, 0},
    {"bra", FLOW_DECIDES, 0}, {"ret", FLOW_DECIDES, 0}, {"exit", FLOW_DECIDES, 0},
    {"trap", FLOW_DECIDES, 0}, {"mbarrier", FLOW_DECIDES, 0}, {"call", FLOW_CALL, 0},
    {"prefetch", FLOW_NONE, 0}, {"prefetchu", FLOW_NONE, 0}, {"nanosleep", FLOW_NONE, 0},
};

static bool named(const char *mnemonic, const char *name)
{
    size_t length = strlen(name);
    return strncmp(mnemonic, name, length) == 0 && (!mnemonic[length] || mnemonic[length] == '.');
}

static bool is_integer(uint32_t type)
{
    return strchr("USB", ptx_type_class((enum ptx_type)type)) != NULL;
}

/* cp.async, wmma and cvt have rows that do different things. */
static enum flow flow_of_family(const char *mnemonic, const struct op *op)
{
    if (op->run == copy_async)
        return FLOW_COPY;
    if (named(mnemonic, "cp"))
        return FLOW_DECIDES;
    if (named(mnemonic, "wmma"))
        return op->run == wmma_store ? FLOW_MATRIX_STORE
               : op->run == wmma_load_a || op->run == wmma_load_b || op->run == wmma_load_c
                   ? FLOW_MATRIX_LOAD
                   : FLOW_PRODUCT_OF_MATRICES;
    if (op->run == cvt_f16x2_f32 || op->run == cvt_bf16x2_f32)
        return FLOW_PACK;
    if (named(mnemonic, "cvt") && is_integer(op->type) && is_integer(op->target) && !op->sat)
        return FLOW_MOVE;
    return FLOW_ANY;
}

static enum flow narrowed(enum flow flow, const struct op *op)
{
    bool packed = ptx_type_class((enum ptx_type)op->type) == 'X';
    bool is_predicate = op->type == PTX_pred;
    if (op->run == mov_unpack || op->run == mov_pack)
        return op->run == mov_pack ? FLOW_PARTS_IN : FLOW_PARTS_OUT;
    if (op->run == load_param || op->run == store_param)
        return op->run == load_param ? FLOW_PARAM_LOAD : FLOW_PARAM_STORE;
    if (flow == FLOW_MOVE && is_predicate)
        return FLOW_BITS;
    if (flow >= FLOW_UP && flow <= FLOW_LEADING && !is_integer(op->type))
        return packed ? FLOW_HALVES : FLOW_ANY;
    if (flow == FLOW_LEADING && op_is_signed(op)) /* it looks for the first bit unlike the sign */
        return FLOW_ANY;
    if ((flow == FLOW_LEAST || flow == FLOW_MOST) && op->source_count != 2)
        return FLOW_ANY;
    return op->sat && flow != FLOW_BITS && flow != FLOW_HALVES && flow < FLOW_SHUFFLE ? FLOW_ANY
                                                                                      : flow;
}

static bool works_by_halves(const struct op *op, const char *mnemonic)
{
    return ptx_type_class((enum ptx_type)op->type) == 'X' && !named(mnemonic, "cvt") &&
           !named(mnemonic, "setp") && !named(mnemonic, "set") && op->bytes == 4;
}

void undefined_note(struct op_info *info, const struct opcode *opcode, const struct op *op)
{
    info->flow = flow_of_family(opcode->mnemonic, op);
    for (size_t i = 0; i < sizeof FLOWS / sizeof *FLOWS; i++)
        if (named(opcode->mnemonic, FLOWS[i].name)) {
            info->flow = narrowed(FLOWS[i].flow, op);
            info->data_sources = FLOWS[i].data_sources ? FLOWS[i].data_sources : 1;
        }
    if (info->flow == FLOW_ANY && works_by_halves(op, opcode->mnemonic))
        info->flow = FLOW_HALVES;
    bool has_result = op->dst != NO_REGISTER || op->dst2 != NO_REGISTER;
    if (!has_result && info->flow < FLOW_SHUFFLE)
        info->flow = FLOW_NONE;
}

const struct op_info *undefined_info(const struct warp *warp, const struct op *op)
{
    return &block_launch(warp)->function->module->ops[op->id];
}

/* --- Sources ---------------------------------------------------------------------------------- */

static size_t source_place(const struct warp *warp, const struct op *op, unsigned i)
{
    return undefined_place(warp, op->src[i]);
}

static lane_mask source_lanes(const struct warp *warp, const struct op *op, unsigned i)
{
    return undefined_lanes(warp->undefined, source_place(warp, op, i),
                           undefined_info(warp, op)->source_bytes[i]);
}

/* How many of op->src are registers. */
static unsigned source_count(const struct warp *warp, const struct op *op)
{
    enum flow flow = undefined_info(warp, op)->flow;
    return flow == FLOW_PARTS_IN ? 0 : op->source_count;
}

const struct origin *undefined_source(const struct warp *warp, const struct op *op, int lane)
{
    const struct undefined *undefined = warp->undefined;
    const struct op_info *info = undefined_info(warp, op);
    for (unsigned i = 0; i < source_count(warp, op); i++)
        if (source_lanes(warp, op, i) >> lane & 1)
            return undefined_origin(undefined, source_place(warp, op, i), info->source_bytes[i],
                                    lane);
    for (unsigned i = 0; info->flow == FLOW_PARTS_IN && i < op->count; i++) {
        size_t place = undefined_place(warp, op->list[i]);
        if (undefined_lanes(undefined, place, op->dst_bytes) >> lane & 1)
            return undefined_origin(undefined, place, op->dst_bytes, lane);
    }
    return undefined->carry >> lane & 1 ? &undefined->carry_origin : NULL;
}

/* Bits of a lane's part of the register at place, and its value. */
static uint64_t lane_bits(const unsigned char *registers, unsigned bytes, int lane)
{
    uint64_t bits = 0;
    memcpy(&bits, registers + (unsigned)lane * bytes, bytes);
    return bits;
}

static uint64_t shadow_of(const struct warp *warp, const struct op *op, unsigned i, int lane)
{
    unsigned bytes = undefined_info(warp, op)->source_bytes[i];
    size_t place = source_place(warp, op, i);
    if (!undefined_marked(warp->undefined, place))
        return 0;
    if (bytes == PREDICATE_BYTES)
        return undefined_lanes(warp->undefined, place, bytes) >> lane & 1;
    return lane_bits(warp->undefined->bits + place, bytes, lane);
}

static uint64_t value_of(const struct warp *warp, const struct op *op, unsigned i, int lane)
{
    return lane_bits(reg(warp, op->src[i]), undefined_info(warp, op)->source_bytes[i], lane);
}

static void set_bits(struct outcome *outcome, unsigned bytes, int lane, uint64_t bits)
{
    if (bytes == PREDICATE_BYTES && bits)
        outcome->bits[lane / 8] |= (unsigned char)(1u << lane % 8);
    else if (bytes != PREDICATE_BYTES)
        memcpy(outcome->bits + (unsigned)lane * bytes, &bits, bytes);
}

/* --- Flows of a lane by itself ---------------------------------------------------------------- */

/* From the lowest undefined bit up. */
static uint64_t upwards(uint64_t bits)
{
    return bits | (0 - bits);
}

static uint64_t halves(uint64_t bits)
{
    return (bits & 0xFFFF ? 0xFFFF : 0) | (bits & 0xFFFF0000 ? 0xFFFF0000 : 0);
}

static uint64_t product(const struct warp *warp, const struct op *op, int lane)
{
    uint64_t a = shadow_of(warp, op, 0, lane), b = shadow_of(warp, op, 1, lane);
    uint64_t c = op->source_count > 2 ? shadow_of(warp, op, 2, lane) : 0;
    bool is_zero = (!a && value_of(warp, op, 0, lane) == 0) ||
                   (!b && value_of(warp, op, 1, lane) == 0);
    return (is_zero ? 0 : a | b) | c ? UINT64_MAX : 0;
}

static uint64_t all_sources(const struct warp *warp, const struct op *op, int lane)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < op->source_count; i++)
        bits |= shadow_of(warp, op, i, lane);
    return bits;
}

static struct partly partly_of(const struct warp *warp, const struct op *op, unsigned i, int lane)
{
    return (struct partly){value_of(warp, op, i, lane), shadow_of(warp, op, i, lane)};
}

static struct reading reading_of(const struct warp *warp, const struct op *op)
{
    return (struct reading){8u * undefined_info(warp, op)->source_bytes[0], op_is_signed(op)};
}

/* Integers of two sources, both undefined bit by bit. */
static uint64_t of_two(const struct warp *warp, const struct op *op, enum flow flow, int lane)
{
    struct partly a = partly_of(warp, op, 0, lane), b = partly_of(warp, op, 1, lane);
    if (flow == FLOW_SUM)
        return undefined_of_sum(a, b);
    if (flow == FLOW_DIFFERENCE) /* whatever it is, x - x is 0 */
        return op->src[0] == op->src[1] ? 0 : undefined_of_difference(a, b);
    return undefined_of_choice(a, b, reading_of(warp, op), flow == FLOW_MOST);
}

static uint64_t lane_flow(const struct warp *warp, const struct op *op, enum flow flow, int lane)
{
    bool carried = warp->undefined->carry >> lane & 1;
    uint64_t bits = flow == FLOW_PRODUCT ? product(warp, op, lane) : all_sources(warp, op, lane);
    switch (flow) {
    case FLOW_UP: return carried ? UINT64_MAX : upwards(bits);
    case FLOW_SUM: case FLOW_DIFFERENCE: case FLOW_LEAST: case FLOW_MOST:
        return bits ? of_two(warp, op, flow, lane) : 0;
    case FLOW_LEADING: return undefined_of_leading(partly_of(warp, op, 0, lane));
    case FLOW_PRODUCT: return carried ? UINT64_MAX : bits;
    case FLOW_HALVES: return halves(bits);
    case FLOW_PACK:
        return (shadow_of(warp, op, 1, lane) ? 0xFFFF : 0) |
               (shadow_of(warp, op, 0, lane) ? 0xFFFF0000 : 0);
    default: return bits || carried ? UINT64_MAX : 0;
    }
}

/* Extended precision: .cc leaves a carry, addc, subc and madc take one. */
static bool uses_carry(const struct warp *warp, const struct op *op, bool *leaves)
{
    const char *mnemonic = opcode_at(undefined_info(warp, op)->row)->mnemonic;
    bool takes = named(mnemonic, "addc") || named(mnemonic, "subc") || named(mnemonic, "madc");
    *leaves = takes || strstr(mnemonic, ".cc");
    return takes || *leaves;
}

static void leave_carry(struct warp *warp, const struct op *op, lane_mask active,
                        const struct outcome *outcome)
{
    struct undefined *undefined = warp->undefined;
    unsigned bytes = undefined_info(warp, op)->result_bytes;
    undefined->carry &= ~active;
    FOR_ACTIVE(lane, active)
    if (undefined_has(outcome, bytes, lane)) {
        undefined->carry |= UINT32_C(1) << lane;
        undefined->carry_origin = outcome->origin[lane];
    }
}

static void flow_by_lanes(struct warp *warp, const struct op *op, lane_mask active, enum flow flow,
                          struct outcome *outcome)
{
    unsigned bytes = undefined_info(warp, op)->result_bytes;
    bool leaves;
    bool carries = uses_carry(warp, op, &leaves);
    lane_mask carry = warp->undefined->carry;
    warp->undefined->carry = carries ? carry : 0;
    FOR_ACTIVE(lane, active)
    set_bits(outcome, bytes, lane, lane_flow(warp, op, flow, lane));
    warp->undefined->carry = carry;
    if (leaves)
        leave_carry(warp, op, active, outcome);
    op->run(warp, op, active);
}

/* --- Comparison ------------------------------------------------------------------------------- */

/* Does it come out alike whatever the undefined bits are? Integers are unequal if they differ in a
 * bit that both have; and one may be the smaller for all that its bits can be. */
static bool compares_alike(const struct warp *warp, const struct op *op, int lane, uint64_t bits)
{
    struct partly a = partly_of(warp, op, 0, lane), b = partly_of(warp, op, 1, lane);
    struct reading reading = reading_of(warp, op);
    if (!is_integer(op->type))
        return false;
    if (op->src[0] == op->src[1])
        return true;
    switch (op->compare) {
    case COMPARE_EQ: case COMPARE_NE: return ((a.value ^ b.value) & ~bits) != 0;
    case COMPARE_LT: case COMPARE_GE: return !is_less_undefined(a, b, reading, false);
    case COMPARE_LE: case COMPARE_GT: return !is_less_undefined(a, b, reading, true);
    default: return false;
    }
}

/* The predicate that the comparison is combined with may decide alone. */
static bool is_settled(const struct warp *warp, const struct op *op, int lane, bool compared)
{
    if (op->combine == COMBINE_NONE || op->source_count < 3)
        return compared;
    bool with = predicate_source(warp, op, 2) >> lane & 1;
    bool known = !(source_lanes(warp, op, 2) >> lane & 1);
    if (known && ((op->combine == COMBINE_AND && !with) || (op->combine == COMBINE_OR && with)))
        return true;
    return compared && known;
}

static void flow_compare(struct warp *warp, const struct op *op, lane_mask active,
                         struct outcome *outcome)
{
    bool by_halves = ptx_type_class((enum ptx_type)op->type) == 'X';
    FOR_ACTIVE(lane, active)
    {
        uint64_t bits = shadow_of(warp, op, 0, lane) | shadow_of(warp, op, 1, lane);
        uint64_t first = by_halves ? bits & 0xFFFF : bits;
        bool compared = !first || compares_alike(warp, op, lane, bits);
        set_bits(outcome, PREDICATE_BYTES, lane, !is_settled(warp, op, lane, compared));
        bool high = !is_settled(warp, op, lane, !(bits & 0xFFFF0000));
        unsigned second = sizeof(lane_mask) + (unsigned)lane / 8;
        outcome->bits[second] |= (unsigned char)((by_halves && high) << lane % 8);
    }
    op->run(warp, op, active);
}

/* --- Bits: ask the handler -------------------------------------------------------------------- */

enum { MOST_DATA = 3, MOST_REGISTER = WARP_LANES * 8 };

struct trial { /* a source that has undefined bits */
    unsigned char *at;
    const unsigned char *shadow;
    size_t bytes;
    VECTOR unsigned char value[MOST_REGISTER];
};

static size_t register_size(unsigned bytes)
{
    return bytes == PREDICATE_BYTES ? sizeof(lane_mask) : (size_t)bytes * WARP_LANES;
}

static unsigned undefined_data(struct warp *warp, const struct op *op, struct trial *trials)
{
    const struct op_info *info = undefined_info(warp, op);
    unsigned count = 0;
    for (unsigned i = 0; i < info->data_sources; i++) {
        size_t place = source_place(warp, op, i);
        bool again = false;
        for (unsigned j = 0; j < count; j++)
            again |= trials[j].at == (unsigned char *)reg(warp, op->src[i]);
        if (again || !undefined_marked(warp->undefined, place))
            continue;
        struct trial *trial = &trials[count++];
        trial->at = reg(warp, op->src[i]);
        trial->shadow = warp->undefined->bits + place;
        trial->bytes = register_size(info->source_bytes[i]);
        memcpy(trial->value, trial->at, trial->bytes);
    }
    return count;
}

/* Its undefined bits all become 0, or all 1. */
static void fill_in(const struct trial *trial, bool ones)
{
    for (size_t i = 0; i < trial->bytes; i++)
        trial->at[i] = (unsigned char)((trial->value[i] & ~trial->shadow[i]) |
                                       (ones ? trial->shadow[i] : 0));
}

/* Each bit of the result is a function of a few bits of the sources, the same few whatever they
 * are: a bit that comes out alike for all ways to fill in what is undefined is defined. */
static void flow_bits(struct warp *warp, const struct op *op, lane_mask active,
                      struct outcome *outcome)
{
    struct trial trials[MOST_DATA];
    VECTOR unsigned char first[MOST_REGISTER], before[MOST_REGISTER];
    unsigned count = undefined_data(warp, op, trials);
    unsigned char *result = reg(warp, op->dst);
    size_t bytes = register_size(undefined_info(warp, op)->result_bytes);
    memcpy(before, result, bytes);
    for (unsigned way = 0; way < 1u << count; way++) {
        memcpy(result, before, bytes);
        for (unsigned i = 0; i < count; i++)
            fill_in(&trials[i], way >> i & 1);
        op->run(warp, op, active);
        for (size_t i = 0; way && i < bytes; i++)
            outcome->bits[i] |= result[i] ^ first[i];
        if (way == 0)
            memcpy(first, result, bytes);
    }
    memcpy(result, before, bytes);
    for (unsigned i = 0; i < count; i++)
        memcpy(trials[i].at, trials[i].value, trials[i].bytes);
    op->run(warp, op, active);
}

static bool says_where(const struct warp *warp, const struct op *op, lane_mask active)
{
    lane_mask lanes = 0;
    for (unsigned i = undefined_info(warp, op)->data_sources; i < op->source_count; i++)
        lanes |= source_lanes(warp, op, i);
    return (lanes & active) == 0;
}

/* --- Moves: let the handler move the shadows -------------------------------------------------- */

static bool list_is_marked(const struct warp *warp, const struct op *op)
{
    bool marked = false;
    for (unsigned i = 0; i < op->count; i++)
        marked |= op->list[i] != NO_REGISTER &&
                  undefined_marked(warp->undefined, undefined_place(warp, op->list[i]));
    return marked;
}

static void move_shadows(struct warp *warp, const struct op *op, lane_mask active)
{
    unsigned char *registers = warp->registers;
    lane_mask idle = warp->idle;
    warp->registers = warp->undefined->bits + warp->split->register_base;
    warp->idle = 0; /* lanes that are not active keep their shadows */
    op->run(warp, op, active);
    warp->registers = registers;
    warp->idle = idle;
}

/* What the move left as the shadow of the result becomes the outcome. */
static void flow_move(struct warp *warp, const struct op *op, lane_mask active,
                      struct outcome *outcome)
{
    size_t place = undefined_place(warp, op->dst);
    size_t bytes = register_size(undefined_info(warp, op)->result_bytes);
    unsigned char *shadow = warp->undefined->bits + place;
    VECTOR unsigned char before[MOST_REGISTER];
    memcpy(before, shadow, bytes);
    move_shadows(warp, op, active);
    memcpy(outcome->bits, shadow, bytes);
    memcpy(shadow, before, bytes);
    op->run(warp, op, active);
}

/* {d, e} = parts of a: as many results as parts. */
static void move_parts_out(struct warp *warp, const struct op *op, lane_mask active)
{
    struct outcome outcome;
    const struct op_info *info = undefined_info(warp, op);
    VECTOR unsigned char whole[MOST_REGISTER];
    struct origin origins[WARP_LANES];
    unsigned bytes = op->bytes, wide = info->source_bytes[0];
    size_t place = source_place(warp, op, 0);
    memcpy(whole, warp->undefined->bits + place, (size_t)wide * WARP_LANES);
    for (int lane = 0; lane < WARP_LANES; lane++)
        origins[lane] = *undefined_origin(warp->undefined, place, wide, lane);
    op->run(warp, op, active);
    for (unsigned i = 0; i < op->count; i++) {
        if (op->list[i] == NO_REGISTER)
            continue;
        memset(outcome.bits, 0, sizeof outcome.bits);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            memcpy(outcome.bits + lane * op->dst_bytes, whole + lane * wide + i * bytes, bytes);
        memcpy(outcome.origin, origins, sizeof origins);
        undefined_put(warp, undefined_place(warp, op->list[i]), op->dst_bytes, active, &outcome);
    }
}

/* --- Lanes together --------------------------------------------------------------------------- */

static void flow_shuffle(struct warp *warp, const struct op *op, lane_mask active,
                         struct outcome *outcome)
{
    const struct undefined *undefined = warp->undefined;
    const uint32_t *b = reg(warp, op->src[1]), *c = reg(warp, op->src[2]);
    size_t place = source_place(warp, op, 0);
    lane_mask unknown = source_lanes(warp, op, 1) | source_lanes(warp, op, 2);
    struct outcome made = {{0}};
    FOR_ACTIVE(lane, active)
    {
        bool valid;
        int from = shuffle_source(shuffle_mode(op), lane, b[lane], c[lane], &valid);
        uint64_t bits = unknown >> lane & 1 ? UINT64_MAX : shadow_of(warp, op, 0, from);
        set_bits(&made, 4, lane, bits);
        made.origin[lane] = unknown >> lane & 1 ? outcome->origin[lane]
                                                : *undefined_origin(undefined, place, 4, from);
    }
    *outcome = made;
    op->run(warp, op, active);
}

/* A ballot has a bit of each lane; all, any and uni may be settled by the lanes that are known. */
static void flow_vote(struct warp *warp, const struct op *op, lane_mask active,
                      struct outcome *outcome)
{
    const uint32_t *masks = reg(warp, op->src[1]);
    const struct op_info *info = undefined_info(warp, op);
    lane_mask unsure = source_lanes(warp, op, 0), says = predicate_source(warp, op, 0);
    FOR_ACTIVE(lane, active)
    {
        lane_mask members = masks[lane] & ~warp->idle, known = members & ~unsure;
        lane_mask open = members & unsure;
        if (op->run == vote_any && (known & says))
            open = 0;
        if (op->run == vote_all && (known & ~says))
            open = 0;
        if (op->run == vote_uni && (known & says) && (known & ~says))
            open = 0;
        set_bits(outcome, info->result_bytes, lane, open);
        if (open)
            outcome->origin[lane] = *undefined_origin(warp->undefined, source_place(warp, op, 0),
                                                      PREDICATE_BYTES, 0);
    }
    op->run(warp, op, active);
}

static void flow_warp(struct warp *warp, const struct op *op, lane_mask active,
                      struct outcome *outcome)
{
    const struct op_info *info = undefined_info(warp, op);
    const uint32_t *masks = reg(warp, op->src[1]);
    lane_mask unsure = source_lanes(warp, op, 0);
    FOR_ACTIVE(lane, active)
    {
        lane_mask open = masks[lane] & ~warp->idle & unsure;
        set_bits(outcome, info->result_bytes, lane, open ? UINT64_MAX : 0);
        if (open)
            outcome->origin[lane] = *undefined_origin(warp->undefined, source_place(warp, op, 0),
                                                      info->source_bytes[0], __builtin_ctz(open));
    }
    op->run(warp, op, active);
}

/* Who takes part is decided by the last source. False when the launch stops. */
static bool members_decide(struct warp *warp, const struct op *op, lane_mask active)
{
    unsigned last = op->source_count - 1u;
    lane_mask lanes = source_lanes(warp, op, last) & active;
    if (!lanes)
        return true;
    int lane = __builtin_ctz(lanes);
    undefined_decides(warp, op, lane,
                      undefined_origin(warp->undefined, source_place(warp, op, last), 4, lane),
                      "decides which lanes take part");
    return !block_launch(warp)->faulted;
}

/* --- Any operation ---------------------------------------------------------------------------- */

static bool anything_undefined(const struct warp *warp, const struct op *op)
{
    bool leaves, any = uses_carry(warp, op, &leaves) && warp->undefined->carry;
    for (unsigned i = 0; i < source_count(warp, op); i++)
        any |= undefined_marked(warp->undefined, source_place(warp, op, i));
    return any || (undefined_info(warp, op)->flow == FLOW_PARTS_IN && list_is_marked(warp, op));
}

static enum made made_by(const struct warp *warp, const struct op *op, enum made before)
{
    const struct op_info *info = undefined_info(warp, op);
    const char *mnemonic = opcode_at(info->row)->mnemonic;
    bool moves = named(mnemonic, "mov") || named(mnemonic, "selp") || named(mnemonic, "prmt") ||
                 named(mnemonic, "movmatrix") || info->flow == FLOW_SHUFFLE;
    bool is_sum = info->flow >= FLOW_UP && info->flow <= FLOW_DIFFERENCE;
    bool mixes = info->data_sources > 1 && info->flow == FLOW_BITS && !named(mnemonic, "and");
    if (moves || (before == MIXED && (info->flow == FLOW_BITS || is_sum)))
        return before;
    return mixes ? MIXED : MADE;
}

/* Packed halves are results of their own, and stay so. */
static uint8_t grain_by(const struct warp *warp, const struct op *op, const struct origin *before)
{
    const struct op_info *info = undefined_info(warp, op);
    enum { WHOLE = 8, HALF = 2, BYTE = 1 };
    uint8_t was = before->made == MADE ? before->grain : WHOLE;
    if (info->flow == FLOW_HALVES || info->flow == FLOW_PACK)
        return HALF;
    if (info->flow == FLOW_PARTS_IN)
        return was < op->bytes ? was : op->bytes;
    if (op->run == prmt_32)
        return BYTE;
    return made_by(warp, op, AS_READ) == AS_READ ? was : WHOLE;
}

static void note_origins(const struct warp *warp, const struct op *op, struct outcome *outcome)
{
    for (int lane = 0; lane < WARP_LANES; lane++) {
        const struct origin *origin = undefined_source(warp, op, lane);
        struct origin made = origin ? *origin : (struct origin){0};
        made.grain = grain_by(warp, op, &made);
        made.made = (uint8_t)made_by(warp, op, (enum made)made.made);
        outcome->origin[lane] = made;
    }
}

/* What is undefined from end to end is no mixture. */
static void settle_mixed(const struct warp *warp, const struct op *op, struct outcome *outcome)
{
    unsigned bytes = undefined_info(warp, op)->result_bytes;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t bits = lane_bits(outcome->bits, bytes, lane);
        if (outcome->origin[lane].made == MIXED && bits == UINT64_MAX >> (64 - 8 * bytes))
            outcome->origin[lane].made = MADE; /* its grain is that of the whole already */
    }
}

bool undefined_flow(struct warp *warp, const struct op *op, lane_mask active,
                    struct outcome *outcome)
{
    const struct op_info *info = undefined_info(warp, op);
    enum flow flow = info->flow;
    if (flow == FLOW_PARTS_OUT) {
        move_parts_out(warp, op, active);
        return false;
    }
    if (!anything_undefined(warp, op)) {
        op->run(warp, op, active);
        return false;
    }
    memset(outcome->bits, 0, sizeof outcome->bits);
    note_origins(warp, op, outcome);
    if (flow == FLOW_BITS && !says_where(warp, op, active))
        flow = FLOW_ANY;
    if (flow == FLOW_MATRIX_TURN)
        flow = active == ALL_LANES ? FLOW_MOVE : FLOW_ANY;
    switch (flow) {
    case FLOW_BITS: flow_bits(warp, op, active, outcome); break;
    case FLOW_MOVE: case FLOW_PARTS_IN: flow_move(warp, op, active, outcome); break;
    case FLOW_COMPARE: flow_compare(warp, op, active, outcome); break;
    case FLOW_SHUFFLE: case FLOW_VOTE: case FLOW_WARP:
        if (members_decide(warp, op, active))
            (flow == FLOW_SHUFFLE ? flow_shuffle : flow == FLOW_VOTE ? flow_vote : flow_warp)(
                warp, op, active, outcome);
        break;
    default: flow_by_lanes(warp, op, active, flow, outcome); break;
    }
    if (flow == FLOW_BITS && info->result_bytes != PREDICATE_BYTES)
        settle_mixed(warp, op, outcome);
    return true;
}
