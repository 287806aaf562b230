/* memory.c - making and freeing memory. Memory that is freed in stream order is in pool.c, memory
 * that the program already had in registered.c.
 *
 * Device memory is only a number here. Pinned and managed memory is a file the device shares with
 * the program, mapped at the address it has on the device, so one pointer serves both.
 */
#include "client.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct mapping {
    struct mapping *next;
    uint64_t address, size_bytes;
    bool managed;
    unsigned flags;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mapping *mappings;

static uint64_t page_end(uint64_t size_bytes)
{
    return (size_bytes + 4095) & ~UINT64_C(4095);
}

/* The mapping around address; the lock is held. */
static struct mapping *find(uint64_t address)
{
    struct mapping *mapping = mappings;
    while (mapping && address - mapping->address >= mapping->size_bytes)
        mapping = mapping->next;
    return mapping;
}

bool memory_is_shared(uint64_t address)
{
    pthread_mutex_lock(&lock);
    bool shared = find(address) != NULL;
    pthread_mutex_unlock(&lock);
    return shared;
}

static struct mapping *map(uint64_t address, uint64_t size_bytes, int fd)
{
    struct mapping *mapping = calloc(1, sizeof *mapping);
    void *at = MAP_FAILED;
    if (mapping)
        at = mmap((void *)address, page_end(size_bytes), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
    if (at != (void *)address) {
        free(mapping);
        return NULL;
    }
    *mapping = (struct mapping){.address = address, .size_bytes = size_bytes};
    pthread_mutex_lock(&lock);
    mapping->next = mappings;
    mappings = mapping;
    pthread_mutex_unlock(&lock);
    return mapping;
}

/* Memory of a kind, with the program's line that asks for it; the reply has its address, and a
 * descriptor unless it is for the device alone. */
static cudaError_t ask_for(struct call *call, size_t size_bytes, uint32_t kind)
{
    call->request.allocate.size_bytes = size_bytes;
    call->request.allocate.kind = kind;
    caller_describe(call->request.allocate.label, sizeof call->request.allocate.label);
    return perform(call);
}

static cudaError_t allocate(void **pointer, size_t size_bytes, uint32_t kind, unsigned flags)
{
    struct call call = new_call(REQUEST_ALLOCATE);
    cudaError_t error = ask_for(&call, size_bytes, kind);
    if (error != cudaSuccess)
        return error;
    if (kind != MEMORY_DEVICE) {
        struct mapping *mapping = map(call.reply.value[0], size_bytes, call.fd);
        close(call.fd);
        if (!mapping) {
            memory_give_back(call.reply.value[0]);
            return cudaErrorMemoryAllocation;
        }
        mapping->managed = kind == MEMORY_MANAGED;
        mapping->flags = flags;
    }
    *pointer = (void *)call.reply.value[0];
    return cudaSuccess;
}

cudaError_t memory_new(void **pointer, size_t size_bytes)
{
    return allocate(pointer, size_bytes, MEMORY_DEVICE, 0);
}

cudaError_t memory_new_of(void **pointer, size_t size_bytes, enum memory_kind kind)
{
    return allocate(pointer, size_bytes, kind, kind == MEMORY_MANAGED ? cudaMemAttachGlobal : 0);
}

/* A program's request, which must not be empty or made during a capture. */
static cudaError_t allocate_for(void **pointer, size_t size_bytes, uint32_t kind, unsigned flags)
{
    cudaError_t error = capture_check_unsafe();
    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = NULL;
    if (error != cudaSuccess)
        return error;
    if (size_bytes == 0)
        return kind == MEMORY_MANAGED ? cudaErrorInvalidValue : cudaSuccess;
    return allocate(pointer, size_bytes, kind, flags);
}

void memory_explain_free(const char *why)
{
    static const char ALLOCATED[] = "allocated";
    char place[160];
    caller_describe(place, sizeof place);
    bool known = strncmp(place, ALLOCATED, sizeof ALLOCATED - 1) == 0;
    explain("nothing is freed%s: %.250s", known ? place + sizeof ALLOCATED - 1 : "", why);
}

cudaError_t memory_give_back(uint64_t address)
{
    struct call call = new_call(REQUEST_FREE);
    call.request.address.address = address;
    cudaError_t error = perform(&call);
    if (error == cudaErrorInvalidValue)
        memory_explain_free(call.reply.message);
    return error;
}

/* Removes the mapping that starts at address from the list; NULL if there is none of the kind that
 * the calling function frees. */
static struct mapping *take(uint64_t address, bool managed)
{
    pthread_mutex_lock(&lock);
    struct mapping **link = &mappings;
    while (*link && ((*link)->address != address || (*link)->managed != managed))
        link = &(*link)->next;
    struct mapping *mapping = *link;
    if (mapping)
        *link = mapping->next;
    pthread_mutex_unlock(&lock);
    return mapping;
}

/* Memory that was freed with the wrong function, or does not exist. */
static cudaError_t refuse_free(uint64_t address, bool managed)
{
    struct call call = new_call(REQUEST_RANGE);
    call.request.address.address = address;
    bool found = is_device_range(address) && perform(&call) == cudaSuccess;
    if (found && call.reply.range.address == address)
        memory_explain_free(managed ? "this is pinned host memory, which cudaFreeHost frees"
                                    : "this is device memory, which cudaFree frees");
    else if (is_device_range(address))
        memory_give_back(address); /* the device says why not */
    else
        memory_explain_free("this is memory of the host that no CUDA function gave");
    return cudaErrorInvalidValue;
}

static void unmap(struct mapping *mapping)
{
    munmap((void *)mapping->address, page_end(mapping->size_bytes));
    advice_forget(mapping->address, mapping->size_bytes);
    free(mapping);
}

static cudaError_t unmap_and_free(uint64_t address, bool managed)
{
    struct mapping *mapping = take(address, managed);
    if (!mapping)
        return refuse_free(address, managed);
    cudaError_t error = memory_give_back(address); /* waits until nothing uses it */
    unmap(mapping);
    return error;
}

void memory_unmap(uint64_t address)
{
    struct mapping *mapping = take(address, false);
    mapping = mapping ? mapping : take(address, true);
    if (mapping)
        unmap(mapping);
}

cudaError_t memory_share(uint64_t address)
{
    struct call call = new_call(REQUEST_SHARE);
    call.request.address.address = address;
    cudaError_t error = perform(&call);
    if (error != cudaSuccess)
        return error;
    struct mapping *mapping = map(address, call.reply.value[0], call.fd);
    close(call.fd);
    if (mapping)
        mapping->managed = true;
    return mapping ? cudaSuccess : cudaErrorMemoryAllocation;
}

void *memory_pinned(size_t size_bytes)
{
    void *pinned;
    return allocate(&pinned, size_bytes, MEMORY_HOST, 0) == cudaSuccess ? pinned : NULL;
}

void memory_pinned_free(void *pinned)
{
    if (pinned)
        unmap_and_free((uint64_t)pinned, false);
}

/* --- The API ---------------------------------------------------------------------------------- */

cudaError_t cudaMalloc(void **pointer, size_t size)
{
    return api(allocate_for(pointer, size, MEMORY_DEVICE, 0));
}

static cudaError_t free_device(uint64_t address)
{
    cudaError_t error = capture_check_unsafe();
    if (error != cudaSuccess)
        return error;
    enum memory_kind kind = pool_kind(address);
    if (memory_is_shared(address)) {
        pool_forget(address);
        return unmap_and_free(address, kind != MEMORY_HOST);
    }
    if (graph_memory_is(address))
        return graph_memory_release(address);
    if (ipc_is_open(address))
        return cudaErrorInvalidValue;
    pool_forget(address);
    return memory_give_back(address);
}

cudaError_t cudaFree(void *pointer)
{
    return api(pointer ? free_device((uint64_t)pointer) : capture_check_unsafe());
}

cudaError_t cudaMallocHost(void **pointer, size_t size)
{
    return api(allocate_for(pointer, size, MEMORY_HOST, 0));
}

cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags)
{
    const unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    return api(flags & ~known ? cudaErrorInvalidValue
                              : allocate_for(pointer, size, MEMORY_HOST, flags));
}

cudaError_t cudaFreeHost(void *pointer)
{
    return api(pointer ? unmap_and_free((uint64_t)pointer, false) : cudaSuccess);
}

cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags)
{
    return api(flags != cudaMemAttachGlobal && flags != cudaMemAttachHost
                   ? cudaErrorInvalidValue
                   : allocate_for(pointer, size, MEMORY_MANAGED, flags));
}

enum { PITCH = 512 };

static size_t pitch_of(size_t width)
{
    return (width + PITCH - 1) / PITCH * PITCH;
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    size_t bytes;
    if (!pointer || !pitch)
        return api(cudaErrorInvalidValue);
    *pitch = pitch_of(width);
    return api(__builtin_mul_overflow(*pitch, height, &bytes)
                   ? cudaErrorMemoryAllocation
                   : allocate_for(pointer, bytes, MEMORY_DEVICE, 0));
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
    size_t plane, bytes;
    if (!pointer)
        return api(cudaErrorInvalidValue);
    *pointer = (struct cudaPitchedPtr){NULL, pitch_of(extent.width), extent.width, extent.height};
    return api(__builtin_mul_overflow(pointer->pitch, extent.height, &plane) ||
                       __builtin_mul_overflow(plane, extent.depth, &bytes)
                   ? cudaErrorMemoryAllocation
                   : allocate_for(&pointer->ptr, bytes, MEMORY_DEVICE, 0));
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    struct call call = new_call(REQUEST_MEMORY_INFO);
    if (!free_bytes || !total)
        return api(cudaErrorInvalidValue);
    cudaError_t error = perform(&call);
    *free_bytes = call.reply.value[0];
    *total = call.reply.value[1];
    return api(error);
}

void memory_forget_all(void)
{
    registered_forget_all();
    advice_forget(arena_address, arena_bytes);
    pthread_mutex_lock(&lock);
    while (mappings) {
        struct mapping *mapping = mappings;
        mappings = mapping->next;
        munmap((void *)mapping->address, page_end(mapping->size_bytes));
        free(mapping);
    }
    pthread_mutex_unlock(&lock);
}

/* --- Questions about a pointer ---------------------------------------------------------------- */

/* The device's address of host memory; 0 if it has none. */
static uint64_t device_address(uint64_t address)
{
    return is_device_range(address) ? address : registered_address(address);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
    if (!device || flags)
        return api(cudaErrorInvalidValue);
    uint64_t address = device_address((uint64_t)host);
    *device = memory_is_shared(address) ? (void *)address : NULL;
    return api(*device ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    if (!flags)
        return api(cudaErrorInvalidValue);
    pthread_mutex_lock(&lock);
    const struct mapping *mapping = find((uint64_t)host);
    *flags = mapping ? mapping->flags | cudaHostAllocMapped : 0;
    pthread_mutex_unlock(&lock);
    return api(mapping ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    static const enum cudaMemoryType TYPES[] = {cudaMemoryTypeDevice, cudaMemoryTypeHost,
                                                cudaMemoryTypeManaged, cudaMemoryTypeDevice};
    struct call call = new_call(REQUEST_RANGE);
    if (!attributes)
        return api(cudaErrorInvalidValue);
    memset(attributes, 0, sizeof *attributes);
    attributes->device = cudaInvalidDeviceId;
    uint64_t address = device_address((uint64_t)pointer);
    if (!address) /* ordinary memory of the program */
        return cudaSuccess;
    call.request.address.address = address;
    cudaError_t error = perform(&call);
    if (error != cudaSuccess)
        return api(error);
    attributes->type = TYPES[call.reply.range.kind & 3];
    attributes->device = 0;
    attributes->devicePointer = (void *)address;
    if (attributes->type != cudaMemoryTypeDevice)
        attributes->hostPointer = (void *)pointer;
    return cudaSuccess;
}
