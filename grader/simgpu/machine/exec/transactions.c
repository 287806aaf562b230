/* transactions.c - bytes that phases of mbarriers still wait for (PTX ISA 9.7.13.15.5). There are
 * few at a time, so they are kept in a list. The state of an mbarrier itself has no room for them.
 * Next: exec_mbarrier.c.
 */
#include "block.h"

#include <stdlib.h>

static struct transaction *find(const struct block *block, uint64_t offset)
{
    for (uint32_t i = 0; i < block->transaction_count; i++)
        if (block->transactions[i].offset == offset)
            return &block->transactions[i];
    return NULL;
}

int64_t transactions_of(const struct block *block, uint64_t offset)
{
    const struct transaction *found = find(block, offset);
    return found ? found->bytes : 0;
}

void transactions_forget(struct block *block, uint64_t offset)
{
    struct transaction *found = find(block, offset);
    if (found)
        *found = block->transactions[--block->transaction_count];
}

static struct transaction *add(struct block *block, uint64_t offset)
{
    if (block->transaction_count == block->transaction_room) {
        uint32_t room = block->transaction_room ? 2 * block->transaction_room : 8;
        struct transaction *grown = realloc(block->transactions, room * sizeof *grown);
        if (!grown)
            return NULL;
        block->transactions = grown;
        block->transaction_room = room;
    }
    struct transaction *added = &block->transactions[block->transaction_count++];
    *added = (struct transaction){.offset = offset};
    return added;
}

bool transactions_add(struct block *block, uint64_t offset, int64_t bytes)
{
    struct transaction *found = find(block, offset);
    if (!found && bytes && !(found = add(block, offset)))
        return false;
    if (found && (found->bytes += bytes) == 0)
        transactions_forget(block, offset);
    return true;
}
