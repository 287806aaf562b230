/* memory.c - global memory: allocations, and each context's view of them.
 *
 * Addresses are handed out in rising order, and those that were freed are used again only when the
 * arena's end is reached, so a stale pointer is recognised for a long time. Between two allocations
 * lies a gap that belongs to neither, so that one step too far is a fault and does not reach the
 * neighbour's first element.
 *
 * A program that must not see which device it has gets small allocations side by side, in a pack:
 * an allocation that is in no view and exists as long as any of them does.
 *
 * A context's view is an array of ranges sorted by address: finding one is a binary search. It
 * mostly grows at its end, since new addresses are mostly the highest.
 */
#include "machine_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN_BYTES = 512, GAP_BYTES = 4096, PAGE_BYTES = 4096, GRAVES = 64 };
/* A pack is a large page of a GPU. The CUDA programming guide promises a multiple of 256 bytes for
 * what lies in one; devices were measured to give 512 (CuPy's pull request 176). */
enum { PACK_BYTES = 2 << 20, MOST_PACKED_BYTES = PACK_BYTES / 2 };

static bool fail(struct sim_error *error, enum sim_error_code code, const char *sentence)
{
    error->code = code;
    snprintf(error->message, sizeof error->message, "%s", sentence);
    return false;
}

unsigned char *memory_host(const struct sim_memory *memory, uint64_t address)
{
    return memory->arena.host + (address - memory->arena.address);
}

/* --- Views ------------------------------------------------------------------------------------ */

/* Index of the first range that starts above address. */
static size_t upper_bound(const struct sim_context *context, uint64_t address)
{
    size_t low = 0, high = context->view_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (context->view[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct range *range_at(struct sim_context *context, uint64_t address)
{
    size_t above = upper_bound(context, address);
    if (above == 0)
        return NULL;
    struct range *range = &context->view[above - 1];
    bool empty_hit = range->low == address && range->low == range->high;
    return address < range->high || empty_hit ? range : NULL;
}

static bool view_add(struct sim_context *context, struct allocation *allocation)
{
    if (context->view_count == context->view_room) {
        size_t room = context->view_room ? 2 * context->view_room : 64;
        struct range *grown = realloc(context->view, room * sizeof *grown);
        if (!grown)
            return false;
        context->view = grown;
        context->view_room = room;
    }
    size_t at = upper_bound(context, allocation->address);
    memmove(&context->view[at + 1], &context->view[at],
            (context->view_count - at) * sizeof *context->view);
    context->view[at] = (struct range){allocation->address,
                                       allocation->address + allocation->size_bytes, allocation};
    context->view_count++;
    allocation->users++;
    return true;
}

struct allocation *memory_find(struct sim_context *context, uint64_t address)
{
    struct sim_memory *memory = context->machine->memory;
    pthread_rwlock_rdlock(&memory->lock);
    struct range *range = range_at(context, address);
    struct allocation *allocation = range ? range->allocation : NULL;
    pthread_rwlock_unlock(&memory->lock);
    return allocation;
}

/* --- Allocations ------------------------------------------------------------------------------ */

static void forget(struct allocation *allocation)
{
    if (!allocation)
        return;
    free(allocation->label);
    free(allocation->written);
    pieces_free(allocation->pieces);
    free(allocation);
}

static uint64_t first_page_past(uint64_t address)
{
    return (address + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
}

/* The first address that may be handed out above allocation, or at all. */
static uint64_t first_above(const struct sim_memory *memory, const struct allocation *allocation)
{
    uint64_t end = allocation ? first_page_past(allocation->address + allocation->size_bytes)
                              : memory->arena.address;
    return (end + GAP_BYTES + ALIGN_BYTES - 1) & ~(uint64_t)(ALIGN_BYTES - 1);
}

/* Set memory->next to a multiple of align where size_bytes are free, and latest to what lies
 * below. */
static bool find_room(struct sim_memory *memory, uint64_t size_bytes, uint64_t align)
{
    const uint64_t end = memory->arena.address + memory->arena.bytes;
    for (bool again = false;;) {
        memory->next = (memory->next + align - 1) & ~(align - 1);
        struct allocation *above = memory->latest ? memory->latest->above : memory->lowest;
        uint64_t limit = above ? above->address & ~(uint64_t)(PAGE_BYTES - 1) : end;
        if (memory->next < limit && size_bytes < limit - memory->next &&
            first_page_past(memory->next + size_bytes) + GAP_BYTES <= limit)
            return true;
        if (!above && again)
            return false;
        again |= !above;
        memory->latest = above;
        memory->next = first_above(memory, above);
    }
}

static void link_above_latest(struct sim_memory *memory, struct allocation *allocation)
{
    struct allocation *below = memory->latest, *above = below ? below->above : memory->lowest;
    allocation->below = below;
    allocation->above = above;
    *(below ? &below->above : &memory->lowest) = allocation;
    if (above)
        above->below = allocation;
    memory->latest = allocation;
}

static void unlink_allocation(struct sim_memory *memory, struct allocation *allocation)
{
    struct allocation *below = allocation->below, *above = allocation->above;
    *(below ? &below->above : &memory->lowest) = above;
    if (above)
        above->below = below;
    if (memory->latest == allocation)
        memory->latest = below;
}

static void release_pages(struct sim_memory *memory, struct allocation *allocation)
{
    uint64_t first = allocation->address & ~(uint64_t)(PAGE_BYTES - 1);
    uint64_t end = allocation->address + allocation->size_bytes + PAGE_BYTES - 1;
    memory->arena.release(memory->arena.owner, first, (end & ~(uint64_t)(PAGE_BYTES - 1)) - first);
    unlink_allocation(memory, allocation);
    memory->used_bytes -= allocation->size_bytes;
    if (allocation->is_shared)
        memory->shared_bytes -= allocation->size_bytes;
}

/* An allocation in pack is gone, or the context that fills it. */
static void leave_pack(struct sim_memory *memory, struct allocation *pack)
{
    if (--pack->users > 0)
        return;
    release_pages(memory, pack);
    forget(pack);
}

/* Keep the latest dead, so that a message can name what a stale pointer once pointed to. */
static void bury(struct sim_memory *memory, struct allocation *allocation)
{
    if (allocation->pack)
        leave_pack(memory, allocation->pack);
    else
        release_pages(memory, allocation);
    free(allocation->written);
    allocation->written = NULL;
    pieces_free(allocation->pieces);
    allocation->pieces = NULL;
    allocation->freed = true;
    forget(memory->graveyard[memory->buried % GRAVES]);
    memory->graveyard[memory->buried++ % GRAVES] = allocation;
}

static struct allocation *new_allocation(struct sim_context *context, uint64_t address,
                                         uint64_t size_bytes, enum sim_allocation_kind kind,
                                         const char *label)
{
    struct allocation *allocation = calloc(1, sizeof *allocation);
    if (!allocation)
        return NULL;
    allocation->address = address;
    allocation->size_bytes = size_bytes;
    allocation->kind = kind;
    allocation->serial = ++context->machine->memory->serial;
    allocation->label = label ? strdup(label) : NULL;
    allocation->unwritten_bytes = size_bytes;
    if (context->watch_writes && kind == SIM_MEMORY_DEVICE) /* host writes to others are unseen */
        allocation->written = calloc(size_bytes / 64 + 1, sizeof(uint64_t));
    return allocation;
}

/* May this many more bytes be shared with the host? Pages that the host has touched and no longer
 * maps are resident in no process, so this goes by size. */
static bool may_share(const struct sim_memory *memory, uint64_t size_bytes, struct sim_error *error)
{
    return size_bytes <= memory->most_shared_bytes - memory->shared_bytes ||
           fail(error, SIM_OUT_OF_MEMORY, "no more memory may be shared with the host");
}

static void share(struct sim_memory *memory, struct allocation *allocation)
{
    memory->shared_bytes += allocation->size_bytes;
    allocation->is_shared = true;
}

/* One with pages of its own, which is in no view yet; NULL when there is no room. */
static struct allocation *place_apart(struct sim_context *context, uint64_t size_bytes,
                                      uint64_t align, enum sim_allocation_kind kind,
                                      const char *label, struct sim_error *error)
{
    struct sim_memory *memory = context->machine->memory;
    const struct sim_arena *arena = &memory->arena;
    if (size_bytes > memory->capacity_bytes - memory->used_bytes ||
        !find_room(memory, size_bytes, align)) {
        fail(error, SIM_OUT_OF_MEMORY, "the device has not that much memory left");
        return NULL;
    }
    struct allocation *allocation = new_allocation(context, memory->next, size_bytes, kind, label);
    uint64_t first = memory->next & ~(uint64_t)(PAGE_BYTES - 1);
    if (!allocation ||
        !arena->commit(arena->owner, first, first_page_past(memory->next + size_bytes) - first)) {
        forget(allocation);
        fail(error, SIM_HOST_OUT_OF_MEMORY, "the simulating machine is out of memory");
        return NULL;
    }
    memory->used_bytes += size_bytes;
    link_above_latest(memory, allocation);
    memory->next = first_above(memory, allocation);
    return allocation;
}

/* Into the view of context. Returns its address, or 0. */
static uint64_t show(struct sim_context *context, struct allocation *allocation,
                     struct sim_error *error)
{
    if (allocation && view_add(context, allocation))
        return allocation->address;
    if (allocation) {
        bury(context->machine->memory, allocation);
        fail(error, SIM_HOST_OUT_OF_MEMORY, "the simulating machine is out of memory");
    }
    return 0;
}

uint64_t sim_allocate(struct sim_context *context, uint64_t size_bytes,
                      enum sim_allocation_kind kind, const char *label, struct sim_error *error)
{
    struct sim_memory *memory = context->machine->memory;
    bool is_shared = kind == SIM_MEMORY_HOST || kind == SIM_MEMORY_MANAGED;
    struct allocation *allocation = NULL;
    pthread_rwlock_wrlock(&memory->lock);
    if (!is_shared || may_share(memory, size_bytes, error))
        allocation = place_apart(context, size_bytes, ALIGN_BYTES, kind, label, error);
    if (allocation && is_shared)
        share(memory, allocation);
    uint64_t address = show(context, allocation, error);
    pthread_rwlock_unlock(&memory->lock);
    return address;
}

bool sim_share_with_host(struct sim_context *context, uint64_t address, struct sim_error *error)
{
    struct sim_memory *memory = context->machine->memory;
    pthread_rwlock_wrlock(&memory->lock);
    struct range *range = range_at(context, address);
    struct allocation *allocation = range ? range->allocation : NULL;
    bool shared =
        allocation && (allocation->is_shared || may_share(memory, allocation->size_bytes, error));
    if (shared && !allocation->is_shared)
        share(memory, allocation);
    pthread_rwlock_unlock(&memory->lock);
    if (!allocation)
        fail(error, SIM_BAD_ADDRESS, "this address was not allocated, or was freed");
    return shared;
}

void sim_limit_shared(struct sim_machine *machine, uint64_t most_bytes)
{
    machine->memory->most_shared_bytes = most_bytes;
}

/* --- Packs ------------------------------------------------------------------------------------ */

static void close_pack(struct sim_context *context)
{
    if (context->pack)
        leave_pack(context->machine->memory, context->pack);
    context->pack = NULL;
}

/* Is there a pack with so much room? A new pack is of a kind whose writes are not watched: those to
 * the allocations in it are. */
static bool open_pack(struct sim_context *context, uint64_t size_bytes, struct sim_error *error)
{
    if (context->pack && size_bytes <= PACK_BYTES - context->packed_bytes)
        return true;
    close_pack(context);
    context->pack = place_apart(context, PACK_BYTES, PACK_BYTES, SIM_MEMORY_MODULE, NULL, error);
    context->packed_bytes = 0;
    if (context->pack)
        context->pack->users = 1;
    return context->pack != NULL;
}

static struct allocation *place_packed(struct sim_context *context, uint64_t size_bytes,
                                       const char *label, struct sim_error *error)
{
    if (!open_pack(context, size_bytes, error)) /* less than a pack may be left */
        return place_apart(context, size_bytes, ALIGN_BYTES, SIM_MEMORY_DEVICE, label, error);
    struct allocation *pack = context->pack;
    struct allocation *allocation = new_allocation(context, pack->address + context->packed_bytes,
                                                   size_bytes, SIM_MEMORY_DEVICE, label);
    if (!allocation) {
        fail(error, SIM_HOST_OUT_OF_MEMORY, "the simulating machine is out of memory");
        return NULL;
    }
    allocation->pack = pack;
    pack->users++;
    context->packed_bytes += (size_bytes + ALIGN_BYTES - 1) & ~(uint64_t)(ALIGN_BYTES - 1);
    return allocation;
}

uint64_t sim_allocate_packed(struct sim_context *context, uint64_t size_bytes, const char *label,
                             struct sim_error *error)
{
    struct sim_memory *memory = context->machine->memory;
    if (size_bytes == 0 || size_bytes > MOST_PACKED_BYTES)
        return sim_allocate(context, size_bytes, SIM_MEMORY_DEVICE, label, error);
    pthread_rwlock_wrlock(&memory->lock);
    uint64_t address = show(context, place_packed(context, size_bytes, label, error), error);
    pthread_rwlock_unlock(&memory->lock);
    return address;
}

static void drop_range(struct sim_context *context, size_t at)
{
    struct sim_memory *memory = context->machine->memory;
    struct allocation *allocation = context->view[at].allocation;
    memmove(&context->view[at], &context->view[at + 1],
            (context->view_count - at - 1) * sizeof *context->view);
    context->view_count--;
    if (--allocation->users == 0)
        bury(memory, allocation);
}

bool sim_free(struct sim_context *context, uint64_t address, struct sim_error *error)
{
    struct sim_memory *memory = context->machine->memory;
    pthread_rwlock_wrlock(&memory->lock);
    struct range *range = range_at(context, address);
    bool found = range && range->low == address && range->allocation->kind != SIM_MEMORY_MODULE;
    if (found)
        drop_range(context, (size_t)(range - context->view));
    pthread_rwlock_unlock(&memory->lock);
    return found || fail(error, SIM_BAD_ADDRESS, "this address was not allocated, or was freed");
}

void memory_drop_view(struct sim_context *context)
{
    struct sim_memory *memory = context->machine->memory;
    pthread_rwlock_wrlock(&memory->lock);
    while (context->view_count)
        drop_range(context, context->view_count - 1);
    close_pack(context);
    pthread_rwlock_unlock(&memory->lock);
    free(context->view);
    context->view = NULL;
}

bool sim_share(struct sim_context *context, struct sim_context *from, uint64_t address,
               struct sim_error *error)
{
    struct sim_memory *memory = context->machine->memory;
    pthread_rwlock_wrlock(&memory->lock);
    struct range *range = range_at(from, address);
    bool known = range && range_at(context, address);
    bool ok = range && (known || view_add(context, range->allocation));
    pthread_rwlock_unlock(&memory->lock);
    return ok || fail(error, SIM_BAD_ADDRESS, "this address was not allocated, or was freed");
}

bool sim_find(struct sim_context *context, uint64_t address, struct sim_range *range)
{
    struct allocation *allocation = memory_find(context, address);
    if (allocation)
        *range = (struct sim_range){allocation->address, allocation->size_bytes, allocation->kind};
    return allocation != NULL;
}

uint64_t sim_memory_free_bytes(const struct sim_machine *machine)
{
    struct sim_memory *memory = machine->memory;
    pthread_rwlock_rdlock(&memory->lock);
    uint64_t free_bytes = memory->capacity_bytes - memory->used_bytes;
    pthread_rwlock_unlock(&memory->lock);
    return free_bytes;
}

/* --- Naming a place --------------------------------------------------------------------------- */

static const char *kind_name(enum sim_allocation_kind kind)
{
    switch (kind) {
    case SIM_MEMORY_HOST: return "pinned host buffer";
    case SIM_MEMORY_MANAGED: return "managed buffer";
    case SIM_MEMORY_MODULE: return "device variable";
    default: return "buffer";
    }
}

void memory_name(const struct allocation *allocation, char *text, size_t size)
{
    char label[200] = "";
    if (allocation->label && allocation->kind == SIM_MEMORY_MODULE)
        sim_plain_name(allocation->label, label, sizeof label);
    else if (allocation->label)
        snprintf(label, sizeof label, "%s", allocation->label);
    snprintf(text, size, "the %" PRIu64 "-byte %s%s%s", allocation->size_bytes,
             kind_name(allocation->kind), *label ? " " : "", label);
}

uint64_t sim_memory_name(struct sim_context *context, uint64_t address, char *text, size_t size)
{
    const struct allocation *found = memory_find(context, address);
    if (found)
        memory_name(found, text, size);
    else
        snprintf(text, size, "memory that was freed since");
    return found ? found->address : 0;
}

static const struct allocation *grave_of(const struct sim_memory *memory, uint64_t address)
{
    for (uint32_t i = 0; i < GRAVES; i++) {
        const struct allocation *dead = memory->graveyard[i];
        if (dead && address >= dead->address && address < dead->address + dead->size_bytes)
            return dead;
    }
    return NULL;
}

bool memory_was_freed(struct sim_context *context, uint64_t address)
{
    struct sim_memory *memory = context->machine->memory;
    pthread_rwlock_rdlock(&memory->lock);
    bool freed = grave_of(memory, address) != NULL;
    pthread_rwlock_unlock(&memory->lock);
    return freed;
}

void sim_explain_free(struct sim_context *context, uint64_t address, char *text, size_t size)
{
    struct sim_memory *memory = context->machine->memory;
    char name[240];
    pthread_rwlock_rdlock(&memory->lock);
    const struct range *inside = range_at(context, address);
    const struct allocation *found = inside ? inside->allocation : grave_of(memory, address);
    uint64_t offset = found ? address - found->address : 0;
    if (found)
        memory_name(found, name, sizeof name);
    if (!found)
        snprintf(text, size, "no allocation gave 0x%" PRIx64, address);
    else if (offset)
        snprintf(text, size,
                 "the pointer is %" PRIu64 " bytes past the start of %s%s; free the start", offset,
                 name, found->freed ? ", which was freed" : "");
    else if (found->kind == SIM_MEMORY_MODULE)
        snprintf(text, size, "%s exists as long as the program does", name);
    else
        snprintf(text, size, "%s was freed before", name);
    pthread_rwlock_unlock(&memory->lock);
}

/* Where Linux puts a 64-bit program, its heap, its libraries and its stacks. */
static const uint64_t HOST_LOWEST = UINT64_C(0x500000000000), HOST_END = UINT64_C(1) << 47;
/* Within this distance an address is told as so many bytes before or past a buffer. It is less
 * where the host has addresses, too. */
static const uint64_t NEAR_BYTES = UINT64_C(1) << 40, NEAR_HOST_BYTES = UINT64_C(1) << 35;

static uint64_t near_bytes(const struct sim_memory *memory)
{
    return memory->arena.address < HOST_LOWEST ? NEAR_BYTES : NEAR_HOST_BYTES;
}

static void describe_past(const struct allocation *allocation, uint64_t past, char *text,
                          size_t size)
{
    char name[240];
    memory_name(allocation, name, sizeof name);
    if (past == 0)
        snprintf(text, size, "it lies just past the end of %s", name);
    else
        snprintf(text, size, "it lies %" PRIu64 " bytes past the end of %s", past, name);
}

static void describe_before(const struct allocation *allocation, uint64_t before, char *text,
                            size_t size)
{
    char name[240];
    memory_name(allocation, name, sizeof name);
    snprintf(text, size, "it lies %" PRIu64 " bytes before the start of %s", before, name);
}

/* The same for bytes that start inside it. */
static void describe_end(const struct allocation *allocation, uint64_t end, char *text, size_t size)
{
    char name[240];
    memory_name(allocation, name, sizeof name);
    snprintf(text, size, "its last %" PRIu64 " bytes lie past the end of %s",
             end - allocation->address - allocation->size_bytes, name);
}

/* What lies around an address, and how far away. */
struct around {
    const struct range *inside, *below, *next;
    uint64_t past, before;
};

static struct around around_of(struct sim_context *context, uint64_t address)
{
    size_t above = upper_bound(context, address);
    const struct range *below = above ? &context->view[above - 1] : NULL;
    const struct range *next = above < context->view_count ? &context->view[above] : NULL;
    return (struct around){.inside = range_at(context, address),
                           .below = below,
                           .next = next,
                           .past = below ? address - below->high : UINT64_MAX,
                           .before = next ? next->low - address : UINT64_MAX};
}

static void describe(struct sim_context *context, const struct allocation *dead, uint64_t address,
                     uint64_t bytes, char *text, size_t size)
{
    char name[240];
    struct around at = around_of(context, address);
    uint64_t near = near_bytes(context->machine->memory);
    if (address < 4096) {
        snprintf(text, size, "it is a null pointer");
    } else if (at.inside && at.past > near) {
        describe_end(at.inside->allocation, address + bytes, text, size);
    } else if (dead) {
        memory_name(dead, name, sizeof name);
        snprintf(text, size, "it lies in %s, which was freed", name);
    } else if (at.past <= at.before && at.past < near) {
        describe_past(at.below->allocation, at.past, text, size);
    } else if (at.before < near) {
        describe_before(at.next->allocation, at.before, text, size);
    } else {
        bool of_host = address >= HOST_LOWEST && address < HOST_END;
        snprintf(text, size, "it is not an address of device memory%s",
                 of_host ? ", but looks like one of the host: give the kernel memory of "
                           "cudaMalloc, and fill that with cudaMemcpy"
                         : "");
    }
}

bool memory_is_near(struct sim_context *context, uint64_t address)
{
    struct around at = around_of(context, address);
    uint64_t near = near_bytes(context->machine->memory);
    return address < 4096 || at.inside || at.past < near || at.before < near ||
           memory_was_freed(context, address);
}

void memory_describe(struct sim_context *context, uint64_t address, uint64_t bytes, char *text,
                     size_t size)
{
    struct sim_memory *memory = context->machine->memory;
    pthread_rwlock_rdlock(&memory->lock);
    describe(context, grave_of(memory, address), address, bytes, text, size);
    pthread_rwlock_unlock(&memory->lock);
}

void memory_describe_strayed(struct sim_context *context, const struct allocation *from,
                             uint64_t address, uint64_t bytes, char *text, size_t size)
{
    struct sim_memory *memory = context->machine->memory;
    uint64_t start = from ? from->address : 0, end = from ? start + from->size_bytes : 0;
    uint64_t near = near_bytes(memory);
    pthread_rwlock_rdlock(&memory->lock);
    if (!from || address < 4096 || (address < start && start - address > near) ||
        (address > end && address - end > near))
        describe(context, NULL, address, bytes, text, size);
    else if (address < start)
        describe_before(from, start - address, text, size);
    else if (address < end)
        describe_end(from, address + bytes, text, size);
    else
        describe_past(from, address - end, text, size);
    pthread_rwlock_unlock(&memory->lock);
}

/* --- The host's access ------------------------------------------------------------------------ */

void memory_mark_written(struct allocation *allocation, uint64_t offset, uint64_t size_bytes)
{
    uint64_t end = offset + size_bytes, fresh = 0;
    if (!allocation->written)
        return;
    for (uint64_t at = offset; at < end;) {
        uint64_t first = at % 64, count = end - at < 64 - first ? end - at : 64 - first;
        uint64_t bits = (count == 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1) << first;
        uint64_t before = __atomic_fetch_or(&allocation->written[at / 64], bits, __ATOMIC_RELAXED);
        fresh += (unsigned)__builtin_popcountll(bits & ~before);
        at += count;
    }
    __atomic_fetch_sub(&allocation->unwritten_bytes, fresh, __ATOMIC_RELAXED);
}

/* True when writes are not watched. */
static bool is_written(const struct allocation *allocation, uint64_t offset, uint64_t size_bytes)
{
    for (uint64_t i = offset; allocation->written && i < offset + size_bytes; i++)
        if (!(allocation->written[i / 64] >> i % 64 & 1))
            return false;
    return true;
}

unsigned char *sim_host_pointer(struct sim_context *context, uint64_t address, uint64_t size_bytes,
                                bool written, struct sim_error *error)
{
    struct allocation *allocation = memory_find(context, address);
    uint64_t room = allocation ? allocation->size_bytes - (address - allocation->address) : 0;
    if (!allocation || size_bytes > room) {
        char where[300];
        error->code = SIM_BAD_ADDRESS;
        if (allocation) {
            memory_name(allocation, where, sizeof where);
            snprintf(error->message, sizeof error->message,
                     "%" PRIu64 " bytes from 0x%" PRIx64 " on are %" PRIu64
                     " bytes too many for %s",
                     size_bytes, address, size_bytes - room, where);
        } else {
            memory_describe(context, address, size_bytes, where, sizeof where);
            snprintf(error->message, sizeof error->message,
                     "%" PRIu64 " bytes from 0x%" PRIx64 " on are not memory of the device: %s",
                     size_bytes, address, where);
        }
        return NULL;
    }
    if (!pieces_may_be_copied(allocation, size_bytes)) {
        sim_note_unsampled(context->machine, "it copies or sets arrays of this size");
        fail(error, SIM_HOST_OUT_OF_MEMORY, "memory that repeats a pattern is not copied whole");
        return NULL;
    }
    if (allocation->sampled_by && !written)
        sim_note_unsampled(context->machine, "it copies what only some blocks have written");
    if (allocation->pieces)
        pieces_touch(context->machine->memory, allocation, address - allocation->address,
                     size_bytes);
    if (written) {
        allocation->stored = true;
        gaps_note(allocation, address - allocation->address, size_bytes);
        memory_mark_written(allocation, address - allocation->address, size_bytes);
    }
    return memory_host(context->machine->memory, address);
}

static void copy_written(struct allocation *to, uint64_t to_offset, const struct allocation *from,
                         uint64_t from_offset, uint64_t size_bytes)
{
    for (uint64_t i = 0; to->written && i < size_bytes; i++)
        if (is_written(from, from_offset + i, 1))
            memory_mark_written(to, to_offset + i, 1);
}

bool sim_copy(struct sim_context *context, uint64_t to, uint64_t from, uint64_t size_bytes,
              struct sim_error *error)
{
    unsigned char *source = sim_host_pointer(context, from, size_bytes, false, error);
    unsigned char *target = source ? sim_host_pointer(context, to, size_bytes, false, error) : NULL;
    if (!target)
        return false;
    struct allocation *to_allocation = memory_find(context, to);
    struct allocation *from_allocation = memory_find(context, from);
    to_allocation->stored = true;
    gaps_note(to_allocation, to - to_allocation->address, size_bytes);
    memmove(target, source, size_bytes);
    if (from_allocation->written)
        copy_written(to_allocation, to - to_allocation->address, from_allocation,
                     from - from_allocation->address, size_bytes);
    else
        memory_mark_written(to_allocation, to - to_allocation->address, size_bytes);
    return true;
}

void sim_watch_initialisation(struct sim_context *context, bool watch)
{
    context->watch_writes = watch;
}

/* --- The memory itself ------------------------------------------------------------------------ */

struct sim_memory *memory_new(const struct sim_arena *arena, uint64_t capacity_bytes)
{
    struct sim_memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    memory->arena = *arena;
    memory->next = first_above(memory, NULL);
    memory->capacity_bytes = capacity_bytes;
    memory->most_shared_bytes = UINT64_MAX;
    pthread_rwlock_init(&memory->lock, NULL);
    return memory;
}

void memory_free(struct sim_memory *memory)
{
    if (!memory)
        return;
    for (uint32_t i = 0; i < GRAVES; i++)
        forget(memory->graveyard[i]);
    pthread_rwlock_destroy(&memory->lock);
    free(memory);
}
