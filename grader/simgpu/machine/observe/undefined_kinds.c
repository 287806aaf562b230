/* undefined_kinds.c - how undefined values go through an operation (enum flow), told when it is
 * decoded. */
#include "undefined_operands.h"

/* clang-format off */
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
/* clang-format on */

/* cp.async, wmma and cvt have rows that do different things. */
static enum flow flow_of_family(const char *mnemonic, const struct op *op)
{
    if (op->run == copy_async)
        return FLOW_COPY;
    if (is_named(mnemonic, "cp"))
        return FLOW_DECIDES;
    if (is_named(mnemonic, "wmma"))
        return op->run == wmma_store ? FLOW_MATRIX_STORE
               : op->run == wmma_load_a || op->run == wmma_load_b || op->run == wmma_load_c
                   ? FLOW_MATRIX_LOAD
                   : FLOW_PRODUCT_OF_MATRICES;
    if (op->run == cvt_f16x2_f32 || op->run == cvt_bf16x2_f32)
        return FLOW_PACK;
    if (is_named(mnemonic, "cvt") && is_integer(op->type) && is_integer(op->target) && !op->sat)
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
    return ptx_type_class((enum ptx_type)op->type) == 'X' && !is_named(mnemonic, "cvt") &&
           !is_named(mnemonic, "setp") && !is_named(mnemonic, "set") && op->bytes == 4;
}

void undefined_note(struct op_info *info, const struct opcode *opcode, const struct op *op)
{
    info->flow = flow_of_family(opcode->mnemonic, op);
    for (size_t i = 0; i < sizeof FLOWS / sizeof *FLOWS; i++)
        if (is_named(opcode->mnemonic, FLOWS[i].name)) {
            info->flow = narrowed(FLOWS[i].flow, op);
            info->data_sources = FLOWS[i].data_sources ? FLOWS[i].data_sources : 1;
        }
    if (info->flow == FLOW_ANY && works_by_halves(op, opcode->mnemonic))
        info->flow = FLOW_HALVES;
    bool has_result = op->dst != NO_REGISTER || op->dst2 != NO_REGISTER;
    if (!has_result && info->flow < FLOW_SHUFFLE)
        info->flow = FLOW_NONE;
}
