/* pool.c - memory that is made and freed in stream order, and the pools it comes from.
 *
 * Memory is allocated at once: no program can tell, since it may use it only in stream order. It is
 * freed when the stream gets there, so that an unsynchronised kernel of another stream finds it
 * gone. A pool keeps no memory: it counts what is in use, remembers its settings, and says how much
 * a GPU's pool would have reserved by now, which shrinks to the release threshold whenever the
 * program waits.
 *
 * A pool's memory is of one kind: the device's, pinned memory of the host, or managed memory. What
 * the host sees is unmapped by a function in the stream, just before the device frees it.
 */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct CUmemPoolHandle_st {
    enum memory_kind kind;
    uint64_t release_threshold;
    int reuse[3];             /* FollowEventDependencies, AllowOpportunistic, AllowInternal */
    uint64_t used, used_high; /* bytes */
    uint64_t reserved, reserved_high; /* bytes; never less than used */
    bool destroyed;                   /* freed with its last memory */
    bool is_opened;                   /* of the host's memory: to the device, by SetAccess */
    struct CUmemPoolHandle_st *next;  /* in the list of those made */
};

struct piece { /* of memory in use */
    struct piece *next;
    uint64_t address, size_bytes;
    cudaMemPool_t pool;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* The default pool of each kind, and the one in use; the list of all begins with the first. */
static struct CUmemPoolHandle_st standard[] = {
    {.kind = MEMORY_DEVICE, .reuse = {1, 1, 1}, .next = &standard[1]},
    {.kind = MEMORY_HOST, .reuse = {1, 1, 1}, .next = &standard[2]},
    {.kind = MEMORY_MANAGED, .reuse = {1, 1, 1}}};
enum { KINDS = sizeof standard / sizeof *standard };
static cudaMemPool_t current[KINDS] = {&standard[0], &standard[1], &standard[2]};
static struct piece *pieces;

static struct CUmemPoolHandle_st *pool_of(cudaMemPool_t handle)
{
    bool is_standard = false;
    for (int kind = 0; kind < KINDS; kind++)
        is_standard = is_standard || handle == &standard[kind];
    return is_standard || handle_is(handle, HANDLE_POOL) ? handle : NULL;
}

/* --- Counting --------------------------------------------------------------------------------- */

static void count_piece(uint64_t address, uint64_t size_bytes, cudaMemPool_t pool)
{
    struct piece *piece = malloc(sizeof *piece);
    if (!piece)
        return; /* it is freed like any other memory, only not counted */
    pthread_mutex_lock(&lock);
    *piece = (struct piece){pieces, address, size_bytes, pool};
    pieces = piece;
    pool->used += size_bytes;
    if (pool->used > pool->used_high)
        pool->used_high = pool->used;
    if (pool->used > pool->reserved)
        pool->reserved = pool->used;
    if (pool->reserved > pool->reserved_high)
        pool->reserved_high = pool->reserved;
    pthread_mutex_unlock(&lock);
}

enum memory_kind pool_kind(uint64_t address)
{
    pthread_mutex_lock(&lock);
    const struct piece *piece = pieces;
    while (piece && piece->address != address)
        piece = piece->next;
    enum memory_kind kind = piece ? piece->pool->kind : MEMORY_DEVICE;
    pthread_mutex_unlock(&lock);
    return kind;
}

void pool_forget(uint64_t address)
{
    pthread_mutex_lock(&lock);
    struct piece **link = &pieces;
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    struct piece *piece = *link;
    if (piece) {
        *link = piece->next;
        piece->pool->used -= piece->size_bytes;
        if (piece->pool->destroyed && piece->pool->used == 0)
            free(piece->pool);
        free(piece);
    }
    pthread_mutex_unlock(&lock);
}

void pool_forget_all(void)
{
    while (pieces)
        pool_forget(pieces->address);
    for (int kind = 0; kind < KINDS; kind++) {
        standard[kind] =
            (struct CUmemPoolHandle_st){.kind = (enum memory_kind)kind,
                                        .reuse = {1, 1, 1},
                                        .next = kind + 1 < KINDS ? &standard[kind + 1] : NULL};
        current[kind] = &standard[kind];
    }
    for (void *pool; (pool = handle_any(HANDLE_POOL)) != NULL;) {
        handle_remove(pool);
        free(pool);
    }
}

/* The lock is held. */
static void release_down_to(struct CUmemPoolHandle_st *pool, uint64_t keep)
{
    if (pool->reserved > keep)
        pool->reserved = keep > pool->used ? keep : pool->used;
}

void pool_release(void)
{
    pthread_mutex_lock(&lock);
    for (struct CUmemPoolHandle_st *pool = standard; pool; pool = pool->next)
        release_down_to(pool, pool->release_threshold);
    pthread_mutex_unlock(&lock);
}

/* --- Allocating and freeing ------------------------------------------------------------------- */

static cudaError_t capture_allocation(void **pointer, size_t size, struct CUstream_st *stream)
{
    struct content content;
    struct cudaMemAllocNodeParams parameters = {
        .poolProps = {.allocType = cudaMemAllocationTypePinned,
                      .location = {.type = cudaMemLocationTypeDevice}},
        .bytesize = size};
    cudaError_t error = content_alloc(&content, &parameters);
    if (error == cudaSuccess)
        error = capture_content(stream, &content, NULL);
    if (error == cudaSuccess)
        *pointer = parameters.dptr;
    return error;
}

static cudaError_t allocate(void **pointer, size_t size, cudaMemPool_t handle,
                            struct CUstream_st *stream)
{
    struct CUmemPoolHandle_st *pool = pool_of(handle);
    if (!pointer || !pool)
        return cudaErrorInvalidValue;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    *pointer = NULL;
    cudaError_t error = capture_check_work(stream);
    if (error != cudaSuccess || size == 0)
        return error;
    if (stream->capture && pool->kind != MEMORY_DEVICE)
        return missing("memory of a graph that is not on the device");
    if (stream->capture)
        return capture_allocation(pointer, size, stream);
    error = memory_new_of(pointer, size, pool->kind);
    if (error == cudaSuccess)
        count_piece((uint64_t)*pointer, size, pool);
    return error;
}

static void unmap(void *address)
{
    memory_unmap((uint64_t)address);
}

/* Give memory back when stream gets there. */
static cudaError_t give_back_in_order(struct CUstream_st *stream, uint64_t address)
{
    enum memory_kind kind = pool_kind(address);
    struct call call = new_call(REQUEST_FREE_IN_ORDER);
    call.request.free_in_order.address = address;
    call.request.free_in_order.stream = stream->number;
    call.request.free_in_order.kind = kind;
    cudaError_t error = cudaSuccess;
    if (kind != MEMORY_DEVICE)
        error = callback_submit(stream, unmap, (void *)address);
    if (error == cudaSuccess)
        error = perform(&call);
    if (error == cudaErrorInvalidValue)
        memory_explain_free(call.reply.message);
    return error;
}

static cudaError_t give_back(void *pointer, struct CUstream_st *stream)
{
    struct content content;
    if (!stream)
        return cudaErrorInvalidResourceHandle;
    cudaError_t error = capture_check_work(stream);
    if (error != cudaSuccess || !pointer)
        return error;
    if (stream->capture) {
        error = content_free_memory(&content, pointer);
        return error == cudaSuccess ? capture_content(stream, &content, NULL) : error;
    }
    if (graph_memory_is((uint64_t)pointer))
        return graph_memory_release((uint64_t)pointer);
    error = give_back_in_order(stream, (uint64_t)pointer);
    if (error == cudaSuccess)
        pool_forget((uint64_t)pointer);
    return error;
}

BOTH(_ptsz, cudaMallocAsync, (void **pointer, size_t size, cudaStream_t stream),
     allocate(pointer, size, current[MEMORY_DEVICE], stream_of(stream, default_stream)))
BOTH(_ptsz, cudaMallocFromPoolAsync,
     (void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream),
     allocate(pointer, size, pool, stream_of(stream, default_stream)))
BOTH(_ptsz, cudaFreeAsync, (void *pointer, cudaStream_t stream),
     give_back(pointer, stream_of(stream, default_stream)))

/* --- Pools ------------------------------------------------------------------------------------ */

static cudaError_t get_pool(cudaMemPool_t *pool, int device, cudaMemPool_t answer)
{
    if (!pool)
        return cudaErrorInvalidValue;
    *pool = answer;
    return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    return api(get_pool(pool, device, &standard[MEMORY_DEVICE]));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    return api(get_pool(pool, device, current[MEMORY_DEVICE]));
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    if (!pool_of(pool) || pool->kind != MEMORY_DEVICE)
        return api(cudaErrorInvalidValue);
    if (device == 0)
        current[MEMORY_DEVICE] = pool;
    return api(device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

/* The kind of memory that a location and a type ask for; false when there are no such pools. A
 * managed pool may have any preferred location, or none. */
static bool kind_of(const struct cudaMemLocation *location, enum cudaMemAllocationType type,
                    enum memory_kind *kind)
{
    int place = (int)location->type;
    bool on_host = place >= cudaMemLocationTypeHost && place <= cudaMemLocationTypeHostNumaCurrent;
    bool on_device = place == cudaMemLocationTypeDevice && location->id == 0;
    *kind = on_host ? MEMORY_HOST : MEMORY_DEVICE;
#if CUDART_VERSION >= 13000
    if (type == cudaMemAllocationTypeManaged) {
        *kind = MEMORY_MANAGED;
        return on_host || on_device || place == cudaMemLocationTypeNone;
    }
#endif
    return type == cudaMemAllocationTypePinned && (on_host || on_device);
}

#if CUDART_VERSION >= 13000

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    enum memory_kind kind;
    if (!pool || !location || !kind_of(location, type, &kind))
        return api(cudaErrorInvalidValue);
    return api(get_pool(pool, 0, &standard[kind]));
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type)
{
    enum memory_kind kind;
    if (!pool || !location || !kind_of(location, type, &kind))
        return api(cudaErrorInvalidValue);
    return api(get_pool(pool, 0, current[kind]));
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t pool)
{
    enum memory_kind kind;
    if (!location || !kind_of(location, type, &kind) || !pool_of(pool) || pool->kind != kind)
        return api(cudaErrorInvalidValue);
    current[kind] = pool;
    return cudaSuccess;
}
#endif

cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties)
{
    enum memory_kind kind;
    if (!pool || !properties || !kind_of(&properties->location, properties->allocType, &kind))
        return api(cudaErrorInvalidValue);
    if (properties->handleTypes != cudaMemHandleTypeNone)
        return missing("a memory pool that other programs may import");
    struct CUmemPoolHandle_st *made = calloc(1, sizeof *made);
    if (!made || !handle_add(made, HANDLE_POOL)) {
        free(made);
        return api(cudaErrorMemoryAllocation);
    }
    made->kind = kind;
    made->reuse[0] = made->reuse[1] = made->reuse[2] = 1;
    pthread_mutex_lock(&lock);
    made->next = standard[0].next;
    standard[0].next = made;
    pthread_mutex_unlock(&lock);
    *pool = made;
    return cudaSuccess;
}

/* Memory that is still in use stays, and its pool with it. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    if (!handle_is(pool, HANDLE_POOL))
        return api(cudaErrorInvalidValue);
    handle_remove(pool);
    if (current[pool->kind] == pool)
        current[pool->kind] = &standard[pool->kind];
    pthread_mutex_lock(&lock);
    struct CUmemPoolHandle_st *before = standard;
    while (before->next != pool)
        before = before->next;
    before->next = pool->next;
    pool->destroyed = true;
    if (pool->used == 0)
        free(pool);
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
    struct CUmemPoolHandle_st *pool = pool_of(handle);
    if (!pool)
        return api(cudaErrorInvalidValue);
    pthread_mutex_lock(&lock);
    release_down_to(pool, keep);
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

/* Where a pool keeps an attribute: an int or a uint64_t, as the documentation says. */
static void *attribute_of(struct CUmemPoolHandle_st *pool, enum cudaMemPoolAttr attribute,
                          size_t *size_bytes)
{
    *size_bytes = sizeof(uint64_t);
    switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
    case cudaMemPoolReuseAllowOpportunistic:
    case cudaMemPoolReuseAllowInternalDependencies:
        *size_bytes = sizeof(int);
        return &pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies];
    case cudaMemPoolAttrReleaseThreshold: return &pool->release_threshold;
    case cudaMemPoolAttrReservedMemCurrent: return &pool->reserved;
    case cudaMemPoolAttrReservedMemHigh: return &pool->reserved_high;
    case cudaMemPoolAttrUsedMemCurrent: return &pool->used;
    case cudaMemPoolAttrUsedMemHigh: return &pool->used_high;
    default: return NULL;
    }
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    size_t size_bytes;
    struct CUmemPoolHandle_st *pool = pool_of(handle);
    void *place = pool ? attribute_of(pool, attribute, &size_bytes) : NULL;
    if (!place || !value)
        return api(cudaErrorInvalidValue);
    memcpy(value, place, size_bytes);
    return cudaSuccess;
}

/* The high marks may be set to zero, which restarts them; what is in use cannot be set. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, enum cudaMemPoolAttr attribute,
                                    void *value)
{
    size_t size_bytes;
    struct CUmemPoolHandle_st *pool = pool_of(handle);
    void *place = pool ? attribute_of(pool, attribute, &size_bytes) : NULL;
    if (!place || !value || place == &pool->used || place == &pool->reserved)
        return api(cudaErrorInvalidValue);
    bool is_mark = place == &pool->used_high || place == &pool->reserved_high;
    if (is_mark && *(uint64_t *)value != 0)
        return api(cudaErrorInvalidValue);
    if (!is_mark)
        memcpy(place, value, size_bytes);
    else if (place == &pool->used_high)
        pool->used_high = pool->used;
    else
        pool->reserved_high = pool->reserved;
    return cudaSuccess;
}

static bool is_device(const struct cudaMemLocation *location)
{
    return location->type == cudaMemLocationTypeDevice && location->id == 0;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t handle, const struct cudaMemAccessDesc *list,
                                 size_t count)
{
    if (!pool_of(handle) || (count && !list))
        return api(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; i++)
        if (!is_device(&list[i].location) &&
            (handle->kind == MEMORY_DEVICE || list[i].location.type < cudaMemLocationTypeHost))
            return api(cudaErrorInvalidDevice);
    for (size_t i = 0; i < count; i++)
        if (is_device(&list[i].location))
            handle->is_opened = list[i].flags != cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}

/* As an H200 answers: each pool is open to where its memory is, and a managed one to none. */
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location)
{
    if (!flags || !pool_of(pool) || !location)
        return api(cudaErrorInvalidValue);
    bool may = pool->kind == MEMORY_DEVICE ? is_device(location)
               : pool->kind == MEMORY_HOST ? pool->is_opened || !is_device(location)
                                           : false;
    *flags = may ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}
