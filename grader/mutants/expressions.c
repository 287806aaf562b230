/* expressions.c - mutations of operators, numbers, names, types and arguments. */
#include "mutants/nodes.h"

#include <ctype.h>
#include <string.h>

enum { NAME_BYTES = 256 };

static const char *text_at(const struct node *node, size_t at)
{
    return node->mutations->source + at;
}

/* --- Operators -------------------------------------------------------------------------------- */

static const struct {
    const char *sign;
    enum mutation_kind kind;
    const char *other; /* NULL: only sides are left out */
    enum mutation_kind without;
    bool left, right; /* which side may stay alone */
} OPERATORS[] = {
    /* Those of two characters first, since they begin as those of one do. */
    {"<=", MUTATION_boundary, "<"},
    {">=", MUTATION_boundary, ">"},
    {"==", MUTATION_equality, "!="},
    {"!=", MUTATION_equality, "=="},
    {"&&", MUTATION_clause, NULL, MUTATION_clause, true, true},
    {"||", MUTATION_clause, NULL, MUTATION_clause, true, true},
    {"<<", MUTATION_term, NULL, MUTATION_term, true, false},
    {">>", MUTATION_term, NULL, MUTATION_term, true, false},
    {"+=", MUTATION_sign, "-="},
    {"-=", MUTATION_sign, "+="},
    {"*=", MUTATION_KINDS, NULL},
    {"/=", MUTATION_KINDS, NULL},
    {"<", MUTATION_boundary, "<="},
    {">", MUTATION_boundary, ">="},
    {"+", MUTATION_sign, "-", MUTATION_term, true, true},
    {"-", MUTATION_sign, "+", MUTATION_term, true, false},
    {"*", MUTATION_term, NULL, MUTATION_term, true, true},
    {"/", MUTATION_term, NULL, MUTATION_term, true, false},
    {"%", MUTATION_term, NULL, MUTATION_term, true, false},
    {"|", MUTATION_term, NULL, MUTATION_term, true, true},
    {"&", MUTATION_term, NULL, MUTATION_term, true, true},
    {"^", MUTATION_term, NULL, MUTATION_term, true, true},
};

/* A loop's own step, turned round, would only never end. */
static bool is_loop_step(const struct node *node)
{
    const struct node *above = node_above(node);
    return above && node_kind(above) == CXCursor_ForStmt &&
           *text_at(node, node->span.to + strspn(text_at(node, node->span.to), " \n\t")) == ')';
}

static void leave_out(const struct node *node, size_t row, struct span left, struct span right)
{
    struct mutations *mutations = node->mutations;
    enum mutation_kind kind = OPERATORS[row].without;
    if (OPERATORS[row].left)
        mutations_add(mutations, kind, (struct span){left.to, right.to}, "%s", "");
    if (OPERATORS[row].right)
        mutations_add(mutations, kind, (struct span){left.from, right.from}, "%s", "");
}

static bool same_text(const struct node *node, struct span first, struct span second)
{
    size_t length = first.to - first.from;
    return length == second.to - second.from &&
           memcmp(text_at(node, first.from), text_at(node, second.from), length) == 0;
}

/* The smaller or the larger of two: where both are equal, it is the same which one is taken. */
static bool is_choice_of_operands(const struct node *node, struct span left, struct span right)
{
    CXCursor child[MOST_CHILDREN];
    struct span yes, no;
    const struct node *above = node_above(node);
    return above && node_kind(above) == CXCursor_ConditionalOperator &&
           node_children(above->cursor, child) == 3 && node_span(child[1], &yes) &&
           node_span(child[2], &no) &&
           ((same_text(node, left, yes) && same_text(node, right, no)) ||
            (same_text(node, left, no) && same_text(node, right, yes)));
}

static void mutate_operator(const struct node *node)
{
    CXCursor side[MOST_CHILDREN];
    struct span left, right;
    if (node_children(node->cursor, side) != 2 || !node_span(side[0], &left) ||
        !node_span(side[1], &right) || left.to >= right.from || is_loop_step(node) ||
        is_choice_of_operands(node, left, right))
        return;
    size_t at = left.to + strspn(text_at(node, left.to), " \t\n");
    for (size_t row = 0; row < sizeof OPERATORS / sizeof *OPERATORS; row++) {
        size_t length = strlen(OPERATORS[row].sign);
        if (strncmp(text_at(node, at), OPERATORS[row].sign, length) != 0)
            continue;
        if (OPERATORS[row].other)
            mutations_add(node->mutations, OPERATORS[row].kind, (struct span){at, at + length},
                          "%s", OPERATORS[row].other);
        leave_out(node, row, left, right);
        return;
    }
}

static void mutate_prefix(const struct node *node)
{
    char first = *text_at(node, node->span.from), second = *text_at(node, node->span.from + 1);
    struct span sign = {node->span.from, node->span.from + 1};
    if (first == '!')
        mutations_add(node->mutations, MUTATION_equality, sign, "%s", "");
    if (first == '-' && second != '-')
        mutations_add(node->mutations, MUTATION_sign, sign, "%s", "");
}

/* --- Numbers, names, types -------------------------------------------------------------------- */

/* A byte of shared memory more than a launch asks for changes nothing. The grid is no literal of
 * the launch, but one of the dim3 that is made of it. */
static bool is_launch_bytes(const struct node *node)
{
    char name[NAME_BYTES] = "";
    const struct node *above = node_above(node);
    if (above && node_kind(above) == CXCursor_CallExpr)
        node_name(above->cursor, name, sizeof name);
    return strcmp(name, "__cudaPushCallConfiguration") == 0;
}

static void mutate_number(const struct node *node)
{
    char text[NAME_BYTES];
    size_t length = node->span.to - node->span.from;
    for (int by = is_launch_bytes(node) ? -1 : 1; by >= -1; by -= 2)
        if (moved_number(text_at(node, node->span.from), length, by, text, sizeof text))
            mutations_add(node->mutations, MUTATION_constant, node->span, "%s", text);
}

static bool is_word(int character)
{
    return isalnum(character) || character == '_';
}

/* Does the function around the node speak of that name? Else it would not compile. */
static bool function_has(const struct node *node, const char *name)
{
    const struct node *function = node, *above;
    size_t length = strlen(name);
    while ((above = function->above) && above->above)
        function = above;
    const char *end = text_at(node, function->span.to);
    for (const char *at = text_at(node, function->span.from);
         (at = memmem(at, (size_t)(end - at), name, length)); at += length)
        if (!is_word(at[-1]) && !is_word(at[length]) && at[-1] != '.')
            return true;
    return false;
}

static void mutate_name(const struct node *node)
{
    char name[NAME_BYTES], type[NAME_BYTES];
    node_name(node->cursor, name, sizeof name);
    node_type(node->cursor, type, sizeof type);
    bool is_member = node_kind(node) == CXCursor_MemberRefExpr;
    const struct node *above = node_above(node);
    const char *other = other_direction(name);
    struct span word = {node->span.to - strlen(name), node->span.to};
    if (strncmp(text_at(node, word.from), name, strlen(name)) != 0)
        return; /* it comes from a macro */
    if (other && (is_member || function_has(node, other)))
        mutations_add(node->mutations, MUTATION_exchange, word, "%s", other);
    if (strcmp(type, "CUstream_st *") == 0 && above && node_kind(above) == CXCursor_CallExpr)
        mutations_add(node->mutations, MUTATION_stream, node->span, "0");
}

/* The parameters of what the contract declares stay, or it would only not compile. */
static void mutate_type(const struct node *node)
{
    static const char *const NARROWER[][2] = {
        {"int64_t", "int"}, {"uint64_t", "unsigned"}, {"size_t", "unsigned"}, {"ptrdiff_t", "int"}};
    const struct node *above = node->above;
    bool contracted = node_kind(above) == CXCursor_ParmDecl && above->above &&
                      clang_getCursorLinkage(above->above->cursor) == CXLinkage_External &&
                      node_kind(above->above) == CXCursor_FunctionDecl;
    size_t length = node->span.to - node->span.from;
    const char *word = text_at(node, node->span.from);
    for (size_t i = 0; i < sizeof NARROWER / sizeof *NARROWER && !contracted; i++)
        if (strlen(NARROWER[i][0]) == length && strncmp(word, NARROWER[i][0], length) == 0)
            mutations_add(node->mutations, MUTATION_narrow, node->span, "%s", NARROWER[i][1]);
}

/* --- Arguments and indices -------------------------------------------------------------------- */

static void exchange(const struct node *node, struct span first, struct span second)
{
    const char *a = text_at(node, first.from), *b = text_at(node, second.from);
    int a_bytes = (int)(first.to - first.from), b_bytes = (int)(second.to - second.from);
    if (first.to > second.from || (a_bytes == b_bytes && strncmp(a, b, (size_t)a_bytes) == 0))
        return;
    mutations_add(node->mutations, MUTATION_exchange, (struct span){first.from, second.to},
                  "%.*s%.*s%.*s", b_bytes, b, (int)(second.from - first.to),
                  text_at(node, first.to), a_bytes, a);
}

/* What gives the same either way is no mistake. */
static bool is_commutative(const char *name)
{
    return strstr(name, "min") || strstr(name, "max") || strstr(name, "operator");
}

static void mutate_call(const struct node *node)
{
    char name[NAME_BYTES], type[NAME_BYTES], last_type[NAME_BYTES] = "";
    struct span span, last = {0, 0};
    int count = clang_Cursor_getNumArguments(node->cursor);
    node_name(node->cursor, name, sizeof name);
    for (int i = 0; i < count && !is_commutative(name); i++) {
        CXCursor argument = clang_Cursor_getArgument(node->cursor, (unsigned)i);
        if (!node_span(argument, &span))
            return;
        node_type(argument, type, sizeof type);
        if (i > 0 && strcmp(type, last_type) == 0)
            exchange(node, last, span);
        last = span;
        memcpy(last_type, type, sizeof type);
    }
}

/* Of a[i][j] the two indices. */
static void mutate_index(const struct node *node)
{
    CXCursor outer[MOST_CHILDREN], inner[MOST_CHILDREN];
    struct span first, second;
    if (node_children(node->cursor, outer) != 2)
        return;
    CXCursor base = outer[0];
    while (clang_getCursorKind(base) == CXCursor_UnexposedExpr && node_children(base, inner) == 1)
        base = inner[0];
    if (clang_getCursorKind(base) == CXCursor_ArraySubscriptExpr &&
        node_children(base, inner) == 2 && node_span(inner[1], &first) &&
        node_span(outer[1], &second))
        exchange(node, first, second);
}

void mutate_expression(const struct node *node)
{
    bool is_true = *text_at(node, node->span.from) == 't';
    switch ((int)node_kind(node)) {
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: mutate_operator(node); break;
    case CXCursor_UnaryOperator: mutate_prefix(node); break;
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral: mutate_number(node); break;
    case CXCursor_CXXBoolLiteralExpr:
        mutations_add(node->mutations, MUTATION_constant, node->span, is_true ? "false" : "true");
        break;
    case CXCursor_DeclRefExpr:
    case CXCursor_MemberRefExpr: mutate_name(node); break;
    case CXCursor_TypeRef: mutate_type(node); break;
    case CXCursor_CallExpr: mutate_call(node); break;
    case CXCursor_ArraySubscriptExpr: mutate_index(node); break;
    default: break;
    }
}
