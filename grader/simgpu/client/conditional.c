/* conditional.c - conditional nodes of graphs: the handles of their conditions, and their bodies.
 *
 * A condition belongs to the graph it was made for, and one node of that graph, or of a body inside
 * it, uses it. The node keeps its properties (the initial value), since it may be copied into an
 * executable graph that outlives the graph.
 */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct condition {
    struct condition *next;
    cudaGraphConditionalHandle handle;
    const struct CUgraph_st *graph;
    unsigned initial, flags;
    bool is_used; /* a node has it */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct condition *conditions;
static cudaGraphConditionalHandle last_handle;

/* --- Conditions ------------------------------------------------------------------------------- */

static cudaError_t make(cudaGraphConditionalHandle *handle, const struct CUgraph_st *graph,
                        unsigned initial, unsigned flags)
{
    if (!handle || !graph || flags & ~(unsigned)cudaGraphCondAssignDefault)
        return cudaErrorInvalidValue;
    struct condition *condition = calloc(1, sizeof *condition);
    if (!condition)
        return cudaErrorMemoryAllocation;
    pthread_mutex_lock(&lock);
    *condition = (struct condition){.next = conditions,
                                    .handle = ++last_handle,
                                    .graph = graph,
                                    .initial = initial,
                                    .flags = flags};
    conditions = condition;
    *handle = condition->handle;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned initial, unsigned flags)
{
    return api(make(handle, graph_of(graph), initial, flags));
}

/* Let a node use the condition; false if it does not exist, or another node uses it. */
static bool take(struct conditional *node, cudaGraphConditionalHandle handle)
{
    pthread_mutex_lock(&lock);
    struct condition *condition = conditions;
    while (condition && condition->handle != handle)
        condition = condition->next;
    bool free_to_take = condition && !condition->is_used;
    if (free_to_take) {
        condition->is_used = true;
        node->handle = handle;
        node->initial = condition->initial;
        node->is_assigned = condition->flags & cudaGraphCondAssignDefault;
    }
    pthread_mutex_unlock(&lock);
    return free_to_take;
}

bool conditions_are_used(const struct CUgraph_st *graph)
{
    bool used = true;
    pthread_mutex_lock(&lock);
    for (const struct condition *condition = conditions; condition; condition = condition->next)
        used &= condition->graph != graph || condition->is_used;
    pthread_mutex_unlock(&lock);
    return used;
}

void conditions_forget(const struct CUgraph_st *graph)
{
    pthread_mutex_lock(&lock);
    for (struct condition **link = &conditions; *link;) {
        struct condition *condition = *link;
        if (condition->graph != graph) {
            link = &condition->next;
            continue;
        }
        *link = condition->next;
        free(condition);
    }
    pthread_mutex_unlock(&lock);
}

/* --- Nodes ------------------------------------------------------------------------------------ */

static bool has_right_size(enum cudaGraphConditionalNodeType type, unsigned size)
{
    switch ((enum conditional_type)type) {
    case CONDITIONAL_IF: return size == 1 || size == 2;
    case CONDITIONAL_WHILE: return size == 1;
    case CONDITIONAL_SWITCH: return size >= 1;
    default: return false;
    }
}

void conditional_free(struct conditional *conditional)
{
    for (unsigned i = 0; conditional->bodies && i < conditional->size; i++)
        graph_free(conditional->bodies[i]);
    free(conditional->bodies);
    free(conditional);
}

/* body gives each body; NULL without memory. */
static struct conditional *new_conditional(unsigned type, unsigned size,
                                           const struct conditional *from)
{
    struct conditional *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    if (from)
        *made = *from;
    made->type = type;
    made->size = size;
    made->bodies = calloc(size, sizeof(cudaGraph_t));
    for (unsigned i = 0; made->bodies && i < size; i++) {
        made->bodies[i] = from ? graph_clone(from->bodies[i]) : graph_new();
        if (!made->bodies[i]) {
            conditional_free(made);
            return NULL;
        }
        graph_embed(made->bodies[i]);
    }
    if (made->bodies)
        return made;
    free(made);
    return NULL;
}

struct conditional *conditional_clone(const struct conditional *from)
{
    return new_conditional(from->type, from->size, from);
}

cudaError_t content_conditional(struct content *content, struct cudaConditionalNodeParams *from)
{
    if (!has_right_size(from->type, from->size))
        return cudaErrorInvalidValue;
    struct conditional *made = new_conditional((unsigned)from->type, from->size, NULL);
    if (!made)
        return cudaErrorMemoryAllocation;
    if (!take(made, from->handle)) {
        conditional_free(made);
        return cudaErrorInvalidValue;
    }
    from->phGraph_out = made->bodies;
    *content = (struct content){.type = cudaGraphNodeTypeConditional, .conditional = made};
    return cudaSuccess;
}

/* --- Whole graphs ----------------------------------------------------------------------------- */

static bool is_conditional(const struct content *content)
{
    return content->type == cudaGraphNodeTypeConditional && !content->is_request;
}

bool graph_has_conditionals(const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++)
        if (is_conditional(&graph->nodes[i]->content))
            return true;
    return false;
}

/* What may be in a body: struct cudaConditionalNodeParams of driver_types.h. */
static bool may_be_inside(const struct content *content)
{
    switch (content->type) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeConditional: return true;
    default: return false;
    }
}

static bool bodies_are_allowed(const struct CUgraph_st *graph, bool is_inside)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct content *content = &graph->nodes[i]->content;
        if (is_inside && !may_be_inside(content))
            return false;
        if (content->type == cudaGraphNodeTypeGraph && !content->is_request &&
            !bodies_are_allowed(content->child, is_inside))
            return false;
        for (unsigned j = 0; is_conditional(content) && j < content->conditional->size; j++)
            if (!bodies_are_allowed(content->conditional->bodies[j], true))
                return false;
    }
    return true;
}

cudaError_t graph_check_bodies(const struct CUgraph_st *graph)
{
    if (bodies_are_allowed(graph, false))
        return cudaSuccess;
    explain("the body of a conditional node may hold kernels, copies, memsets, empty nodes, child "
            "graphs and conditional nodes: host functions, events and allocations go outside");
    return cudaErrorNotSupported;
}
