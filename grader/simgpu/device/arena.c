/* arena.c - the host memory for device memory: a large range of addresses, whose pages are made
 * when a program touches them. */
#include "device.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

enum { HUGE_BYTES = 2 << 20 };

/* Where this process has the device's memory, and how much lower that is than the addresses that
 * the device's programs know. */
static const uint64_t HOST_ADDRESS = PLAIN_ARENA_ADDRESS;
static uint64_t lower_by;

static void *host_of(uint64_t address)
{
    return (void *)(address - lower_by);
}

static bool commit(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    if (bytes == 0)
        return true;
    if (mprotect(host_of(address), bytes, PROT_READ | PROT_WRITE) != 0)
        return false;
    if (bytes >= 2 * HUGE_BYTES)
        madvise(host_of(address), bytes, MADV_HUGEPAGE);
    return true;
}

void arena_is_sparse(uint64_t address, uint64_t bytes)
{
    uint64_t end = (address + bytes + ARENA_PAGE_BYTES - 1) & ~(uint64_t)(ARENA_PAGE_BYTES - 1);
    uint64_t first = address & ~(uint64_t)(ARENA_PAGE_BYTES - 1);
    madvise(host_of(first), end - first, MADV_NOHUGEPAGE);
}

static void will_fill(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    madvise(host_of(address), bytes, MADV_HUGEPAGE);
}

/* Fresh pages over the old ones: the contents are gone, and a program that still accesses them is
 * stopped. */
static void release(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    if (bytes)
        mmap(host_of(address), bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* A GPU's addresses are below a program's libraries, and differ each time. The system maps a
 * program's own memory downwards from 0x7efb00000000 at the least: it draws 40 bits below the
 * stack's 16 GiB. Half a TiB stays free for that, of which a runner without CUDA IPC takes half at
 * once: if the ranges overlapped, an address of the program's would be taken for the device's. */
static const uint64_t DRAWN_START = UINT64_C(0x7e0000000000), DRAWN_END = UINT64_C(0x7e7000000000);
static const uint64_t DRAWN_BYTES = UINT64_C(1) << 38; /* more than a device has */

/* One of the whole steps from 0 to less than bytes. */
static uint64_t drawn(uint64_t bytes, uint64_t step)
{
    uint64_t bits = 0;
    return getrandom(&bits, sizeof bits, 0) == sizeof bits ? bits % (bytes / step) * step : 0;
}

/* The windows below, and device memory above. */
static void draw_addresses(struct sim_arena *arena)
{
    const uint64_t middle = DRAWN_START + (DRAWN_END - DRAWN_START - DRAWN_BYTES) / 2;
    arena->windows = DRAWN_START + drawn(middle - SIM_WINDOWS_BYTES - DRAWN_START, 1ULL << 32);
    arena->address = middle + drawn(DRAWN_END - DRAWN_BYTES - middle, HUGE_BYTES);
    arena->bytes = DRAWN_BYTES;
}

bool arena_reserve(struct sim_arena *arena, bool like_a_gpu)
{
    *arena = (struct sim_arena){.address = PLAIN_ARENA_ADDRESS, .bytes = PLAIN_ARENA_BYTES};
    if (like_a_gpu)
        draw_addresses(arena);
    arena->host = mmap((void *)HOST_ADDRESS, arena->bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    arena->commit = commit;
    arena->release = release;
    arena->will_fill = will_fill;
    lower_by = arena->address - HOST_ADDRESS;
    return arena->host == (void *)HOST_ADDRESS;
}

static bool write_all(int fd, uint64_t address, uint64_t size_bytes)
{
    for (uint64_t done = 0; done < size_bytes;) {
        ssize_t wrote = pwrite(fd, host_of(address + done), size_bytes - done, (off_t)done);
        if (wrote <= 0)
            return false;
        done += (uint64_t)wrote;
    }
    return true;
}

/* Sealed, so that a program cannot shorten the file: touching the missing part would end this
 * process. */
int arena_share(uint64_t address, uint64_t size_bytes, bool keep)
{
    uint64_t bytes = (size_bytes + ARENA_PAGE_BYTES - 1) & ~(uint64_t)(ARENA_PAGE_BYTES - 1);
    int fd = memfd_create("simgpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, (off_t)bytes) == 0 && (!keep || write_all(fd, address, size_bytes)) &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0 &&
        mmap(host_of(address), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
            MAP_FAILED)
        return fd;
    close(fd);
    return -1;
}

/* An old size of 0 leaves the old mapping where it is. */
bool arena_share_page(uint64_t to, uint64_t from)
{
    return mremap(host_of(from), 0, ARENA_PAGE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, host_of(to)) !=
           MAP_FAILED;
}
