/* undefined_report.c - where an undefined value decides something, and how that is reported: which
 * thread read it, where, and what depends on it.
 *
 * Storing is the one case that is not clear. A result that leaves the kernel counts; but a
 * structure is copied with its padding, and with members that were never set, often in pieces. So a
 * store to global memory counts when something was made of what it stores; and of a copy, when all
 * of its bytes are undefined, unless it is one of those pieces (undefined_is_member). Those travel
 * on, and the thread that uses them is reported. A piece is what lies near defined bytes and is
 * copied by itself; or, of structures that are copied as if they were an array of words, what is
 * too short for anything but padding and missing again in each of the structures next to it.
 */
#include "cluster.h"
#include "undefined.h"

#include <inttypes.h>
#include <stdio.h>

enum { REACH_BYTES = 256 }; /* of a structure, on either side of a member */
enum { MOST_PADDING = 15 }; /* less than the strictest alignment of a type */
enum { STRUCTURES = 3 };    /* side by side, that miss the same bytes */

/* --- Members of structures -------------------------------------------------------------------- */

static bool lies_next_to(uint64_t address, uint64_t other, uint32_t bytes)
{
    return address - other == bytes || other - address == bytes;
}

/* Do lanes lie side by side, as elements of an array do, where they read or where they write? */
static bool is_of_array(const struct access *access, int lane, const struct origin *origins)
{
    const struct origin *mine = &origins[lane];
    uint64_t address = access->base + (uint64_t)access->shape->delta[lane];
    FOR_ACTIVE (other, access->active) {
        uint64_t there = access->base + (uint64_t)access->shape->delta[other];
        bool stored = access->warp->undefined->storing[other] != 0;
        if (lies_next_to(address, there, access->bytes))
            return true;
        if (stored && mine->space != SPACE_LOCAL &&
            lies_next_to(mine->address, origins[other].address, mine->bytes))
            return true;
    }
    return false;
}

/* Is a byte there, of the same memory, that is written? */
static bool is_defined(struct warp *warp, const struct origin *origin, uint64_t address)
{
    struct sim_context *context = block_launch(warp)->context;
    if (origin->space == SPACE_LOCAL && address >= warp->undefined->local_bytes)
        return false;
    if (origin->space == SPACE_GLOBAL &&
        memory_find(context, address) != memory_find(context, origin->address))
        return false;
    return initialised_missing(warp, (enum space)origin->space, address, origin->lane, 1) == 0;
}

/* Does the same memory have a byte there, and is it undefined? */
static bool is_missing(struct warp *warp, const struct origin *origin, uint64_t address)
{
    if (origin->space == SPACE_SHARED && address >= warp->block->shared_bytes)
        return false;
    return !is_defined(warp, origin, address);
}

/* From first on, is there a gap in each of several neighbouring structures, and is everything
 * between the gaps alike? */
static bool are_alike(struct warp *warp, const struct origin *origin, uint64_t first,
                      uint64_t bytes, uint64_t gap)
{
    for (uint64_t i = 0; i < (STRUCTURES - 2) * bytes + gap; i++)
        if (is_missing(warp, origin, first + i) != is_missing(warp, origin, first + i + bytes))
            return false;
    return true;
}

/* Is the origin one of the gaps that an array of structures has, in each of them the same? */
static bool is_padding(struct warp *warp, const struct origin *origin)
{
    uint64_t first = origin->address, end = first + 1;
    while (first && end - first <= MOST_PADDING && is_missing(warp, origin, first - 1))
        first--;
    while (end - first <= MOST_PADDING && is_missing(warp, origin, end))
        end++;
    if (end - first > MOST_PADDING)
        return false;
    for (uint64_t bytes = 2 * (end - first); bytes <= REACH_BYTES; bytes++)
        for (uint64_t before = 0; before < STRUCTURES && before * bytes <= first; before++)
            if (are_alike(warp, origin, first - before * bytes, bytes, end - first))
                return true;
    return false;
}

static bool is_from_lane(const struct origin *origin)
{
    return origin->space == FROM_LANE || origin->space == FROM_NO_LANE;
}

bool undefined_is_member(const struct access *access, int lane, const struct origin *origins)
{
    const struct origin *origin = &origins[lane];
    if (origin->made != AS_READ || !origin->op || is_from_lane(origin))
        return false;
    if (origin->space == SPACE_SHARED || is_of_array(access, lane, origins))
        return origin->space != SPACE_LOCAL && is_padding(access->warp, origin);
    uint64_t end = origin->address + origin->bytes;
    for (uint64_t i = 0; i < REACH_BYTES; i++)
        if (is_defined(access->warp, origin, end + i) ||
            (origin->address > i && is_defined(access->warp, origin, origin->address - 1 - i)))
            return true;
    return false;
}

/* --- What is said ----------------------------------------------------------------------------- */

static enum sim_fault_kind fault_kind(const struct origin *origin)
{
    if (!origin->op || !is_from_lane(origin))
        return SIM_FAULT_UNINITIALISED;
    return origin->space == FROM_LANE ? SIM_FAULT_MEMBER_MASK : SIM_FAULT_ABSENT_LANE;
}

/* "shared memory at offset 0, which no thread of the block has written" */
static void name_source(struct warp *warp, const struct origin *origin, char *text, size_t size)
{
    char name[200];
    struct allocation *allocation;
    enum space space = origin->op ? (enum space)origin->space : SPACES;
    allocation =
        space == SPACE_GLOBAL ? memory_find(block_launch(warp)->context, origin->address) : NULL;
    if (allocation)
        memory_name(allocation, name, sizeof name);
    if (space == SPACE_SHARED)
        snprintf(text, size,
                 "shared memory at offset %" PRIu64 ", which no thread of the block "
                 "has written",
                 origin->address);
    else if (space == SPACE_CLUSTER)
        snprintf(text, size,
                 "the shared memory of block %u of its cluster at offset %" PRIu64
                 ", which no thread has written",
                 cluster_rank_at(warp->block, origin->address),
                 (uint64_t)(origin->address % CLUSTER_STRIDE));
    else if (space == SPACE_LOCAL)
        snprintf(text, size,
                 "a variable of its own that it has not set (byte %" PRIu64 " of its "
                 "local memory)",
                 origin->address);
    else if (allocation)
        snprintf(text, size, "byte %" PRIu64 " of %s, which was never written",
                 origin->address - allocation->address, name);
    else
        snprintf(text, size, "memory that was never written");
}

void undefined_decides(struct warp *warp, const struct op *op, int lane,
                       const struct origin *origin, const char *what)
{
    char source[300];
    const struct fault_read read = {.kind = fault_kind(origin),
                                    .op = origin->op ? origin->op : op,
                                    .line = origin->op ? origin->line : fault_own_line(warp, op),
                                    .lane = origin->op ? origin->lane : lane,
                                    .of_shared = origin->space == SPACE_SHARED};
    const char *value = origin->made == AS_READ ? "that value" : "what is made of it";
    if (read.kind != SIM_FAULT_UNINITIALISED) {
        fault_raise_undefined(warp, op, lane, &read,
                              "shuffles a value from lane %d, which %s; "
                              "%s %s",
                              (int)origin->address,
                              read.kind == SIM_FAULT_MEMBER_MASK
                                  ? "takes no part"
                                  : "does not exist: the block's last warp is not full",
                              value, what);
        return;
    }
    name_source(warp, origin, source, sizeof source);
    fault_raise_undefined(warp, op, lane, &read, "reads %s; %s %s", source, value, what);
}

void undefined_updates(const struct access *access, int lane, uint64_t address)
{
    const struct origin here = {.op = access->op,
                                .address = address,
                                .lane = (uint8_t)lane,
                                .space = (uint8_t)access->space};
    const struct fault_read read = {.kind = SIM_FAULT_UNINITIALISED,
                                    .op = access->op,
                                    .line = fault_own_line(access->warp, access->op),
                                    .lane = lane,
                                    .of_shared = access->space == SPACE_SHARED};
    char source[300];
    name_source(access->warp, &here, source, sizeof source);
    fault_raise_undefined(access->warp, access->op, lane, &read, "%s %s",
                          access->kind == ACCESS_LOAD ? "reads" : "updates", source);
}

void undefined_library_reads(struct warp *warp, const struct op *op, int lane, uint64_t address,
                             uint32_t bytes)
{
    const struct undefined *undefined = warp->undefined;
    if (!undefined_local_missing(undefined, address, lane, bytes))
        return;
    const struct origin *known = undefined_noted(warp, SPACE_LOCAL, address, lane);
    const struct origin here = {.op = op,
                                .line = fault_own_line(warp, op),
                                .address = address,
                                .lane = (uint8_t)lane,
                                .space = SPACE_LOCAL};
    undefined_decides(warp, op, lane, known ? known : &here,
                      "is an argument of a library function");
}
