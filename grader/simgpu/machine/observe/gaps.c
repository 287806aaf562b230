/* gaps.c - observes stores to what lies between the rows of a matrix.
 *
 * It belongs to somebody else, who may write to it while the launch runs: a kernel that reads what
 * it finds there, and stores the same, undoes that. The simulated device runs one kernel after the
 * other, so nothing is undone here, and the bytes in the end are the same; instead the device notes
 * the store. That is no fault: whoever owns the matrix asks (sim_gaps_were_stored_to).
 */
#include "lanes.h"
#include "observers.h"

static bool lie_in_gaps(const struct sim_gaps *gaps, uint64_t offset, uint64_t size_bytes)
{
    if (gaps->every == 0 || size_bytes == 0 || offset + size_bytes <= gaps->first)
        return false;
    if (offset < gaps->first || size_bytes >= gaps->every)
        return true;
    uint64_t past = (offset - gaps->first) % gaps->every;
    return past < gaps->bytes || past + size_bytes > gaps->every;
}

void gaps_note(struct allocation *allocation, uint64_t offset, uint64_t size_bytes)
{
    if (lie_in_gaps(&allocation->gaps, offset, size_bytes))
        __atomic_store_n(&allocation->gaps_stored, true, __ATOMIC_RELAXED);
}

static void gaps_access(const struct access *access, struct site *site)
{
    struct allocation *allocation = access->allocation;
    (void)site;
    if (access->kind == ACCESS_LOAD || !allocation || allocation->gaps.every == 0)
        return;
    FOR_ACTIVE (lane, access->active)
        gaps_note(allocation,
                  access->base + (uint64_t)access->shape->delta[lane] - allocation->address,
                  access->bytes);
}

/* Whatever is checked: only who owns such a matrix sets gaps. */
static bool gaps_wants(const struct launch *launch)
{
    const struct sim_context *context = launch->context;
    struct sim_memory *memory = context->machine->memory;
    bool has_gaps = false;
    pthread_rwlock_rdlock(&memory->lock);
    for (size_t i = 0; i < context->view_count && !has_gaps; i++)
        has_gaps = context->view[i].allocation->gaps.every > 0;
    pthread_rwlock_unlock(&memory->lock);
    return has_gaps;
}

const struct observer observer_gaps = {.name = "gaps",
                                       .spaces = 1 << SPACE_GLOBAL,
                                       .looks_at = LOOKS_AT_ORDER,
                                       .wants = gaps_wants,
                                       .access = gaps_access};

bool sim_set_gaps(struct sim_context *context, uint64_t address, const struct sim_gaps *gaps)
{
    struct allocation *allocation = memory_find(context, address);
    if (allocation)
        allocation->gaps = *gaps;
    return allocation != NULL;
}

bool sim_gaps_were_stored_to(struct sim_context *context, uint64_t address)
{
    struct allocation *allocation = memory_find(context, address);
    return !allocation || allocation->gaps_stored;
}
