/* registered.c - memory that the program already has and makes visible to the device:
 * cudaHostRegister.
 *
 * Its pages become shared ones with the same contents, always whole pages, as on a GPU; the device
 * sees them at an address of its own. Buffers must not overlap, but two may have bytes on the same
 * page: then both share that page, each under its own device address, until the last of them is
 * unregistered.
 */
#include "client.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096 };

struct registration {
    struct registration *next;
    uint64_t host, size_bytes; /* as the program said */
    uint64_t first, bytes;     /* whole pages */
    uint64_t device;           /* the device's address of first */
};

static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER; /* one registers at a time */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;     /* of the list */
static struct registration *registrations;

/* The registration that contains one of the bytes from first on, or NULL; the lock is held. */
static struct registration *find(uint64_t first, uint64_t bytes)
{
    struct registration *found = registrations;
    while (found && (found->host >= first + bytes || found->host + found->size_bytes <= first))
        found = found->next;
    return found;
}

/* The device's address of the page at address; 0 if it has none yet. The lock is held. */
static uint64_t seen_at(uint64_t address)
{
    const struct registration *found = registrations;
    while (found && address - found->first >= found->bytes)
        found = found->next;
    return found ? found->device + (address - found->first) : 0;
}

uint64_t registered_address(uint64_t host)
{
    pthread_mutex_lock(&lock);
    uint64_t seen = seen_at(host);
    pthread_mutex_unlock(&lock);
    return seen;
}

/* Make the page at to the same as the one at from, here and on the device. */
static cudaError_t share_page(uint64_t to, uint64_t from)
{
    struct call call = new_call(REQUEST_SHARE_PAGE);
    call.request.share_page.to = to;
    call.request.share_page.from = from;
    cudaError_t error = perform(&call);
    if (error != cudaSuccess)
        return error;
    void *at = mremap((void *)from, 0, PAGE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)to);
    return at == MAP_FAILED ? cudaErrorMemoryAllocation : cudaSuccess;
}

/* The pages that only this registration has, between *from and *to. With device, the others are
 * shared with it. Only the first and the last page can have bytes of another one. */
static cudaError_t find_own_pages(const struct registration *registration, uint64_t device,
                                  uint64_t *from, uint64_t *to)
{
    cudaError_t error = cudaSuccess;
    *from = registration->first;
    *to = *from + registration->bytes;
    uint64_t last = *to - PAGE_BYTES;
    uint64_t seen_first = registered_address(*from), seen_last = registered_address(last);
    if (seen_first && device)
        error = share_page(device, seen_first);
    if (seen_first)
        *from += PAGE_BYTES;
    if (!seen_last || last < *from)
        return error;
    if (device && error == cudaSuccess)
        error = share_page(device + (last - registration->first), seen_last);
    *to = last;
    return error;
}

/* Another mapping of the device's pages at address, or NULL. */
static void *map_again(uint64_t address, uint64_t bytes)
{
    void *fresh = mremap((void *)address, 0, bytes, MREMAP_MAYMOVE);
    return fresh == MAP_FAILED ? NULL : fresh;
}

static cudaError_t share_pages(struct registration *made)
{
    uint64_t from, to;
    cudaError_t error = find_own_pages(made, made->device, &from, &to);
    if (error != cudaSuccess || from == to)
        return error;
    void *fresh = map_again(made->device + (from - made->first), to - from);
    if (!fresh)
        return cudaErrorMemoryAllocation;
    return pages_replace((void *)from, to - from, fresh) ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t register_memory(uint64_t host, uint64_t size_bytes)
{
    struct registration *made = calloc(1, sizeof *made);
    uint64_t first = host & ~(uint64_t)(PAGE_BYTES - 1);
    uint64_t end = (host + size_bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (!made)
        return cudaErrorMemoryAllocation;
    *made = (struct registration){NULL, host, size_bytes, first, end - first, 0};
    made->device = (uint64_t)memory_pinned(made->bytes);
    cudaError_t error = made->device ? share_pages(made) : cudaErrorMemoryAllocation;
    if (error != cudaSuccess) {
        memory_pinned_free((void *)made->device);
        free(made);
        return error;
    }
    pthread_mutex_lock(&lock);
    made->next = registrations;
    registrations = made;
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

static cudaError_t register_checked(void *host, size_t size, unsigned flags)
{
    const unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                           cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    uint64_t address = (uint64_t)host;
    cudaError_t error = cudaErrorHostMemoryAlreadyRegistered;
    if (!host || size == 0 || flags & ~known || address + size + PAGE_BYTES < address)
        return cudaErrorInvalidValue;
    pthread_mutex_lock(&changing);
    pthread_mutex_lock(&lock);
    bool overlaps = find(address, size);
    pthread_mutex_unlock(&lock);
    if (!overlaps && !memory_is_shared(address))
        error = register_memory(address, size);
    pthread_mutex_unlock(&changing);
    return error;
}

cudaError_t cudaHostRegister(void *host, size_t size, unsigned flags)
{
    return api(register_checked(host, size, flags));
}

/* The pages that no other registration has become the program's own again, with their contents. If
 * there is no memory for that they stay shared, which the program cannot tell. */
static void take_pages_back(const struct registration *gone)
{
    uint64_t from, to;
    find_own_pages(gone, 0, &from, &to);
    if (from == to)
        return;
    void *fresh = mmap(NULL, to - from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh != MAP_FAILED)
        pages_replace((void *)from, to - from, fresh);
}

/* Take the registration that starts at host from the list. */
static cudaError_t take(uint64_t host, struct registration **taken)
{
    cudaError_t error = cudaErrorInvalidValue; /* what a GPU answers for any other byte of it */
    pthread_mutex_lock(&lock);
    struct registration *found = find(host, 1);
    if (!found && !memory_is_shared(host))
        error = cudaErrorHostMemoryNotRegistered;
    if (found && found->host == host) {
        struct registration **link = &registrations;
        while (*link != found)
            link = &(*link)->next;
        *link = found->next;
        *taken = found;
        error = cudaSuccess;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

cudaError_t cudaHostUnregister(void *host)
{
    struct registration *gone = NULL;
    if (!host)
        return api(cudaErrorInvalidValue);
    pthread_mutex_lock(&changing);
    cudaError_t error = take((uint64_t)host, &gone);
    if (gone) {
        memory_pinned_free((void *)gone->device); /* waits until nothing uses it */
        take_pages_back(gone);
        free(gone);
    }
    pthread_mutex_unlock(&changing);
    return api(error);
}

void registered_forget_all(void)
{
    pthread_mutex_lock(&changing);
    while (registrations) {
        struct registration *gone = registrations;
        pthread_mutex_lock(&lock);
        registrations = gone->next;
        pthread_mutex_unlock(&lock);
        take_pages_back(gone);
        free(gone);
    }
    pthread_mutex_unlock(&changing);
}
