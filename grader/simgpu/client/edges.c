/* edges.c - the shape of a graph: querying and changing its nodes and their dependencies; and a
 * drawing of it for Graphviz.
 *
 * The interface allows edges to carry data. Only plain edges exist here: the node after one starts
 * when the node before it has ended.
 */
#include "client.h"

#include <stdio.h>
#include <string.h>

/* --- Asking ----------------------------------------------------------------------------------- */

/* A list for the caller: count is its capacity, and then the number of entries. Unused entries
 * become NULL. Without a list, only the number is returned. */
struct list {
    cudaGraphNode_t *nodes;
    size_t room, count;
};

static void tell(struct list *list, struct CUgraphNode_st *node)
{
    if (list->nodes && list->count < list->room)
        list->nodes[list->count] = node;
    list->count++;
}

static cudaError_t finish(struct list *list, size_t *count)
{
    for (size_t i = list->count; list->nodes && i < list->room; i++)
        list->nodes[i] = NULL;
    *count = list->nodes && list->count > list->room ? list->room : list->count;
    return cudaSuccess;
}

static struct list list_of(cudaGraphNode_t *nodes, const size_t *count)
{
    return (struct list){nodes, nodes ? *count : 0, 0};
}

cudaError_t cudaGraphGetNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count)
{
    const struct CUgraph_st *graph = graph_of(handle);
    if (!graph || !count)
        return api(cudaErrorInvalidValue);
    struct list list = list_of(nodes, count);
    for (size_t i = 0; i < graph->count; i++)
        tell(&list, graph->nodes[i]);
    return api(finish(&list, count));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count)
{
    const struct CUgraph_st *graph = graph_of(handle);
    if (!graph || !count)
        return api(cudaErrorInvalidValue);
    struct list list = list_of(nodes, count);
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i]->before_count == 0)
            tell(&list, graph->nodes[i]);
    return api(finish(&list, count));
}

static cudaError_t edges_of(cudaGraph_t handle, cudaGraphNode_t *from, cudaGraphNode_t *to,
                            size_t *count)
{
    const struct CUgraph_st *graph = graph_of(handle);
    if (!graph || !count || !from != !to)
        return cudaErrorInvalidValue;
    struct list starts = list_of(from, count), ends = list_of(to, count);
    for (size_t i = 0; i < graph->count; i++)
        for (size_t j = 0; j < graph->nodes[i]->before_count; j++) {
            tell(&starts, graph->nodes[i]->before[j]);
            tell(&ends, graph->nodes[i]);
        }
    finish(&starts, count);
    return finish(&ends, count);
}

static cudaError_t dependencies_of(cudaGraphNode_t handle, cudaGraphNode_t *nodes, size_t *count)
{
    const struct CUgraphNode_st *node = node_of(handle);
    if (!node || !count)
        return cudaErrorInvalidValue;
    struct list list = list_of(nodes, count);
    for (size_t i = 0; i < node->before_count; i++)
        tell(&list, node->before[i]);
    return finish(&list, count);
}

static cudaError_t dependents_of(cudaGraphNode_t handle, cudaGraphNode_t *nodes, size_t *count)
{
    const struct CUgraphNode_st *node = node_of(handle);
    if (!node || !count)
        return cudaErrorInvalidValue;
    struct list list = list_of(nodes, count);
    for (size_t i = 0; i < node->graph->count; i++)
        if (graph_depends(node->graph->nodes[i], node))
            tell(&list, node->graph->nodes[i]);
    return finish(&list, count);
}

/* --- Changing --------------------------------------------------------------------------------- */

/* May the edge from one node of graph to another be added or removed? */
static bool is_edge(const struct CUgraph_st *graph, cudaGraphNode_t from, cudaGraphNode_t to)
{
    return node_of(from) && node_of(to) && from != to && from->graph == graph && to->graph == graph;
}

static cudaError_t add(cudaGraph_t handle, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                       size_t count)
{
    const struct CUgraph_st *graph = graph_of(handle);
    if (!graph || (count && (!from || !to)))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!is_edge(graph, from[i], to[i]) || graph_depends(to[i], from[i]))
            return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!graph_depend(to[i], from[i]))
            return cudaErrorMemoryAllocation;
    return cudaSuccess;
}

static cudaError_t take_away(cudaGraph_t handle, const cudaGraphNode_t *from,
                             const cudaGraphNode_t *to, size_t count)
{
    const struct CUgraph_st *graph = graph_of(handle);
    if (!graph || (count && (!from || !to)))
        return cudaErrorInvalidValue;
    if (graph_allocates(graph)) /* what uses memory must stay after what allocates it */
        return cudaErrorNotSupported;
    for (size_t i = 0; i < count; i++)
        if (!is_edge(graph, from[i], to[i]) || !graph_depends(to[i], from[i]))
            return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        graph_undepend(to[i], from[i]);
    return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t handle)
{
    struct CUgraphNode_st *node = node_of(handle);
    if (!node)
        return api(cudaErrorInvalidValue);
    if (graph_allocates(node->graph))
        return api(cudaErrorNotSupported);
    graph_remove(node);
    return cudaSuccess;
}

/* Edges that carry data are refused everywhere. */
bool edges_are_plain(const cudaGraphEdgeData *edges, size_t count)
{
    static const cudaGraphEdgeData PLAIN;
    for (size_t i = 0; edges && i < count; i++)
        if (memcmp(&edges[i], &PLAIN, sizeof PLAIN) != 0)
            return false;
    return true;
}

static void fill_plain(cudaGraphEdgeData *edges, const size_t *count)
{
    if (edges && count)
        memset(edges, 0, *count * sizeof *edges);
}

/* --- The API: its names got a version suffix, which toolkit 13 dropped ------------------------ */

#define EDGES(suffix)                                                                              \
    cudaError_t cudaGraphGetEdges##suffix(cudaGraph_t graph, cudaGraphNode_t *from,                \
                                          cudaGraphNode_t *to, cudaGraphEdgeData *edges,           \
                                          size_t *count)                                           \
    {                                                                                              \
        fill_plain(from ? edges : NULL, count);                                                    \
        return api(edges_of(graph, from, to, count));                                              \
    }                                                                                              \
    cudaError_t cudaGraphNodeGetDependencies##suffix(cudaGraphNode_t node, cudaGraphNode_t *nodes, \
                                                     cudaGraphEdgeData *edges, size_t *count)      \
    {                                                                                              \
        fill_plain(nodes ? edges : NULL, count);                                                   \
        return api(dependencies_of(node, nodes, count));                                           \
    }                                                                                              \
    cudaError_t cudaGraphNodeGetDependentNodes##suffix(                                            \
        cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count)     \
    {                                                                                              \
        fill_plain(nodes ? edges : NULL, count);                                                   \
        return api(dependents_of(node, nodes, count));                                             \
    }                                                                                              \
    cudaError_t cudaGraphAddDependencies##suffix(cudaGraph_t graph, const cudaGraphNode_t *from,   \
                                                 const cudaGraphNode_t *to,                        \
                                                 const cudaGraphEdgeData *edges, size_t count)     \
    {                                                                                              \
        return edges_are_plain(edges, count) ? api(add(graph, from, to, count))                    \
                                             : missing("an edge with data in a graph");            \
    }                                                                                              \
    cudaError_t cudaGraphRemoveDependencies##suffix(                                               \
        cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,                 \
        const cudaGraphEdgeData *edges, size_t count)                                              \
    {                                                                                              \
        (void)edges;                                                                               \
        return api(take_away(graph, from, to, count));                                             \
    }

#if CUDART_VERSION >= 13000
EDGES()
#else
EDGES(_v2)

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *count)
{
    return api(edges_of(graph, from, to, count));
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         size_t *count)
{
    return api(dependencies_of(node, nodes, count));
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           size_t *count)
{
    return api(dependents_of(node, nodes, count));
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    return api(add(graph, from, to, count));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t count)
{
    return api(take_away(graph, from, to, count));
}
#endif

/* --- A drawing -------------------------------------------------------------------------------- */

static const char *label_of(const struct content *content)
{
    static const char *const NAMES[] = {[cudaGraphNodeTypeKernel] = "kernel",
                                        [cudaGraphNodeTypeMemcpy] = "copy",
                                        [cudaGraphNodeTypeMemset] = "set",
                                        [cudaGraphNodeTypeHost] = "host function",
                                        [cudaGraphNodeTypeGraph] = "graph",
                                        [cudaGraphNodeTypeEmpty] = "empty",
                                        [cudaGraphNodeTypeWaitEvent] = "wait",
                                        [cudaGraphNodeTypeEventRecord] = "record",
                                        [cudaGraphNodeTypeMemAlloc] = "allocate",
                                        [cudaGraphNodeTypeMemFree] = "free",
                                        [cudaGraphNodeTypeConditional] = "conditional"};
    if (content->type == cudaGraphNodeTypeKernel && !content->is_request)
        return content->launch.kernel->name;
    return content->type < sizeof NAMES / sizeof *NAMES && NAMES[content->type]
               ? NAMES[content->type]
               : "node";
}

static void draw(const struct CUgraph_st *graph, FILE *file)
{
    for (size_t i = 0; i < graph->count; i++)
        graph->nodes[i]->order = (uint32_t)i;
    fprintf(file, "digraph graph_0 {\n");
    for (size_t i = 0; i < graph->count; i++)
        fprintf(file, "    node_%zu [label=\"%zu: %s\"];\n", i, i,
                label_of(&graph->nodes[i]->content));
    for (size_t i = 0; i < graph->count; i++)
        for (size_t j = 0; j < graph->nodes[i]->before_count; j++)
            fprintf(file, "    node_%u -> node_%zu;\n", graph->nodes[i]->before[j]->order, i);
    fprintf(file, "}\n");
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t handle, const char *path, unsigned flags)
{
    const struct CUgraph_st *graph = graph_of(handle);
    (void)flags;
    if (!graph || !path)
        return api(cudaErrorInvalidValue);
    FILE *file = fopen(path, "w");
    if (!file)
        return api(cudaErrorOperatingSystem);
    draw(graph, file);
    return api(fclose(file) == 0 ? cudaSuccess : cudaErrorOperatingSystem);
}
