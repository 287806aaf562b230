/* nodes.h - a node of the syntax tree with those above it, and what is mutated at each kind. */
#ifndef MUTANTS_NODES_H
#define MUTANTS_NODES_H

#include "mutants/mutations.h"

#include <clang-c/Index.h>

struct node {
    CXCursor cursor;
    struct span span;
    const struct node *above; /* NULL above the top */
    unsigned index, children; /* which child of `above` it is; children visited so far */
    struct mutations *mutations;
};

/* Where it lies in the file. False where it is not of the main file. */
bool node_span(CXCursor cursor, struct span *span);
/* Adds what can be changed at this node, but not below it. */
void node_mutate(const struct node *node);

/* --- Shared by nodes.c, expressions.c and statements.c ---------------------------------------- */

enum { MOST_CHILDREN = 64 };

/* The first so many children that lie in the main file. Returns how many. */
unsigned node_children(CXCursor cursor, CXCursor children[MOST_CHILDREN]);
/* The node above that is no mere wrapper (an implicit conversion, a clean-up). */
const struct node *node_above(const struct node *node);
enum CXCursorKind node_kind(const struct node *node);
/* The name, and the name of the type without const; cut where it does not fit. */
void node_name(CXCursor cursor, char *name, size_t bytes);
void node_type(CXCursor cursor, char *name, size_t bytes);
bool node_is_in(const struct node *node, enum CXCursorKind kind);

void mutate_expression(const struct node *node);
void mutate_statement(const struct node *node);

#endif
