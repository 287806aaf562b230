/* statements.c - mutations of conditions, of what is returned, and of whole statements. */
#include "mutants/nodes.h"

#include <string.h>

enum { NAME_BYTES = 256 };

static const char *text_at(const struct node *node, size_t at)
{
    return node->mutations->source + at;
}

/* An if and a ?: alike: the condition is the first child. One that declares something stays. */
static void mutate_condition(const struct node *node)
{
    CXCursor children[MOST_CHILDREN];
    struct span condition;
    if (node_children(node->cursor, children) < 2 || !node_span(children[0], &condition) ||
        !clang_isExpression(clang_getCursorKind(children[0])))
        return;
    mutations_add(node->mutations, MUTATION_guard, condition, "true");
    mutations_add(node->mutations, MUTATION_guard, condition, "false");
}

static bool returns_error(const struct node *node)
{
    char type[NAME_BYTES] = "";
    for (const struct node *above = node; above; above = above->above) {
        enum CXCursorKind kind = node_kind(above);
        if (kind == CXCursor_LambdaExpr)
            return false;
        if (kind != CXCursor_FunctionDecl && kind != CXCursor_CXXMethod &&
            kind != CXCursor_FunctionTemplate)
            continue;
        CXString name =
            clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorResultType(above->cursor)));
        snprintf(type, sizeof type, "%s", clang_getCString(name));
        clang_disposeString(name);
        return strcmp(type, "cudaError") == 0;
    }
    return false;
}

/* What is called for the result still happens. */
static void mutate_return(const struct node *node)
{
    CXCursor children[MOST_CHILDREN];
    struct span value;
    if (!returns_error(node) || node_children(node->cursor, children) != 1 ||
        !node_span(children[0], &value))
        return;
    const char *text = text_at(node, value.from);
    int length = (int)(value.to - value.from);
    bool plain = !memchr(text, '(', (size_t)length) || strncmp(text, "cudaGetLastError", 16) == 0;
    if (plain)
        mutations_add(node->mutations, MUTATION_error, value, "cudaSuccess");
    else
        mutations_add(node->mutations, MUTATION_error, value, "((void)(%.*s), cudaSuccess)", length,
                      text);
}

/* Is the expression a statement of its own? Then its semicolon follows, and above it is something
 * that holds statements. */
static bool is_whole_statement(const struct node *node)
{
    const struct node *above = node_above(node);
    size_t after = node->span.to + strspn(text_at(node, node->span.to), " \t\n");
    if (!above || *text_at(node, after) != ';')
        return false;
    switch ((int)node_kind(above)) {
    case CXCursor_CompoundStmt:
    case CXCursor_IfStmt:
    case CXCursor_ForStmt:
    case CXCursor_WhileStmt:
    case CXCursor_DoStmt:
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt: return true;
    default: return false;
    }
}

static void leave_out_call(const struct node *node)
{
    char name[NAME_BYTES];
    node_name(node->cursor, name, sizeof name);
    if (is_whole_statement(node))
        mutations_add(node->mutations, kind_of_call(name), node->span, "%s", "");
}

static void leave_out_asm(const struct node *node)
{
    enum mutation_kind kind =
        kind_of_asm(text_at(node, node->span.from), node->span.to - node->span.from);
    if (kind != MUTATION_KINDS)
        mutations_add(node->mutations, kind, node->span, ";");
}

/* a = b; or a += b; a loop's condition also ends with a semicolon, but is neither. */
static void leave_out_assignment(const struct node *node)
{
    CXCursor side[MOST_CHILDREN];
    struct span left;
    bool compound = node_kind(node) == CXCursor_CompoundAssignOperator;
    if (node_children(node->cursor, side) != 2 || !node_span(side[0], &left))
        return;
    const char *sign = text_at(node, left.to + strspn(text_at(node, left.to), " \t\n"));
    bool plain = sign[0] == '=' && sign[1] != '=';
    if ((compound || plain) && is_whole_statement(node))
        mutations_add(node->mutations, MUTATION_statement, node->span, "%s", "");
}

/* A lock that its scope holds: std::lock_guard and its like. */
static void leave_out_lock(const struct node *node)
{
    CXCursor children[MOST_CHILDREN];
    char type[NAME_BYTES];
    if (node_children(node->cursor, children) != 1)
        return;
    node_type(children[0], type, sizeof type);
    if (strstr(type, "_lock<") || strstr(type, "lock_guard<"))
        mutations_add(node->mutations, MUTATION_barrier, node->span, ";");
}

void mutate_statement(const struct node *node)
{
    switch ((int)node_kind(node)) {
    case CXCursor_IfStmt:
    case CXCursor_ConditionalOperator: mutate_condition(node); break;
    case CXCursor_ReturnStmt: mutate_return(node); break;
    case CXCursor_CallExpr: leave_out_call(node); break;
    case CXCursor_GCCAsmStmt: leave_out_asm(node); break;
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator: leave_out_assignment(node); break;
    case CXCursor_DeclStmt: leave_out_lock(node); break;
    case CXCursor_BreakStmt:
    case CXCursor_ContinueStmt:
        mutations_add(node->mutations, MUTATION_statement, node->span, "%s", "");
        break;
    default: break;
    }
}
