/* arena.c - the memory behind device memory: a large range of addresses, whose pages come when a
 * program touches them. */
#include "device.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_BYTES = 2 << 20 };
/* A huge page costs as much as 80 others do. A matrix of so many bytes may keep its own: there are
 * few of them, and blocks that go down a column come to every row, each in another page. */
static const uint64_t DENSE_BYTES = UINT64_C(80) << 20;

static bool commit(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    if (bytes == 0)
        return true;
    if (mprotect((void *)address, bytes, PROT_READ | PROT_WRITE) != 0)
        return false;
    if (bytes >= 2 * HUGE_BYTES)
        madvise((void *)address, bytes, MADV_HUGEPAGE);
    return true;
}

void arena_is_sparse(uint64_t address, uint64_t bytes)
{
    uint64_t end = (address + bytes + ARENA_PAGE_BYTES - 1) & ~(uint64_t)(ARENA_PAGE_BYTES - 1);
    uint64_t first = address & ~(uint64_t)(ARENA_PAGE_BYTES - 1);
    if (bytes > DENSE_BYTES)
        madvise((void *)first, end - first, MADV_NOHUGEPAGE);
}

/* Fresh pages over the old ones: what was there is gone, and whoever still looks is stopped. */
static void release(void *owner, uint64_t address, uint64_t bytes)
{
    (void)owner;
    if (bytes)
        mmap((void *)address, bytes, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

bool arena_reserve(struct sim_arena *arena)
{
    void *host = mmap((void *)ARENA_ADDRESS, ARENA_BYTES, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (host != (void *)ARENA_ADDRESS)
        return false;
    *arena = (struct sim_arena){.address = ARENA_ADDRESS,
                                .bytes = ARENA_BYTES,
                                .host = host,
                                .commit = commit,
                                .release = release};
    return true;
}

static bool write_all(int fd, uint64_t address, uint64_t size_bytes)
{
    for (uint64_t done = 0; done < size_bytes;) {
        ssize_t wrote = pwrite(fd, (const void *)(address + done), size_bytes - done, (off_t)done);
        if (wrote <= 0)
            return false;
        done += (uint64_t)wrote;
    }
    return true;
}

/* Sealed, so that a program cannot shorten the file under us: touching what is no longer there
 * would be the end of this process. */
int arena_share(uint64_t address, uint64_t size_bytes, bool keep)
{
    uint64_t bytes = (size_bytes + ARENA_PAGE_BYTES - 1) & ~(uint64_t)(ARENA_PAGE_BYTES - 1);
    int fd = memfd_create("simgpu", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, (off_t)bytes) == 0 && (!keep || write_all(fd, address, size_bytes)) &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0 &&
        mmap((void *)address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
            MAP_FAILED)
        return fd;
    close(fd);
    return -1;
}

/* An old size of 0 leaves the old mapping where it is. */
bool arena_share_page(uint64_t to, uint64_t from)
{
    return mremap((void *)from, 0, ARENA_PAGE_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)to) !=
           MAP_FAILED;
}
