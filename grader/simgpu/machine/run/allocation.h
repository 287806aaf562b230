/* allocation.h - the memory of the device: allocations, and which contexts may touch them.
 *
 * All contexts share one arena of addresses; each has a view, the ranges it may touch, sorted. An
 * address is never given out twice, so that one that was freed can be named in a message.
 */
#ifndef SIM_ALLOCATION_H
#define SIM_ALLOCATION_H

#include "program.h"

#include <pthread.h>
#include <stdatomic.h>

struct range {          /* what one allocation may touch */
    uint64_t low, high; /* [low, high) */
    struct allocation *allocation;
};

struct allocation {
    uint64_t address, size_bytes;
    struct allocation *below, *above; /* its neighbours, as long as it is not freed; of one in a
                                    * pack NULL */
    struct allocation *pack;          /* that it lies in: memory.c; NULL: it has pages of its own */
    enum sim_allocation_kind kind;
    uint64_t serial;
    uint32_t users; /* contexts that may touch it; of a pack: what lies in it, and
                                    * the context that fills it */
    bool freed;
    bool external;            /* its pages belong to another owner */
    bool is_shared;           /* with the host: counted in sim_memory.shared_bytes */
    char *label;              /* made where, as the owner said; or NULL */
    uint64_t *written;        /* a bit a byte: initialised; NULL when not watched */
    uint64_t unwritten_bytes; /* how many are not; counted up to a little late by workers */
    struct pieces *pieces;    /* of memory that is made when it is touched; else NULL */
    bool stored;              /* some kernel or the host may have written to it, */
    bool gaps_stored;         /* and to its gaps: gaps.c */
    struct sim_gaps gaps;
    uint64_t sampled_by;        /* the first launch that wrote to it with only some of its blocks
                                    * run, by serial; 0 for none */
    bool is_output;             /* what it holds means nothing until it is written */
    uint64_t told_by, heard_by; /* the latest sampled launch that wrote to it, and that read what
                                    * a block had not itself written: heard.c */
};

/* Does it lie in the host's memory, which a kernel reaches over the bus? Managed memory does not:
 * its pages move to the device when a kernel first touches them. */
static inline bool is_over_bus(const struct allocation *allocation)
{
    return allocation->kind == SIM_MEMORY_HOST;
}

struct sim_memory {
    struct sim_arena arena;
    uint64_t next;             /* where the search for a free address goes on */
    struct allocation *latest; /* the last one below next that is not freed; NULL for none */
    struct allocation *lowest; /* of all that are not freed */
    uint64_t used_bytes, capacity_bytes;
    uint64_t shared_bytes, most_shared_bytes; /* pages that the host has as well, and their limit */
    uint64_t serial;
    atomic_uint_fast64_t pages_made;  /* since that was last forgotten: pieces.c */
    pthread_rwlock_t lock;            /* views and the graveyard; see memory.c */
    struct allocation *graveyard[64]; /* the latest freed, to name them in messages */
    uint32_t buried;
};

struct sim_context {
    struct sim_machine *machine;
    struct range *view; /* sorted by low */
    size_t view_count, view_room;
    bool watch_writes;       /* keep allocation->written up to date */
    struct allocation *pack; /* where the next small allocation will lie; or NULL */
    uint64_t packed_bytes;   /* so many of it were given out */
    struct module **modules;
    size_t module_count;
    uint64_t heap_bytes, stack_bytes, printf_bytes; /* limits, as cudaDeviceSetLimit sets them */
    atomic_uint_fast64_t heap_used_bytes;
    struct texture_table *textures; /* texture.c; NULL before the first */
};

struct opcode_index;
struct line_pool;
struct sparse_store;

struct sim_machine {
    struct sim_profile profile; /* whole, or a slice of it */
    struct sim_profile whole;
    struct sim_memory *memory;
    uint64_t windows; /* see sim_arena */
    struct opcode_index *opcodes;
    struct line_pool *line_pool; /* of the race observer: global_pool.c */
    struct sparse_store *maps;   /* of the footprint observer: footprint.c */
    uint32_t next_module_id;
    atomic_uint_fast64_t launches; /* serials given out */
    const char *unsampled;         /* see sim_unsampled */
    bool untimed;                  /* see sim_is_timed */
    atomic_uint_fast64_t steps;    /* thread instructions since that was last forgotten */
};

/* Where an address would lie if the arena began where it does for ordinary programs. This decides
 * which lines share a set of a cache and which lines are sampled: an arena's address may be drawn,
 * and no figure may depend on it. */
#define PLACES_FROM UINT64_C(0x200000000000)
static inline uint64_t memory_place(const struct sim_memory *memory, uint64_t address)
{
    return address - memory->arena.address + PLACES_FROM;
}

struct sim_memory *memory_new(const struct sim_arena *arena, uint64_t capacity_bytes);
void memory_free(struct sim_memory *memory);
void memory_drop_view(struct sim_context *context);
/* Note that bytes of an allocation have been written. */
void memory_mark_written(struct allocation *allocation, uint64_t offset, uint64_t size_bytes);
/* Note that bytes of an allocation are stored to, if some of them lie in its gaps. */
void gaps_note(struct allocation *allocation, uint64_t offset, uint64_t size_bytes);
bool memory_was_freed(struct sim_context *context, uint64_t address);
/* The allocation that address falls into, for context; NULL when there is none. */
struct allocation *memory_find(struct sim_context *context, uint64_t address);
unsigned char *memory_host(const struct sim_memory *memory, uint64_t address);
/* "the 1024-byte buffer allocated at main.cu:31" */
void memory_name(const struct allocation *allocation, char *text, size_t size);
/* Is there memory at address, or was there, or so near that an index may have led there? */
bool memory_is_near(struct sim_context *context, uint64_t address);
/* Where bytes at address are, that do not all lie in one allocation: "it lies 4 bytes past the end
 * of the 1024-byte buffer allocated at main.cu:31". */
void memory_describe(struct sim_context *context, uint64_t address, uint64_t bytes, char *text,
                     size_t size);
/* The same for an address that was computed from pointers to memory that still exists (all of them
 * to from, unless that is NULL): freed memory is not mentioned. */
void memory_describe_strayed(struct sim_context *context, const struct allocation *from,
                             uint64_t address, uint64_t bytes, char *text, size_t size);

/* --- pieces.c: memory that is made when it is first touched ----------------------------------- */

enum { MADE_BYTES = 512 }; /* of a piece */

void pieces_free(struct pieces *pieces);
/* Make what lies at [offset, +size_bytes) of an allocation that has pieces, if it is not there. */
void pieces_touch(struct sim_memory *memory, struct allocation *allocation, uint64_t offset,
                  uint64_t size_bytes);
/* The whole pieces around addresses [low, high) of it. */
struct range pieces_around(struct allocation *allocation, uint64_t low, uint64_t high);
/* May so much be copied at once? All of it would be made. */
bool pieces_may_be_copied(const struct allocation *allocation, uint64_t size_bytes);

#endif
