/* find.c - parses, lists what is closed, and visits each node with those above it. */
#include "mutants/find.h"

#include "mutants/nodes.h"

#include <string.h>

/* Errors that the file itself has: the first one's sentence. */
static bool has_own_errors(CXTranslationUnit unit, char *reason, size_t reason_bytes)
{
    unsigned count = clang_getNumDiagnostics(unit);
    bool found = false;
    for (unsigned i = 0; i < count && !found; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
        found = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error &&
                clang_Location_isFromMainFile(location);
        if (found) {
            CXString text =
                clang_formatDiagnostic(diagnostic, clang_defaultDiagnosticDisplayOptions());
            snprintf(reason, reason_bytes, "%s", clang_getCString(text));
            clang_disposeString(text);
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}

static enum CXChildVisitResult close_macro(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct span span;
    if (clang_getCursorKind(cursor) == CXCursor_MacroExpansion && node_span(cursor, &span))
        mutations_close(data, span);
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct node *above = data;
    struct node node = {.cursor = cursor, .above = above, .mutations = above->mutations};
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool is_top = above->above == NULL;
    if (is_top && !clang_Location_isFromMainFile(clang_getCursorLocation(cursor)))
        return CXChildVisit_Continue;
    if (kind == CXCursor_StaticAssert || clang_isPreprocessing(kind))
        return CXChildVisit_Continue;
    node.index = above->children++;
    if (node_span(cursor, &node.span))
        node_mutate(&node);
    clang_visitChildren(cursor, visit, &node);
    return CXChildVisit_Continue;
}

bool find_mutations(const char *path, const char *const *flags, int flag_count,
                    struct mutations *mutations, char *reason, size_t reason_bytes)
{
    CXTranslationUnit unit;
    CXIndex index = clang_createIndex(0, 0);
    enum CXErrorCode error =
        clang_parseTranslationUnit2(index, path, flags, flag_count, NULL, 0,
                                    CXTranslationUnit_DetailedPreprocessingRecord, &unit);
    bool sound = false;
    if (error != CXError_Success) {
        snprintf(reason, reason_bytes, "%s: libclang cannot parse it (its error %d)", path, error);
    } else {
        sound = !has_own_errors(unit, reason, reason_bytes);
        struct node root = {.cursor = clang_getTranslationUnitCursor(unit), .mutations = mutations};
        if (sound) {
            clang_visitChildren(root.cursor, close_macro, mutations);
            clang_visitChildren(root.cursor, visit, &root);
        }
        clang_disposeTranslationUnit(unit);
    }
    clang_disposeIndex(index);
    return sound;
}
