/* advice.c - what a program may advise about its memory, and query: a device with one memory does
 * not need it, so it is checked, kept for queries, and otherwise ignored.
 *
 * Advice is a list, the latest first; for a page, the latest entry that covers it counts. */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum about { READ_MOSTLY, PREFERRED, ACCESSED_BY_DEVICE, ACCESSED_BY_HOST, PREFETCHED };

struct said {
    struct said *next;
    uint64_t first, end; /* whole pages */
    enum about about;
    struct cudaMemLocation value; /* a location; for yes or no, the id is 1 or 0 */
};

static const struct cudaMemLocation NOWHERE = {cudaMemLocationTypeInvalid, cudaInvalidDeviceId};
static const struct cudaMemLocation NO = {cudaMemLocationTypeInvalid, 0};
static const struct cudaMemLocation YES = {cudaMemLocationTypeInvalid, 1};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct said *list;

static uint64_t page_start(uint64_t address)
{
    return address & ~UINT64_C(4095);
}

/* The lock is held. Drops entries that the new one covers wholly. */
static void forget(uint64_t first, uint64_t end, const enum about *about)
{
    for (struct said **link = &list; *link;) {
        struct said *old = *link;
        if (old->first < first || old->end > end || (about && old->about != *about)) {
            link = &old->next;
            continue;
        }
        *link = old->next;
        free(old);
    }
}

void advice_forget(uint64_t address, uint64_t size_bytes)
{
    pthread_mutex_lock(&lock);
    forget(page_start(address), page_start(address + size_bytes + 4095), NULL);
    pthread_mutex_unlock(&lock);
}

/* The device's own memory cannot be queried. */
static cudaError_t say(const struct reply *range, const void *pointer, size_t count,
                       enum about about, struct cudaMemLocation value)
{
    uint64_t address = (uint64_t)pointer;
    if (range->range.kind == MEMORY_DEVICE)
        return cudaSuccess;
    struct said *said = malloc(sizeof *said);
    if (!said)
        return cudaErrorMemoryAllocation;
    *said =
        (struct said){NULL, page_start(address), page_start(address + count + 4095), about, value};
    pthread_mutex_lock(&lock);
    forget(said->first, said->end, &about);
    said->next = list;
    list = said;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

static bool is_same(struct cudaMemLocation a, struct cudaMemLocation b)
{
    return a.type == b.type && a.id == b.id;
}

/* What applies to all pages from first to end, or otherwise if they differ. */
static struct cudaMemLocation find(const struct said *from, uint64_t first, uint64_t end,
                                   enum about about, struct cudaMemLocation otherwise)
{
    while (from && (from->about != about || from->end <= first || from->first >= end))
        from = from->next;
    if (!from)
        return otherwise;
    struct cudaMemLocation value = from->value;
    if (first < from->first &&
        !is_same(value, find(from->next, first, from->first, about, otherwise)))
        return otherwise;
    if (end > from->end && !is_same(value, find(from->next, from->end, end, about, otherwise)))
        return otherwise;
    return value;
}

/* --- Advising --------------------------------------------------------------------------------- */

static cudaError_t check_range(const void *pointer, size_t count, struct reply *reply)
{
    struct call call = new_call(REQUEST_RANGE);
    call.request.address.address = (uint64_t)pointer;
    cudaError_t error =
        count && is_device_range((uint64_t)pointer) ? perform(&call) : cudaErrorInvalidValue;
    if (error != cudaSuccess)
        return error;
    *reply = call.reply;
    uint64_t offset = (uint64_t)pointer - call.reply.range.address;
    bool inside = count <= call.reply.range.size_bytes - offset;
    return inside && call.reply.range.kind != MEMORY_HOST ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t prefetch(const void *pointer, size_t count, struct cudaMemLocation location,
                            struct CUstream_st *stream)
{
    struct reply range;
    cudaError_t error =
        stream ? check_range(pointer, count, &range) : cudaErrorInvalidResourceHandle;
    return error == cudaSuccess ? say(&range, pointer, count, PREFETCHED, location) : error;
}

static cudaError_t advise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    struct reply range;
    enum about accessed =
        location.type == cudaMemLocationTypeDevice ? ACCESSED_BY_DEVICE : ACCESSED_BY_HOST;
    cudaError_t error = check_range(pointer, count, &range);
    if (error != cudaSuccess)
        return error;
    switch (advice) {
    case cudaMemAdviseSetReadMostly: return say(&range, pointer, count, READ_MOSTLY, YES);
    case cudaMemAdviseUnsetReadMostly: return say(&range, pointer, count, READ_MOSTLY, NO);
    case cudaMemAdviseSetPreferredLocation: return say(&range, pointer, count, PREFERRED, location);
    case cudaMemAdviseUnsetPreferredLocation:
        return say(&range, pointer, count, PREFERRED, NOWHERE);
    case cudaMemAdviseSetAccessedBy: return say(&range, pointer, count, accessed, YES);
    case cudaMemAdviseUnsetAccessedBy: return say(&range, pointer, count, accessed, NO);
    default: return cudaErrorInvalidValue;
    }
}

/* --- Querying --------------------------------------------------------------------------------- */

/* A location as one number; a node of the host's memory has none. */
static int number_of(struct cudaMemLocation location)
{
    switch (location.type) {
    case cudaMemLocationTypeDevice: return location.id;
    case cudaMemLocationTypeHost: return cudaCpuDeviceId;
    default: return cudaInvalidDeviceId;
    }
}

static void list_accessing(const struct said *from, uint64_t first, uint64_t end, int *numbers,
                           size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < room; i++)
        numbers[i] = cudaInvalidDeviceId;
    if (find(from, first, end, ACCESSED_BY_DEVICE, NO).id)
        numbers[count++] = 0;
    if (count < room && find(from, first, end, ACCESSED_BY_HOST, NO).id)
        numbers[count] = cudaCpuDeviceId;
}

/* The lock is held. */
static cudaError_t answer(void *data, size_t size, enum cudaMemRangeAttribute attribute,
                          uint64_t first, uint64_t end)
{
    int *number = data;
    bool is_list = attribute == cudaMemRangeAttributeAccessedBy;
    if (!data || size == 0 || (is_list ? size % sizeof *number : size != sizeof *number))
        return cudaErrorInvalidValue;
    struct cudaMemLocation preferred = find(list, first, end, PREFERRED, NOWHERE);
    struct cudaMemLocation prefetched = find(list, first, end, PREFETCHED, NOWHERE);
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly:
        *number = find(list, first, end, READ_MOSTLY, NO).id;
        return cudaSuccess;
    case cudaMemRangeAttributeAccessedBy:
        list_accessing(list, first, end, number, size / sizeof *number);
        return cudaSuccess;
    case cudaMemRangeAttributePreferredLocation: *number = number_of(preferred); break;
    case cudaMemRangeAttributePreferredLocationType: *number = (int)preferred.type; break;
    case cudaMemRangeAttributePreferredLocationId: *number = preferred.id; break;
    case cudaMemRangeAttributeLastPrefetchLocation: *number = number_of(prefetched); break;
    case cudaMemRangeAttributeLastPrefetchLocationType: *number = (int)prefetched.type; break;
    case cudaMemRangeAttributeLastPrefetchLocationId: *number = prefetched.id; break;
    default: return cudaErrorInvalidValue;
    }
    return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *sizes,
                                      enum cudaMemRangeAttribute *attributes,
                                      size_t attribute_count, const void *pointer, size_t count)
{
    struct reply range;
    if (!data || !sizes || !attributes || attribute_count == 0)
        return api(cudaErrorInvalidValue);
    cudaError_t error = check_range(pointer, count, &range);
    if (error == cudaSuccess && range.range.kind == MEMORY_DEVICE)
        error = cudaErrorInvalidValue; /* only managed memory migrates */
    uint64_t first = page_start((uint64_t)pointer);
    uint64_t end = page_start((uint64_t)pointer + count + 4095);
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < attribute_count && error == cudaSuccess; i++)
        error = answer(data[i], sizes[i], attributes[i], first, end);
    pthread_mutex_unlock(&lock);
    return api(error);
}

cudaError_t cudaMemRangeGetAttribute(void *data, size_t size, enum cudaMemRangeAttribute attribute,
                                     const void *pointer, size_t count)
{
    return cudaMemRangeGetAttributes(&data, &size, &attribute, 1, pointer, count);
}

/* --- Under the names of each toolkit ---------------------------------------------------------- */

#if CUDART_VERSION >= 13000
cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    return api(advise(pointer, count, advice, location));
}

BOTH(_ptsz, cudaMemPrefetchAsync,
     (const void *pointer, size_t count, struct cudaMemLocation location, unsigned flags,
      cudaStream_t stream),
     flags ? cudaErrorInvalidValue
           : prefetch(pointer, count, location, stream_of(stream, default_stream)))
#else
static struct cudaMemLocation location_of(int device)
{
    return (struct cudaMemLocation){
        device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device};
}

cudaError_t cudaMemAdvise(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                          int device)
{
    return api(advise(pointer, count, advice, location_of(device)));
}

cudaError_t cudaMemAdvise_v2(const void *pointer, size_t count, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location)
{
    return api(advise(pointer, count, advice, location));
}

BOTH(_ptsz, cudaMemPrefetchAsync,
     (const void *pointer, size_t count, int device, cudaStream_t stream),
     prefetch(pointer, count, location_of(device), stream_of(stream, default_stream)))
BOTH(_ptsz, cudaMemPrefetchAsync_v2,
     (const void *pointer, size_t count, struct cudaMemLocation location, unsigned flags,
      cudaStream_t stream),
     flags ? cudaErrorInvalidValue
           : prefetch(pointer, count, location, stream_of(stream, default_stream)))
#endif
