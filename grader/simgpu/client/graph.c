/* graph.c - graphs as a program builds them: nodes, and what each depends on. What a node does is
 * in content.c; querying and changing the shape of a graph is in edges.c.
 */
#include "client.h"

#include <stdlib.h>
#include <string.h>

/* --- Nodes ------------------------------------------------------------------------------------ */

struct CUgraphNode_st *node_of(cudaGraphNode_t handle)
{
    return handle_is(handle, HANDLE_NODE) ? handle : NULL;
}

static void free_node(struct CUgraphNode_st *node)
{
    handle_remove(node);
    content_drop(&node->content);
    free(node->before);
    free(node);
}

bool graph_depends(const struct CUgraphNode_st *node, const struct CUgraphNode_st *before)
{
    for (size_t i = 0; i < node->before_count; i++)
        if (node->before[i] == before)
            return true;
    return false;
}

bool graph_depend(struct CUgraphNode_st *node, struct CUgraphNode_st *before)
{
    if (graph_depends(node, before))
        return true;
    if (node->before_count == node->before_room) {
        size_t room = node->before_room ? 2 * node->before_room : 4;
        struct CUgraphNode_st **grown = realloc(node->before, room * sizeof *grown);
        if (!grown)
            return false;
        node->before = grown;
        node->before_room = room;
    }
    node->before[node->before_count++] = before;
    return true;
}

static bool reserve(struct CUgraph_st *graph)
{
    if (graph->count < graph->room)
        return true;
    size_t room = graph->room ? 2 * graph->room : 8;
    struct CUgraphNode_st **grown = realloc(graph->nodes, room * sizeof *grown);
    if (!grown)
        return false;
    graph->nodes = grown;
    graph->room = room;
    return true;
}

cudaError_t graph_add(struct CUgraph_st *graph, struct CUgraphNode_st *const *before,
                      size_t before_count, struct content *content, struct CUgraphNode_st **made)
{
    struct CUgraphNode_st *node = calloc(1, sizeof *node);
    if (!node || !reserve(graph) || !handle_add(node, HANDLE_NODE)) {
        free(node);
        content_drop(content);
        return cudaErrorMemoryAllocation;
    }
    node->graph = graph;
    node->content = *content;
    if (content->type == cudaGraphNodeTypeGraph && !content->is_request)
        graph_embed(content->child);
    for (size_t i = 0; i < before_count; i++)
        if (!graph_depend(node, before[i])) {
            free_node(node);
            return cudaErrorMemoryAllocation;
        }
    graph->nodes[graph->count++] = node;
    *made = node;
    return cudaSuccess;
}

void graph_remove(struct CUgraphNode_st *node)
{
    struct CUgraph_st *graph = node->graph;
    size_t kept = 0;
    for (size_t i = 0; i < graph->count; i++) {
        struct CUgraphNode_st *other = graph->nodes[i];
        graph_undepend(other, node);
        if (other != node)
            graph->nodes[kept++] = other;
    }
    graph->count = kept;
    free_node(node);
}

bool graph_undepend(struct CUgraphNode_st *node, const struct CUgraphNode_st *before)
{
    size_t kept = 0, count = node->before_count;
    for (size_t i = 0; i < count; i++)
        if (node->before[i] != before)
            node->before[kept++] = node->before[i];
    node->before_count = kept;
    return kept < count;
}

/* --- Graphs ----------------------------------------------------------------------------------- */

struct CUgraph_st *graph_of(cudaGraph_t handle)
{
    return handle_is(handle, HANDLE_GRAPH) ? handle : NULL;
}

/* The device knows a graph only when it is instantiated, and counts all that a program holds. */
static void tell(enum note note)
{
    struct call call = {.request = {.kind = REQUEST_NOTE}, .fd = -1};
    call.request.note.note = note;
    perform(&call);
}

struct CUgraph_st *graph_new(void)
{
    struct CUgraph_st *graph = calloc(1, sizeof *graph);
    if (graph && handle_add(graph, HANDLE_GRAPH)) {
        tell(NOTE_GRAPH_MADE);
        return graph;
    }
    free(graph);
    return NULL;
}

void graph_embed(struct CUgraph_st *graph)
{
    if (!graph->is_embedded)
        tell(NOTE_GRAPH_FREED);
    graph->is_embedded = true;
}

void graph_free(struct CUgraph_st *graph)
{
    if (!graph)
        return;
    handle_remove(graph);
    conditions_forget(graph);
    for (size_t i = 0; i < graph->count; i++)
        free_node(graph->nodes[i]);
    user_object_drop_references(graph);
    if (!graph->is_embedded)
        tell(NOTE_GRAPH_FREED);
    free(graph->nodes);
    free(graph);
}

bool graph_allocates(const struct CUgraph_st *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        const struct content *content = &graph->nodes[i]->content;
        if (!content->is_request && (content->type == cudaGraphNodeTypeMemAlloc ||
                                     content->type == cudaGraphNodeTypeMemFree))
            return true;
    }
    return false;
}

static bool clone_node(struct CUgraph_st *to, struct CUgraphNode_st *node)
{
    struct content content;
    struct CUgraphNode_st *copy;
    if (content_clone(&content, &node->content) != cudaSuccess ||
        graph_add(to, NULL, 0, &content, &copy) != cudaSuccess)
        return false;
    copy->original = node;
    copy->disabled = node->disabled;
    copy->priority = node->priority;
    copy->window = node->window;
    return true;
}

static bool clone_dependencies(struct CUgraphNode_st *copy, const struct CUgraph_st *to)
{
    const struct CUgraphNode_st *node = copy->original;
    for (size_t i = 0; i < node->before_count; i++)
        if (!graph_depend(copy, to->nodes[node->before[i]->order]))
            return false;
    return true;
}

struct CUgraph_st *graph_clone(const struct CUgraph_st *graph)
{
    struct CUgraph_st *clone = graph_new();
    bool sound = clone && user_object_copy_references(clone, graph);
    for (size_t i = 0; sound && i < graph->count; i++) {
        graph->nodes[i]->order = (uint32_t)i;
        sound = clone_node(clone, graph->nodes[i]);
    }
    for (size_t i = 0; sound && i < graph->count; i++)
        sound = clone_dependencies(clone->nodes[i], clone);
    if (sound)
        return clone;
    graph_free(clone);
    return NULL;
}

static bool is_ready(const struct CUgraphNode_st *node)
{
    for (size_t i = 0; i < node->before_count; i++)
        if (node->before[i]->order == UINT32_MAX)
            return false;
    return node->order == UINT32_MAX;
}

/* Programs usually add a node after what it depends on, so the first round mostly finds them
 * all. */
bool graph_sort(const struct CUgraph_st *graph, struct CUgraphNode_st **sorted)
{
    size_t count = 0, before;
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->order = UINT32_MAX;
    do {
        before = count;
        for (size_t i = 0; i < graph->count; i++)
            if (is_ready(graph->nodes[i])) {
                graph->nodes[i]->order = (uint32_t)count;
                sorted[count++] = graph->nodes[i];
            }
    } while (count > before && count < graph->count);
    return count == graph->count;
}

void graph_forget_all(void)
{
    for (struct CUgraphExec_st *exec; (exec = handle_any(HANDLE_EXEC)) != NULL;) {
        exec->number = 0;
        cudaGraphExecDestroy(exec);
    }
    /* A child is freed with its parent, not before: the parent still has it. */
    for (struct CUgraph_st *graph; (graph = handle_any(HANDLE_GRAPH)) != NULL;)
        if (graph->is_embedded)
            handle_remove(graph);
        else
            graph_free(graph);
}

/* --- The API ---------------------------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    if (!graph || flags)
        return api(cudaErrorInvalidValue);
    *graph = graph_new();
    return api(*graph ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphDestroy(cudaGraph_t handle)
{
    struct CUgraph_st *graph = graph_of(handle);
    if (!graph || graph->is_embedded)
        return api(cudaErrorInvalidValue);
    graph_free(graph);
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t handle)
{
    const struct CUgraph_st *graph = graph_of(handle);
    if (!clone || !graph)
        return api(cudaErrorInvalidValue);
    if (graph_allocates(graph) || graph_has_conditionals(graph))
        return api(cudaErrorNotSupported);
    *clone = graph_clone(graph);
    return api(*clone ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t original,
                                     cudaGraph_t handle)
{
    const struct CUgraph_st *clone = graph_of(handle);
    if (!found || !clone || !node_of(original))
        return api(cudaErrorInvalidValue);
    *found = NULL;
    for (size_t i = 0; i < clone->count; i++)
        if (clone->nodes[i]->original == original)
            *found = clone->nodes[i];
    return api(*found ? cudaSuccess : cudaErrorInvalidValue);
}
