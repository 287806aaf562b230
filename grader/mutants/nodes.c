/* nodes.c - what the others ask of a node. */
#include "mutants/nodes.h"

#include <string.h>

/* What begins with a macro begins where that stands in the file, not where it is defined. */
bool node_span(CXCursor cursor, struct span *span)
{
    CXFile first, last;
    unsigned from, to;
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXTranslationUnit unit = clang_Cursor_getTranslationUnit(cursor);
    if (clang_Range_isNull(range) || !unit)
        return false;
    clang_getFileLocation(clang_getRangeStart(range), &first, NULL, NULL, &from);
    clang_getFileLocation(clang_getRangeEnd(range), &last, NULL, NULL, &to);
    CXString path = clang_getTranslationUnitSpelling(unit);
    CXFile own = clang_getFile(unit, clang_getCString(path));
    clang_disposeString(path);
    *span = (struct span){from, to};
    return first && last && clang_File_isEqual(first, own) && clang_File_isEqual(last, own) &&
           from < to;
}

struct family {
    CXCursor *children;
    unsigned count;
};

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct family *family = data;
    family->children[family->count++] = cursor;
    return family->count == MOST_CHILDREN ? CXChildVisit_Break : CXChildVisit_Continue;
}

unsigned node_children(CXCursor cursor, CXCursor children[MOST_CHILDREN])
{
    struct family family = {.children = children};
    clang_visitChildren(cursor, collect, &family);
    return family.count;
}

enum CXCursorKind node_kind(const struct node *node)
{
    return clang_getCursorKind(node->cursor);
}

const struct node *node_above(const struct node *node)
{
    const struct node *above = node->above;
    while (above && node_kind(above) == CXCursor_UnexposedExpr)
        above = above->above;
    return above;
}

static void take(CXString string, char *name, size_t bytes)
{
    const char *text = clang_getCString(string);
    snprintf(name, bytes, "%s", text ? text : "");
    clang_disposeString(string);
}

void node_name(CXCursor cursor, char *name, size_t bytes)
{
    take(clang_getCursorSpelling(cursor), name, bytes);
}

void node_type(CXCursor cursor, char *name, size_t bytes)
{
    take(clang_getTypeSpelling(clang_getCanonicalType(clang_getCursorType(cursor))), name, bytes);
    if (strncmp(name, "const ", 6) == 0)
        memmove(name, name + 6, strlen(name + 6) + 1);
}

bool node_is_in(const struct node *node, enum CXCursorKind kind)
{
    for (const struct node *above = node->above; above; above = above->above)
        if (node_kind(above) == kind)
            return true;
    return false;
}

void node_mutate(const struct node *node)
{
    mutate_expression(node);
    mutate_statement(node);
}
